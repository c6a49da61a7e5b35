import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { EmbeddedSettings, TaskSpec } from 'mcpify/tasks';
import { expect, test as base, vi } from 'vitest';

import { BackendProcess, type RemoteBackend } from './backend-process.js';
import { isSupervisor, kill, livingIn, type Seen } from './census.js';

/** A store, and servers of their own processes on it. Nobody lives in it when the test is over. */
export class FaultPlace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-faults-')));
  /** The commands' working directory: whoever lives there is one of them. */
  readonly cwd = join(this.folder, 'cwd');
  stateDir = join(this.folder, 'state');
  /** What a test has put there that is more than files. */
  beforeRemoval: (() => void) | undefined;
  private readonly servers: BackendProcess[] = [];

  constructor() {
    mkdirSync(this.cwd);
  }

  async server(
    settings: Partial<EmbeddedSettings> = {},
    start: Parameters<typeof BackendProcess.start>[0] = {},
  ): Promise<RemoteBackend> {
    const server = await BackendProcess.start(start);
    this.servers.push(server);
    return server.open({ entry: this.script('fault-command'), stateDir: this.stateDir, ...settings });
  }

  /** A task that runs a fixture of this folder. */
  spec(fixture: string, argv: readonly string[], parts: Partial<TaskSpec> = {}): TaskSpec {
    return {
      toolName: 'fault',
      commandPath: ['fault'],
      entry: this.script(fixture),
      execArgv: [],
      argv,
      cwd: this.cwd,
      exitCodes: [],
      leftovers: 'kill',
      tie: false,
      idempotent: false,
      ...parts,
    };
  }

  async killServers(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  /** Processes of commands. */
  members(): Seen[] {
    return livingIn(this.cwd);
  }

  supervisors(): Seen[] {
    return livingIn(this.stateDir).filter(isSupervisor);
  }

  async untilSleeping(count: number): Promise<void> {
    const sleeping = () => this.members().filter(({ commandLine }) => commandLine.startsWith('sleep '));
    await until(() => expect(sleeping()).toHaveLength(count));
  }

  /** The folder of the project's tasks. */
  project(): string {
    return join(this.stateDir, readdirSync(this.stateDir)[0]!);
  }

  file(taskId: string, name: string): string {
    return join(this.project(), taskId, name);
  }

  private script(fixture: string): string {
    return fileURLToPath(new URL(`../fixtures/${fixture}.mjs`, import.meta.url));
  }

  async clear(): Promise<void> {
    await this.killServers();
    await until(() => {
      const left = [...this.members(), ...livingIn(this.folder)];
      for (const each of left) kill(each);
      expect(left).toEqual([]);
    });
    const { beforeRemoval } = this;
    if (beforeRemoval) await until(beforeRemoval);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Polls: what a foreign process does gives no event. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 15 });
}

export const test = base.extend<{ place: FaultPlace }>({
  place: async ({ task: _task }, use) => {
    const place = new FaultPlace();
    try {
      await use(place);
    } finally {
      await place.clear();
    }
  },
});
