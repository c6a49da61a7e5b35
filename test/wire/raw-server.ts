import { spawn, type ChildProcess } from 'node:child_process';

import { serverCommand, type ServerStart } from './server-command.js';

/** A JSON-RPC message as it came over the wire. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, any>;
  readonly result?: Record<string, any>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any };
}

export interface ServerEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A started server and everything that it wrote, without a client library in between. */
export class RawServer {
  /** Every message of stdout in order; those of a batch one by one. */
  readonly messages: Message[] = [];
  /** Every line of stdout, unparsed. */
  readonly stdoutLines: string[] = [];
  /** All of stderr. */
  stderr = '';
  readonly process: ChildProcess;
  /** Resolves when the process has ended and all of its output is here. */
  readonly exited: Promise<ServerEnd>;
  private unfinishedLine = '';
  private nextId = 1;
  /** Why nothing that is waited for can still come. */
  private failure: string | undefined;
  private readonly waits = new Set<Wait>();

  constructor(entry: string, start: ServerStart = {}) {
    const { command, args, cwd, env } = serverCommand(entry, start);
    this.process = spawn(command, args, { cwd, env, stdio: 'pipe' });
    const { stdin, stdout, stderr } = this.process;
    // A server that ends while a test writes is what the test is about, not a fault of it.
    stdin?.on('error', () => {});
    stdout?.setEncoding('utf8').on('data', (chunk: string) => this.readLines(chunk));
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
      for (const wait of this.waits) wait.onStderr?.();
    });
    this.exited = new Promise((resolve, reject) => {
      this.process.on('error', reject);
      this.process.on('close', (exitCode, signal) => {
        if (this.unfinishedLine !== '') this.readLines('\n');
        this.fail(`The server ended (exit code ${exitCode}, signal ${signal}).`);
        resolve({ exitCode, signal });
      });
    });
  }

  /** Sends an object as one line; a text or bytes as they are, without a line end. */
  send(message: object | string | Uint8Array): void {
    const isRaw = typeof message === 'string' || message instanceof Uint8Array;
    this.process.stdin?.write(isRaw ? message : `${JSON.stringify(message)}\n`);
  }

  /** Sends a request; resolves with its answer, be it a result or an error. */
  request(method: string, params?: object): Promise<Message> {
    const id = this.nextId++;
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return this.answerTo(id);
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** The handshake of the revisions up to 2025-11-25. */
  async initialize(protocolVersion = '2025-11-25'): Promise<Message> {
    const clientInfo = { name: 'raw', version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  answerTo(id: string | number | null): Promise<Message> {
    return this.message((each) => each.id === id && each.method === undefined);
  }

  /** The first message that fits, past or coming. Rejects when the server ends without it or stdout is not pure. */
  message(fits: (message: Message) => boolean): Promise<Message> {
    const past = this.messages.find(fits);
    if (past) return Promise.resolve(past);
    return this.wait<Message>((settle) => ({ onMessage: (each) => fits(each) && settle(each) }));
  }

  /** Resolves once stderr holds what fits. Rejects when the server ends without it. */
  stderrText(pattern: RegExp): Promise<RegExpExecArray> {
    return this.wait<RegExpExecArray>((settle) => {
      const onStderr = () => {
        const match = pattern.exec(this.stderr);
        if (match) settle(match);
      };
      queueMicrotask(onStderr);
      return { onStderr };
    });
  }

  /** Ends stdin; resolves when the process has ended by itself. */
  endInput(): Promise<ServerEnd> {
    this.process.stdin?.end();
    return this.exited;
  }

  /** Ends the process at once, if it still runs. */
  async close(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGKILL');
    await this.exited;
  }

  private wait<T>(toWait: (settle: (value: T) => void) => Omit<Wait, 'reject'>): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.toError(this.failure));
    return new Promise((resolve, reject) => {
      const wait: Wait = {
        ...toWait((value) => {
          this.waits.delete(wait);
          resolve(value);
        }),
        reject,
      };
      this.waits.add(wait);
    });
  }

  private readLines(chunk: string): void {
    const lines = chunk.split('\n');
    // Not searched again: a line may be of many megabytes.
    lines[0] = this.unfinishedLine + lines[0];
    this.unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      this.stdoutLines.push(line);
      try {
        for (const message of [JSON.parse(line) as Message | Message[]].flat()) this.deliver(message);
      } catch {
        this.fail(`A line of stdout is no message: ${line.slice(0, 200)}`);
      }
    }
  }

  private deliver(message: Message): void {
    this.messages.push(message);
    for (const wait of this.waits) wait.onMessage?.(message);
  }

  private fail(reason: string): void {
    this.failure ??= reason;
    for (const wait of this.waits) wait.reject(this.toError(reason));
    this.waits.clear();
  }

  private toError(reason: string): Error {
    const last = this.stdoutLines.slice(-3).map((line) => line.slice(0, 500));
    return new Error([reason, 'Last of stdout:', ...last, 'stderr:', this.stderr.slice(-2_000)].join('\n'));
  }
}

interface Wait {
  readonly onMessage?: (message: Message) => void;
  readonly onStderr?: () => void;
  readonly reject: (error: Error) => void;
}
