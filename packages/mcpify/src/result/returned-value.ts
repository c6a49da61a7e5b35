import { toContentBlocks } from './content-blocks.js';
import { toFinalText } from './to-final-text.js';
import { isNestedTooDeep, isStackOverflow, MOST_LEVELS } from './nesting.js';
import type { ContentBlock } from './tool-result.js';
import { withoutHalves } from './well-formed.js';

export interface ReturnedValue {
  readonly text?: string;
  /** Blocks of the author's own making, in place of a text. */
  readonly blocks?: readonly ContentBlock[];
  readonly isError?: boolean;
  readonly structured?: Readonly<Record<string, unknown>>;
  /** Why no result can be made of it: `is not JSON (…)`. */
  readonly lost?: string;
}

/**
 * What an action's return value means for the result (B4.4): a string is text as it is; a plain object is
 * `structuredContent`, with its JSON as text; an array is wrapped, since the protocol's root is an object. What is
 * returned by the way (a Command, a server, a function, a class instance without `toJSON`) is no result.
 * `{ content: [...] }` in the form of MCP's own results is taken as that.
 */
export function toReturnedValue(value: unknown): ReturnedValue {
  switch (typeof value) {
    case 'string':
      return value === '' ? {} : { text: toFinalText(value) };
    case 'number':
    case 'boolean':
    case 'bigint':
      return { text: String(value) };
    case 'object':
      return value === null ? {} : toStructured(value);
    default:
      return {};
  }
}

function toStructured(value: object): ReturnedValue {
  if (!isData(value)) return {};
  const blocks = toContentBlocks(value);
  if (!blocks) return toJson(value);
  const part = toStructuredPart(value);
  return part.isError ? part : { ...part, blocks, isError: (value as ToolLike).isError === true };
}

/** What a value in the form of a tool result may have beside its content. */
interface ToolLike {
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

function toStructuredPart(value: object): ReturnedValue {
  const { structuredContent } = value as ToolLike;
  if (typeof structuredContent !== 'object' || structuredContent === null) return {};
  const { structured, lost } = toJson(structuredContent);
  if (lost !== undefined) return toLostResult(lost);
  return structured ? { structured } : {};
}

/** A result that cannot be told: the call has failed, whatever the command did. */
export function toLostResult(lost: string): ReturnedValue {
  return {
    text: `[The command returned a value that ${lost}: return less or plainer data, or print it.]`,
    isError: true,
  };
}

function toJson(value: object): ReturnedValue {
  let text: string | undefined;
  try {
    const json = JSON.stringify(value) as string | undefined;
    text = json === undefined ? undefined : withoutHalves(json);
  } catch (error) {
    if (isStackOverflow(error)) return { lost: TOO_DEEP };
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return { lost: `is not JSON (${reason})` };
  }
  if (text === undefined) return {};
  // Read back: what the client gets is what JSON can carry, and nothing of the command's own objects is kept.
  const json = JSON.parse(text) as unknown;
  if (isNestedTooDeep(json)) return { lost: TOO_DEEP };
  if (typeof json === 'string') return { text: json };
  if (typeof json !== 'object' || json === null) return { text };
  return { text, structured: Array.isArray(json) ? { array: json } : (json as Record<string, unknown>) };
}

const TOO_DEEP = `is nested deeper than ${MOST_LEVELS} levels`;

function isData(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || Array.isArray(value)) return true;
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return !('parseAsync' in value);
  // A plain object of another realm has a prototype of its own, which itself has none.
  return Object.getPrototypeOf(prototype) === null && !('parseAsync' in value);
}
