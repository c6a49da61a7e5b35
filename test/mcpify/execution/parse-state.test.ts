import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import { MAJORS } from './majors.js';
import { caller, gate, returning, textOf } from './run.js';

beforeAll(installPatches);

/** What an action sees in every way that commander offers, after it has waited. */
function seen(command: Command, values: unknown): unknown {
  return {
    values: { ...(values as object) },
    opts: { ...command.opts() },
    withGlobals: { ...command.optsWithGlobals() },
    program: { ...command.parent?.opts() },
    args: [...command.args],
    processedArgs: [...command.processedArgs],
    source: command.getOptionValueSource('env'),
  };
}

describe.each(MAJORS)('commander %s', (_major, commander) => {
  function deploy(action: (command: Command, values: unknown, target: string) => unknown) {
    const program = new commander.Command('app').option('--verbose');
    const command = program.command('deploy').argument('<target>').option('--env <name>', '', 'test');
    command.action(returning((target: string, values: unknown) => action(command as never, values, target)));
    return program as unknown as Command;
  }

  test('overlapping calls each see their own values, also after an await', async () => {
    const { opened, open } = gate();
    const program = deploy(async (command, values) => {
      await opened;
      return seen(command, values);
    });
    const call = caller(program);
    const run = (target: string, args: string[]) =>
      call('deploy', { args: [...args, '--', target], concurrent: true });
    const calls = [run('one', ['--env=prod']), run('two', ['--env=dev']), run('three', [])];
    open();
    const results = (await Promise.all(calls)).map(({ end }) => 'value' in end && end.value);
    const expected = (target: string, env: string, source: string) => ({
      values: { env },
      opts: { env },
      withGlobals: { env },
      program: {},
      args: [target],
      processedArgs: [target],
      source,
    });
    expect(results).toEqual([
      expected('one', 'prod', 'cli'),
      expected('two', 'dev', 'cli'),
      expected('three', 'test', 'default'),
    ]);
  });

  test('no value of one call is there in the next', async () => {
    const program = deploy((command, values) => seen(command, values));
    const call = caller(program);
    await call('deploy', { args: ['--env=prod', '--', 'one'] });
    const { end } = await call('deploy', { args: ['--', 'two'] });
    expect(end).toMatchObject({ value: { opts: { env: 'test' }, args: ['two'], source: 'default' } });
    expect(program.commands[0]?.opts()).toEqual({ env: 'test' });
    expect(program.commands[0]?.args).toEqual([]);
  });

  test('hooks that wait do not mix the arguments of overlapping calls', async () => {
    const program = deploy((_command, values, target) => [target, (values as { env: string }).env]);
    const { opened, open } = gate();
    let waiting = 0;
    program.hook('preAction', async () => {
      waiting += 1;
      if (waiting === 2) open();
      await opened;
    });
    program.hook('preSubcommand', () => opened.then(() => {}));
    const call = caller(program);
    const first = call('deploy', { args: ['--env=a', '--', '1'], concurrent: true });
    const second = call('deploy', { args: ['--env=b', '--', '2'], concurrent: true });
    waiting += 1;
    open();
    expect((await first).end).toMatchObject({ value: ['1', 'a'] });
    expect((await second).end).toMatchObject({ value: ['2', 'b'] });
  });

  test('a call that was abandoned keeps its own values while the next one runs', async () => {
    const { opened, open } = gate();
    const late = gate<unknown>();
    const program = deploy(async (command, values, target) => {
      if (target === 'slow') {
        await opened;
        late.open(seen(command, values));
      }
      return seen(command, values);
    });
    const call = caller(program);
    const cancel = new AbortController();
    const slow = call('deploy', { args: ['--env=slow', '--', 'slow'], signal: cancel.signal });
    cancel.abort();
    expect((await slow).end).toEqual({ kind: 'cancelled' });
    const next = await call('deploy', { args: ['--env=next', '--', 'next'] });
    expect(next.end).toMatchObject({ value: { opts: { env: 'next' } } });
    open();
    expect(await late.opened).toMatchObject({ opts: { env: 'slow' }, args: ['slow'], source: 'cli' });
  });

  test('defaults that are lists or objects are every call’s own', async () => {
    const program = new commander.Command('app');
    const list = ['first'];
    const collect = (value: string, previous: string[]) => {
      previous.push(value);
      return previous;
    };
    const command = program
      .command('add')
      .option('--collect <v>', '', collect, list)
      .option(
        '--map <v>',
        '',
        (value: string, all: Record<string, boolean>) => Object.assign(all, { [value]: true }),
        {},
      )
      .option('--many <v...>', '', ['default'])
      .option('--plain <v>', '', { nested: { deep: ['x'] } } as never)
      .argument('[rest...]', '', collect, ['arg']);
    command.action(
      returning((rest: string[], values: Record<string, never>) => {
        const copy = structuredClone({ rest, values });
        (values['many'] as unknown as string[]).push('left behind');
        (values['plain'] as unknown as { nested: { deep: string[] } }).nested.deep.push('left behind');
        return copy;
      }),
    );
    const call = caller(program as never);
    const defaults = {
      rest: ['arg'],
      values: { collect: ['first'], map: {}, many: ['default'], plain: { nested: { deep: ['x'] } } },
    };
    const given = await call('add', { args: ['--collect=a', '--map=m', '--many=1', '--many=2', '--', 'r'] });
    expect(given.end).toMatchObject({
      value: {
        rest: ['arg', 'r'],
        values: { collect: ['first', 'a'], map: { m: true }, many: ['1', '2'] },
      },
    });
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await call('add')).end).toMatchObject({ value: defaults });
    }
    expect(list).toEqual(['first']);
    expect(command.options[0]?.defaultValue).toBe(list);
  });

  test('negated, implied and environment values are set anew each time', async () => {
    const program = new commander.Command('app');
    program
      .command('build')
      .option('--no-color')
      .addOption(new commander.Option('--ci').implies({ quiet: true }))
      .option('--quiet')
      .addOption(new commander.Option('--port <n>').env('MCPIFY_TEST_PORT'))
      .action(returning((values: object) => ({ ...values })));
    const call = caller(program as never);
    process.env['MCPIFY_TEST_PORT'] = '80';
    const first = await call('build', { args: ['--no-color', '--ci', '--port=90'] });
    const second = await call('build');
    delete process.env['MCPIFY_TEST_PORT'];
    const third = await call('build');
    expect(first.end).toMatchObject({ value: { color: false, ci: true, quiet: true, port: '90' } });
    expect(second.end).toEqual({ kind: 'returned', value: { color: true, port: '80' } });
    expect(third.end).toEqual({ kind: 'returned', value: { color: true } });
  });

  test('options and commands that are added after the start are kept apart too', async () => {
    const program = deploy(() => undefined);
    const call = caller(program);
    await call('deploy', { args: ['--', 'one'] });
    program.commands[0]?.option('--late <v>', '', (value: string, all: string[]) => [...all, value], []);
    const added = program
      .command('added')
      .option('--x <v>')
      .action(returning((values: object) => ({ ...values })));
    expect((await call(added, { args: ['--x=1'] })).end).toMatchObject({ value: { x: '1' } });
    expect((await call(added)).end).toEqual({ kind: 'returned', value: {} });
    expect(added.opts()).toEqual({});
  });

  test('a parse of its own inside of an action belongs to the same call', async () => {
    const program = new commander.Command('app');
    program
      .command('inner')
      .option('--x <v>')
      .action(returning((values: object) => ({ inner: values })));
    program.command('outer').action(
      returning(async () => {
        await program.parseAsync(['inner', '--x=1'], { from: 'user' });
        console.log('after');
        return 'outer';
      }),
    );
    const call = caller(program as never);
    const outcome = await call('outer', {
      mismatch: (command) => (command.name() === 'outer' ? undefined : `ran ${command.name()}`),
    });
    expect(outcome.end).toEqual({ kind: 'returned', value: 'outer' });
    expect(textOf(outcome.output)).toBe('after\n');
  });

  test('what the action returns is the value, whatever hooks return; a promise is waited for', async () => {
    const program = new commander.Command('app').hook('postAction', () => 'hook' as never);
    program.command('plain').action(returning(() => ({ a: 1 })));
    program.command('promise').action(returning(async () => ['x']));
    program.command('nothing').action(() => {});
    const call = caller(program as never);
    expect((await call('plain')).end).toEqual({ kind: 'returned', value: { a: 1 } });
    expect((await call('promise')).end).toEqual({ kind: 'returned', value: ['x'] });
    expect((await call('nothing')).end).toEqual({ kind: 'returned', value: undefined });
  });

  test('a factory makes a program for each call, and its calls overlap', async () => {
    const { opened, open } = gate();
    let programs = 0;
    let running = 0;
    const build = () => {
      programs += 1;
      const program = new commander.Command('app');
      program.command('wait').action(
        returning(async () => {
          running += 1;
          if (running === 2) open();
          await opened;
          return running;
        }),
      );
      return program as unknown as Command;
    };
    const call = caller(build(), build);
    const outcomes = await Promise.all([call('wait'), call('wait')]);
    expect(outcomes.map(({ end }) => end.kind)).toEqual(['returned', 'returned']);
    expect(programs).toBe(3);
  });

  test('a factory whose program lacks the command is a failed call', async () => {
    const program = deploy(() => undefined);
    const call = caller(program, () => new commander.Command('app') as unknown as Command);
    expect((await call('deploy')).end).toMatchObject({
      kind: 'threw',
      error: { message: expect.stringContaining('no command "app deploy"') },
    });
  });

  test('the program itself can be the command, and groups may be deep', async () => {
    const program = new commander.Command('app')
      .argument('[x]')
      .action(returning((x: string) => `root ${x}`));
    program
      .command('a')
      .command('b')
      .option('--y <v>')
      .action(returning((values: { y: string }) => values.y));
    const call = caller(program as never);
    expect((await call('', { args: ['--', 'v'] })).end).toMatchObject({ value: 'root v' });
    expect((await call('a b', { args: ['--y=1'] })).end).toMatchObject({ value: '1' });
  });

  test('the guard stops a default command that would run in place of the one that was asked for', async () => {
    const program = new commander.Command('app');
    let ran = 0;
    program
      .command('serve', { isDefault: true })
      .argument('[x]')
      .action(() => {
        ran += 1;
      });
    const other = program.command('other').action(() => {});
    other.name('renamed');
    const call = caller(program as never);
    const outcome = await call('serve', {
      args: ['--', 'x'],
      mismatch: (command) => `stopped before ${command.name()}`,
    });
    expect(outcome.end).toEqual({ kind: 'refused', message: 'stopped before serve' });
    expect(ran).toBe(0);
  });

  test('the guard comes before the hooks of the user', async () => {
    const program = new commander.Command('app');
    const hooks: string[] = [];
    program.hook('preAction', () => void hooks.push('user'));
    program.command('x').action(() => {});
    const call = caller(program as never);
    const refused = await call('x', { mismatch: () => 'no' });
    expect(refused.end.kind).toBe('refused');
    expect(hooks).toEqual([]);
    await call('x');
    expect(hooks).toEqual(['user']);
  });
});
