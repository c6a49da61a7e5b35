import type { JsonSchemaLike } from './marks.js';

/** What an action can learn of the tool call that runs it. Outside a call every member is inert. */
export interface CallContext {
  /** Aborted when the client cancels the call, its deadline passes or the server stops. */
  readonly signal: AbortSignal;
  /** Who calls, where the transport knows it (HTTP with authentication); else undefined. */
  readonly caller: string | undefined;
  /** True while an MCP tool call runs the action; false on the command line. */
  readonly isMcp: boolean;
  /**
   * Reports real progress to the client, in any unit.
   *
   * @param done how much is done; reports that do not rise are dropped
   * @param total how much there is in all, where known
   * @param message a short sentence for people
   */
  progress(done: number, total?: number, message?: string): void;
  /** Sends a log event to the client. `data` is a text or any JSON value. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Asks the person behind the client.
   *
   * @param message the question
   * @param schema JSON Schema of the answer: an object of plain values
   * @returns `accept` with `content`, or `decline` or `cancel`; always `cancel` outside a call
   * @throws Error where the client cannot ask: pass the value as an option then
   */
  ask(message: string, schema: JsonSchemaLike): Promise<Answer>;
}

/** The levels of MCP log messages, lowest first (RFC 5424). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** What a server's own process adds to the context. */
export interface ServedContext extends CallContext {
  /** The command whose returned value is the result; one that its action parses on the way is another. */
  readonly returningCommand?: object | undefined;
}
