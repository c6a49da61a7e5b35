import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { toAbortSignal } from '../../../packages/mcpify/src/execution/cancel-signal.js';
import type { CallRequest } from '../../../packages/mcpify/src/serving/answer-call.js';
import { AskingCalls } from '../../../packages/mcpify/src/serving/ask-in-rounds.js';
import type { Tool } from '../../../packages/mcpify/src/tools/tool.js';

/* Calls that wait between two requests of 2026-07-28: how long, and how many. */

const MINUTE_MS = 60_000;
const EXPIRED = { code: -32_602, data: { reason: 'invalid_request_state' } };

let ended: string[];
let calls: AskingCalls;

/** Asks once, and tells when its call ends. */
const tool: Tool = {
  definition: { name: 'ask' } as never,
  scope: undefined,
  needsTasks: false,
  async call({ id }, { ask, signal }) {
    signal.addEventListener('abort', () => ended.push(id as string));
    const { action } = await ask!({ message: 'Well?', schema: {} as never }, toAbortSignal(signal));
    return { content: [{ type: 'text', text: action }] };
  },
} as Tool;

beforeEach(() => {
  vi.useFakeTimers();
  ended = [];
  calls = new AskingCalls();
});

afterEach(() => {
  vi.useRealTimers();
});

async function send(id: string, caller: string | undefined, state?: string) {
  const request = {
    toolArguments: { id },
    signal: new AbortController().signal,
    caller,
    connection: undefined,
    progressToken: undefined,
    wants: () => false,
    notify() {},
  } satisfies CallRequest;
  const inputResponses = state === undefined ? undefined : { question1: { action: 'decline' } };
  const context = { mcpReq: { requestState: () => state, inputResponses } } as never;
  const answer = calls.answer(tool, request, context);
  answer.catch(() => {});
  // Questions go out with the next turn.
  await vi.advanceTimersByTimeAsync(0);
  return (await answer) as { readonly requestState: string; readonly content?: unknown };
}

test('a client that comes back within 5 minutes goes on; one that does not has ended its call', async () => {
  const { requestState: early } = await send('early', undefined);
  const { requestState: late } = await send('late', undefined);
  await vi.advanceTimersByTimeAsync(4 * MINUTE_MS);
  expect(ended).toEqual([]);
  expect((await send('early', undefined, early)).content).toEqual([{ type: 'text', text: 'decline' }]);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(ended).toEqual(['late']);
  await expect(send('late', undefined, late)).rejects.toMatchObject(EXPIRED);
});

test('100 wait at a time: one more ends the one that has waited for the longest', async () => {
  const states: string[] = [];
  for (let count = 0; count < 101; count += 1) {
    states.push((await send(`call ${count}`, undefined)).requestState);
  }
  expect(new Set(states).size).toBe(101);
  expect(ended).toEqual(['call 0']);
  await expect(send('call 0', undefined, states[0])).rejects.toMatchObject(EXPIRED);
  expect((await send('call 1', undefined, states[1])).content).toBeDefined();
});

test('of whoever has the most: nobody ends the calls of others by asking for more', async () => {
  const { requestState: alices } = await send('of Alice', 'alice');
  for (let count = 0; count < 150; count += 1) await send(`of Bob ${count}`, 'bob');
  expect(ended[0]).toBe('of Bob 0');
  expect(ended).not.toContain('of Alice');
  await expect(send('of Alice', 'bob', alices)).rejects.toMatchObject(EXPIRED);
  await expect(send('of Alice', undefined, alices)).rejects.toMatchObject(EXPIRED);
  expect((await send('of Alice', 'alice', alices)).content).toBeDefined();
});
