import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

/* What concerns the real descriptors and errors of a process is tried in one of its own. */

const HOST = fileURLToPath(new URL('fixtures/host.mjs', import.meta.url));
const NODE = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly results: never;
}

async function run(
  scenario: string,
  options: { args?: string[]; readsStderr?: boolean } = {},
): Promise<Ended> {
  const child = spawn(NODE, [...(options.args ?? []), HOST, scenario], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_DEBUG: 'noisy' },
  });
  const texts = ['', '', '', ''];
  for (const index of options.readsStderr === false ? [1, 3] : [1, 2, 3]) {
    const pipe = child.stdio[index] as NodeJS.ReadableStream;
    pipe.setEncoding('utf8').on('data', (chunk) => (texts[index] += String(chunk)));
  }
  const [exitCode] = (await once(child, options.readsStderr === false ? 'exit' : 'close')) as [number | null];
  child.stderr?.destroy();
  const [, stdout = '', stderr = '', results = ''] = texts;
  return { exitCode, stdout, stderr, results: (results === '' ? undefined : JSON.parse(results)) as never };
}

test('nothing but what the server writes itself ever reaches stdout: from imports, calls, timers', async () => {
  const { exitCode, stdout, stderr, results } = await run('noisy');
  expect(stdout).toBe('');
  expect(exitCode).toBe(0);
  for (const when of ['import', 'timer', 'late', 'after']) {
    expect(stderr).toContain(`${when} writeSync\n`);
    expect(stderr).toContain(`"msg":"${when}"`);
    expect((results as { text: string }).text).not.toContain(when);
  }
  expect(stderr).not.toContain('call write');
  for (const text of ['call write\n', 'call writeSync\n', '"msg":"call"', 'call log\n', 'call table']) {
    expect((results as { text: string }).text).toContain(text);
  }
});

describe('errors that nobody catches', () => {
  const ended = run('failing');

  test.each<[string, object]>([
    ['rejection', { kind: 'threw', error: 'unhandled' }],
    ['deep-rejection', { kind: 'threw', error: 'deep' }],
    ['timer', { kind: 'threw', error: 'in a timer' }],
    ['tick', { kind: 'threw', error: 'in a tick' }],
    ['microtask', { kind: 'threw', error: 'in a microtask' }],
    ['emitter', { kind: 'threw', error: 'emitted' }],
    ['undefined', { kind: 'threw', error: 'undefined' }],
    ['exit', { kind: 'exited', exitCode: 3 }],
    ['exit-rejection', { kind: 'exited', exitCode: 4 }],
    ['finally', { kind: 'exited', exitCode: 5 }],
    ['exit-code', { kind: 'exited', exitCode: 1 }],
    ['before-exit', { kind: 'exited', exitCode: 6 }],
    ['late', { kind: 'returned' }],
    ['after', { kind: 'returned', value: 'ok' }],
  ])('%s: that call fails and no other', async (name, end) => {
    expect((await ended).results[name]).toMatchObject(end);
  });

  test('each of several overlapping calls has its own end', async () => {
    expect((await ended).results['overlapping']).toMatchObject({
      rejection: { kind: 'threw', error: 'unhandled' },
      timer: { kind: 'threw', error: 'in a timer' },
      exit: { kind: 'exited', exitCode: 3 },
      finally: { kind: 'exited', exitCode: 5 },
      'exit-code': { kind: 'exited', exitCode: 1 },
      'before-exit': { kind: 'exited', exitCode: 6 },
      ok: { kind: 'returned', value: 'ok' },
    });
  });

  test('what belongs to no call is told on one line of stderr, and the process lives', async () => {
    const { exitCode, stderr, stdout } = await ended;
    expect(exitCode).toBe(0);
    expect(stdout).toBe('');
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(lines.sort()).toEqual([
      'mcpify: uncaught exception in late, after its call had ended: Error: late exception',
      'mcpify: uncaught exception: Error: ownerless exception',
      'mcpify: unhandled rejection in late, after its call had ended: Error: late rejection',
      'mcpify: unhandled rejection: Error: ownerless rejection',
    ]);
  });
});

test('a large text is not copied, and one that is cut takes no more than its budget', async () => {
  const { results } = await run('large', { args: ['--expose-gc'] });
  const { wholeBytes, isWhole, cutBytes, cutLength } = results as Record<string, number>;
  expect(isWhole).toBe(true);
  expect(wholeBytes).toBeLessThan(5_000_000);
  expect(cutBytes).toBeLessThan(2_000_000);
  expect(cutLength).toBe(100_000);
});

test('a stderr that nobody reads stops nothing and fills no memory', async () => {
  const { exitCode, results } = await run('flooding', { readsStderr: false });
  expect(exitCode).toBe(0);
  expect(results).toMatchObject({ length: 1_000_000 });
  expect((results as { waitingBytes: number }).waitingBytes).toBeLessThan(200_000);
});
