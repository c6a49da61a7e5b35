import { exec, execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import { caller, gate, returning, type Call } from './run.js';

beforeAll(() => {
  process.env['FORCE_COLOR'] = '3';
  installPatches();
});

function running(action: (text: string) => unknown): Call {
  const program = new Command('app');
  program.command('run').argument('[text]').action(returning(action));
  return caller(program);
}

const valueOf = async (
  action: (text: string) => unknown,
  options?: Parameters<Call>[1],
): Promise<unknown> => {
  const { end } = await running(action)('run', options);
  return end.kind === 'returned' ? end.value : end;
};

const outputOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    exec(command, (_error, stdout) => resolve(stdout));
  });

describe('process.env', () => {
  test('asks for no colours, in children too', async () => {
    const value = await valueOf(() => [
      process.env['NO_COLOR'],
      'FORCE_COLOR' in process.env,
      execFileSync('sh', ['-c', 'echo $NO_COLOR-$FORCE_COLOR'], { encoding: 'utf8' }),
    ]);
    expect(value).toEqual(['1', false, '1-\n']);
  });

  test('what a call sets is its own, by every way of reading', async () => {
    process.env['MCPIFY_GIVEN'] = 'given';
    const { opened, open } = gate();
    let waiting = 0;
    const call = running(async (text) => {
      process.env['MCPIFY_SET'] = text;
      delete process.env['MCPIFY_GIVEN'];
      Object.assign(process.env, { MCPIFY_ASSIGNED: 1 });
      waiting += 1;
      if (waiting === 2) open();
      await opened;
      const { env } = process;
      return {
        get: env['MCPIFY_SET'],
        assigned: env['MCPIFY_ASSIGNED'],
        has: ['MCPIFY_SET' in env, 'MCPIFY_GIVEN' in env, Object.hasOwn(env, 'MCPIFY_SET')],
        keys: Object.keys(env).filter((name) => /^MCPIFY_(?:GIVEN|SET|ASSIGNED)$/.test(name)),
        spread: { ...env }['MCPIFY_SET'],
        asynchronous: await outputOf('echo $MCPIFY_SET$MCPIFY_GIVEN'),
        child: execFileSync('sh', ['-c', 'echo $MCPIFY_SET$MCPIFY_GIVEN'], { encoding: 'utf8' }),
        shown: inspect(env).includes(`MCPIFY_SET: '${text}'`),
      };
    });
    const outcomes = await Promise.all(
      ['a', 'b'].map((text) => call('run', { args: ['--', text], concurrent: true })),
    );
    expect(outcomes.map(({ end }) => 'value' in end && end.value)).toEqual(
      ['a', 'b'].map((text) => ({
        get: text,
        assigned: '1',
        has: [true, false, true],
        keys: ['MCPIFY_SET', 'MCPIFY_ASSIGNED'],
        spread: text,
        asynchronous: `${text}\n`,
        child: `${text}\n`,
        shown: true,
      })),
    );
    expect([process.env['MCPIFY_SET'], process.env['MCPIFY_GIVEN']]).toEqual([undefined, 'given']);
    delete process.env['MCPIFY_GIVEN'];
  });

  test('can be replaced as a whole by a call', async () => {
    const value = await valueOf(() => {
      process.env = { ONLY: 'this' };
      return { ...process.env };
    });
    expect(value).toEqual({ ONLY: 'this' });
    expect(process.env['PATH']).toBeDefined();
  });

  test('outside of calls it is the real one', () => {
    process.env['MCPIFY_OUTSIDE'] = 'x';
    expect(execFileSync('sh', ['-c', 'echo $MCPIFY_OUTSIDE'], { encoding: 'utf8' })).toBe('x\n');
    delete process.env['MCPIFY_OUTSIDE'];
    expect('MCPIFY_OUTSIDE' in process.env).toBe(false);
    expect(process.env.toString()).toBe('[object Object]');
  });
});

test('process.argv is what the command line would be', async () => {
  const outside = [...process.argv];
  const value = await valueOf(
    (text) => {
      const before = [...process.argv];
      process.argv.push('pushed');
      return [before, process.argv.at(-1), text];
    },
    { args: ['--', 'x y'] },
  );
  expect(value).toEqual([[...outside.slice(0, 2), 'run', '--', 'x y'], 'pushed', 'x y']);
  expect(process.argv).toEqual(outside);
});

describe('the working directory', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-')));

  test('that a command changes is put back, and so is the umask', async () => {
    const [before, mask] = [process.cwd(), process.umask()];
    const value = await valueOf(() => {
      process.chdir('/');
      process.chdir(folder);
      process.umask(0o77);
      return [process.cwd(), process.umask()];
    });
    expect(value).toEqual([folder, 0o77]);
    expect([process.cwd(), process.umask()]).toEqual([before, mask]);
  });

  test('is put back when the call is cancelled', async () => {
    const before = process.cwd();
    const cancel = new AbortController();
    const outcome = running(() => {
      process.chdir(folder);
      return new Promise(() => {});
    })('run', { signal: cancel.signal });
    cancel.abort();
    await outcome;
    expect(process.cwd()).toBe(before);
  });

  test('a command that may overlap cannot change it', async () => {
    const before = process.cwd();
    const { end } = await running(() => process.chdir(folder))('run', { concurrent: true });
    expect(end).toMatchObject({
      kind: 'threw',
      error: { message: expect.stringContaining('McpConcurrent') },
    });
    expect(process.cwd()).toBe(before);
    rmSync(folder, { recursive: true });
  });
});
