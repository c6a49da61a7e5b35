import { EventEmitter, once } from 'node:events';
import childProcess from 'node:child_process';

import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import type { CallEnd } from '../../../packages/mcpify/src/result/outcome.js';
import { MAJORS } from './majors.js';
import { caller, gate, returning, textOf, type Call } from './run.js';

beforeAll(installPatches);

function running(action: (text: string) => unknown): Call {
  const program = new Command('app');
  program.command('run').argument('[text]').action(returning(action));
  return caller(program);
}

const endOf = async (action: (text: string) => unknown): Promise<CallEnd> =>
  (await running(action)('run')).end;

describe('process.exit ends the call with its code, wherever it stands', () => {
  test.each<[string, () => unknown]>([
    ['at once', () => process.exit(7)],
    [
      'after an await',
      async () => {
        await Promise.resolve();
        process.exit(7);
      },
    ],
    [
      'in a timer, the promise never settling',
      () => new Promise(() => void setImmediate(() => setImmediate(() => trap(() => process.exit(7))))),
    ],
    [
      'inside of a try whose catch exits again',
      () => {
        try {
          process.exit(7);
        } catch {
          process.exit(1);
        }
      },
    ],
    [
      'with a finally behind it',
      () => {
        try {
          process.exit(7);
        } finally {
          process.exitCode = 3;
        }
      },
    ],
    [
      'when a child ends',
      () =>
        new Promise(() => {
          childProcess.spawn('true').on('exit', () => trap(() => process.exit(7)));
        }),
    ],
    [
      'in a chain that was rejected',
      () =>
        Promise.reject(new Error('x')).catch(() => {
          process.exit(7);
        }),
    ],
    ['as text', () => process.exit('7')],
    [
      'by exitCode and exit without a code',
      () => {
        process.exitCode = 7;
        process.exit();
      },
    ],
    ['by reallyExit', () => (process as unknown as { reallyExit(code: number): void }).reallyExit(7)],
  ])('%s', async (_name, action) => {
    expect(await endOf(action)).toEqual({ kind: 'exited', exitCode: 7 });
  });

  /** In a worker of the test runner an error in a timer would count as the runner's. */
  function trap(exit: () => unknown): void {
    try {
      exit();
    } catch {
      // The call has ended.
    }
  }

  test('nothing that is printed afterwards is part of the result', async () => {
    const { output } = await running(() => {
      console.log('before');
      try {
        process.exit(0);
      } finally {
        console.log('after');
      }
    })('run');
    expect(textOf(output)).toBe('before\n');
  });

  test('code 0 is an exit, too', async () => {
    expect(await endOf(() => process.exit())).toEqual({ kind: 'exited', exitCode: 0 });
  });
});

describe('process.exitCode', () => {
  test('is the code of a command that returns, beside its value, and not of the next', async () => {
    const call = running((text) => {
      if (text === 'fail') process.exitCode = 4;
      return 'value';
    });
    expect((await call('run', { args: ['--', 'fail'] })).end).toEqual({
      kind: 'exited',
      exitCode: 4,
      value: 'value',
    });
    expect((await call('run', { args: ['--', 'ok'] })).end).toEqual({ kind: 'returned', value: 'value' });
    expect(process.exitCode).toBeUndefined();
  });

  test('0 is no failure', async () => {
    expect(
      await endOf(() => {
        process.exitCode = 0;
        return 1;
      }),
    ).toEqual({ kind: 'returned', value: 1 });
  });

  test('belongs to the call that set it, also where calls overlap', async () => {
    const gates = Array.from({ length: 4 }, () => gate());
    const call = running(async (text) => {
      const index = Number(text);
      if (index % 2 === 1) process.exitCode = 10 + index;
      await gates[index]?.opened;
      const seen = process.exitCode;
      await new Promise((resolve) => setImmediate(resolve));
      if (index === 0) process.exitCode = 9;
      return seen;
    });
    const calls = gates.map((_, index) => call('run', { args: ['--', String(index)], concurrent: true }));
    for (const index of [2, 1, 0, 3]) {
      gates[index]?.open();
      await calls[index];
    }
    expect((await Promise.all(calls)).map(({ end }) => end)).toEqual([
      { kind: 'exited', exitCode: 9 },
      { kind: 'exited', exitCode: 11, value: 11 },
      { kind: 'returned', value: undefined },
      { kind: 'exited', exitCode: 13, value: 13 },
    ]);
    expect(process.exitCode).toBeUndefined();
  });

  test('in a call that was abandoned does not reach the next', async () => {
    const { opened, open } = gate();
    const call = running(async (text) => {
      if (text !== 'slow') return opened;
      await opened;
      process.exitCode = 5;
      return undefined;
    });
    const cancel = new AbortController();
    const slow = call('run', { args: ['--', 'slow'], signal: cancel.signal });
    cancel.abort();
    await slow;
    const next = call('run', { args: ['--', 'next'] });
    open();
    expect((await next).end).toEqual({ kind: 'returned', value: undefined });
  });
});

describe('exit listeners of a command run at the end of its call', () => {
  test('with the code, while their output still counts, and once', async () => {
    const call = running((text) => {
      process.on('exit', (code) => console.log(`exit ${code}`));
      process.once('beforeExit', (code) => console.log(`beforeExit ${code}`));
      if (text) process.exit(3);
    });
    expect(textOf((await call('run')).output)).toBe('beforeExit 0\nexit 0\n');
    const exited = await call('run', { args: ['--', 'x'] });
    expect(exited.end).toEqual({ kind: 'exited', exitCode: 3 });
    expect(textOf(exited.output)).toBe('exit 3\n');
  });

  test.each<[string, () => void, number]>([
    ['process.exitCode', () => void (process.exitCode = 6), 6],
    ['process.exit', () => process.exit(6), 6],
  ])('and may set the code by %s', async (_name, listener, exitCode) => {
    const end = await endOf(() => {
      process.on('beforeExit', listener);
    });
    expect(end).toEqual({ kind: 'exited', exitCode });
  });

  test('unless the command has taken them off', async () => {
    const { output } = await running(() => {
      const listener = () => console.log('exit');
      process.on('exit', listener);
      process.off('exit', listener);
    })('run');
    expect(textOf(output)).toBe('');
  });
});

describe('other ends of the process', () => {
  test('process.abort fails the call', async () => {
    expect(await endOf(() => process.abort())).toMatchObject({
      kind: 'threw',
      error: { message: expect.stringContaining('abort') },
    });
  });

  test.each<[string, NodeJS.Signals | number | undefined, number]>([
    ['SIGTERM', undefined, 143],
    ['SIGINT', 'SIGINT', 130],
    ['SIGKILL', 9, 137],
  ])('a signal to the own process exits as %s would', async (_name, signal, exitCode) => {
    expect(await endOf(() => process.kill(process.pid, signal))).toEqual({ kind: 'exited', exitCode });
  });

  test('a signal that the command listens to is its own affair', async () => {
    const end = await endOf(() => {
      const heard: unknown[] = [];
      process.on('SIGTERM', (name) => heard.push(name));
      process.kill(process.pid);
      process.kill(process.pid, 'SIGWINCH');
      return [heard, process.kill(process.pid, 0)];
    });
    expect(end).toEqual({ kind: 'returned', value: [['SIGTERM'], true] });
  });

  test.each<[string, unknown]>([
    ['an error', new Error('broken')],
    ['a string', 'broken'],
    ['undefined', undefined],
  ])('throwing %s fails the call with it', async (_name, error) => {
    expect(
      await endOf(() => {
        throw error;
      }),
    ).toEqual({ kind: 'threw', error });
    expect(await endOf(() => Promise.reject(error))).toEqual({ kind: 'threw', error });
  });
});

test('listeners that a call leaves on process are gone with it, and nobody is warned of many', async () => {
  const events = ['SIGINT', 'SIGTERM', 'unhandledRejection', 'exit', 'custom'] as const;
  const counts = () =>
    events.map((event) => process.listenerCount(event)).concat(process.stdout.listenerCount('resize'));
  const before = counts();
  const warnings: unknown[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  const { opened, open } = gate();
  const call = running(async () => {
    for (const event of events) process.on(event as never, () => {});
    process.once('SIGINT', () => {});
    process.stdout.on('resize', () => {});
    await opened;
  });
  const calls = Array.from({ length: 30 }, () => call('run', { concurrent: true }));
  open();
  await Promise.all(calls);
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts()).toEqual(before);
  expect(warnings).toEqual([]);
});

test('a command that removes all listeners removes its own', async () => {
  const listener = () => {};
  process.on('SIGHUP', listener);
  const end = await endOf(() => {
    process.on('SIGHUP', () => {});
    process.removeAllListeners('SIGHUP');
    return process.listenerCount('SIGHUP');
  });
  expect(end).toMatchObject({ value: 1 });
  process.off('SIGHUP', listener);
});

test('an emitter of the command’s own keeps its context', async () => {
  const end = await endOf(async () => {
    const emitter = new EventEmitter();
    setImmediate(() => emitter.emit('ready'));
    await once(emitter, 'ready');
    process.exit(2);
  });
  expect(end).toEqual({ kind: 'exited', exitCode: 2 });
});

describe.each(MAJORS)('commander %s', (_major, commander) => {
  function program() {
    const app = new commander.Command('app').version('1.2.3');
    app
      .command('deploy')
      .addOption(new commander.Option('--level <l>').choices(['a', 'b']))
      .requiredOption('--env <e>')
      .argument('<target>')
      .argument('[count]', '', (value: string) => {
        if (Number.isNaN(Number(value))) throw new commander.InvalidArgumentError('Not a number.');
        return Number(value);
      })
      .action(() => {});
    // Without the settings of its parent.
    app.addCommand(
      new commander.Command('fails').action(
        (_values: unknown, command: { error(...args: unknown[]): never }) =>
          command.error('disk full', { exitCode: 7, code: 'app.disk' }),
      ),
    );
    app.command('caught').action((_values: unknown, command: { error(...args: unknown[]): never }) => {
      try {
        command.error('gone');
      } catch {
        console.log('went on');
      }
    });
    app.command('helps').action((_values: unknown, command: { help(): never }) => command.help());
    app.command('invalid').action(() => {
      throw new commander.InvalidArgumentError('bad value');
    });
    app.addCommand(new commander.Command('group').addCommand(new commander.Command('leaf').action(() => {})));
    return caller(app as never);
  }

  test.each<[string, string, string[], Partial<Extract<CallEnd, { kind: 'commanderError' }>>]>([
    ['missing option', 'deploy', ['--', 'x'], { exitCode: 1, code: 'commander.missingMandatoryOptionValue' }],
    ['missing argument', 'deploy', ['--env=x'], { exitCode: 1, code: 'commander.missingArgument' }],
    ['wrong choice', 'deploy', ['--env=x', '--level=c', '--', 'x'], { code: 'commander.invalidArgument' }],
    ['wrong argument', 'deploy', ['--env=x', '--', 'x', 'y'], { code: 'commander.invalidArgument' }],
    ['unknown option', 'deploy', ['--env=x', '--nope'], { code: 'commander.unknownOption' }],
    [
      'error() of a command that was added',
      'fails',
      [],
      { exitCode: 7, code: 'app.disk', message: 'disk full' },
    ],
    ['error() that the command catches', 'caught', [], { exitCode: 1, message: 'gone' }],
    ['InvalidArgumentError from an action', 'invalid', [], { exitCode: 1, message: 'bad value' }],
  ])('%s', async (_name, command, args, expected) => {
    const { end, output } = await program()(command, { args });
    expect(end).toMatchObject({ kind: 'commanderError', ...expected });
    if (command !== 'invalid') expect(textOf(output, 'stderr')).toContain('message' in end && end.message);
    expect(textOf(output, 'stdout')).toBe('');
  });

  test.each<[string, string, string[], number, RegExp]>([
    ['help', 'deploy', ['--help'], 0, /Usage: app deploy/],
    ['version', '', ['--version'], 0, /^1\.2\.3$/m],
    ['help() in an action', 'helps', [], 0, /Usage: app helps/],
    ['a group without a subcommand', 'group', [], 1, /Usage: app group/],
  ])('%s is printed and exits', async (_name, command, args, exitCode, printed) => {
    const { end, output } = await program()(command, { args });
    expect(end).toEqual({ kind: 'exited', exitCode });
    expect(textOf(output)).toMatch(printed);
  });

  test('an exitOverride of the user’s is chained, and what it throws is told as the refusal behind it', async () => {
    const app = new commander.Command('app');
    const seen: string[] = [];
    app.exitOverride((error) => {
      seen.push(error.code);
      throw new Error(`wrapped: ${error.message}`);
    });
    app
      .command('x')
      .argument('<y>')
      .action(() => {});
    const { end } = await caller(app as never)('x');
    expect(seen).toEqual(['commander.missingArgument']);
    expect(end).toMatchObject({ kind: 'commanderError', code: 'commander.missingArgument' });
  });

  test('a command that catches what its own exitOverride throws goes on', async () => {
    const app = new commander.Command('app').exitOverride();
    app.command('x').action((_values: unknown, command: { error(message: string): never }) => {
      try {
        command.error('soft');
      } catch {
        console.log('went on');
      }
    });
    const { end, output } = await caller(app as never)('x');
    expect(end.kind).toBe('returned');
    expect(textOf(output, 'stdout')).toBe('went on\n');
  });

  test('outside of calls the program exits as it did', async () => {
    const app = new commander.Command('app').exitOverride((error) => {
      throw new Error(`mine: ${error.code}`);
    });
    app
      .command('x')
      .argument('<y>')
      .action(() => {});
    await caller(app as never)('x', { args: ['--', 'y'] });
    await expect(app.parseAsync(['x'], { from: 'user' })).rejects.toThrow('mine: commander.missingArgument');
  });
});
