import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { textOf } from '../wire/connect.js';
import { Agent, embedded, newFolder } from './background.js';

/* Long-running commands that somebody waits for (B6.1, B8.1), and secrets on their way into a task (K22). */

describe('waited for', () => {
  let agent: Agent;

  beforeAll(async () => {
    agent = await Agent.connect('v1', embedded());
  });

  test.each([
    ['background: false', { background: false }],
    ['background: "false"', { background: 'false' }],
    ['debug: true', { debug: true }],
    ['both', { debug: true, background: true }],
  ])('%s', async (_, controls) => {
    const result = await agent.call('echo', { words: ['a b', '--x'], ...controls });
    expect(JSON.parse(textOf(result))).toMatchObject({ words: ['a b', '--x'] });
    expect(result).not.toHaveProperty('structuredContent');
  });

  test('lines are log messages and progress', async () => {
    const messages: unknown[] = [];
    const before = agent.client.logs.length;
    const result = await agent.call(
      'print',
      { text: 'warn: line {n}\n', times: 3, code: 5, background: false },
      { onProgress: ({ message }) => messages.push(message) },
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'warn: line 0\nwarn: line 1\nwarn: line 2\n[exit code 5] The command failed.',
    );
    const logs = agent.client.logs.slice(before);
    expect(logs[0]).toMatchObject({ level: 'warning', data: 'warn: line 0' });
    expect(messages.length).toBeGreaterThan(0);
  });

  test('what it reports by callContext() is heard; in the background its log is a part of the output', async () => {
    const before = agent.client.logs.length;
    const waited = await agent.call('report', { background: false });
    expect(textOf(waited)).toBe('Done. The command printed nothing.');
    expect(agent.client.logs.slice(before)).toMatchObject([
      { level: 'warning', data: { price: null } },
      { level: 'debug', data: 'deep' },
    ]);
    const taskId = await agent.start('report');
    expect(await agent.ended(taskId)).toMatchObject({ lastLine: 'warning: {"price":null}' });
    expect((await agent.page(taskId)).output).toBe('warning: {"price":null}\n');
  });

  test('the deadline of the mark holds here, too', async () => {
    const result = await agent.call('limited', { background: false });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Timed out: the call was stopped after 1000 ms.');
  });

  test('exit codes that are a result', async () => {
    expect((await agent.call('codes', { background: false })).isError).toBeFalsy();
    const status = await agent.ended(await agent.start('codes'));
    expect(status).toMatchObject({ status: 'completed', exitCode: 3 });
  });

  test('an option called background keeps its name', async () => {
    const taskId = await agent.start('own_name', { background: 'red' });
    expect(await agent.ended(taskId)).toMatchObject({ lastLine: 'background red' });
    const waited = await agent.call('own_name', { background: 'blue', mcpBackground: false });
    expect(textOf(waited)).toBe('background blue\n');
  });

  test('what commander refuses is told at once, and no task begins', async () => {
    const count = async () => {
      const { structuredContent } = await agent.call('task_status');
      return (structuredContent as { tasks: unknown[] }).tasks.length;
    };
    const before = await count();
    const result = await agent.call('echo', { level: 'middle' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('"level" must be one of "low", "high"');
    expect(await count()).toBe(before);
  });
});

describe('secrets', () => {
  const apiToken = 'hunter 2/%"x';

  test('are seen by the command alone, and hidden in what is shown of its task', async () => {
    const stateDir = newFolder();
    const file = join(newFolder(), 'seen');
    const agent = await Agent.connect('v1', embedded({ stateDir }));
    const taskId = await agent.start('sign_in', { apiToken, file, note: 'note' });
    const status = await agent.ended(taskId);
    const { seen, apiToken: given } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(given).toBe(apiToken);
    expect(seen).toContain('--api-token=***');
    expect(seen).not.toContain('hunter');
    expect(status['lastLine']).toBe('signed in with ***; url https://host/?token=***');
    const page = await agent.page(taskId);
    expect(page.output).toBe('signed in with ***; url https://host/?token=***\n');
    for (const maxBytes of [7, 17, 25]) {
      let text = '';
      for (let offsetBytes = 0; ;) {
        const part = await agent.page(taskId, { offsetBytes, maxBytes });
        text += part.output ?? '';
        offsetBytes = part.nextOffsetBytes;
        if (!part.text.includes('\nMore: ')) break;
      }
      expect(text.replaceAll('***', '')).not.toMatch(/hunter|nter 2|%"x/);
    }
    // From wherever a page is asked for.
    for (let offsetBytes = 1; offsetBytes < Buffer.byteLength(page.output ?? '') + 30; offsetBytes += 1) {
      const part = await agent.page(taskId, { offsetBytes, maxBytes: 3 });
      expect(part.output ?? '', `from ${offsetBytes}`).not.toMatch(/hun|unt|nte|ter|%"x|%22|2\/%/);
    }
    // Nothing but what the command itself has printed.
    const [project] = readdirSync(stateDir);
    const folder = join(stateDir, project!, taskId);
    for (const name of readdirSync(folder)) {
      if (name !== 'log') expect(readFileSync(join(folder, name), 'utf8')).not.toContain('hunter');
    }
  });

  test('stand in no command line while the task runs', async () => {
    const agent = await Agent.connect('v1', embedded());
    const taskId = await agent.start('sign_in', { apiToken, note: 'stay' });
    await agent.page(taskId, { offsetBytes: 0, waitMs: 45_000 });
    const lines = readdirSync('/proc').flatMap((pid) => {
      try {
        return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
    expect(lines.some((line) => line.includes('--api-token=***'))).toBe(true);
    expect(lines.filter((line) => line.includes('hunter'))).toEqual([]);
    await agent.call('task_cancel', { taskId });
  });
});

describe('the end of the server', () => {
  test.each([
    ['keep', 'running'],
    ['cancel', 'cancelled'],
  ])('onServerExit: %s', async (onServerExit, status) => {
    const stateDir = newFolder();
    const env = embedded({ stateDir, tasks: { onServerExit } });
    const first = await Agent.connect('v1', env);
    const folder = newFolder();
    const taskId = await first.start('work_steps', { folder });
    await first.page(taskId, { offsetBytes: 0, waitMs: 45_000 });
    await first.client.close();
    const second = await Agent.connect('v2 auto', env);
    const found = status === 'running' ? await second.status(taskId) : await second.ended(taskId);
    expect(found).toMatchObject({ status, tool: 'work_steps' });
    expect((await second.page(taskId)).output).toContain('step 1 of 3');
    await second.call('task_cancel', { taskId });
    expect(existsSync(folder)).toBe(true);
  });
});
