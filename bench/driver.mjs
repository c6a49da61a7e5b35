// A client of raw JSON lines: it costs both sides the same. Linux only: memory and processor time come from /proc.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Bigger answers are not parsed: that would be the client's time. They must be the only one that is waited for. */
const LONGEST_PARSED_BYTES = 8_000_000;
const PATIENCE_MS = 120_000;

export class Server {
  /**
   * @param options.node the Node that runs it
   * @param options.preset gives the protocol the descriptors 3 and 4, as MCPIFY_PROTOCOL_FDS says
   */
  constructor(file, { node = process.execPath, nodeArgs = [], env = {}, preset = false } = {}) {
    const err = process.env.BENCH_STDERR ? 'inherit' : 'ignore';
    this.startedAt = performance.now();
    this.process = spawn(node, [...nodeArgs, file], {
      env: { ...process.env, ...env, ...(preset && { MCPIFY_PROTOCOL_FDS: '3,4' }) },
      stdio: preset ? ['ignore', 'ignore', err, 'pipe', 'pipe'] : ['pipe', 'pipe', err],
    });
    const [output, input] = preset ? this.process.stdio.slice(3) : [this.process.stdout, this.process.stdin];
    this.input = input;
    this.pending = new Map();
    this.nextId = 1;
    this.parts = [];
    output.on('data', (chunk) => this.read(chunk));
    input.on('error', () => {});
    this.exited = new Promise((resolve) => {
      this.process.on('close', (code, signal) => {
        for (const { reject } of this.pending.values())
          reject(new Error(`${file} ended (${code ?? signal})`));
        resolve();
      });
    });
  }

  read(chunk) {
    // Answers of one piece are followed by the next requests at once: these go out together.
    this.input.cork();
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.parts.push(chunk.subarray(start, end));
      const line = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
      this.parts = [];
      start = end + 1;
      this.deliver(line);
    }
    if (start < chunk.length) this.parts.push(chunk.subarray(start));
    setImmediate(() => this.input.uncork());
  }

  deliver(line) {
    const isParsed = line.length <= LONGEST_PARSED_BYTES;
    const message = isParsed ? JSON.parse(line) : { id: this.pending.keys().next().value };
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    waiting?.resolve({ ...message, sizeBytes: line.length });
  }

  /** Resolves with the answer and its size; rejects when the server ends. */
  request(method, params) {
    return new Promise((resolve, reject) => this.begin(method, params, { resolve, reject }));
  }

  /** A request whose answer nobody waits for. */
  begin(method, params, waiting) {
    const id = this.nextId++;
    if (waiting) this.pending.set(id, waiting);
    this.write({ id, method, params });
    return { id };
  }

  notify(method, params) {
    this.write({ method, params });
  }

  write(message) {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Handshake and first list; rejects after two minutes. */
  async connect() {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), PATIENCE_MS);
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    this.notify('notifications/initialized');
    const { result } = await this.request('tools/list');
    clearTimeout(timer);
    // Later it may have children of its own.
    this.serving = this.pids().at(-1);
    return result.tools;
  }

  async call(name, toolArguments) {
    const answer = await this.request('tools/call', { name, arguments: toolArguments });
    if (answer.error || answer.result?.isError) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** The processes of the server: itself and, where it was started anew, its child. */
  pids() {
    return withChildren(this.process.pid);
  }

  /** Processor time of all of them so far, in milliseconds. */
  cpuMs() {
    return this.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  }

  /** Processor time of the process that serves alone. */
  servingCpuMs() {
    return cpuMsOf(this.serving);
  }

  /** Memory of the process that serves, in MiB. */
  memoryMiB(field) {
    return memoryMiBOf(this.serving, field);
  }

  /** Memory of the launcher in front of it, where there is one, in MiB. */
  launcherMiB() {
    return this.serving === this.process.pid ? 0 : memoryMiBOf(this.process.pid);
  }

  async stop() {
    this.input.end();
    await this.exited;
  }
}

/** Starts a file that prints a line when it is ready; gives its times until then, and ends it. */
export async function startIdle(file, { node = process.execPath, env = {} } = {}) {
  const startedAt = performance.now();
  const child = spawn(node, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const times = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid) };
  child.kill('SIGKILL');
  await closed;
  return times;
}

/** `VmRSS` is the memory now, `VmHWM` its peak. */
function memoryMiBOf(pid, field = 'VmRSS') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** All threads: nanoseconds on a processor, by the scheduler's account. */
function cpuMsOf(pid) {
  const threads = list(`/proc/${pid}/task`);
  const spent = threads.map((id) => Number(text(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]));
  return spent.reduce((sum, each) => sum + each, 0) / 1e6;
}

function withChildren(pid) {
  const children = list(`/proc/${pid}/task`).flatMap((id) =>
    text(`/proc/${pid}/task/${id}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(withChildren)];
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
