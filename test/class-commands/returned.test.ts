import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { configureCommand } from '@mcpify/class-commands';
import { Command } from 'commander';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { connect, textOf, type WireClient } from '../wire/connect.js';
import { compile } from './compile.js';
import { Returning } from './fixtures/returning.js';

/* What `run` returns is printed where nobody takes it, and is never there twice. */

const SOURCE = readFileSync(fileURLToPath(new URL('fixtures/returning.ts', import.meta.url)), 'utf8');

let main: string;
let client: WireClient;

beforeAll(async () => {
  const { program, mcp } = compile(SOURCE, 'standard');
  main = join(dirname(program), 'main.mjs');
  writeFileSync(main, "import { program } from './program.mjs';\nawait program.parseAsync();\n");
  client = await connect('v1', mcp, { cwd: dirname(program) });
});

const cli = (...args: string[]) => execFileSync(process.execPath, [main, ...args], { encoding: 'utf8' });
const call = async (name: string, value?: string, more = {}) => {
  const result = await client.callTool(name, { ...(value !== undefined && { value }), ...more });
  return { text: textOf(result), structured: result.structuredContent };
};

test.each([
  ['text', 'three pens\n'],
  ['ended', 'three pens\n'],
  ['empty', ''],
  ['nothing', ''],
  ['null', ''],
  ['data', '{"pens":3}\n'],
  ['list', '["pen","ink"]\n'],
  ['number', '3\n'],
  ['no', 'false\n'],
  ['date', '2026-01-31T00:00:00.000Z\n'],
  ['promise', 'a promise\n'],
  ['server', ''],
])('outside of a call: %s', async (value, printed) => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  await configureCommand(new Command('test'), Returning).parseAsync([value], { from: 'user' });
  expect(log.mock.calls.map(([text]) => `${text}\n`).join('')).toBe(`looking\n${printed}`);
});

test('on the command line, also where nobody reads on', () => {
  expect(cli('here', 'text')).toBe('looking\nthree pens\n');
  expect(cli('here', 'data')).toBe('looking\n{"pens":3}\n');
  const piped = spawnSync('sh', ['-c', '"$0" "$1" here much | head -n 1', process.execPath, main], {
    encoding: 'utf8',
  });
  expect(piped).toMatchObject({ stdout: 'looking\n', stderr: '' });
});

describe('a call', () => {
  test('in the process of the server has it as its result', async () => {
    expect(await call('here', 'text')).toEqual({ text: 'looking\nthree pens', structured: undefined });
    expect(await call('here', 'data')).toEqual({ text: 'looking\n{"pens":3}', structured: { pens: 3 } });
  });

  test('in a process of its own has it once, as what was printed', async () => {
    expect((await call('isolated', 'text')).text).toBe('looking\nthree pens\n');
    expect((await call('isolated', 'data')).text).toBe('looking\n{"pens":3}\n');
    expect((await call('isolated', 'nothing')).text).toBe('looking\n');
  });

  test('in the background has it once, in the output of its task', async () => {
    const { structured } = await call('long', 'promise');
    const { taskId } = structured as { taskId: string };
    const status = await client.callTool('task_status', { taskId, waitMs: 45_000 });
    expect(status.structuredContent).toMatchObject({ status: 'completed', lastLine: 'a promise' });
    const page = await client.callTool('task_result', { taskId });
    expect(textOf(page)).toContain('>\nlooking\na promise\n\n<');
  });

  test('that is waited for has it once', async () => {
    expect((await call('long', 'text', { background: false })).text).toBe('looking\nthree pens\n');
  });
});

test('a command that another one parses prints its own, everywhere', async () => {
  expect(cli('nested')).toBe('looking\nthree pens\nand nested\n');
  expect((await call('nested')).text).toBe('looking\nthree pens\nand nested');
});
