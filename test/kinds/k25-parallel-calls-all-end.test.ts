import { beforeAll, describe, expect, test } from 'vitest';

import { connect, textOf, type RawServer } from '../wire/connect.js';
import { ENTRY } from '../start/start.js';
import { call, serve, startOf } from './kind-server.js';

/* K25: many calls at once are all answered, each with its own; what must not overlap does not, and blocks nobody else. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('turns.mjs');
});

const whole = (tag: string) => `${tag} begins\n${tag} ends\n`;

test('150 calls of every kind at once: each has its own answer (F149)', async () => {
  const tools = [
    'exclusive',
    'shared',
    'exclusive',
    'shared',
    'exclusive',
    'shared',
    'exclusive',
    'shared',
    'exclusive',
    'child',
  ];
  const answers = await Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      const tag = `call-${index}`;
      if (index % 7 === 0) return [(await server.request('ping')).result, {}] as const;
      if (index % 11 === 0) return [(await call(server, 'none')).code, -32_602] as const;
      return [
        await call(server, tools[index % 10]!, { tag, wait: index % 5 }),
        { text: whole(tag), isError: false, value: undefined },
      ] as const;
    }),
  );
  for (const [found, wanted] of answers) expect(found).toEqual(wanted);
  const ids = server.messages.filter(({ method }) => !method).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await call(server, 'highest')).value).toEqual({ highest: 1 });
});

test('an exclusive command that runs on delays neither shared ones, children nor what is no command (F151)', async () => {
  server.send({ jsonrpc: '2.0', id: 'holds', method: 'tools/call', params: { name: 'for_ever' } });
  const waiting = call(server, 'exclusive', { tag: 'waits' });
  const others = await Promise.all([
    call(server, 'shared', { tag: 'a', wait: 20 }),
    call(server, 'shared', { tag: 'b' }),
    call(server, 'child', { tag: 'c' }),
    call(server, 'exclusive', { tag: 5 }),
    call(server, 'none'),
  ]);
  expect(others.slice(0, 3).map(({ text }) => text)).toEqual(['a', 'b', 'c'].map(whole));
  expect((await server.request('tools/list')).result).toBeDefined();
  server.notify('notifications/cancelled', { requestId: 'holds' });
  expect(await waiting).toMatchObject({ text: whole('waits') });
});

test('exclusive calls run in the order of their arrival, one at a time', async () => {
  const before = server.messages.length;
  const tags = Array.from({ length: 20 }, (_, index) => `turn-${index}`);
  await Promise.all(tags.map((tag, index) => call(server, 'exclusive', { tag, wait: (20 - index) % 4 })));
  const order = server.messages
    .slice(before)
    .flatMap(({ result }) => result?.['content'][0].text.split(' ')[0] ?? []);
  expect(order).toEqual(tags);
});

test('shared calls overlap: the one that waits longest does not hold up the others', async () => {
  const before = server.messages.length;
  await Promise.all([
    call(server, 'shared', { tag: 'long', wait: 300 }),
    ...['x', 'y', 'z'].map((tag) => call(server, 'shared', { tag, wait: 10 })),
  ]);
  const order = server.messages
    .slice(before)
    .flatMap(({ result }) => result?.['content'][0].text.split(' ')[0] ?? []);
  expect(order.at(-1)).toBe('long');
});

test('of calls that wait, those that are cancelled never start, and the rest keeps its order', async () => {
  server.send({ jsonrpc: '2.0', id: 'first', method: 'tools/call', params: { name: 'for_ever' } });
  const ids = Array.from({ length: 30 }, (_, index) => `queued-${index}`);
  for (const id of ids) {
    server.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'exclusive', arguments: { tag: id } },
    });
  }
  const dropped = ids.filter((_, index) => index % 3 === 0);
  for (const requestId of [...dropped, 'first']) server.notify('notifications/cancelled', { requestId });
  const kept = ids.filter((id) => !dropped.includes(id));
  await Promise.all(kept.map((id) => server.answerTo(id)));
  await server.request('ping');
  const answered = server.messages.flatMap(({ id }) => (String(id).startsWith('queued-') ? [id] : []));
  expect(answered).toEqual(kept);
});

test('more children than may run at once wait for their turn, and all end', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => call(server, 'child', { tag: `c${index}`, wait: 20 })),
  );
  expect(answers.map(({ text }) => text)).toEqual(answers.map((_, index) => whole(`c${index}`)));
});

describe.concurrent.each(['v1', 'v2 2026-07-28'] as const)('the %s client', (kind) => {
  test('50 calls at once', async () => {
    const client = await connect(kind, ENTRY, startOf('turns.mjs'));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        client.callTool(index === 0 ? 'child' : index % 2 === 0 ? 'exclusive' : 'shared', {
          tag: `${kind} ${index}`,
          wait: index % 3,
        }),
      ),
    );
    expect(answers.map(textOf)).toEqual(answers.map((_, index) => whole(`${kind} ${index}`)));
  });
});

test('what is in flight when the client leaves is answered, each once', async () => {
  const other = await serve('turns.mjs');
  const tags = Array.from({ length: 40 }, (_, index) => `left-${index}`);
  for (const [index, tag] of tags.entries()) {
    other.send({
      jsonrpc: '2.0',
      id: tag,
      method: 'tools/call',
      params: { name: index % 2 ? 'shared' : 'exclusive', arguments: { tag, wait: 5 } },
    });
  }
  expect(await other.endInput()).toEqual({ exitCode: 0, signal: null });
  const answered = other.messages.flatMap(({ id, result }) =>
    String(id).startsWith('left-') && result ? [id] : [],
  );
  expect(answered.toSorted()).toEqual(tags.toSorted());
});
