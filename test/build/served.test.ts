import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { connect, REPOSITORY, textOf, type WireClient } from '../wire/connect.js';

/* The example as an agent uses it. */

const place = mkdtempSync(join(tmpdir(), 'mcpify-build-served-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let client: WireClient;

beforeAll(async () => {
  client = await connect('v2 auto', `${REPOSITORY}examples/build/dist/mcp.js`, {
    cwd: `${REPOSITORY}examples/build`,
    env: { BUILDER_PASSWORD: undefined, DEBUG: undefined },
  });
});

const call = async (name: string, toolArguments: object) => {
  const result = await client.callTool(name, toolArguments as Record<string, unknown>);
  return { ...result, text: textOf(result) };
};

/** Starts a compilation. */
const compile = async (toolArguments: object): Promise<string> => {
  const { structuredContent } = await call('cf_compile', toolArguments);
  return (structuredContent as { taskId: string }).taskId;
};

const CONNECTION = ['connection', 'user', 'password'];
const CONTROLS = ['debug', 'nocache', 'session'];

test('commands of every level are tools, with what is known of them', async () => {
  const tools = await client.listTools();
  const shown = tools.map(({ name, annotations, inputSchema }: any) => [
    name,
    Object.entries(annotations).flatMap(([hint, value]) => (value === true ? [hint] : [])),
    Object.keys(inputSchema.properties),
  ]);
  expect(shown).toEqual([
    ['cf_compile', [], ['jobs', 'pauseMs', 'source', 'output', 'background', ...CONTROLS]],
    ['cf_diff', ['readOnlyHint'], ['old', 'new', 'debug']],
    ['infobase_create', [], [...CONNECTION, ...CONTROLS]],
    ['infobase_dump', [], [...CONNECTION, 'file', ...CONTROLS]],
    ['infobase_restore', ['destructiveHint', 'idempotentHint'], [...CONNECTION, 'file', ...CONTROLS]],
    ['infobase_extensions_list', ['readOnlyHint'], [...CONNECTION, ...CONTROLS]],
    [
      'infobase_extensions_add',
      ['destructiveHint', 'idempotentHint'],
      [...CONNECTION, 'name', 'version', ...CONTROLS],
    ],
    ['task_status', ['readOnlyHint'], ['taskId', 'waitMs']],
    ['task_result', ['readOnlyHint'], ['taskId', 'offsetBytes', 'maxBytes', 'tailLines', 'waitMs']],
    ['task_cancel', ['destructiveHint', 'idempotentHint'], ['taskId']],
    ['cache_show', ['readOnlyHint'], ['session']],
    ['cache_clear', ['idempotentHint'], ['name', 'session']],
  ]);
});

test('a compilation is started, waited for and read; its result goes on into an infobase', async () => {
  const file = join(place, 'shop.cf');
  const taskId = await compile({ source: 'samples/shop', output: file, jobs: 1 });
  const end = await call('task_status', { taskId, waitMs: 45_000 });
  expect(end.structuredContent).toMatchObject({ status: 'completed', lastLine: `${file}: 3 modules` });
  expect((await call('task_result', { taskId })).text).toContain(
    `[1/3] catalogs/goods.js\n[2/3] documents/order.js\n[3/3] reports/sales.js\n${file}: 3 modules\n`,
  );

  const diff = await call('cf_diff', { old: file, new: 'samples/shop-next' });
  expect(diff.isError).toBeFalsy();
  expect(diff.text).toMatch(/^~ catalogs\/goods\.js\n[\s\S]*\[exit code 1\]/);

  const signedIn = { connection: join(place, 'infobase'), user: 'admin', password: 'correct horse' };
  expect((await call('infobase_create', signedIn)).text).toMatch(/created/);
  expect((await call('infobase_restore', { ...signedIn, file })).text).toMatch(/3 modules restored/);
  const wrong = await call('infobase_extensions_list', { ...signedIn, password: 'wrong battery' });
  expect(wrong.isError).toBe(true);
  expect(wrong.text).toContain('user or password is wrong');
  expect(wrong.text).not.toContain('wrong battery');
});

test('values out of bounds are refused, and a connection is asked for', async () => {
  const jobs = await call('cf_compile', { source: 'samples/shop', output: join(place, 'x.cf'), jobs: 65 });
  expect(jobs.isError).toBe(true);
  expect(jobs.text).toBe(
    '"jobs" must be an integer of at least 1, of at most 64; you sent 65. Nothing was run.',
  );
  const missing = await call('infobase_extensions_list', { nocache: true });
  expect(missing.isError).toBe(true);
  expect(missing.text).toContain('"connection"');
});

test('calls that change one infobase at the same time lose nothing of each other', async () => {
  const connection = join(place, 'busy');
  await call('infobase_create', { connection });
  const names = Array.from({ length: 8 }, (_, index) => `extension-${index}`);
  const add = (name: string) => call('infobase_extensions_add', { connection, name, version: '1' });
  await Promise.all(names.map(add));
  const { text } = await call('infobase_extensions_list', { connection });
  expect(text.split('\n').toSorted()).toEqual(names.map((name) => `${name} 1`));
});

test('a compilation that is cancelled writes nothing', async () => {
  const file = join(place, 'never.cf');
  const taskId = await compile({ source: 'samples/shop', output: file, pauseMs: 60_000 });
  const output = await call('task_result', { taskId, offsetBytes: 0, waitMs: 45_000 });
  expect(output.text).toMatch(/cf_compile is running[\s\S]*\[1\/3\]/);
  expect((await call('task_cancel', { taskId })).structuredContent).toMatchObject({ status: 'cancelled' });
  expect(existsSync(file)).toBe(false);
});

test('one that is waited for reports its lines as progress', async () => {
  const messages: unknown[] = [];
  const result = await client.callTool(
    'cf_compile',
    { source: 'samples/shop', output: join(place, 'waited.cf'), jobs: 1, pauseMs: 50, background: false },
    { onProgress: ({ message }) => messages.push(message) },
  );
  expect(textOf(result)).toMatch(/3 modules\n$/);
  expect(messages).toContain('[2/3] documents/order.js');
});

test('the README names every tool', async () => {
  const readme = readFileSync(`${REPOSITORY}examples/build/README.md`, 'utf8');
  for (const { name } of await client.listTools()) {
    const shown = /^(task|cache)_/.test(name) ? name : name.replaceAll('_', ' ');
    expect(readme).toContain(`\`${shown}\``);
  }
});
