import { Cancellation } from '../execution/cancel-signal.js';
import type { LogLevel } from '../execution/invocation.js';
import type { Registry } from '../registry/registry.js';
import { withoutHalves } from '../result/well-formed.js';
import type { Tool } from '../tools/tool.js';
import { answerCall } from './answer-call.js';
import { canBeAsked } from './can-be-asked.js';
import type { Connection } from './connection.js';
import { DirectQuestions } from './direct-questions.js';
import type { DirectRequest } from './inbound-gate.js';
import {
  errorResponse,
  INTERNAL_ERROR,
  isResponse,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.js';
import { isPlainHandshake } from './plain-handshake.js';

export interface DirectOutput {
  send(message: RpcMessage): void;
  /** @param line the response as it is to be written */
  sendLine(response: RpcResponse, line: string): void;
  /** @returns the answer to `initialize`; undefined where the SDK must give it */
  open(request: RpcRequest): RpcResponse['result'] | undefined;
}

/**
 * Answers plain requests without the SDK: a start without its modules costs half, and its schema checks and contexts
 * cost more than a call itself (docs/performance.md). What is out of the ordinary in any way is left to the SDK, so
 * that there is one way only for errors and for everything that a revision adds. For connections opened by a handshake.
 */
export class DirectCalls {
  private listJson: string | undefined;
  private readonly questions: DirectQuestions;
  private isAskable = false;

  constructor(
    private readonly registry: Registry,
    private readonly connection: Connection,
    private readonly output: DirectOutput,
  ) {
    this.questions = new DirectQuestions((message) => output.send(message));
  }

  /** @returns whether the message is the answer to a question of a call that is answered here */
  notice(message: RpcMessage): boolean {
    if (isResponse(message)) return this.questions.takeAnswer(message);
    if (message.method === 'initialize') this.isAskable = canBeAsked(message.params?.['capabilities']);
    return false;
  }

  /** @returns undefined where the request will not be answered here */
  take(request: RpcRequest): DirectRequest | undefined {
    this.notice(request);
    if (request.method === 'tools/list') return this.takeList(request) ? ANSWERED : undefined;
    const result = this.resultAtOnce(request);
    if (result) {
      // Not from within `take`: the request is not noted yet.
      queueMicrotask(() => this.output.send({ jsonrpc: '2.0', id: request.id, result }));
      return ANSWERED;
    }
    const call = toPlainCall(request);
    const tool = call && this.registry.get(call.name);
    if (!tool) return undefined;
    const cancellation = new Cancellation();
    void this.answer(request.id, tool, call, cancellation);
    return cancellation;
  }

  private resultAtOnce(request: RpcRequest): RpcResponse['result'] | undefined {
    const { method, params = {} } = request;
    if (method === 'initialize') return isPlainHandshake(request) ? this.output.open(request) : undefined;
    const keys = Object.keys(params);
    if (method === 'ping' && keys.length === 0) return {};
    if (method !== 'logging/setLevel' || keys.length !== 1) return undefined;
    this.connection.logGate.setLevel(params['level'] as LogLevel);
    return {};
  }

  private takeList({ id, params }: RpcRequest): boolean {
    const isPlain = params === undefined || Object.keys(params).length === 0;
    if (!isPlain || this.registry.loadError !== undefined) return false;
    // The list is the same as long as the process lives (B2.1).
    this.listJson ??= withoutHalves(JSON.stringify({ tools: this.registry.definitions }));
    const line = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${this.listJson}}\n`;
    queueMicrotask(() => this.output.sendLine({ jsonrpc: '2.0', id }, line));
    return true;
  }

  private async answer(
    id: RpcId,
    tool: Tool,
    { toolArguments, progressToken }: PlainCall,
    signal: Cancellation,
  ): Promise<void> {
    let response: RpcMessage;
    try {
      // What has arrived together is read first: the next line may cancel this call.
      await undefined;
      const result = await answerCall(tool, {
        toolArguments,
        signal,
        progressToken,
        connection: this.connection,
        wants: this.connection.logGate.wants,
        ask: this.isAskable ? (question, signal) => this.questions.ask(question, signal) : undefined,
        notify: (method, params) => this.output.send({ jsonrpc: '2.0', method, params }),
      });
      response = { jsonrpc: '2.0', id, result: result as never };
    } catch (error) {
      response = errorResponse(id, INTERNAL_ERROR, error instanceof Error ? error.message : 'Internal error');
    }
    if (!signal.aborted) this.output.send(response);
  }
}

/** An answer that is given at once: nobody can be in time to cancel it. */
const ANSWERED: DirectRequest = { cancel() {} };

interface PlainCall {
  readonly name: string;
  readonly toolArguments: Readonly<Record<string, unknown>>;
  readonly progressToken: RpcId | undefined;
}

const PLAIN_PARAMS = new Set(['name', 'arguments', '_meta']);

/** The shape has been checked before (check-request.ts); undefined where it holds more than a plain call. */
function toPlainCall({ method, params }: RpcRequest): PlainCall | undefined {
  if (method !== 'tools/call' || !params) return undefined;
  if (!Object.keys(params).every((key) => PLAIN_PARAMS.has(key))) return undefined;
  const { name, arguments: toolArguments = {}, _meta: meta = {} } = params as unknown as CallParams;
  if (!Object.keys(meta).every((key) => key === 'progressToken')) return undefined;
  return { name, toolArguments, progressToken: meta.progressToken };
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly progressToken?: RpcId };
}
