import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';
import { start, type Start } from './start.js';

const FRESH =
  'const app = new Command("app"); export { app as program }; const act = () => {}; const mark = markers.exposeAsTool;';

/** What goes wrong at start, with the names that its message must hold. */
const CASES: readonly (readonly [code: string, start: Start, message: RegExp])[] = [
  ['NO_TOOLS', { module: `${FRESH} app.command("one").action(act);` }, /"app".*exposeAsTool/],
  [
    'MARK_ON_GROUP',
    { module: `${FRESH} mark(app.command("group")).command("one").action(act);` },
    /"app group".*Mark its subcommands/,
  ],
  [
    'INVALID_TOOL_NAME',
    { module: `${FRESH} mark(app.command("one").action(act), markers.McpTool({ name: "a.b" }));` },
    /"app one".*"a\.b".*McpTool\(\{ name/,
  ],
  [
    'DUPLICATE_TOOL',
    { module: `${FRESH} for (const name of ["a-b", "a_b"]) mark(app.command(name).action(act));` },
    /"app a-b" and "app a_b".*McpTool\(\{ name/,
  ],
  [
    'DUPLICATE_PROPERTY',
    { module: `${FRESH} mark(app.command("one").option("--file <a>").argument("[file]").action(act));` },
    /"app one".*"file"/,
  ],
  [
    'RESERVED_NAME',
    { module: `${FRESH} mark(app.command("task_status").action(act));` },
    /"app task_status".*McpTool\(\{ name/,
  ],
  [
    'CONTRADICTORY_MARKS',
    { module: `${FRESH} mark(app.command("one").action(act), markers.McpReadOnly, markers.McpDestructive);` },
    /"app one".*Remove one/,
  ],
  [
    'UNSUPPORTED_COMMANDER',
    {
      module:
        'const old = { commands: [], parseAsync() {}, name: () => "old", options: [] }; export { old as program };',
    },
    /commander 12, 13, 14 or 15/,
  ],
  ['PROGRAM_NOT_FOUND', { module: 'export const app = program;' }, /exports app\).*Export it as `program`/],
  ['PROGRAM_PARSED_ON_IMPORT', { module: 'process.exit(); export { program };' }, /main\.ts/],
  ['INVALID_SETTING', { settings: { cwdd: '/' } }, /"cwdd"\. Did you mean cwd\? Known: .*cwd/],
  [
    'INVALID_SETTING',
    { settings: { cwd: 'no/such/folder' } },
    /"cwd": there is no folder "no\/such\/folder"/,
  ],
  ['INVALID_SETTING', { settings: { pinnedValues: { cod: 'x' } } }, /pinnedValues\.cod.*Did you mean code/],
  ['INVALID_SETTING', { settings: [] }, /The settings must be an object; they are an array/],
  ['INVALID_SETTING', { env: { SETTINGS: 'null' } }, /The settings must be an object; they are null/],
  ['INVALID_SETTING', { env: { SETTINGS: 'null' }, args: ['--http'] }, /they are null/],
  ['INVALID_SETTING', { settings: { name: '' } }, /"name" must be a text that is not empty/],
  ['INVALID_SETTING', { settings: { root: 'no/such/folder' } }, /"root": there is no folder/],
  // One script serves both: what is wrong with HTTP is told on stdio, too.
  ['INVALID_SETTING', { settings: { http: { prot: 80 } } }, /"http\.prot"\. Did you mean port/],
  [
    'INVALID_SETTING',
    { module: `${FRESH} mark(app.command("one").action(act), markers.McpTool({ nmae: "two" }));` },
    /McpTool of command "app one" has no setting "nmae"\. Did you mean name\?/,
  ],
  [
    'INVALID_SETTING',
    { module: `${FRESH} mark(app.command("one").action(act), markers.McpLongRunning({ timeout: 5 }));` },
    /McpLongRunning of command "app one" has no setting "timeout"\. Did you mean timeoutMs\?/,
  ],
  [
    'INVALID_SETTING',
    {
      module: `${FRESH} mark(app.command("one").option("--pin <n>").action(act));
        markers.describeOption(app.commands[0], "--pin", { secrt: true });`,
    },
    /The description of "--pin <n>" has no "secrt"\. Did you mean secret\?/,
  ],
  [
    'INVALID_SETTING',
    {
      module: `${FRESH} mark(app.command("one").action(act), markers.McpReadOnly,
        markers.McpResource({ uriTemplate: "notes://{name}" }));`,
    },
    /McpResource\(\{ uriTemplate: "notes:\/\/\{name\}" \}\) of command "app one" must name parameters/,
  ],
  ['INVALID_SETTING', { args: ['--http', '--port', 'x'] }, /http\.port/],
  ['INVALID_SETTING', { args: ['--port', '8080'] }, /need --http\. Usage: --http/],
  ['INVALID_SETTING', { args: ['extra', '--http'] }, /Unexpected argument.*Usage: --http/],
];

describe.concurrent('what only the author can mend ends the start', () => {
  test.each(CASES)('%s %j', async (code, how, message) => {
    const server = start(how);
    expect(await server.exited).toEqual({ exitCode: 1, signal: null });
    expect(server.stderr).toMatch(message);
    expect(server.stderr).toMatch(/^mcpify: [^\n]+\n$/);
    expect(server.stderr).toContain(`(${code})`);
    expect(server.stdoutLines).toEqual([]);
  });
});

test('a name of several lines is still told in one', async () => {
  const server = start({
    module: `${FRESH} mark(app.command("one\\ntwo").action(act), markers.McpIsolated);`,
  });
  expect(await server.exited).toEqual({ exitCode: 1, signal: null });
  expect(server.stderr).toMatch(/^mcpify: [^\n]*one two[^\n]*\n$/);
});

/** Of commands that run as children; the first is of tests alone. */
const OF_CHILDREN = ['NEEDS_CHILD_PROCESS', 'CLI_ENTRY_NOT_FOUND', 'CLI_ENTRY_AMBIGUOUS'];

test('every code is tried here, but those of commands that run as children', () => {
  const source = readFileSync(`${REPOSITORY}packages/mcpify/src/errors/usage-error.ts`, 'utf8');
  const codes = [...source.matchAll(/\| '([A-Z_]+)'/g)].map(([, code]) => code);
  const tried = new Set([...CASES.map(([code]) => code), ...OF_CHILDREN]);
  expect(codes.filter((code) => !tried.has(code!))).toEqual([]);
  expect(codes.length).toBeGreaterThan(10);
});

test('other arguments are the program’s', async () => {
  const server = start({
    args: ['--region', 'eu', '--httpx', 'http'],
    module: 'console.error(JSON.stringify(process.argv.slice(2))); export { program };',
  });
  await server.initialize();
  expect(server.stderr).toBe('["--region","eu","--httpx","http"]\n');
});

test('marks without effect are told on stderr, once, and the server starts', async () => {
  const server = start({
    module: "markers.McpReadOnly(program.command('note').action(() => {})); export { program };",
  });
  await server.initialize();
  await server.request('tools/list');
  await server.request('tools/call', { name: 'run', arguments: { code: '' } });
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(server.stderr).toBe(
    'mcpify: warning: Command "start note" has marks but not McpTool, so it is no tool. Add McpTool, or remove them.\n',
  );
});
