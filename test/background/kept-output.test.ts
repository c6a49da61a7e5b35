import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { textOf } from '../wire/connect.js';
import { Agent, newFolder } from './background.js';

/* Decision 13: what a result could not carry is there page by page. */

interface Place {
  readonly agent: Agent;
  readonly stateDir: string;
}

async function start(options: object = {}): Promise<Place> {
  const stateDir = newFolder();
  const env = { TEST_OPTIONS: JSON.stringify({ stateDir, ...options }) };
  return { agent: await Agent.connect('v1', env), stateDir };
}

/** The call that a result names for what it left out. */
function restOf(text: string): { taskId: string; offsetBytes?: number } {
  return JSON.parse(/\[….*: task_result (\{.*\}) …\]/.exec(text)![1]!) as { taskId: string };
}

async function whole(agent: Agent, taskId: string): Promise<string> {
  let output = '';
  for (let offsetBytes = 0; ;) {
    const page = await agent.page(taskId, { offsetBytes, maxBytes: 60_000 });
    output += page.output ?? '';
    offsetBytes = page.nextOffsetBytes;
    if (!page.text.includes('\nMore: ')) return output;
  }
}

const lines = (count: number, text: string) =>
  Array.from({ length: count }, (_, line) => `line ${line} ${text}\n`).join('');

test.each([
  ['in the server', 'much', {}, lines(3_309, 'x'.repeat(80)), 'completed'],
  ['as a child', 'much_apart', {}, lines(5_000, 'y'.repeat(80)), 'failed'],
  ['a returned value', 'give', { length: 150_000 }, '😀'.repeat(75_000), 'completed'],
])('all of an output that was cut: %s', async (_, name, toolArguments, all, status) => {
  const { agent } = await start();
  const text = textOf(await agent.call(name, toolArguments));
  expect(Buffer.byteLength(text)).toBeLessThan(all.length * 2);
  const { taskId, offsetBytes = 0 } = restOf(text);
  expect(await whole(agent, taskId)).toBe(all);
  // Where the cut is, the page goes on.
  const page = await agent.page(taskId, { offsetBytes, maxBytes: 1_000 });
  const before = text.slice(0, text.indexOf('[…')).replaceAll(/\[std(?:err|out)\]\n/g, '');
  if (offsetBytes > 0) expect(all.startsWith(before.slice(0, 40_000))).toBe(true);
  expect(Buffer.from(all).subarray(offsetBytes).toString().startsWith(page.output!)).toBe(true);
  expect(await agent.status(taskId)).toMatchObject({ status, tool: name });
});

test('output that fits is not kept', async () => {
  const { agent, stateDir } = await start();
  expect(textOf(await agent.call('much', { bytes: 90_000 }))).not.toContain('[…');
  expect(readdirSync(stateDir)).toEqual([]);
});

test('what is kept holds no secret', async () => {
  const { agent, stateDir } = await start({ outputBudgetBytes: 2_000 });
  const apiToken = 'hunter 2/%"x';
  const text = textOf(await agent.call('spell', { apiToken, times: 500 }));
  const { taskId, offsetBytes = 0 } = restOf(text);
  const [project] = readdirSync(stateDir);
  const log = readFileSync(join(stateDir, project!, taskId, 'log'), 'utf8');
  expect(log).not.toContain('hunter');
  expect(log.match(/\*\*\*/g)).toHaveLength(500);
  expect(await whole(agent, taskId)).toBe(log);
  // Where the cut is, the page goes on, though what is kept is shorter than what was printed.
  const head = text.slice(0, text.indexOf('[…'));
  expect(log.startsWith(head.slice(0, 200))).toBe(true);
  expect(offsetBytes).toBeGreaterThan(0);
  expect(Math.abs(offsetBytes - Buffer.byteLength(head))).toBeLessThan(12);
});

test('a place that cannot be written costs the rest, not the call', async () => {
  const { agent } = await start({ stateDir: '/dev/null/state' });
  const result = await agent.call('much');
  expect(result.isError).toBeFalsy();
  expect(textOf(result)).toMatch(/\[… \d+ of \d+ bytes of output left out here …\]/);
});

test('with another backend for the tasks, too', async () => {
  const stateDir = newFolder();
  const agent = await Agent.connect('v1', { TEST_OPTIONS: JSON.stringify({ stateDir, inMemory: true }) });
  const { taskId } = restOf(textOf(await agent.call('much')));
  expect(await whole(agent, taskId)).toBe(lines(3_309, 'x'.repeat(80)));
  expect(await agent.ended(await agent.start('echo'))).toMatchObject({ status: 'completed' });
});
