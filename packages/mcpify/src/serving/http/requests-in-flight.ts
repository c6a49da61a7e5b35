import { isRecord } from '../json-rpc.js';

/** The requests of one session that are still to be answered: each id but once, or an answer would go astray. */
export class RequestsInFlight {
  private readonly ids = new Set<unknown>();
  private waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.ids.size === 0;
  }

  /** @returns an id of the body that waits for its answer already; undefined: they are all taken note of */
  begin(parsedBody: unknown): string | number | undefined {
    const messages = messagesOf(parsedBody);
    const asked = idsOf(messages);
    const taken = asked.find((id, index) => this.ids.has(id) || asked.indexOf(id) !== index);
    if (taken !== undefined) return taken;
    for (const id of asked) this.ids.add(id);
    // One that is cancelled gets no answer.
    for (const { method, params } of messages) {
      if (method === 'notifications/cancelled' && isRecord(params)) this.end(params['requestId']);
    }
    return undefined;
  }

  /** The body that was begun is refused: none of it will be answered. */
  refuse(parsedBody: unknown): void {
    for (const id of idsOf(messagesOf(parsedBody))) this.end(id);
  }

  /** To be told of every message that goes out. */
  notice(message: { readonly id?: unknown; readonly method?: unknown }): void {
    if (message.method === undefined) this.end(message.id);
  }

  /** Resolves in the moment in which the last of them is answered or cancelled. */
  whenEmpty(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  private end(id: unknown): void {
    this.ids.delete(id);
    if (!this.isEmpty) return;
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }
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
