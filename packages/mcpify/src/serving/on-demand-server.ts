import { randomUUID } from 'node:crypto';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import {
  errorResponse,
  INTERNAL_ERROR,
  isRequest,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from './json-rpc.js';
import type { StdioTransport } from './stdio-transport.js';

interface Server {
  close(): Promise<void>;
}

/** No client can have this id under way. */
const REPEATED_ID = `handshake ${randomUUID()}`;

/**
 * The SDK's server behind the transport, loaded by the first message that is not answered directly: three quarters of
 * what a start costs are the SDK's modules (docs/performance.md), and a client of the handshake revisions that lists
 * and calls never needs them. A handshake that was answered before is then repeated to it.
 */
export class OnDemandServer {
  private handshake: RpcRequest | undefined;
  private opened: RpcNotification | undefined;
  /** In order of arrival, until the server is there to take them. */
  private waiting: RpcMessage[] | undefined = [];
  private loading: Promise<void> | undefined;
  private server: Server | undefined;
  private isClosed = false;
  private readonly wire: Transport;

  /** @param load connects the server to the transport that it is given */
  constructor(
    private readonly transport: StdioTransport,
    private readonly load: (wire: Transport) => Promise<Server>,
  ) {
    this.wire = {
      start: () => Promise.resolve(),
      send: (message) => this.send(message),
      close: () => transport.close(),
    };
    transport.onmessage = (message) => this.receive(message as RpcMessage);
    transport.onclose = () => this.wire.onclose?.();
  }

  /**
   * Takes note of a handshake that is answered without the server.
   *
   * @returns false where the server must answer it, since it knows of the connection already
   */
  noteHandshake(request: RpcRequest): boolean {
    if (this.handshake || this.loading) return false;
    this.handshake = request;
    return true;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await (this.server ?? this.transport).close();
  }

  private receive(message: RpcMessage): void {
    if (!this.waiting) {
      this.deliver(message);
      return;
    }
    if (!this.loading && this.handshake && !isRequest(message)) {
      // There is nothing yet that it could be about.
      if ('method' in message && message.method === 'notifications/initialized') this.opened = message;
      return;
    }
    this.waiting.push(message);
    this.loading ??= this.connect();
  }

  private async connect(): Promise<void> {
    try {
      const server = await this.load(this.wire);
      this.server = server;
      if (this.isClosed) await server.close();
      else if (this.handshake) this.deliver({ ...this.handshake, id: REPEATED_ID });
      else this.deliverWaiting();
    } catch (error) {
      this.loading = undefined;
      this.refuseWaiting(error instanceof Error ? error.message : 'Internal error');
    }
  }

  private send(message: JSONRPCMessage): Promise<void> {
    const isOfHandshake = 'id' in message && message.id === REPEATED_ID;
    if (!isOfHandshake) return this.transport.send(message);
    this.deliverWaiting();
    return Promise.resolve();
  }

  private deliverWaiting(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    if (this.opened) this.deliver(this.opened);
    for (const message of waiting) this.deliver(message);
  }

  private refuseWaiting(reason: string): void {
    const requests = (this.waiting ?? []).filter(isRequest);
    this.waiting = [];
    for (const { id } of requests)
      void this.transport.send(errorResponse(id, INTERNAL_ERROR, reason) as never);
  }

  private deliver(message: RpcMessage): void {
    this.wire.onmessage?.(message as JSONRPCMessage);
  }
}
