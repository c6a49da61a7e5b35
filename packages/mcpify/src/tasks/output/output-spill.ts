import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';

import type { EmbeddedSettings, KeptCall, OutputSpill } from '../embedded-settings.js';
import { prepareProject } from '../project-folder.js';
import { TaskRefusedError, type Caller, type Task, type TaskSpec } from '../task-backend.js';
import { taskFolder } from '../task-folder.js';
import { newTaskId } from '../task-id.js';
import type { TaskRecord } from '../task-records.js';
import { toExit } from '../to-exit.js';
import { toTask } from '../to-task.js';
import { writeOnce, writeWhole } from '../write-record.js';
import { cutLog } from './cut-log.js';
import { readTotalBytes, sizeOf } from './log-files.js';

/** Small writes are joined up to this size. */
const JOINED_BYTES = 64 * 1024;

export type SpillSettings = Pick<EmbeddedSettings, 'entry' | 'graceMs' | 'logCapBytes'>;

/**
 * Keeps the output of a call that is waited for as the log of a task. Until its end nobody sees a task there; one whose
 * server is killed never becomes one, and is removed with the old tasks.
 *
 * Writes are synchronous: a command that prints faster than the disk takes it never fills the memory. What goes wrong
 * is told at the end, never to the command that prints.
 */
export function createOutputSpill(
  projectPath: string,
  call: KeptCall,
  caller: Caller,
  settings: SpillSettings,
): OutputSpill {
  return new FileSpill(projectPath, toRecord(call, caller, settings));
}

class FileSpill implements OutputSpill {
  private readonly folder;
  private logFd: number | undefined;
  private joined: Buffer[] = [];
  private joinedBytes = 0;
  /** The first half of a character that a text was cut in. */
  private half = '';
  private error: unknown;
  private isOver = false;

  constructor(
    projectPath: string,
    private readonly record: TaskRecord,
  ) {
    this.folder = taskFolder(projectPath, record.taskId);
  }

  write(chunk: string | Uint8Array): void {
    if (this.isOver || this.error !== undefined) return;
    const bytes = typeof chunk === 'string' ? this.encode(chunk) : Buffer.from(chunk);
    this.joined.push(bytes);
    this.joinedBytes += bytes.length;
    if (this.joinedBytes >= JOINED_BYTES) this.attempt(() => this.flush());
  }

  async finish({ exitCode }: { readonly exitCode: number }): Promise<Task> {
    this.attempt(() => {
      this.joined.push(Buffer.from(this.half));
      this.flush();
    });
    this.close();
    try {
      if (this.error !== undefined) throw this.error;
      const exit = toExit(this.record.spec, { exitCode }, undefined, 'supervisor');
      await writeOnce(this.folder.exit, exit);
      // With this it is a task, and one that has ended.
      await writeWhole(this.folder.meta, JSON.stringify(this.record));
      return toTask(this.record, { exit }, readTotalBytes(this.folder));
    } catch (error) {
      this.remove();
      throw new TaskRefusedError(`The output could not be kept: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  }

  discard(): void {
    if (this.isOver) return;
    this.close();
    this.remove();
  }

  private encode(text: string): Buffer {
    const whole = this.half + text;
    const isCut = /[\ud800-\udbff]$/.test(whole);
    this.half = isCut ? whole.slice(-1) : '';
    return Buffer.from(isCut ? whole.slice(0, -1) : whole);
  }

  private flush(): void {
    const bytes = Buffer.concat(this.joined);
    this.joined = [];
    this.joinedBytes = 0;
    const fd = (this.logFd ??= this.openLog());
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    const share = Math.floor(this.record.logCapBytes / 2);
    if (sizeOf(this.folder.log) > share) cutLog(this.folder, share);
  }

  private openLog(): number {
    prepareProject(this.folder.projectPath);
    mkdirSync(this.folder.path, 0o700);
    chmodSync(this.folder.path, 0o700);
    const fd = openSync(this.folder.log, 'ax', 0o600);
    fchmodSync(fd, 0o600);
    return fd;
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.error ??= error;
      this.joined = [];
    }
  }

  private close(): void {
    this.isOver = true;
    this.joined = [];
    if (this.logFd !== undefined) closeSync(this.logFd);
    this.logFd = undefined;
  }

  private remove(): void {
    this.attempt(() => rmSync(this.folder.path, { recursive: true, force: true }));
  }
}

/** As if it had been a task: whoever reads it need not know the difference. */
function toRecord(call: KeptCall, { owner }: Caller, settings: SpillSettings): TaskRecord {
  const spec: TaskSpec = {
    exitCodes: [],
    ...call,
    entry: settings.entry,
    execArgv: [],
    argv: [],
    cwd: process.cwd(),
    leftovers: 'kill',
    tie: false,
    idempotent: false,
  };
  const nowMs = Date.now();
  return {
    taskId: newTaskId(nowMs),
    spec,
    ...(owner !== undefined && { owner }),
    token: randomUUID(),
    createdAt: new Date(nowMs).toISOString(),
    carriesSecrets: false,
    graceMs: settings.graceMs,
    logCapBytes: settings.logCapBytes,
  };
}
