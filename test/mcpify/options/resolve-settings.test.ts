import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import type { McpOptions } from '../../../packages/mcpify/src/options/mcp-options.js';
import { resolveSettings } from '../../../packages/mcpify/src/options/resolve-settings.js';

const PROGRAM = { name: () => 'app' };

/** No package.json stands above it. */
const ENTRY = '/no/such/folder/mcp.js';

const folder = mkdtempSync(join(tmpdir(), 'mcpify-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('every setting has a default', () => {
  expect(resolveSettings({}, PROGRAM, ENTRY)).toEqual({
    name: 'app',
    version: '0.0.0',
    instructions: undefined,
    cwd: process.cwd(),
    cliEntry: undefined,
    root: undefined,
    pinnedValues: {},
    defaultValues: {},
    sessionCache: 'auto',
    cacheFlags: false,
    controlParams: {},
    logPrefix: '',
    outputBudgetBytes: 100_000,
    callTimeoutMs: undefined,
    isEnabled: undefined,
    middleware: [],
    serveLoadErrors: false,
    tasks: {
      backend: undefined,
      onServerExit: 'keep',
      retentionDays: 7,
      maxFinished: 500,
      maxTotalBytes: 1_073_741_824,
      logCapBytes: 67_108_864,
      graceMs: 2_000,
      stateDir: undefined,
      maxConcurrentTasks: Math.max(4, 2 * availableParallelism()),
      maxQueuedTasks: 256,
    },
  });
});

describe('name and version', () => {
  test('come from the nearest package.json that names something', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "gate", "version": "1.2.3" }');
    writeFileSync(join(folder, 'dist', 'package.json'), '{ "type": "module" }');
    const settings = resolveSettings({}, PROGRAM, join(folder, 'dist', 'mcp.js'));
    expect(settings).toMatchObject({ name: 'gate', version: '1.2.3' });
  });

  test('are those of the options where given', () => {
    const settings = resolveSettings({ name: 'a', version: '9' }, PROGRAM, join(folder, 'mcp.js'));
    expect(settings).toMatchObject({ name: 'a', version: '9' });
  });

  test('a broken package.json is passed over', () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    writeFileSync(join(inner, 'package.json'), '{');
    expect(resolveSettings({}, PROGRAM, join(inner, 'mcp.js')).name).toBe('gate');
  });
});

test('folders are absolute', () => {
  const settings = resolveSettings({ cwd: 'a', root: 'test' }, PROGRAM, ENTRY);
  expect(settings.cwd).toBe(join(process.cwd(), 'a'));
  expect(settings.root).toBe(join(process.cwd(), 'test'));
});

test('settings of tasks are those of the options where given, one by one', () => {
  const options = {
    stateDir: '/s',
    maxQueuedTasks: 0,
    tasks: { graceMs: 0, maxFinished: undefined },
  } as object;
  expect(resolveSettings(options, PROGRAM, ENTRY).tasks).toMatchObject({
    stateDir: '/s',
    maxQueuedTasks: 0,
    graceMs: 0,
    maxFinished: 500,
  });
});

test.each<[unknown, RegExp]>([
  [{ outputBudget: 5 }, /Unknown setting "outputBudget".*outputBudgetBytes/],
  [{ outputBudgetBytes: '5' }, /"outputBudgetBytes" must be a number above 0; it is a string/],
  [{ outputBudgetBytes: 0 }, /above 0/],
  [{ callTimeoutMs: Number.NaN }, /"callTimeoutMs"/],
  [{ name: 5 }, /"name" must be a text/],
  [{ sessionCache: 'yes' }, /"sessionCache" must be one of "auto", "connection", "handle", "off"/],
  [{ cacheFlags: 'yes' }, /"cacheFlags" must be true or false/],
  [{ serveLoadErrors: 'yes' }, /"serveLoadErrors" must be true or false/],
  [{ isEnabled: true }, /"isEnabled" must be a function/],
  [{ middleware: { before() {} } }, /"middleware" must be an array; it is an object/],
  [{ middleware: [() => {}] }, /"middleware\[0\]" must be an object; it is a function/],
  [{ middleware: [{}] }, /"middleware\[0\]" has none of before, around, after/],
  [{ middleware: [{ after() {} }, { before: 'x' }] }, /"middleware\[1\]\.before" must be a function/],
  [{ middleware: [{ after() {}, befor() {} }] }, /has "befor", which is never called\. Known: before, /],
  [{ name: '' }, /"name" must be a text that is not empty/],
  [{ version: ' ' }, /"version" must be a text that is not empty/],
  [{ stateDir: '' }, /"stateDir" must be a text that is not empty/],
  [{ root: '/no/such/folder' }, /"root": there is no folder "\/no\/such\/folder"/],
  [{ root: '' }, /"root" must be a text that is not empty/],
  [{ root: import.meta.filename }, /"root": there is no folder/],
  [{ controlParams: { debgu: false } }, /Unknown setting "controlParams\.debgu"\. Did you mean debug\?/],
  [{ http: { prot: 80 } }, /Unknown setting "http\.prot"\. Did you mean port\?/],
  [{ http: { port: '80' } }, /http\.port: must be from 0 to 65535/],
  [{ http: 8080 }, /"http" must be an object/],
  [{ http: { tokenEnv: '' } }, /"http\.tokenEnv" must be a text that is not empty/],
  [{ http: { oauth: { resorce: 'x' } } }, /Unknown setting "http\.oauth\.resorce"\. Did you mean resource\?/],
  [{ outputBudgetBytes: -1 }, /"outputBudgetBytes" must be a number above 0; it is -1/],
  [null, /^The settings must be an object; they are null\./],
  [['secret'], /^The settings must be an object; they are an array\./],
  [{ stateDir: 7 }, /"stateDir" must be a text/],
  [{ maxConcurrentTasks: 0 }, /"maxConcurrentTasks" must be an integer of at least 1/],
  [{ maxQueuedTasks: 1.5 }, /"maxQueuedTasks" must be an integer of at least 0/],
  [{ tasks: 'keep' }, /"tasks" must be an object/],
  [{ tasks: { keep: true } }, /Unknown setting "tasks\.keep"\. Known: backend, onServerExit, /],
  [{ tasks: { onServerExit: 'yes' } }, /"tasks\.onServerExit" must be 'keep' or 'cancel'/],
  [{ tasks: { backend: {} } }, /"tasks\.backend" must be a task backend/],
  [{ tasks: { retentionDays: -1 } }, /"tasks\.retentionDays" must be a number above 0/],
  [{ tasks: { graceMs: '2' } }, /"tasks\.graceMs" must be an integer of at least 0/],
  [{ pinnedValues: ['secret'] }, /"pinnedValues" must be an object.*it is an array/],
])('%j is refused without showing a value', (options, message) => {
  const resolve = () => resolveSettings(options as McpOptions, PROGRAM, ENTRY);
  expect(resolve).toThrow(
    expect.objectContaining({ code: 'INVALID_SETTING', message: expect.stringMatching(message) }),
  );
  expect(resolve).not.toThrow(/secret|yes/);
});
