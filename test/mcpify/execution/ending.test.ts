import { Command } from 'commander';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import { caller, gate, returning, textOf, type Call } from './run.js';

interface Context {
  readonly signal: AbortSignal;
  readonly isMcp: boolean;
  readonly caller: string | undefined;
  progress(done: number, total?: number, message?: string): void;
  log(level: string, data: unknown): void;
  ask(message: string, schema: object): Promise<unknown>;
}

beforeAll(installPatches);

const callContext = (): Context | undefined =>
  (globalThis as unknown as Record<symbol, () => Context | undefined>)[Symbol.for('mcpify.callContext')]?.();

function running(action: (text: string) => unknown): Call {
  const program = new Command('app');
  program.command('run').argument('[text]').action(returning(action));
  return caller(program);
}

const run = (call: Call, text: string, options: Parameters<Call>[1] = {}) =>
  call('run', { args: ['--', text], ...options });

describe('the queue of a program', () => {
  test('runs calls one at a time, in order of arrival', async () => {
    const steps: string[] = [];
    const gates = new Map(['a', 'b', 'c'].map((name) => [name, gate()]));
    const call = running(async (text) => {
      steps.push(`start ${text}`);
      await gates.get(text)?.opened;
      steps.push(`end ${text}`);
    });
    const calls = [...gates.keys()].map((text) => run(call, text));
    expect(steps).toEqual(['start a']);
    for (const name of ['c', 'b', 'a']) gates.get(name)?.open();
    await Promise.all(calls);
    expect(steps).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c']);
  });

  test('does not hold up commands that may overlap', async () => {
    const { opened, open } = gate();
    const call = running(async (text) => {
      if (text === 'long') await opened;
      return text;
    });
    const long = run(call, 'long');
    const waiting = run(call, 'waiting');
    const outcome = await run(call, 'free', { concurrent: true });
    expect(outcome.end).toMatchObject({ value: 'free' });
    open();
    expect((await long).end).toMatchObject({ value: 'long' });
    expect((await waiting).end).toMatchObject({ value: 'waiting' });
  });

  test('forgets a call that is cancelled while it waits: it never starts', async () => {
    const { opened, open } = gate();
    const started: string[] = [];
    const call = running(async (text) => {
      started.push(text);
      await opened;
    });
    const first = run(call, 'first');
    const cancel = new AbortController();
    const second = run(call, 'second', { signal: cancel.signal });
    const third = run(call, 'third');
    cancel.abort();
    expect((await second).end).toEqual({ kind: 'cancelled' });
    open();
    await Promise.all([first, third]);
    expect(started).toEqual(['first', 'third']);
  });

  test('a call that was cancelled before it came never starts', async () => {
    const started = vi.fn();
    const outcome = await run(running(started), '', { signal: AbortSignal.abort() });
    expect(outcome).toEqual({
      end: { kind: 'cancelled' },
      output: { segments: [], totalBytes: 0, omittedBytes: 0 },
    });
    expect(started).not.toHaveBeenCalled();
  });
});

describe.each<
  [string, (call: Call, text: string) => { outcome: ReturnType<Call>; stop: () => void }, object]
>([
  [
    'cancelled',
    (call, text) => {
      const cancel = new AbortController();
      return { outcome: run(call, text, { signal: cancel.signal }), stop: () => cancel.abort() };
    },
    { kind: 'cancelled' },
  ],
  [
    'timed out',
    (call, text) => ({ outcome: run(call, text, { timeoutMs: 20 }), stop: () => {} }),
    { kind: 'timedOut', timeoutMs: 20 },
  ],
])('a call that is %s', (_name, start, end) => {
  test('ends at once, and the next one goes on, also when the command never ends', async () => {
    const call = running((text) => (text === 'stuck' ? new Promise(() => {}) : text));
    const { outcome, stop } = start(call, 'stuck');
    const next = run(call, 'next');
    stop();
    expect((await outcome).end).toEqual(end);
    expect((await next).end).toMatchObject({ value: 'next' });
  });

  test('tells the command by its signal, in its own name', async () => {
    const heard = gate<unknown>();
    const call = running(
      () =>
        new Promise(() => {
          callContext()?.signal.addEventListener('abort', () => {
            heard.open(process.argv.at(-1));
            try {
              process.exit(1);
            } catch {
              // Only the server ends the server.
            }
          });
        }),
    );
    const { outcome, stop } = start(call, 'mine');
    stop();
    expect((await outcome).end).toEqual(end);
    expect(await heard.opened).toBe('mine');
  });

  test('keeps what was printed before, and nothing after', async () => {
    const { opened, open } = gate();
    const late = gate();
    const call = running(async () => {
      console.log('before');
      await opened;
      console.log('after');
      late.open();
    });
    const { outcome, stop } = start(call, '');
    stop();
    const { output } = await outcome;
    open();
    await late.opened;
    expect(textOf(output)).toBe('before\n');
  });

  test('harms nobody when the command goes on to exit, fail or move', async () => {
    const { opened, open } = gate();
    const done = gate();
    const call = running(async (text) => {
      if (text === 'next') {
        open();
        await done.opened;
        return process.cwd();
      }
      await opened;
      for (const harm of [() => process.exit(1), () => process.chdir('/'), () => process.abort()]) {
        try {
          harm();
        } catch {
          // It has no call any more.
        }
      }
      process.exitCode = 3;
      process.on('SIGTERM', () => {});
      done.open();
      throw new Error('late');
    });
    const listeners = process.listenerCount('SIGTERM');
    const { outcome, stop } = start(call, 'first');
    stop();
    await outcome;
    const next = await run(call, 'next');
    expect(next.end).toEqual({ kind: 'returned', value: process.cwd() });
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
    expect(process.exitCode).toBeUndefined();
  });
});

test('the time limit begins with the turn of a call', async () => {
  const { opened, open } = gate();
  const call = running((text) => (text === 'long' ? opened : text));
  const long = run(call, 'long');
  const waiting = run(call, 'waiting', { timeoutMs: 50 });
  const other = run(
    running(() => new Promise(() => {})),
    '',
    { timeoutMs: 100 },
  );
  expect((await other).end.kind).toBe('timedOut');
  open();
  await long;
  expect((await waiting).end).toMatchObject({ value: 'waiting' });
});

test.each([Infinity, 2 ** 31])('a time limit of %s is no limit', async (timeoutMs) => {
  const outcome = await run(
    running(() => new Promise((resolve) => setImmediate(() => resolve('done')))),
    '',
    { timeoutMs },
  );
  expect(outcome.end).toMatchObject({ value: 'done' });
});

test('cancelling at the moment of the end, or twice, is one end', async () => {
  const cancel = new AbortController();
  const call = running(() => {
    cancel.abort();
    cancel.abort();
    return 'value';
  });
  expect((await run(call, '', { signal: cancel.signal })).end).toEqual({ kind: 'cancelled' });
  const after = new AbortController();
  const outcome = await run(
    running(() => 'value'),
    '',
    { signal: after.signal },
  );
  after.abort();
  expect(outcome.end).toMatchObject({ value: 'value' });
});

describe('callContext', () => {
  test('is the running call’s, and undefined outside', async () => {
    expect(callContext()).toBeUndefined();
    const progress = vi.fn();
    const log = vi.fn();
    const call = running(async () => {
      const context = callContext();
      context?.progress(1, 2, 'half');
      await Promise.resolve();
      context?.log('notice', { a: 1 });
      return [context === callContext(), context?.isMcp, context?.signal.aborted, context?.caller];
    });
    const { end } = await run(call, '', { progress, log });
    expect(end).toMatchObject({ value: [true, true, false, undefined] });
    expect(progress.mock.calls).toEqual([[1, 2, 'half']]);
    expect(log.mock.calls).toEqual([['notice', { a: 1 }]]);
  });

  test('logs what is data, and errors in words', async () => {
    const log = vi.fn();
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    const error = Object.assign(new TypeError('no such file'), { code: 'ENOENT' });
    const all = [error, { error, size: 1n }, undefined, () => 1, null, circle];
    const call = running(() => all.forEach((data) => callContext()?.log('info', data)));
    await run(call, '', { log });
    expect(log.mock.calls.map(([, data]) => data as unknown)).toEqual([
      'TypeError: no such file',
      { error: 'TypeError: no such file', size: '1' },
      'undefined',
      'function',
      null,
      '[data that is not JSON]',
    ]);
  });

  test('cannot ask, and says what to do', async () => {
    const { end } = await run(
      running(() => callContext()?.ask('Sure?', {})),
      '',
    );
    expect(end).toMatchObject({ kind: 'threw', error: { message: expect.stringContaining('option') } });
  });
});

test('a call that has ended reports nothing any more', async () => {
  const { opened, open } = gate();
  const late = gate();
  const reported: unknown[] = [];
  const call = running(async () => {
    const context = callContext();
    await opened;
    context?.progress(1);
    context?.log('info', 'late');
    console.log('late');
    late.open();
  });
  const cancel = new AbortController();
  const outcome = run(call, '', {
    signal: cancel.signal,
    log: (...args) => reported.push(args),
    progress: (...args) => reported.push(args),
  });
  cancel.abort();
  await outcome;
  open();
  await late.opened;
  expect(reported).toEqual([]);
});

test('what is printed after the call goes to nobody’s result', async () => {
  const { opened, open } = gate();
  const late = gate();
  const call = running((text) => {
    console.log(`first ${text}`);
    if (text === 'a') {
      void opened.then(() => {
        console.log('late');
        late.open();
      });
    } else {
      open();
      return late.opened;
    }
    return undefined;
  });
  const first = await run(call, 'a');
  const second = await run(call, 'b');
  expect(textOf(first.output)).toBe('first a\n');
  expect(textOf(second.output)).toBe('first b\n');
});
