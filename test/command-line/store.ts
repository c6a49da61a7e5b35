import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createEmbeddedBackend, type Caller, type EmbeddedBackend, type Task } from 'mcpify/tasks';
import { expect, test as base, vi } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

const MCPIFY = join(REPOSITORY, 'packages/mcpify/dist/command-line/main.js');
const JOB = fileURLToPath(new URL('fixtures/job.mjs', import.meta.url));

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A store with tasks that do as they are told. */
export class Store {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-command-')));
  readonly stateDir = join(this.folder, 'state');
  readonly backend: EmbeddedBackend = this.backendOf(JOB);
  private prints = 0;

  private backendOf(entry: string): EmbeddedBackend {
    return createEmbeddedBackend({
      entry,
      stateDir: this.stateDir,
      maxConcurrentTasks: 10,
      maxQueuedTasks: 10,
      graceMs: 1_000,
      logCapBytes: 1_000_000,
      retentionDays: 7,
      maxFinished: 500,
      maxTotalBytes: 1_000_000_000,
    });
  }

  /** A task that runs until `end`. */
  async run({ toolName = 'job', exitCode = 0, caller = {} as Caller } = {}): Promise<Task> {
    const task = await this.backend.start(
      {
        toolName,
        commandPath: [toolName],
        entry: JOB,
        execArgv: [],
        argv: [this.folder, String(exitCode)],
        cwd: this.folder,
        exitCodes: [],
        leftovers: 'kill',
        tie: false,
        idempotent: false,
      },
      {},
      caller,
    );
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 30_000 };
    expect((await this.backend.readOutput(task.taskId, query, caller))?.text).toBe('started\n');
    return task;
  }

  /** A task that has ended, with an output of its own. */
  finished(output: string | Uint8Array, { toolName = 'job', exitCode = 0, entry = JOB } = {}): Promise<Task> {
    const backend = entry === JOB ? this.backend : this.backendOf(entry);
    const spill = backend.keepOutput({ toolName, commandPath: [toolName] }, {});
    spill.write(output);
    return spill
      .finish({ exitCode })
      .finally(() => (backend === this.backend ? undefined : backend.close('keep')));
  }

  /** The running tasks print it. */
  print(text: string): void {
    writeFileSync(join(this.folder, 'unfinished'), text);
    this.prints += 1;
    renameSync(join(this.folder, 'unfinished'), join(this.folder, `print-${this.prints}`));
  }

  end(): void {
    writeFileSync(join(this.folder, 'end'), '');
  }

  /** `mcpify tasks …` */
  tasks(...args: string[]): Promise<Ended> {
    return this.start('pipe', args).ended;
  }

  /** The same on a terminal, as long as it takes. */
  onTerminal(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Running {
    return this.start('terminal', args, environment);
  }

  onPipe(args: readonly string[]): Running {
    return this.start('pipe', args);
  }

  private start(
    kind: 'pipe' | 'terminal',
    [command, ...args]: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Running {
    const own = command === undefined ? [] : [command, ...args];
    const line = [process.execPath, MCPIFY, 'tasks', '--state-dir', this.stateDir, ...own];
    const [file = '', ...rest] =
      kind === 'pipe' ? line : ['script', '-qec', line.map(quote).join(' '), '/dev/null'];
    // Node takes the last for a sign that nobody looks at colours.
    const { NO_COLOR: _no, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env;
    const env = { ...inherited, TERM: 'xterm-256color', ...environment };
    return new Running(spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  async clear(): Promise<void> {
    const running = (await this.backend.list({}, { limit: 100 })).filter(
      ({ status }) => status === 'running',
    );
    await Promise.all(running.map(({ taskId }) => this.backend.cancel(taskId, {})));
    await this.backend.close('keep');
    rmSync(this.folder, { recursive: true });
  }
}

export class Running {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;

  constructor(private readonly child: ReturnType<typeof spawn>) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      child.on('close', (exitCode) => resolve({ stdout: this.stdout, stderr: this.stderr, exitCode }));
    });
  }

  async untilShown(text: string | RegExp): Promise<void> {
    await vi.waitFor(() => expect(this.stdout).toMatch(text), { timeout: 20_000, interval: 20 });
  }

  stop(): void {
    this.child.kill('SIGINT');
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export const test = base.extend<{ store: Store }>({
  store: async ({ task: _task }, use) => {
    const store = new Store();
    try {
      await use(store);
    } finally {
      await store.clear();
    }
  },
});
