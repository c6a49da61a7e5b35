import childProcess from 'node:child_process';
import { once } from 'node:events';

import { Command } from 'commander';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import { caller, gate, returning, textOf, type Call } from './run.js';

let WAYS: typeof import('./ways-of-writing.js').WAYS;
let PRINTED: typeof import('./ways-of-writing.js').PRINTED;
let BUFFERED: typeof import('./ways-of-writing.js').BUFFERED;

beforeAll(async () => {
  installPatches();
  ({ WAYS, PRINTED, BUFFERED } = await import('./ways-of-writing.js'));
});

function printing(print: (text: string) => unknown): Call {
  const program = new Command('app');
  program
    .command('print')
    .argument('<text>')
    .action(returning((text: string) => print(text)));
  return caller(program);
}

const OVERLAPPING = 12;

test('every way of writing reaches the call that wrote, also where calls overlap', async () => {
  for (const [name, print] of Object.entries(WAYS)) {
    const call = printing(async (text) => void (await print(text)));
    const texts = Array.from({ length: OVERLAPPING }, (_, index) => `text-${index}`);
    const outcomes = await Promise.all(
      texts.map((text) => call('print', { args: ['--', text], concurrent: true })),
    );
    outcomes.forEach(({ output }, index) => {
      const text = texts[index] as string;
      const expected = PRINTED[name]?.(text) ?? text;
      if (name === 'console.table') expect(textOf(output)).toContain(text);
      else expect(textOf(output, 'stdout'), name).toBe(expected);
      expect(textOf(output, 'stderr'), name).toBe('');
    });
  }
}, 60_000);

test('a logger that buffers has written before the call ends', async () => {
  for (const [name, print] of Object.entries(BUFFERED)) {
    const call = printing((text) => {
      for (let line = 0; line < 5; line += 1) print(`${text}${line}`);
    });
    const { output } = await call('print', { args: ['--', 'x'] });
    const expected = Array.from({ length: 5 }, (_, line) => PRINTED[name]?.(`x${line}`)).join('');
    expect(textOf(output), name).toBe(expected);
  }
});

test('stderr is kept apart, and the order of both is that of writing', async () => {
  const call = printing(() => {
    console.log('one');
    console.error('two');
    process.stderr.write('three\n');
    console.warn('four');
    console.log('five');
  });
  const { output } = await call('print', { args: ['--', ''] });
  expect(output.segments).toEqual([
    { stream: 'stdout', text: 'one\n' },
    { stream: 'stderr', text: 'two\nthree\nfour\n' },
    { stream: 'stdout', text: 'five\n' },
  ]);
});

test('text without an owner belongs to the only call that runs', async () => {
  // A queue of the module: its callbacks run in the context in which it was made.
  const jobs: (() => void)[] = [];
  const { opened, open } = gate();
  const pump = opened.then(() => jobs.forEach((job) => job()));
  const call = printing(async (text) => {
    jobs.push(() => console.log(text));
    open();
    await pump;
  });
  const { output } = await call('print', { args: ['--', 'pumped'] });
  expect(textOf(output)).toBe('pumped\n');
});

test('a console that was put in place later is taken too', async () => {
  const original = globalThis.console;
  const elsewhere: unknown[] = [];
  const replacement = { ...original, log: (...args: unknown[]) => elsewhere.push(args) };
  globalThis.console = replacement as never;
  try {
    const call = printing((text) => console.log(text));
    const { output } = await call('print', { args: ['--', 'caught'] });
    expect(textOf(output)).toBe('caught\n');
    expect(elsewhere).toEqual([]);
    console.log('outside');
    expect(elsewhere).toEqual([['outside']]);
  } finally {
    globalThis.console = original;
  }
});

describe('a command that replaces console.log or stdout.write for a while', () => {
  test('catches its own text, and no other call’s, in whatever order they put it back', async () => {
    const before = console.log;
    const steps = [gate(), gate()];
    const call = printing(async (text) => {
      const caught: string[] = [];
      const own = console.log;
      console.log = (line: string) => caught.push(line);
      console.log(`caught ${text}`);
      await steps[Number(text)]?.opened;
      console.log = own;
      console.log(`printed ${text}`);
      return caught;
    });
    const calls = ['0', '1'].map((text) => call('print', { args: ['--', text], concurrent: true }));
    steps[0]?.open();
    await calls[0];
    steps[1]?.open();
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ end }) => 'value' in end && end.value)).toEqual([['caught 0'], ['caught 1']]);
    expect(outcomes.map(({ output }) => textOf(output))).toEqual(['printed 0\n', 'printed 1\n']);
    expect(console.log).toBe(before);
  });

  test('and never puts it back does no harm to the next call', async () => {
    const leave = printing(() => {
      process.stdout.write = () => true;
      console.log = () => {};
    });
    await leave('print', { args: ['--', ''] });
    const { output } = await printing((text) => console.log(text))('print', { args: ['--', 'next'] });
    expect(textOf(output)).toBe('next\n');
  });

  test('sees what console.log writes when it replaces stdout.write', async () => {
    const call = printing((text) => {
      const original = process.stdout.write;
      const caught: unknown[] = [];
      process.stdout.write = ((chunk: unknown) => caught.push(chunk)) as never;
      console.log(text);
      process.stdout.write = original;
      return caught;
    });
    const { end, output } = await call('print', { args: ['--', 'x'] });
    expect(end).toMatchObject({ value: ['x\n'] });
    expect(textOf(output)).toBe('');
  });
});

test('indentation, counters and timers of console end with the call', async () => {
  const call = printing((text) => {
    console.group('open');
    console.count('c');
    console.log(text);
  });
  for (let turn = 0; turn < 2; turn += 1) {
    const { output } = await call('print', { args: ['--', 'x'] });
    expect(textOf(output)).toBe('open\n  c: 1\n  x\n');
  }
});

test('the stream is the same after a command has ended, destroyed or corked it', async () => {
  const harm = printing(async () => {
    process.stdout.cork();
    process.stdout.end('last');
    process.stdout.destroy();
    await once(process.stdout, 'close');
  });
  await harm('print', { args: ['--', ''] });
  const { output } = await printing((text) => process.stdout.write(text))('print', { args: ['--', 'next'] });
  expect(textOf(output)).toBe('next');
});

test('nothing looks like a terminal, and terminal methods do no harm', async () => {
  const call = printing(() => {
    const { stdout } = process;
    stdout.clearLine(0);
    stdout.cursorTo(0);
    stdout.moveCursor(1, 0);
    stdout.clearScreenDown();
    return [
      stdout.isTTY,
      process.stderr.isTTY,
      stdout.columns,
      stdout.getWindowSize(),
      stdout.hasColors(),
      stdout.getColorDepth(),
    ];
  });
  const { end } = await call('print', { args: ['--', ''] });
  expect(end).toMatchObject({ value: [false, false, 80, [80, 24], false, 1] });
});

test('a text of many megabytes is kept as it is, and cut to the budget otherwise', async () => {
  const text = 'abcdefghij'.repeat(2_000_000);
  const call = printing(() => process.stdout.write(text));
  const whole = await call('print', { args: ['--', ''], budgetBytes: Infinity });
  expect(whole.output.segments[0]?.text === text).toBe(true);
  const cut = await call('print', { args: ['--', ''], budgetBytes: 1_000 });
  expect(cut.output).toMatchObject({ totalBytes: 20_000_000, omittedBytes: 19_999_000 });
});

describe('log events', () => {
  async function eventsOf(print: () => unknown): Promise<unknown[]> {
    const events: unknown[] = [];
    await printing(print)('print', { args: ['--', ''], log: (level, data) => events.push([level, data]) });
    return events;
  }

  test('the level is that of the method; text on stderr itself is information', async () => {
    const events = await eventsOf(() => {
      console.log('log');
      console.debug('debug');
      console.warn('warn');
      console.error('error');
      process.stderr.write('progress\n');
      process.stdout.write('no newline');
    });
    expect(events).toEqual([
      ['info', 'log'],
      ['debug', 'debug'],
      ['warning', 'warn'],
      ['error', 'error'],
      ['info', 'progress'],
      ['info', 'no newline'],
    ]);
  });

  test('come while the call runs, and not in its name', async () => {
    const first = gate<unknown>();
    const { opened, open } = gate();
    const call = printing(async () => {
      console.log('first');
      await opened;
    });
    const printedInside: string[] = [];
    const running = call('print', {
      args: ['--', ''],
      log: (_level, data) => {
        // What the server does with it must not be taken for the command's.
        setImmediate(() => printedInside.push(String(process.argv.at(-1))));
        first.open(data);
      },
    });
    expect(await first.opened).toBe('first');
    open();
    await running;
    await vi.waitFor(() => expect(printedInside).toHaveLength(1));
    expect(printedInside).not.toEqual(['']);
  });

  test('a receiver that fails does not fail the command', async () => {
    const call = printing(() => console.log('x'));
    const outcome = await call('print', {
      args: ['--', ''],
      log: () => {
        throw new Error('gone');
      },
    });
    expect(outcome.end.kind).toBe('returned');
    expect(textOf(outcome.output)).toBe('x\n');
  });
});

describe('children', () => {
  test('a child that inherits looks to the caller as it would with inherited streams', async () => {
    const call = printing(async () => {
      const child = childProcess.spawn('sh', ['-c', 'echo out; echo err >&2; exit 3'], { stdio: 'inherit' });
      const [code] = (await once(child, 'close')) as [number];
      return [child.stdout, child.stderr, child.stdin, child.stdio, code];
    });
    const { end, output } = await call('print', { args: ['--', ''] });
    expect(end).toMatchObject({ value: [null, null, null, [null, null, null], 3] });
    expect(textOf(output, 'stdout')).toBe('out\n');
    expect(textOf(output, 'stderr')).toBe('err\n');
  });

  test('a command that exits when its child does has all that the child wrote', async () => {
    const call = printing(
      () =>
        new Promise(() => {
          const script = 'process.stdout.write("x".repeat(300000)); process.stdout.write("end")';
          const child = childProcess.spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
          child.on('exit', (code) => process.exit(code ?? 1));
        }),
    );
    const { end, output } = await call('print', { args: ['--', ''], budgetBytes: Infinity });
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(textOf(output)).toBe(`${'x'.repeat(300_000)}end`);
  });

  test('a daemon that holds the streams delays nothing', async () => {
    const call = printing(async () => {
      const child = childProcess.spawn('sh', ['-c', 'sleep 30 & echo $!; echo hi'], { stdio: 'inherit' });
      await once(child, 'close');
    });
    const { end, output } = await call('print', { args: ['--', ''], timeoutMs: 10_000 });
    expect(end.kind).toBe('returned');
    const [pid, text] = textOf(output).split('\n');
    process.kill(Number(pid));
    expect(text).toBe('hi');
  });

  test('a character that comes in pieces arrives whole', async () => {
    const script =
      'const b = Buffer.from("漢😀"); let i = 0; const next = () => i < b.length && process.stdout.write(b.subarray(i, ++i), () => setImmediate(next)); next()';
    const call = printing(async () => {
      await once(childProcess.spawn(process.execPath, ['-e', script], { stdio: 'inherit' }), 'close');
    });
    expect(textOf((await call('print', { args: ['--', ''] })).output)).toBe('漢😀');
  });

  test('inherited stdin is empty: a child that reads it ends', async () => {
    const call = printing(async () => {
      await once(childProcess.spawn('cat', [], { stdio: 'inherit' }), 'close');
      childProcess.spawnSync('cat', [], { stdio: 'inherit' });
      return 'done';
    });
    expect((await call('print', { args: ['--', ''], timeoutMs: 10_000 })).end).toMatchObject({
      value: 'done',
    });
  });

  test('a child that fails synchronously throws as it would', async () => {
    const call = printing(() => {
      const results: unknown[] = [];
      for (const run of [
        () => childProcess.execSync('echo out; exit 3', { stdio: 'inherit' }),
        () => childProcess.execFileSync('sh', ['-c', 'exit 4'], { stdio: 'inherit' }),
        () => childProcess.execFileSync('no-such-program', { stdio: 'inherit' }),
      ]) {
        try {
          run();
        } catch (error) {
          const { status, code, stdout } = error as { status?: number; code?: string; stdout?: unknown };
          results.push([status, code, stdout]);
        }
      }
      const { stdout, status } = childProcess.spawnSync('sh', ['-c', 'echo x; exit 5'], { stdio: 'inherit' });
      return [...results, [status, stdout]];
    });
    const { end, output } = await call('print', { args: ['--', ''] });
    expect(end).toMatchObject({
      value: [
        [3, undefined, null],
        [4, undefined, null],
        [null, 'ENOENT', null],
        [5, null],
      ],
    });
    expect(textOf(output)).toBe('out\nx\n');
  });

  test('what the caller takes itself is left to it', async () => {
    const call = printing(async () => {
      const text = childProcess.execSync('echo mine', { encoding: 'utf8' });
      const child = childProcess.spawn('sh', ['-c', 'echo piped'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [chunk] = (await once(child.stdout as never, 'data')) as [Buffer];
      return [text, chunk.toString()];
    });
    const { end, output } = await call('print', { args: ['--', ''] });
    expect(end).toMatchObject({ value: ['mine\n', 'piped\n'] });
    expect(output.segments).toEqual([]);
  });
});
