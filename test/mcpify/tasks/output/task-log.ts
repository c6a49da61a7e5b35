import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test as base } from 'vitest';

import {
  readPage,
  type LogPage,
  type PageQuery,
} from '../../../../packages/mcpify/src/tasks/output/read-page.js';
import { taskFolder, type TaskFolder } from '../../../../packages/mcpify/src/tasks/task-folder.js';

/** The folder of a task, with a log that is written here. */
export class TaskLog {
  readonly folder: TaskFolder;
  private readonly project = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-log-')));

  constructor() {
    this.folder = taskFolder(this.project, 'task');
    mkdirSync(this.folder.path);
  }

  append(output: string | Uint8Array): void {
    appendFileSync(this.folder.log, output);
  }

  read(query: Partial<PageQuery> = {}, isEnded = false): LogPage {
    return readPage(this.folder, { maxBytes: 1_000_000, ...query }, isEnded);
  }

  /** What the log and its past take on the disk. */
  sizeBytes(): number {
    return [this.folder.log, this.folder.logPrev]
      .map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size);
  }

  remove(): void {
    rmSync(this.project, { recursive: true });
  }
}

export const test = base.extend<{ log: TaskLog }>({
  log: async ({ task: _task }, use) => {
    const log = new TaskLog();
    try {
      await use(log);
    } finally {
      log.remove();
    }
  },
});
