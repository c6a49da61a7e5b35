import type { Readable, Writable } from 'node:stream';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import { holdRuns, releaseRuns } from '../execution/hold-runs.js';
import type { DirectCalls } from './direct-calls.js';
import { FrameWriter } from './frame-writer.js';
import { InboundGate } from './inbound-gate.js';
import { isResponse, type RpcMessage, type RpcResponse } from './json-rpc.js';
import { LineReader } from './line-reader.js';
import { pausable } from './pausable-input.js';
import { hideProtoArgument } from './proto-argument.js';

/** May be lost to a client that does not read (B5.3); answers may not. */
const DROPPABLE = new Set(['notifications/progress', 'notifications/message']);

/**
 * A client that sends and does not read is not read either while more than this waits for it, and what it has sent
 * before does not begin: answers may not be lost, and memory must not grow (P11).
 */
const MOST_WAITING_CHARS = 16 * 1024 * 1024;

/**
 * MCP over a pair of byte streams, hardened (P1 to P12, P15): for SDK v2 as `serveStdio({ transport })` and for
 * a v1 server's `connect()`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The client has closed its side; requests may still be open. */
  onInputEnd?: () => void;
  /** The client is gone: nothing that is written can arrive. */
  onOutputLost?: () => void;
  /** A request has been answered or dropped. */
  onSettled?: () => void;
  /** Answers plain calls in place of the server. */
  directCalls?: DirectCalls;

  private readonly writer: FrameWriter;
  private readonly gate: InboundGate;
  private readonly reader: LineReader;
  private isClosed = false;
  private hasInputEnded = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    const reading = pausable(input);
    this.writer = new FrameWriter(output, () => {
      const { waitingChars } = this.writer;
      if (this.isClosed) return;
      if (waitingChars > MOST_WAITING_CHARS) {
        holdRuns();
        reading.pause();
      } else if (waitingChars < MOST_WAITING_CHARS / 2) {
        reading.resume();
        releaseRuns();
      }
    });
    this.gate = new InboundGate({
      deliver: (message) => {
        if (this.directCalls?.notice(message)) return;
        this.onmessage?.(hideProtoArgument(message) as JSONRPCMessage);
      },
      answer: (response) => this.writer.writeAnswer(response),
      takeDirectly: (request) => this.directCalls?.take(request),
    });
    this.reader = new LineReader((line) => this.gate.read(line));
  }

  get openRequests(): number {
    return this.gate.openRequests;
  }

  start(): Promise<void> {
    this.output.on('error', () => this.loseOutput());
    this.output.on('close', () => this.loseOutput());
    this.input.on('data', (chunk: Buffer) => this.reader.push(chunk));
    this.input.on('error', () => this.endInput());
    this.input.on('end', () => this.endInput());
    this.input.on('close', () => this.endInput());
    // It may have ended before anybody listened.
    if (this.input.readableEnded || this.input.destroyed) setImmediate(() => this.endInput());
    return Promise.resolve();
  }

  send(sent: JSONRPCMessage): Promise<void> {
    const message = sent as RpcMessage;
    if (this.isClosed) return Promise.resolve();
    if (!isResponse(message)) {
      const isLost = this.writer.isCongested && DROPPABLE.has(message.method);
      if (!isLost) this.writer.write(message);
      return Promise.resolve();
    }
    if (this.gate.settle(message)) this.writer.writeAnswer(message);
    this.gate.release(message.id);
    this.onSettled?.();
    return Promise.resolve();
  }

  /** @param line the response as it is to be written */
  sendLine(response: RpcResponse, line: string): void {
    if (this.isClosed) return;
    if (this.gate.settle(response)) this.writer.writeLine(line);
    this.onSettled?.();
  }

  /** Resolves once everything that was sent has left. */
  flush(): Promise<void> {
    return this.writer.whenFlushed();
  }

  close(): Promise<void> {
    if (!this.isClosed) {
      this.isClosed = true;
      this.input.pause();
      this.gate.close();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  private endInput(): void {
    if (this.hasInputEnded) return;
    this.hasInputEnded = true;
    this.reader.end();
    this.onInputEnd?.();
  }

  private loseOutput(): void {
    if (this.isClosed) return;
    this.writer.close();
    this.onOutputLost?.();
  }
}
