import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { start } from '../start/start.js';
import { call, list, serve } from './kind-server.js';

/* K17: whatever a command prints, a result is short, says what it leaves out, and the rest can be had, byte for byte. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('jobs.mjs');
});

const BUDGET_BYTES = 100_000;

/** What `much` prints. */
function whole(bytes: number): string {
  const lines: string[] = [];
  for (let written = 0; written < bytes; written += Buffer.byteLength(lines.at(-1)!)) {
    lines.push(`line ${lines.length} 😀 ${'x'.repeat(60)}\n`);
  }
  return lines.join('');
}

describe.each([
  ['much', {}],
  ['much_child', {}],
  ['much_task', { background: false }],
])('2 MB of %s', (name, controls) => {
  const output = whole(2_000_000);
  let result: string;

  beforeAll(async () => {
    result = (await call(server, name, { ...controls })).text;
  });

  test('head and tail are there, and both the size and the way to the rest (F110)', () => {
    expect(Buffer.byteLength(result)).toBeLessThan(BUDGET_BYTES + 1_000);
    expect(result.startsWith('line 0 😀')).toBe(true);
    expect(result).toContain(output.slice(-200));
    expect(result).toContain(String(Buffer.byteLength(output)));
    expect(result).toMatch(/task_result/);
    expect(result).not.toContain('\uFFFD');
  });

  test('the pages of any size make the whole', async () => {
    const taskId = /t[0-9a-z]{32}/.exec(result)?.[0];
    let [offsetBytes, text] = [0, ''];
    for (let size = 9_973; offsetBytes < Buffer.byteLength(output); size += 7_919) {
      const page = await call(server, 'task_result', {
        taskId,
        offsetBytes,
        maxBytes: Math.min(size, 200_000),
      });
      const frame = /<(output \w{6})>\n([\s\S]*)\n<\/\1>/.exec(page.text);
      const next = Number(/"offsetBytes":(\d+)/.exec(page.text)?.[1] ?? Infinity);
      text += frame?.[2] ?? '';
      // The line end before the closing line is the frame's where the page's own is there.
      if (!text.endsWith('\n') && output[text.length] === '\n') text += '\n';
      expect(next).toBeGreaterThan(offsetBytes);
      offsetBytes = next;
    }
    expect(text === output).toBe(true);
  });
});

test('a page that begins within a character leaves it out (F108)', async () => {
  const { value } = await call(server, 'much_task', { bytes: 1_000 });
  await call(server, 'task_status', { taskId: value.taskId, waitMs: 45_000 });
  const at = Buffer.from(whole(1_000)).indexOf('😀');
  for (const offsetBytes of [at, at + 1, at + 2, at + 3, at + 4]) {
    const { text } = await call(server, 'task_result', { taskId: value.taskId, offsetBytes, maxBytes: 50 });
    expect(text).not.toContain('\uFFFD');
    expect(text.includes('😀')).toBe(offsetBytes === at);
  }
});

describe('60 commands with long help texts (F113)', () => {
  const HELP = 'Compares what was asked for with what is there, line by line. '.repeat(60);

  test('descriptions are cut at their limit, but not what a model must know', async () => {
    const many = start({
      module: `
        export const program2 = program;
        for (let index = 0; index < 60; index += 1) {
          const command = program.command('run' + index).description(${JSON.stringify(HELP)})
            .addOption(new Option('--region <name>').env('REGION')).action(() => {});
          markers.exposeAsTool(command, ...(index === 0 ? [markers.McpLongRunning] : []));
        }
        export { program };`,
      settings: { sessionCache: 'off', cliEntry: process.argv[1] },
    });
    await many.initialize();
    const tools = await list(many);
    const own = [...tools.values()].filter(({ name }) => /^run\d/.test(name));
    expect(own).toHaveLength(60);
    for (const { description } of own) {
      expect(description.length).toBeGreaterThan(900);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect(description).toMatch(/…\nEnvironment variables: REGION \(region\)\./);
    }
    expect(own[0]?.description).toMatch(/Runs in the background[^\n]*$/);
    expect(many.stderr).toMatch(/warning: 6\d tools: .*built-in tools come last/);
    expect(many.stderr).toMatch(/warning: Description of tool "run0" and 59 more is cut/);
    // What all tools have in common is said once, or in a word.
    const own1 = own[1]!;
    const boilerplate = JSON.stringify({ ...own1, description: '' }).length;
    expect(boilerplate).toBeLessThan(600);
  });
});
