import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';
import { compileProgram } from './compile-program.js';
import { showResult, toRegions } from './golden.js';
import { program } from './tasks/program.js';

const SOURCES = fileURLToPath(new URL('tasks/', import.meta.url));
const MCPIFY = join(REPOSITORY, 'packages/mcpify/dist/command-line/main.js');

/** What stands in the document for ids and times, which differ from run to run. */
const SHOWN_ID = 't0hm4x1w9c5k2j8q7r3s6v0y4d1f5b8np';

class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcpify-site-'));
  readonly stateDir = join(this.folder, 'state');
  readonly entry: string;
  private readonly ids: string[] = [];

  constructor() {
    this.entry = join(compileProgram(SOURCES, 'site', ['program', 'main']), 'dist/main.js');
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    mkdirSync(join(this.folder, 'pages'));
  }

  get pages(): string {
    return join(this.folder, 'pages');
  }

  /** The build goes on behind this page. */
  goOn(page: string): void {
    writeFileSync(join(this.pages, page), '');
  }

  stable(text: string): string {
    for (const id of text.match(/\bt[0-9a-z]{32}\b/g) ?? []) {
      if (!this.ids.includes(id)) this.ids.push(id);
    }
    const ids = this.ids.reduce(
      (shown, id) =>
        shown.replaceAll(id, SHOWN_ID).replaceAll(`output ${id.slice(-6)}`, `output ${SHOWN_ID.slice(-6)}`),
      text,
    );
    return ids.replaceAll(/(since|after) \d+ m?s\b/g, '$1 12 s').replaceAll(this.pages, 'site');
  }

  /** `mcpify tasks …`, as in a terminal of the user. */
  command(...args: string[]): string {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [MCPIFY, 'tasks', '--state-dir', this.stateDir, ...args],
      { encoding: 'utf8' },
    );
    return stdout + stderr;
  }
}

test('a task as the agent and the user see it in the document', async () => {
  const site = new Site();
  const client = await connectClient(program, { cliEntry: site.entry, stateDir: site.stateDir });
  onTestFinished(() => client.close());
  const regions: Record<string, string> = {};
  const call = async (name: string, toolArguments: object, region?: string): Promise<string> => {
    const result = await client.callTool({ name, arguments: toolArguments as Record<string, unknown> });
    const shown = region?.startsWith('start')
      ? showResult(result)
      : showResult({ content: result.content, isError: result.isError });
    if (region !== undefined) regions[region] = site.stable(shown);
    return JSON.stringify(result);
  };

  const start = await call('build', { folder: site.pages, strict: true }, 'start');
  const taskId = /t[0-9a-z]{32}/.exec(start)![0];
  await call('task_result', { taskId, waitMs: 45_000, offsetBytes: 0 });
  regions['list'] = site.stable(site.command()).replaceAll(/\b\d s(?= )/g, '5 s');
  await call('task_status', { taskId }, 'running');
  await call('task_result', { taskId }, 'tail');
  site.goOn('index');
  await call('task_result', { taskId, offsetBytes: 17, waitMs: 45_000 }, 'page');
  site.goOn('about');
  site.goOn('contact');
  await call('task_status', { taskId, waitMs: 45_000 }, 'ended');
  regions['follow'] = site.stable(site.command('follow', taskId));
  await call('task_cancel', { taskId }, 'cancel-ended');

  const second = await call('build', { folder: join(site.folder, 'empty') });
  const other = /t[0-9a-z]{32}/.exec(second)![0];
  await call('task_cancel', { taskId: other }, 'cancel');
  await call('task_status', { taskId: 'build' }, 'unknown');
  await expect(toRegions(regions)).toMatchFileSnapshot('tasks/results.txt');
});
