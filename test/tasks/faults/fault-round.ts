import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Task, TaskSpec } from 'mcpify/tasks';

import { BackendProcess, ServerEndedError, type RemoteBackend } from './backend-process.js';
import { isAlive, isSupervisor, kill, livingIn, look, type Seen } from './census.js';
import type { FaultPlan, Kill, Moment, Target } from './fault-plan.js';
import { judge, type Facts } from './judge.js';

const COMMAND = fileURLToPath(new URL('../fixtures/fault-command.mjs', import.meta.url));

/** For the file that a kill waits for: it may never come. */
const FILE_PATIENCE_MS = 4_000;

/** A supervisor that has recorded the end has so long to leave. */
const LEAVE_MS = 10_000;

export interface RoundResult {
  readonly plan: FaultPlan;
  readonly facts: Facts;
  /** What was wrong; empty: nothing. */
  readonly violations: readonly string[];
}

/** Runs one round: a server, its task, the kills; then two other servers tell what has become of the task. */
export async function runRound(plan: FaultPlan, others: readonly BackendProcess[]): Promise<RoundResult> {
  const round = new FaultRound(plan);
  try {
    return await round.run(others);
  } finally {
    await round.clear();
  }
}

class FaultRound {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-fault-')));
  private readonly cwd = join(this.folder, 'cwd');
  private readonly stateDir = join(this.folder, 'state');
  private readonly killed = new Set<Target>();
  private readonly violations: string[] = [];
  private reader: Seen | undefined;
  private others: RemoteBackend[] = [];
  private server: BackendProcess | undefined;
  private wasCancelAsked = false;
  private isOver = false;

  constructor(private readonly plan: FaultPlan) {
    mkdirSync(this.cwd);
  }

  async run(processes: readonly BackendProcess[]): Promise<RoundResult> {
    const { plan } = this;
    this.server = await BackendProcess.start();
    const backend = await this.server.open({ entry: COMMAND, stateDir: this.stateDir });
    if (plan.othersWatch) await this.openOthers(processes);

    const started = this.start(backend);
    const faults = Promise.all([
      ...plan.kills.map((each) => this.killAt(each)),
      this.cancelAt(backend, started),
    ]);
    const answered = await started;
    await faults;
    if (!plan.othersWatch) await this.openOthers(processes);

    const taskId = answered?.taskId ?? (await this.others[0]!.list())[0]?.taskId;
    const [task, again] = taskId === undefined ? [] : await this.settle(taskId);
    this.isOver = true;
    const facts = this.gather(answered !== undefined, task);
    this.violations.push(...judge(plan, facts));
    if (task && again) await this.examine(task, again);
    await this.examineSurvivors();
    return { plan, facts, violations: this.violations };
  }

  private async openOthers(processes: readonly BackendProcess[]): Promise<void> {
    const settings = { entry: COMMAND, stateDir: this.stateDir };
    this.others = await Promise.all(processes.map((process) => process.open(settings)));
  }

  /** @returns undefined where the server was killed before it answered */
  private async start(backend: RemoteBackend): Promise<Task | undefined> {
    const { exitCode, durationMs, traits, timeoutMs, carriesSecrets, tie } = this.plan;
    const argv = [String(exitCode), String(durationMs), ...traits];
    const spec: TaskSpec = {
      toolName: 'fault',
      commandPath: ['fault'],
      entry: COMMAND,
      execArgv: [],
      argv: carriesSecrets ? ['***'] : argv,
      cwd: this.cwd,
      exitCodes: [7],
      leftovers: 'kill',
      idempotent: false,
      timeoutMs,
      tie,
    };
    const task = await unlessEnded(backend.start(spec, carriesSecrets ? { argv } : {}));
    if (task) this.reader = this.followLog();
    return task;
  }

  private async killAt({ target, moment }: Kill): Promise<void> {
    await this.until(moment);
    if (this.isOver) return;
    if (target === 'server') {
      if (isChildAlive(this.server!)) this.killed.add('server');
      await this.server!.kill();
    } else {
      const wanted = livingIn(this.folder).filter((seen) => this.isTarget(seen, target));
      if (wanted.map((seen) => kill(seen)).includes(true)) this.killed.add(target);
    }
  }

  private isTarget(seen: Seen, target: Target): boolean {
    if (target === 'recorder') return isSupervisor(seen);
    return seen.commandLine.includes(COMMAND) && !isSupervisor(seen);
  }

  private async cancelAt(backend: RemoteBackend, started: Promise<Task | undefined>): Promise<void> {
    const { cancel } = this.plan;
    if (!cancel) return;
    await this.until(cancel.moment);
    const task = await started;
    if (!task) return;
    const by = cancel.by === 'others' && this.others.length > 0 ? this.others : [backend];
    this.wasCancelAsked = true;
    const answers = await Promise.all(by.map((each) => unlessEnded(each.cancel(task.taskId))));
    for (const answer of answers) {
      if (answer?.status === 'running') this.violations.push('a cancel was answered while the task ran');
    }
    if (answers.some((answer) => answer !== undefined)) this.examineMembers('when the cancel was answered');
  }

  /** What both others say in the end. An endless task that nobody was to end is cancelled. */
  private async settle(taskId: string): Promise<readonly [Task | undefined, Task | undefined]> {
    const [first, second] = this.others as [RemoteBackend, RemoteBackend];
    const isEndless = this.plan.durationMs >= 600_000 && this.plan.timeoutMs === undefined;
    if (isEndless && (await first.get(taskId))?.status === 'running') {
      this.wasCancelAsked = true;
      await Promise.all([first.cancel(taskId), second.cancel(taskId)]);
    }
    return Promise.all([untilEnded(first, taskId), untilEnded(second, taskId)]);
  }

  private gather(wasAnswered: boolean, task: Task | undefined): Facts {
    const ended = this.readJson(join(this.cwd, 'ended')) as Facts['ended'];
    return {
      wasAnswered,
      task,
      killed: [...this.killed],
      wasCancelAsked: this.wasCancelAsked,
      hasStarted: existsSync(join(this.cwd, 'started')),
      ended,
    };
  }

  private async examine(task: Task, again: Task): Promise<void> {
    const { taskId } = task;
    if (JSON.stringify(task) !== JSON.stringify(again)) {
      this.violations.push(`two servers disagree: ${JSON.stringify(again)}`);
    }
    this.examineMembers('when the end was told');
    const bytes = this.readExit(taskId);
    const output = (await this.others[0]!.readOutput(taskId))?.text ?? '';
    this.examineOutput(task, output);
    await Promise.all(this.others.map((other) => other.cancel(taskId)));
    const later = await this.others[1]!.get(taskId);
    if (JSON.stringify(later) !== JSON.stringify(task)) {
      this.violations.push(`the end has changed: ${JSON.stringify(later)}`);
    }
    if (bytes === undefined || this.readExit(taskId) !== bytes) {
      this.violations.push('the record of the end has changed');
    }
  }

  /** All lines that were written, in order. The last one of a command that was killed may be cut. */
  private examineOutput({ outputBytes }: Task, output: string): void {
    const lines = output.split('\n').slice(0, -1);
    const wrong = lines.findIndex((line, index) => line !== `line ${index}`);
    if (wrong >= 0) this.violations.push(`line ${wrong} of the output is "${lines[wrong]}"`);
    const ended = this.readJson(join(this.cwd, 'ended')) as Facts['ended'];
    if (ended && ended.lines !== lines.length) {
      this.violations.push(`${ended.lines} lines were written, ${lines.length} are in the log`);
    }
    if (outputBytes !== Buffer.byteLength(output))
      this.violations.push('outputBytes is not the size of the log');
  }

  private examineMembers(when: string): void {
    const members = livingIn(this.folder).filter((seen) => !this.isOurs(seen) && !isSupervisor(seen));
    if (members.length > 0) this.violations.push(`alive ${when}: ${describe(members)}`);
  }

  private async examineSurvivors(): Promise<void> {
    const limitMs = performance.now() + LEAVE_MS;
    const others = () => livingIn(this.folder).filter((seen) => !this.isOurs(seen));
    while (others().length > 0 && performance.now() < limitMs) await delay(20);
    const survivors = others();
    if (survivors.length > 0) this.violations.push(`survivors: ${describe(survivors)}`);
    if (this.reader && !isAlive(this.reader)) this.violations.push('a reader of the log was killed');
  }

  private isOurs({ pid }: Seen): boolean {
    return this.reader?.pid === pid;
  }

  /** Somebody who reads the log is none of the task's. */
  private followLog(): Seen {
    const folder = this.taskFolder()!;
    const child = spawn('tail', ['-F', join(folder, 'log')], { stdio: 'ignore' });
    return look(child.pid!)!;
  }

  private async until({ after, delayMs }: Moment): Promise<void> {
    if (after !== 'request') await this.untilFile(after);
    await delay(delayMs);
  }

  private async untilFile(name: string): Promise<void> {
    const limitMs = performance.now() + FILE_PATIENCE_MS;
    const isLate = () => this.isOver || performance.now() >= limitMs;
    const isThere = (names: readonly string[]) => names.includes(name) || names.includes('exit.json');
    while (!isThere(this.files()) && !isLate()) await delay(1);
  }

  /** Names of the files of the round's only task, and of its command. */
  private files(): string[] {
    const folder = this.taskFolder();
    return folder === undefined ? [] : [...namesIn(folder), ...namesIn(this.cwd)];
  }

  private taskFolder(): string | undefined {
    const project = namesIn(this.stateDir)[0];
    if (project === undefined) return undefined;
    const taskId = namesIn(join(this.stateDir, project)).find((name) => /^t[0-9a-z]{32}$/.test(name));
    return taskId && join(this.stateDir, project, taskId);
  }

  private readExit(taskId: string): string | undefined {
    const folder = this.taskFolder();
    if (!folder?.endsWith(taskId)) return undefined;
    try {
      return readFileSync(join(folder, 'exit.json'), 'utf8');
    } catch {
      return undefined;
    }
  }

  private readJson(path: string): unknown {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      return undefined;
    }
  }

  async clear(): Promise<void> {
    this.isOver = true;
    await this.server?.kill();
    await Promise.all(this.others.map((other) => other.close('keep').catch(() => {})));
    for (const seen of livingIn(this.folder)) kill(seen);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Bounded: a task that never ends is what the round is there to find. */
async function untilEnded(backend: RemoteBackend, taskId: string): Promise<Task | undefined> {
  const limitMs = performance.now() + 60_000;
  let task: Task | undefined;
  do {
    task = await backend.wait(taskId, 5_000);
  } while (task?.status === 'running' && performance.now() < limitMs);
  return task;
}

async function unlessEnded<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServerEndedError) return undefined;
    throw error;
  }
}

function isChildAlive({ child }: BackendProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function describe(processes: readonly Seen[]): string {
  return processes.map(({ pid, state, commandLine }) => `${pid} (${state}) ${commandLine}`).join('; ');
}
