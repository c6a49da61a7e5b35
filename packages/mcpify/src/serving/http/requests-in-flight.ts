import { isRecord } from '../json-rpc.js';

/** The requests of one session that are still to be answered: each id but once, or an answer would go astray. */
export class RequestsInFlight {
  private readonly bodies = new Map<unknown, Body>();
  private cut: (string | number)[] = [];
  private waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.bodies.size === 0;
  }

  /** @returns an id of the body that waits for its answer already; undefined: they are all taken note of */
  begin(parsedBody: unknown): string | number | undefined {
    const messages = messagesOf(parsedBody);
    const asked = idsOf(messages);
    const taken = asked.find((id, index) => this.bodies.has(id) || asked.indexOf(id) !== index);
    if (taken !== undefined) return taken;
    const body = { left: asked.length, isCut: false };
    for (const id of asked) this.bodies.set(id, body);
    // One that is cancelled gets no answer.
    for (const { method, params } of messages) {
      if (method === 'notifications/cancelled' && isRecord(params)) this.cancel(params['requestId']);
    }
    return undefined;
  }

  /**
   * Of each body that is done with since the last time, one of its ids, where a request of it was cancelled: the
   * transport keeps the stream of such a one open, for an answer that will not come.
   */
  takeCut(): readonly (string | number)[] {
    const { cut } = this;
    this.cut = [];
    return cut;
  }

  /** The body that was begun is refused: none of it will be answered. */
  refuse(parsedBody: unknown): void {
    for (const id of idsOf(messagesOf(parsedBody))) this.end(id);
  }

  /** To be told of every message that has gone out. */
  notice(message: { readonly id?: unknown; readonly method?: unknown }): void {
    if (message.method === undefined) this.end(message.id);
  }

  /** Resolves in the moment in which the last of them is answered or cancelled. */
  whenEmpty(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  private cancel(id: unknown): void {
    const body = this.bodies.get(id);
    if (body) body.isCut = true;
    this.end(id);
  }

  private end(id: unknown): void {
    const body = this.bodies.get(id);
    this.bodies.delete(id);
    if (body) body.left -= 1;
    if (body?.left === 0 && body.isCut && isId(id)) this.cut.push(id);
    if (!this.isEmpty) return;
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }
}

interface Body {
  /** Requests of it that are still to be answered. */
  left: number;
  /** One of them was cancelled. */
  isCut: boolean;
}

function messagesOf(parsedBody: unknown): readonly Record<string, unknown>[] {
  return (Array.isArray(parsedBody) ? parsedBody : [parsedBody]).filter(isRecord);
}

function idsOf(messages: readonly Record<string, unknown>[]): readonly (string | number)[] {
  return messages.flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
