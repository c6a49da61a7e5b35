import { checkEnvelope, checkListen, checkMeta, checkParams, claimsVersion } from './check-request.js';
import {
  errorResponse,
  findFault,
  INVALID_REQUEST,
  isId,
  isRecord,
  isRequest,
  isResponse,
  PARSE_ERROR,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  withoutExtras,
} from './json-rpc.js';
import type { Line } from './line-reader.js';

export interface GateOutput {
  /** A message that is in order, for the server. */
  deliver(message: RpcMessage): void;
  /** An answer of the gate itself, or one that waited for its batch. */
  answer(response: RpcResponse | readonly RpcResponse[]): void;
  /** Asked first, from the handshake on. @returns undefined where the server must answer the request */
  takeDirectly(request: RpcRequest): DirectRequest | undefined;
}

/** A request that is answered without the server, which does not know of it. */
export interface DirectRequest {
  cancel(): void;
}

interface OpenRequest {
  readonly batch: Batch | undefined;
  readonly direct: DirectRequest | undefined;
}

interface Batch {
  open: number;
  readonly responses: RpcResponse[];
}

/** Revisions whose batches are answered (P7). */
const BATCH_VERSIONS = ['2024-11-05', '2025-03-26'];

/**
 * Decides for each line what the server gets to see: framing faults, wrong ids, batches and wrong envelopes are
 * answered here (P3 to P8, P14, P15), in every revision alike. It knows which requests are still to be answered.
 */
export class InboundGate {
  private readonly inFlight = new Map<RpcId, OpenRequest>();
  /** How many of those in flight are direct. */
  private direct = 0;
  /** Open until the connection ends: nobody waits for them. */
  private readonly subscriptions = new Set<RpcId>();
  private readonly held: Line[] = [];
  private pendingInitialize: RpcId | undefined;
  /** Negotiated by a handshake. */
  private version: string | undefined;
  private isModern = false;

  constructor(private readonly output: GateOutput) {}

  get openRequests(): number {
    return this.inFlight.size - this.subscriptions.size;
  }

  /** Lines behind an initialize wait for its answer: what they mean depends on the negotiated revision. */
  read(line: Line): void {
    if (this.pendingInitialize !== undefined) this.held.push(line);
    else this.readNow(line);
  }

  /**
   * Takes note of an answer of the server.
   *
   * @returns whether it is to be written now: not to a cancelled request (P38), and in a batch only with the rest
   */
  settle(response: RpcResponse): boolean {
    const { id } = response;
    const open = id === undefined || id === null ? undefined : this.forget(id);
    if (!open) return false;
    const { batch } = open;
    if (batch) {
      batch.responses.push(response);
      this.closeOne(batch);
      return false;
    }
    if (id === this.pendingInitialize) {
      const version = response.result?.['protocolVersion'];
      if (typeof version === 'string') this.version = version;
    }
    return true;
  }

  /** The connection has ended: no direct request has anybody to answer. */
  close(): void {
    for (const { direct } of this.inFlight.values()) direct?.cancel();
  }

  /** After the answer to initialize has been written: what waited behind it goes on. */
  release(id: RpcId | null | undefined): void {
    if (id !== this.pendingInitialize) return;
    this.pendingInitialize = undefined;
    while (this.pendingInitialize === undefined) {
      const line = this.held.shift();
      if (!line) return;
      this.readNow(line);
    }
  }

  private readNow(line: Line): void {
    if (line.kind === 'tooLong') return this.refuse(undefined, INVALID_REQUEST, 'Line longer than 4 MiB');
    if (line.kind === 'notUtf8') return this.refuse(undefined, PARSE_ERROR, 'Line is not UTF-8');
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      return this.refuse(undefined, PARSE_ERROR, 'Line is not JSON');
    }
    if (Array.isArray(value)) this.readBatch(value);
    else this.readMessage(value, undefined);
  }

  private readBatch(messages: readonly unknown[]): void {
    const isServed = this.version !== undefined && BATCH_VERSIONS.includes(this.version);
    if (!isServed)
      return this.refuse(undefined, INVALID_REQUEST, 'Batches are not part of this protocol revision');
    if (messages.length === 0) return this.refuse(undefined, INVALID_REQUEST, 'Empty batch');
    // Held open until all of it is read: an answer may come at once.
    const batch: Batch = { open: 1, responses: [] };
    for (const message of messages) this.readMessage(message, batch);
    this.closeOne(batch);
  }

  private closeOne(batch: Batch): void {
    batch.open -= 1;
    if (batch.open === 0 && batch.responses.length > 0) this.output.answer(batch.responses);
  }

  private readMessage(value: unknown, batch: Batch | undefined): void {
    const fault = findFault(value);
    if (fault) {
      this.giveUpQuestion(value);
      return this.refuse(fault.id, INVALID_REQUEST, `Invalid request: ${fault.reason}`, batch);
    }
    const message = withoutExtras(value as RpcMessage);
    if (isResponse(message)) this.output.deliver(message);
    else if (isRequest(message)) this.readRequest(message, batch);
    else this.readNotification(message);
  }

  /** A malformed answer is the only one that will come: whoever waits for it must not wait for ever. */
  private giveUpQuestion(value: unknown): void {
    if (!isRecord(value) || 'method' in value || !isId(value['id'])) return;
    this.output.deliver(errorResponse(value['id'], INVALID_REQUEST, 'The answer is malformed'));
  }

  private readRequest(request: RpcRequest, batch: Batch | undefined): void {
    const { id, method } = request;
    if (this.inFlight.has(id)) {
      // Under that id the first request's answer is still to come: this one must not be taken for it.
      return this.refuse(undefined, INVALID_REQUEST, 'Invalid request: id is in use', batch);
    }
    if (batch && method === 'initialize') {
      return this.refuse(id, INVALID_REQUEST, 'Invalid request: initialize in a batch', batch);
    }
    const refusal = this.checkRevision(request) ?? checkMeta(request) ?? checkParams(request);
    if (refusal) return this.answerOne(refusal, batch);
    if (method === 'initialize') this.pendingInitialize = id;
    if (method === 'subscriptions/listen') this.subscriptions.add(id);
    if (batch) batch.open += 1;
    const direct = this.mayBeDirect(method, batch) ? this.output.takeDirectly(request) : undefined;
    if (direct) this.direct += 1;
    this.inFlight.set(id, { batch, direct });
    if (!direct) this.output.deliver(request);
  }

  /** Not while the server has something to do: a request takes effect before those that came after it. */
  private mayBeDirect(method: string, batch: Batch | undefined): boolean {
    if (batch !== undefined || this.direct !== this.inFlight.size) return false;
    return this.version !== undefined || (method === 'initialize' && !this.isModern);
  }

  /** A connection opened by a handshake keeps its revision; on any other each request tells its own. */
  private checkRevision(request: RpcRequest): RpcResponse | undefined {
    if (this.version !== undefined || request.method === 'initialize') return undefined;
    const isClaimed = claimsVersion(request);
    if (!isClaimed && !this.isModern && request.method !== 'server/discover') return undefined;
    const refusal = checkEnvelope(request);
    if (!refusal && request.method !== 'server/discover') this.isModern = true;
    return refusal ?? checkListen(request);
  }

  private readNotification(notification: RpcNotification): void {
    if (notification.method === 'notifications/cancelled') {
      const open = this.forget(notification.params?.['requestId'] as RpcId);
      open?.direct?.cancel();
      if (open?.batch) this.closeOne(open.batch);
    }
    this.output.deliver(notification);
  }

  /** @returns the request, where it was in flight */
  private forget(id: RpcId): OpenRequest | undefined {
    const open = this.inFlight.get(id);
    if (!open) return undefined;
    if (open.direct) this.direct -= 1;
    this.subscriptions.delete(id);
    this.inFlight.delete(id);
    return open;
  }

  /** P4: an error without an id has `null` in the old era and before any handshake, and none in the new one. */
  private refuse(id: RpcId | undefined, code: number, message: string, batch?: Batch): void {
    const known = id !== undefined && !this.inFlight.has(id) ? id : undefined;
    this.answerOne(errorResponse(known ?? (this.isModern ? undefined : null), code, message), batch);
  }

  private answerOne(response: RpcResponse, batch: Batch | undefined): void {
    if (batch) batch.responses.push(response);
    else this.output.answer(response);
  }
}
