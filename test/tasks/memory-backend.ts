import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { childCommand } from '../../packages/mcpify/dist/child-process/child-command.js';
import { identify } from '../../packages/mcpify/dist/child-process/process-identity.js';
import {
  endTree,
  TREE_TOKEN_VARIABLE,
  type ProcessTree,
} from '../../packages/mcpify/dist/child-process/process-tree.js';
import type {
  Caller,
  OutputPage,
  OutputQuery,
  Secrets,
  Task,
  TaskBackend,
  TaskSpec,
} from '../../packages/mcpify/src/tasks/task-backend.js';

/** The least that keeps the promises of a backend: the tasks of a process, in its memory. */
export class MemoryBackend implements TaskBackend {
  readonly capabilities = { survivesServer: true, remote: false, list: true, tie: false, isolation: [] };
  private readonly own = new Set<MemoryTask>();

  constructor(protected readonly store: Map<string, MemoryTask>) {}

  async start(spec: TaskSpec, secrets: Secrets, caller: Caller): Promise<Task> {
    const task = new MemoryTask(spec, caller);
    this.store.set(task.taskId, task);
    this.own.add(task);
    task.run(secrets);
    return task.view();
  }

  async get(taskId: string, caller: Caller): Promise<Task | undefined> {
    return this.find(taskId, caller)?.view();
  }

  async list(caller: Caller, { limit = 50 } = {}): Promise<Task[]> {
    const visible = [...this.store.values()].filter(({ owner }) => owner === caller.owner);
    return visible
      .toReversed()
      .slice(0, limit)
      .map((task) => task.view());
  }

  async readOutput(
    taskId: string,
    query: OutputQuery,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<OutputPage | undefined> {
    const task = this.find(taskId, caller);
    const { offsetBytes, waitMs = 0 } = query;
    await task?.changed(() => task.log().length > (offsetBytes ?? 0), waitMs, signal);
    return task?.page(query);
  }

  async wait(
    taskId: string,
    waitMs: number,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<Task | undefined> {
    const task = this.find(taskId, caller);
    await task?.changed(() => false, waitMs, signal);
    return task?.view();
  }

  async cancel(taskId: string, caller: Caller): Promise<Task | undefined> {
    const task = this.find(taskId, caller);
    await task?.stop('cancelled');
    return task?.view();
  }

  async close(mode: 'keep' | 'cancel'): Promise<void> {
    if (mode === 'cancel') await Promise.all([...this.own].map((task) => task.stop('cancelled')));
  }

  protected find(taskId: string, { owner }: Caller): MemoryTask | undefined {
    const task = this.store.get(taskId);
    return task?.owner === owner ? task : undefined;
  }
}

const LOGS = mkdtempSync(join(tmpdir(), 'mcpify-memory-'));
process.once('exit', () => rmSync(LOGS, { recursive: true }));

class MemoryTask {
  readonly taskId = `t${randomBytes(20).toString('hex')}`;
  readonly owner: string | undefined;
  private readonly createdAt = new Date();
  private readonly token = randomUUID();
  private readonly logPath = join(LOGS, this.taskId);
  private tree: ProcessTree | undefined;
  private wanted: 'cancelled' | 'timeout' | undefined;
  private end: Partial<Task> | undefined;

  constructor(
    private readonly spec: TaskSpec,
    { owner }: Caller,
  ) {
    this.owner = owner;
  }

  run(secrets: Secrets): void {
    const env = { ...process.env, [TREE_TOKEN_VARIABLE]: this.token };
    const command = childCommand(this.spec, secrets, { env });
    const log = openSync(this.logPath, 'a', 0o600);
    const child = spawn(command.file, command.args, {
      cwd: this.spec.cwd,
      env: command.env,
      detached: true,
      stdio: ['pipe', log, log],
    });
    closeSync(log);
    child.stdin?.on('error', () => {}).end(command.input);
    const root = child.pid === undefined ? undefined : identify(child.pid);
    this.tree = { root, token: this.token, isWatched: true };
    const { timeoutMs = Infinity } = this.spec;
    const timer = timeoutMs < 2 ** 31 ? setTimeout(() => void this.stop('timeout'), timeoutMs) : undefined;
    child.on('error', ({ message }) => this.finish({ status: 'failed', reason: 'spawn-error', message }));
    child.on('exit', (exitCode, signal) => {
      clearTimeout(timer);
      void this.tidy({ exitCode: exitCode ?? undefined, signal: signal ?? undefined });
    });
  }

  async stop(status: 'cancelled' | 'timeout'): Promise<void> {
    if (this.end) return;
    this.wanted ??= status;
    if (this.tree) await endTree(this.tree, { graceMs: 100 });
    await this.changed(() => false, 10_000);
  }

  view(): Task {
    const { toolName, commandPath, timeoutMs } = this.spec;
    return {
      taskId: this.taskId,
      toolName,
      commandPath,
      timeoutMs,
      attempt: 1,
      createdAt: this.createdAt.toISOString(),
      elapsedMs: Date.now() - this.createdAt.getTime(),
      outputBytes: this.log().length,
      status: 'running',
      ...this.end,
    };
  }

  page({ offsetBytes, maxBytes, tailLines = 50 }: OutputQuery): OutputPage {
    const log = this.log();
    const start = Math.min(offsetBytes ?? lineFromEnd(log, tailLines), log.length);
    const end = wholeCharacters(log, start, Math.min(start + maxBytes, log.length));
    return {
      task: this.view(),
      text: log.toString('utf8', start, end),
      offsetBytes: start,
      nextOffsetBytes: end,
      totalBytes: log.length,
      truncatedBytes: 0,
    };
  }

  /** Resolves when this is so, when the task has ended, or when it is time. */
  async changed(isSo: () => boolean, waitMs: number, signal?: AbortSignal): Promise<void> {
    const limitMs = performance.now() + waitMs;
    const isOver = () => this.end !== undefined || performance.now() >= limitMs || signal?.aborted === true;
    while (!isSo() && !isOver()) await delay(10);
  }

  log(): Buffer {
    return readFileSync(this.logPath);
  }

  private async tidy(end: Pick<Task, 'exitCode' | 'signal'>): Promise<void> {
    if (this.spec.leftovers === 'kill' && this.tree) await endTree(this.tree, { graceMs: 100 });
    const isRight = end.exitCode === 0 || this.spec.exitCodes.includes(end.exitCode ?? -1);
    this.finish(this.wanted ? { status: this.wanted } : { status: isRight ? 'completed' : 'failed', ...end });
  }

  private finish(end: Partial<Task>): void {
    const endedAt = new Date();
    const elapsedMs = endedAt.getTime() - this.createdAt.getTime();
    this.end ??= { ...end, endedAt: endedAt.toISOString(), elapsedMs };
  }
}

function lineFromEnd(log: Buffer, count: number): number {
  let at = log.length;
  for (let left = count; left > 0 && at > 0; left -= 1) at = at < 2 ? 0 : log.lastIndexOf(10, at - 2) + 1;
  return at;
}

/** The end of a page: before a character that it would cut, but never where it began. */
function wholeCharacters(log: Buffer, start: number, limit: number): number {
  const isInside = (at: number) => at < log.length && (log[at]! & 0b1100_0000) === 0b1000_0000;
  let end = limit;
  while (end > start && limit - end < 4 && isInside(end)) end -= 1;
  if (end > start || start === limit) return end;
  end = limit;
  while (isInside(end)) end += 1;
  return end;
}
