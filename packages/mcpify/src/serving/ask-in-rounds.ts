import { randomBytes } from 'node:crypto';

import type { Answer } from '@mcpify/markers';
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';

import type { Question } from '../execution/invocation.js';
import type { Tool, ToolResult } from '../tools/tool.js';
import { toInputRequests } from './input-requests.js';
import { oldestOfGreediest } from '../session/make-room.js';
import { answerCall, type CallRequest, type TaskHandle } from './answer-call.js';

/** A call whose client does not come back is ended: it may hold up others. */
const LONGEST_SILENCE_MS = 5 * 60_000;

/** The one that waits for the longest makes room, among those of whoever has the most. */
const MOST_WAITING = 100;

/**
 * Calls that may ask their client in the revision where the server sends no requests (P20): a question is an answer
 * `input_required`, and the client makes the call again with what was asked for. The command waits meanwhile, in this
 * process; nothing of it is done twice.
 */
export class AskingCalls {
  /** By `requestState`, the oldest first. */
  private readonly waiting = new Map<string, Waiting>();

  /** @throws ProtocolError -32602 where the call that the request goes on with is not there, or another caller's */
  async answer(tool: Tool, request: CallRequest, { mcpReq }: ServerContext) {
    const state = mcpReq.requestState();
    const call = state === undefined ? new AskingCall(tool, request) : this.take(state, tool, request);
    const answer = await call.next(request, mcpReq.inputResponses ?? {});
    if ('content' in answer || 'taskId' in answer) return answer;
    return { ...answer, resultType: 'input_required', requestState: this.keep(call) };
  }

  private take(state: unknown, tool: Tool, { caller }: CallRequest): AskingCall {
    const found = typeof state === 'string' ? this.waiting.get(state) : undefined;
    if (!found || found.call.tool !== tool || found.call.caller !== caller) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'Invalid or expired requestState: make the call again without it',
        { reason: 'invalid_request_state' },
      );
    }
    this.waiting.delete(state as string);
    clearTimeout(found.timer);
    return found.call;
  }

  private keep(call: AskingCall): string {
    const state = randomBytes(24).toString('base64url');
    const timer = setTimeout(() => this.drop(state), LONGEST_SILENCE_MS).unref();
    this.waiting.set(state, { call, timer });
    if (this.waiting.size > MOST_WAITING) {
      const waiting = [...this.waiting].map(([key, { call }]) => [key, call.caller] as const);
      this.drop(oldestOfGreediest(waiting) as string);
    }
    return state;
  }

  private drop(state: string): void {
    const found = this.waiting.get(state);
    this.waiting.delete(state);
    clearTimeout(found?.timer);
    found?.call.abort();
  }
}

interface Waiting {
  readonly call: AskingCall;
  readonly timer: NodeJS.Timeout;
}

interface OpenQuestion extends Question {
  answer(answer: Answer): void;
}

type Answered = ToolResult | TaskHandle;

interface Asked {
  readonly inputRequests: Readonly<Record<string, unknown>>;
}

/** One run of a command, over as many requests as it has questions. */
class AskingCall {
  readonly caller: string | undefined;
  private readonly controller = new AbortController();
  private readonly questions = new Map<string, OpenQuestion>();
  private readonly result: Promise<Answered>;
  /** The request that waits for an answer at the moment. */
  private request: CallRequest | undefined;
  private onQuestion: (() => void) | undefined;
  private asked = 0;

  constructor(
    readonly tool: Tool,
    first: CallRequest,
  ) {
    this.caller = first.caller;
    this.request = first;
    this.result = answerCall(tool, {
      toolArguments: first.toolArguments,
      caller: first.caller,
      connection: undefined,
      signal: this.controller.signal,
      progressToken: first.progressToken,
      toHandle: first.toHandle,
      wants: (level) => this.request?.wants(level) ?? false,
      notify: (method, params) => this.notify(method, params),
      ask: (question, signal) => this.ask(question, signal),
    });
    // Whoever waits for it hears of it; it may fail while nobody does.
    this.result.catch(() => {});
  }

  abort(): void {
    this.controller.abort();
  }

  /** @returns the result, or what the command asks before there is one */
  async next(request: CallRequest, answers: Readonly<Record<string, unknown>>): Promise<Answered | Asked> {
    const abort = () => this.abort();
    this.request = request;
    request.signal.addEventListener('abort', abort, { once: true });
    const isAsked = new Promise<void>((resolve) => {
      this.onQuestion = resolve;
    });
    for (const [key, answer] of Object.entries(answers)) this.take(key, answer);
    if (this.questions.size > 0) this.onQuestion?.();
    try {
      const result = await Promise.race([this.result, isAsked]);
      if (result) return result;
    } finally {
      this.request = undefined;
      this.onQuestion = undefined;
      request.signal.removeEventListener('abort', abort);
    }
    return { inputRequests: toInputRequests(this.questions) };
  }

  private take(key: string, answer: unknown): void {
    const { action, content } = answer as { readonly action?: unknown; readonly content?: unknown };
    // What is no answer leaves the question open: it is asked again.
    if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return;
    this.questions.get(key)?.answer({ action, content: content as Answer['content'] } as Answer);
  }

  private ask(question: Question, signal: AbortSignal): Promise<Answer> {
    this.asked += 1;
    const key = `question${this.asked}`;
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.questions.delete(key);
        signal.removeEventListener('abort', give);
      };
      const give = () => {
        settle();
        reject(new Error('The call has ended: nobody answers any more.'));
      };
      if (signal.aborted) return give();
      signal.addEventListener('abort', give, { once: true });
      const answer = (given: Answer) => {
        settle();
        resolve(given);
      };
      this.questions.set(key, { ...question, answer });
      // Questions that are asked together go out together.
      setImmediate(() => this.questions.size > 0 && this.onQuestion?.());
    });
  }

  /** Each request has a progress token of its own. */
  private notify(method: string, params: Readonly<Record<string, unknown>>): void {
    const { request } = this;
    if (!request) return;
    if (method !== 'notifications/progress') return request.notify(method, params);
    const { progressToken } = request;
    if (progressToken !== undefined) request.notify(method, { ...params, progressToken });
  }
}
