import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type {
  Caller,
  EmbeddedBackend,
  EmbeddedSettings,
  OutputPage,
  OutputQuery,
  Secrets,
  Task,
  TaskSpec,
} from 'mcpify/tasks';

const SCRIPT = fileURLToPath(new URL('../fixtures/backend-server.mjs', import.meta.url));
const NODE = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;

/** The server has ended before it answered. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';
}

/** A server of its own process, with the backends that it is told to open. */
export class BackendProcess {
  /** As which user it runs. */
  uid: number | undefined;
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private nextId = 1;

  private constructor(readonly child: ChildProcess) {
    child.stdin!.on('error', () => {});
    child.once('exit', () => {
      for (const { reject } of this.pending.values()) reject(new ServerEndedError('the server has ended'));
      this.pending.clear();
    });
  }

  static async start({ nodeArgs = [], ...options }: SpawnOptions & { nodeArgs?: string[] } = {}) {
    const child = spawn(NODE, [...nodeArgs, SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'], ...options });
    const server = new BackendProcess(child);
    const lines = createInterface({ input: child.stdout! });
    const [first] = (await Promise.race([once(lines, 'line'), failure(child)])) as [string];
    server.uid = (JSON.parse(first) as { uid: number }).uid;
    lines.on('line', (line) => server.deliver(JSON.parse(line) as Answer));
    return server;
  }

  /** Opens a backend on a store. */
  async open(settings: Partial<EmbeddedSettings>): Promise<RemoteBackend> {
    const backend = new RemoteBackend(this, String(this.nextId));
    await this.call(backend.name, 'open', [settings]);
    return backend;
  }

  call(backend: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) {
      return Promise.reject(new ServerEndedError('the server has ended'));
    }
    const id = this.nextId++;
    const answer = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
    child.stdin!.write(`${JSON.stringify({ id, backend, method, args })}\n`);
    return answer;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  private deliver({ id, value, error }: Answer): void {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (error) waiting?.reject(Object.assign(new Error(error.message), { name: error.name }));
    else waiting?.resolve(value ?? undefined);
  }
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** A backend in another process. */
export class RemoteBackend implements Pick<
  EmbeddedBackend,
  'start' | 'get' | 'list' | 'wait' | 'readOutput' | 'cancel' | 'close'
> {
  constructor(
    readonly server: BackendProcess,
    readonly name: string,
  ) {}

  start(spec: TaskSpec, secrets: Secrets = {}, caller: Caller = {}) {
    return this.call('start', spec, secrets, caller) as Promise<Task>;
  }

  get(taskId: string, caller: Caller = {}) {
    return this.call('get', taskId, caller) as Promise<Task | undefined>;
  }

  list(caller: Caller = {}, options: { limit?: number } = {}) {
    return this.call('list', caller, options) as Promise<Task[]>;
  }

  wait(taskId: string, waitMs = 45_000, caller: Caller = {}) {
    return this.call('wait', taskId, waitMs, caller) as Promise<Task | undefined>;
  }

  readOutput(
    taskId: string,
    query: OutputQuery = { offsetBytes: 0, maxBytes: 1_000_000 },
    caller: Caller = {},
  ) {
    return this.call('readOutput', taskId, query, caller) as Promise<OutputPage | undefined>;
  }

  cancel(taskId: string, caller: Caller = {}) {
    return this.call('cancel', taskId, caller) as Promise<Task | undefined>;
  }

  async close(mode: 'keep' | 'cancel') {
    await this.call('close', mode);
  }

  /** The task once it has ended. */
  async untilEnded(taskId: string): Promise<Task> {
    for (;;) {
      const task = await this.wait(taskId);
      if (!task) throw new Error(`no task ${taskId}`);
      if (task.status !== 'running') return task;
    }
  }

  private call(method: string, ...args: unknown[]): Promise<unknown> {
    return this.server.call(this.name, method, args);
  }
}

async function failure(child: ChildProcess): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`the server did not start: ${signal ?? `exit code ${code}`}`);
}
