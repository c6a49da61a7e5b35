import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { modernMeta, startServer, type Message } from '../wire/connect.js';
import { ENTRY, embedded, newFolder, startRaw } from './background.js';

/* Background tasks without a client library in between. */

const taskOf = (result: Message['result']): string => result?.['structuredContent'].taskId;

const call = (name: string, toolArguments: object) => ({ name, arguments: toolArguments });

test('a task is not cancelled with the call that started it (decision 11)', async () => {
  const server = await startRaw(embedded());
  const folder = newFolder();
  const { result } = await server.request('tools/call', call('work_steps', { folder }));
  const taskId = taskOf(result);
  server.notify('notifications/cancelled', { requestId: 2 });
  const status = await server.request('tools/call', call('task_status', { taskId }));
  expect(status.result?.['structuredContent']).toMatchObject({ status: 'running' });
  await server.request('tools/call', call('task_cancel', { taskId }));
});

test('a call whose cancellation comes with it starts nothing', async () => {
  const server = await startRaw(embedded());
  const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  const params = call('work_steps', { folder: newFolder() });
  const cancel = { method: 'notifications/cancelled', params: { requestId: 'c' } };
  server.send(line({ id: 'c', method: 'tools/call', params }) + line(cancel));
  const list = await server.request('tools/call', call('task_status', {}));
  expect(list.result?.['content']).toEqual([{ type: 'text', text: 'You have no tasks.' }]);
  expect(server.messages.some(({ id }) => id === 'c')).toBe(false);
});

test('waits hold nobody up, and are let go when they are cancelled', async () => {
  const server = await startRaw(embedded());
  const { result } = await server.request('tools/call', call('work_steps', { folder: newFolder() }));
  const taskId = taskOf(result);
  for (let wait = 0; wait < 50; wait += 1) {
    const params = call(wait % 2 ? 'task_status' : 'task_result', { taskId, waitMs: 45_000, ...(wait % 2 === 0 && { offsetBytes: 1_000 }) }); // prettier-ignore
    server.send({ jsonrpc: '2.0', id: `wait ${wait}`, method: 'tools/call', params });
  }
  const quick = await server.request('tools/call', call('quick', {}));
  expect(quick.result?.['content']).toEqual([{ type: 'text', text: 'quick\n' }]);
  for (let wait = 0; wait < 40; wait += 1) {
    server.notify('notifications/cancelled', { requestId: `wait ${wait}` });
  }
  await server.request('tools/call', call('task_cancel', { taskId }));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => server.answerTo(`wait ${40 + at}`)),
  );
  expect(answers.every((answer) => answer.result?.['isError'] !== true)).toBe(true);
  const waits = server.messages.filter(({ id }) => String(id).startsWith('wait '));
  expect(waits).toHaveLength(10);
});

test('2026-07-28: the results are complete', async () => {
  const server = startServer(ENTRY, { env: embedded() });
  const modern = (name: string, toolArguments: object) =>
    server.request('tools/call', { ...call(name, toolArguments), _meta: modernMeta() });
  const start = await modern('echo', { words: ['a'] });
  expect(start.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'running' } });
  const taskId = taskOf(start.result);
  const status = await modern('task_status', { taskId, waitMs: 45_000 });
  expect(status.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'completed' } });
});

test('the end of input ends the server, whatever a wait or a task does', async () => {
  const server = await startRaw(embedded({ tasks: { onServerExit: 'cancel' } }));
  const file = `${newFolder()}/pid`;
  const { result } = await server.request('tools/call', call('limited', { file, background: true }));
  const taskId = taskOf(result);
  await server.request('tools/call', call('task_status', { taskId, waitMs: 45_000 }));
  const stay = await server.request('tools/call', call('work_steps', { folder: newFolder() }));
  const other = taskOf(stay.result);
  const params = call('task_status', { taskId: other, waitMs: 45_000 });
  server.send({ jsonrpc: '2.0', id: 'wait', method: 'tools/call', params });
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+$/);
});
