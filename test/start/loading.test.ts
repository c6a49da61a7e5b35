import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { run, start, urlOf } from './start.js';

const NEW_PROGRAM = `const fresh = () => {
  const made = new Command('made');
  markers.exposeAsTool(made.command('run').option('--code <text>').action(() => console.log('fresh')));
  return made;
};`;

describe.concurrent('the program is found', () => {
  test.each<[what: string, module: string]>([
    ['program', 'export { program };'],
    ['default', 'export default program;'],
    ['default.program', 'export default { program };'],
    ['default.default', 'export default { default: program };'],
    ['beside other things', 'export const name = 5; export class Other {}\nexport default program;'],
    ['before a default that is something else', 'export { program }; export default class {}'],
    ['a factory', `${NEW_PROGRAM} export { fresh as program };`],
    ['a factory as default', `${NEW_PROGRAM} export default fresh;`],
    ['an async factory', `${NEW_PROGRAM} export default async () => fresh();`],
    ['made with top-level await', 'await null; export { program };'],
    ['a promise of it', 'export default (async () => program)();'],
    ['a factory that has one only', 'export default () => program;'],
  ])('as %s', async (_what, module) => {
    const server = start({ module });
    await server.initialize();
    const answer = await run(server, 'console.log("fresh")');
    expect(answer).toMatchObject({ text: 'fresh\n', isError: false });
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toBe('');
  });
});

test('a factory that gives the same program again is one program: one call at a time', async () => {
  const server = start({ module: 'export default () => program;' });
  await server.initialize();
  const look =
    'globalThis.running = (globalThis.running ?? 0) + 1;' +
    'for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);' +
    'console.log(globalThis.running); globalThis.running -= 1;';
  const answers = await Promise.all([run(server, look), run(server, look), run(server, look)]);
  expect(answers.map(({ text }) => text)).toEqual(['1\n', '1\n', '1\n']);
});

/** One line on stderr, nothing on stdout, exit code 1. */
async function expectRefusal(server: ReturnType<typeof start>, message: RegExp): Promise<void> {
  expect(await server.exited).toEqual({ exitCode: 1, signal: null });
  expect(server.stderr).toMatch(message);
  expect(server.stderr).toMatch(/^mcpify: [^\n]+\n$/);
  expect(server.stdoutLines).toEqual([]);
}

describe.concurrent('no program is found', () => {
  test.each<[what: string, module: string, message: RegExp]>([
    [
      'nothing is exported',
      '',
      /exports nothing\).*Export it as `program` or as default.*\(PROGRAM_NOT_FOUND\)/,
    ],
    ['something else is', 'export const app = 1, other = 2;', /exports app, other\).*\(PROGRAM_NOT_FOUND\)/],
    [
      'a class',
      'export class MyProgram extends Command {} export default MyProgram;',
      /A class is not enough.*\(PROGRAM_NOT_FOUND\)/,
    ],
    [
      'a factory of something else',
      'export default () => 5;',
      /does not return a commander Command.*\(PROGRAM_NOT_FOUND\)/,
    ],
    [
      'a factory that makes one only',
      'let made = 0; export default () => (made++ === 0 ? program : undefined);',
      /does not return a commander Command.*\(PROGRAM_NOT_FOUND\)/,
    ],
    ['a promise of something else', 'export default Promise.resolve(5);', /\(PROGRAM_NOT_FOUND\)/],
    ['null', 'export default null;', /\(PROGRAM_NOT_FOUND\)/],
  ])('%s', async (_what, module, message) => {
    await expectRefusal(start({ module }), message);
  });
});

describe.concurrent('a program that parses itself when it is imported', () => {
  const HINT = /Move `program\.parse\(\)` to main\.ts.*\(PROGRAM_PARSED_ON_IMPORT\)/;

  test.each<[what: string, module: string]>([
    ['parse', 'program.parse(); export { program };'],
    [
      'parse of an argv of its own',
      'program.action(() => {}).parse([], { from: "node" }); export { program };',
    ],
    ['parse, where the program itself runs', 'program.action(() => {}).parse(); export { program };'],
    ['parseAsync, awaited', 'await program.parseAsync(); export { program };'],
    ['parseAsync, not awaited', 'program.parseAsync(); export { program };'],
    ['parse, with the error caught', 'try { program.parse() } catch {} export { program };'],
    ['parse in a factory', 'export default () => { program.parse(); return program; };'],
    ['process.exit', 'process.exit(0); export { program };'],
    ['process.exit by name', 'import { exit } from "node:process"; exit(3); export { program };'],
    [
      'process.exit, later',
      'setTimeout(() => process.exit(0)); await new Promise((done) => setTimeout(done, 50)); export { program };',
    ],
    [
      'parseAsync, once the module is loaded',
      'setTimeout(() => program.parseAsync(), 50); export { program };',
    ],
    [
      'parse of a factory’s program, once it is made',
      'export default () => { setTimeout(() => program.parse(), 50); return program; };',
    ],
  ])('%s', async (_what, module) => {
    const server = start({ module });
    expect(await server.exited).toEqual({ exitCode: 1, signal: null });
    // Before it, what the program itself had to say.
    expect(server.stderr.split('\n').filter((line) => line.startsWith('mcpify'))).toEqual([
      expect.stringMatching(HINT),
    ]);
    expect(server.stdoutLines).toEqual([]);
  });
});

describe.concurrent('a program that fails to load is told in one line', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpify-start-'));
    await writeFile(join(folder, 'syntax.mjs'), 'export const program = let let;\n');
    await writeFile(join(folder, 'names.mjs'), '\nimport { nothing } from "node:path";\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each<[what: string, module: string, message: RegExp]>([
    ['throws', 'throw new Error("no licence\\nsecond line");', /failed to load: Error: no licence\. DEBUG=1/],
    ['throws a text', 'throw "no licence";', /failed to load: no licence/],
    ['throws nothing', 'throw undefined;', /failed to load: undefined/],
    ['rejects', 'await Promise.reject(new TypeError("no"));', /failed to load: TypeError: no/],
    ['a factory that throws', 'export default () => { throw new Error("no") };', /failed to load: Error: no/],
    [
      'a factory that rejects',
      'export default async () => { throw new Error("no") };',
      /failed to load: Error: no/,
    ],
    [
      'a module that is missing',
      'import "file:///no/such.mjs";',
      /Cannot find module '\/no\/such\.mjs'.*ERR_MODULE_NOT_FOUND/,
    ],
    ['a package that is missing', 'import "no-such-package";', /failed to load: .*no-such-package/],
    [
      'waits for what never happens',
      'await new Promise(() => {}); export { program };',
      /never finishes loading/,
    ],
  ])('%s', async (_what, module, message) => {
    const server = start({ module });
    // Only at the end of input is nothing left in the process.
    server.process.stdin?.end();
    await expectRefusal(server, message);
  });

  test.each<[file: string, message: RegExp]>([
    ['syntax.mjs', /failed to load: SyntaxError: .*started by itself with node/],
    ['names.mjs', /failed to load: SyntaxError: .*nothing.* \(file:.*names\.mjs:2\)/],
    ['missing.mjs', /Cannot find module .*missing\.mjs/],
  ])('%s', async (file, message) => {
    await expectRefusal(start({ env: { LOAD: pathToFileURL(join(folder, file)).href } }), message);
  });

  test('DEBUG=1 gives the stack, and nothing else does', async () => {
    const module = 'function deepInside() { throw new Error("no licence") }\ndeepInside();';
    const [plain, debug, others] = ['', '1', 'app:*'].map((DEBUG) => start({ module, env: { DEBUG } }));
    await expectRefusal(plain!, /no licence/);
    await expectRefusal(others!, /no licence/);
    expect(await debug!.exited).toEqual({ exitCode: 1, signal: null });
    expect(debug!.stderr).toMatch(/^mcpify: Error: no licence\n.*\n\s+at deepInside/);
    expect(debug!.stdoutLines).toEqual([]);
  });

  test('a promise, a path or the program itself in the place of the loader', async () => {
    for (const argument of ['import("node:path")', '"./program.js"', 'undefined']) {
      const server = start({
        nodeArgs: [
          '--input-type=module',
          '--eval',
          `import { startMcpServer } from '${urlOf('packages/mcpify/dist/index.js')}'; await startMcpServer(${argument});`,
        ],
      });
      await expectRefusal(server, /takes a function.*startMcpServer\(\(\) => import\('\.\/program\.js'\)\)/);
    }
  });
});

test('a second server in one process is refused, and the first one goes on', async () => {
  const server = start({
    module: `import { startMcpServer } from '${urlOf('packages/mcpify/dist/index.js')}';
      startMcpServer(() => ({ program })).catch(({ code, message }) => console.error(code, message));
      export { program };`,
  });
  await server.initialize();
  expect(server.stderr).toMatch(/^INVALID_SETTING startMcpServer was called a second time.*\n$/);
  expect(await run(server, 'console.log("served")')).toMatchObject({ text: 'served\n' });
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
});
