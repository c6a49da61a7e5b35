import { expect, test } from 'vitest';

import { startServer, type Message } from '../wire/connect.js';

const CALLS = Number(process.env['MCPIFY_TEST_CALLS'] ?? 1_000);
const IN_FLIGHT = 24;

const WAYS = ['console', 'stdout', 'stderr', 'fs', 'pino', 'worker'] as const;
const ENDS = ['return', 'print', 'throw', 'exit', 'exit-late', 'reject', 'wait'] as const;

interface Call {
  readonly tag: string;
  readonly way: (typeof WAYS)[number];
  readonly end: (typeof ENDS)[number];
  readonly child: boolean;
}

/**
 * Every answer right, every line in its own call and in no other, no stray byte on stdout, the server alive (K01, K02,
 * K15, K16): whatever the commands print with, end with and leave running.
 */
test(`${CALLS} random overlapping calls keep everything apart`, { timeout: 480_000 }, async () => {
  const server = startServer('test/fixtures/overlap/mcp.mjs');
  await server.initialize();
  await server.request('logging/setLevel', { level: 'debug' });
  const random = createRandom(20_260_728);
  const calls = Array.from({ length: CALLS }, (_, index): Call => {
    const way = random() < 0.04 ? 'worker' : WAYS[Math.floor(random() * 5)]!;
    return { tag: `t${index}${'x'.repeat(index % 7)}`, way, end: pick(ENDS, random), child: index % 5 === 0 };
  });
  const queue = [...calls.entries()];
  const answers = new Map<string, Message>();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, call] = next;
        const answer = await run(index, call);
        if (answer) answers.set(call.tag, answer);
      }
    }),
  );
  for (const call of calls) check(call, answers.get(call.tag));

  expect((await server.request('tools/call', { name: 'alive' })).result?.['content'][0].text).toBe('alive\n');
  const cancelled = calls.filter(({ end }) => end === 'wait').length;
  const ids = server.messages.filter(({ method }) => !method).map(({ id }) => id);
  expect(new Set(ids).size, 'no request is answered twice').toBe(ids.length);
  // initialize, logging/setLevel, the calls that were not cancelled, and the last one
  expect(ids).toHaveLength(CALLS - cancelled + 3);
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });

  async function run(index: number, { tag, way, end, child }: Call): Promise<Message | undefined> {
    const id = `call-${index}`;
    const params = { name: 'step', arguments: { tag, way, end, child } };
    server.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
    if (end !== 'wait') return server.answerTo(id);
    // Cancelled once its last line has been logged.
    await server.message(
      ({ method, params: event }) =>
        method === 'notifications/message' && JSON.stringify(event).includes(`<${tag} last>`),
    );
    server.notify('notifications/cancelled', { requestId: id });
    return undefined;
  }
});

function check({ tag, end, child }: Call, answer: Message | undefined): void {
  if (end === 'wait') {
    expect(answer).toBeUndefined();
    return;
  }
  const result = answer?.result;
  const text: string = result?.['content'][0].text;
  const found = [...text.matchAll(/<(\S+) (\w+)>/g)].map(([, owner, what]) => `${owner} ${what}`);
  const extra = { throw: ['thrown'], reject: ['rejected'], print: ['printed'] }[end as string] ?? [];
  const wanted = ['first', ...(child ? ['child'] : []), 'last', ...extra].map((what) => `${tag} ${what}`);
  expect(found, text).toEqual(wanted);
  const failed = ['throw', 'exit-late', 'reject'].includes(end);
  expect(result?.['isError'] ?? false, text).toBe(failed);
  if (end === 'exit') expect(text).toContain('[exit code 3]');
  if (end === 'exit-late') expect(text).toContain('[exit code 4]');
  if (end === 'return') expect(result?.['structuredContent']).toEqual({ tag });
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!;
}

/** mulberry32: the same calls in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
