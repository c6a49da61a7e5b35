import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  createEmbeddedBackend,
  type EmbeddedBackend,
  type EmbeddedSettings,
  type Secrets,
  type Task,
  type TaskSpec,
} from 'mcpify/tasks';
import { test as base, vi } from 'vitest';

import type { ChildRecord, RunClaim } from '../../packages/mcpify/src/tasks/task-records.js';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));

/** Does what its arguments say, one after the other. */
const COMMAND = join(FIXTURES, 'command.mjs');

/** Whoever has no owner: a server over stdio. */
export const NOBODY = {};

/** A store of its own, and servers on it. */
export class EnginePlace {
  /** The commands' working directory, too: whoever lives here is one of them, whatever else it has given up. */
  readonly stateDir = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-engine-')));
  private readonly backends: EmbeddedBackend[] = [];
  private readonly servers: ChildProcess[] = [];

  settings(settings: Partial<EmbeddedSettings> = {}): EmbeddedSettings {
    return {
      entry: COMMAND,
      stateDir: this.stateDir,
      maxConcurrentTasks: 4,
      maxQueuedTasks: 16,
      graceMs: 300,
      logCapBytes: 1_000_000,
      retentionDays: 7,
      maxFinished: 500,
      maxTotalBytes: 100_000_000,
      ...settings,
    };
  }

  backend(settings: Partial<EmbeddedSettings> = {}): EmbeddedBackend {
    const backend = createEmbeddedBackend(this.settings(settings));
    this.backends.push(backend);
    return backend;
  }

  spec(argv: readonly string[], parts: Partial<TaskSpec> = {}): TaskSpec {
    return {
      toolName: 'command',
      commandPath: ['command'],
      entry: COMMAND,
      execArgv: [],
      argv,
      cwd: this.stateDir,
      exitCodes: [],
      leftovers: 'kill',
      tie: false,
      idempotent: false,
      ...parts,
    };
  }

  /** A server of its own process, once it has started its tasks. It ends in good order when its stdin does. */
  async server(
    tasks: readonly { readonly spec: TaskSpec; readonly secrets?: Secrets }[],
    parts: { readonly settings?: Partial<EmbeddedSettings>; readonly umask?: number } = {},
  ): Promise<{ readonly process: ChildProcess; readonly taskIds: string[] }> {
    const orders = { ...parts, settings: this.settings(parts.settings), tasks };
    const server = spawn(process.execPath, [join(FIXTURES, 'server.mjs'), JSON.stringify(orders)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.servers.push(server);
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    return { process: server, taskIds: JSON.parse(String(line)) as string[] };
  }

  /** A process that has nothing to do with any task. */
  stranger(): ChildProcess {
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/' });
    this.servers.push(stranger);
    return stranger;
  }

  file(name: string): string {
    return join(this.stateDir, name);
  }

  write(name: string): void {
    writeFileSync(this.file(name), '');
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  async untilThere(name: string): Promise<void> {
    await until(() => existsSync(this.file(name)) || undefined);
  }

  /** The folder of a task; there is but one project in a store of a test. */
  folderOf(taskId: string): string {
    for (const project of readdirSync(this.stateDir)) {
      const path = this.file(join(project, taskId));
      if (existsSync(join(path, 'meta.json'))) return path;
    }
    throw new Error(`no folder of ${taskId}`);
  }

  projectFolder(taskId: string): string {
    return dirname(this.folderOf(taskId));
  }

  record<Record>(taskId: string, name: string): Record | undefined {
    const path = join(this.folderOf(taskId), name);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record) : undefined;
  }

  async supervisorOf(taskId: string): Promise<number> {
    const claim = await until(() => this.record<RunClaim>(taskId, 'run.json'));
    if (claim.kind === 'void') throw new Error('nobody has the run');
    return claim.supervisor.pid;
  }

  async childOf(taskId: string): Promise<number> {
    const { identity } = await until(() => this.record<ChildRecord>(taskId, 'child.json'));
    return identity.pid;
  }

  /** Processes that live in the store, supervisors left out: commands and what they have started. */
  living(): number[] {
    return pids().filter((pid) => workingDirectoryOf(pid) === this.stateDir);
  }

  async clear(): Promise<void> {
    for (const server of this.servers) server.kill('SIGKILL');
    await Promise.all(this.backends.map((backend) => backend.close('cancel')));
    for (const pid of pids()) {
      if (workingDirectoryOf(pid)?.startsWith(this.stateDir)) process.kill(pid, 'SIGKILL');
    }
    rmSync(this.stateDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const test = base.extend<{ place: EnginePlace }>({
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => {
    const place = new EnginePlace();
    await use(place);
    await place.clear();
  },
});

/** Waits for the end of a task, however busy the machine is. */
export async function endOf(backend: EmbeddedBackend, { taskId }: Pick<Task, 'taskId'>): Promise<Task> {
  for (;;) {
    const task = await backend.wait(taskId, 45_000, NOBODY);
    if (!task) throw new Error(`no task ${taskId}`);
    if (task.status !== 'running') return task;
  }
}

/** Asks until there is an answer. */
export function until<Answer>(ask: () => Answer | undefined | Promise<Answer | undefined>): Promise<Answer> {
  return vi.waitFor(
    async () => {
      const answer = await ask();
      if (answer === undefined) throw new Error('not yet');
      return answer;
    },
    { timeout: 25_000, interval: 20 },
  );
}

export async function killed(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

function pids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function workingDirectoryOf(pid: number): string | undefined {
  try {
    return realpathSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
