import { readArguments } from '../invocation/read-arguments.js';
import { errorResult, type ToolResult } from '../result/tool-result.js';
import type { OptionCache } from '../session/option-cache.js';
import { unknownSession, type SessionStore } from '../session/session-store.js';
import type { ToolCallContext, ToolDefinition } from './tool.js';

export interface CacheTool {
  readonly definition: ToolDefinition;
  readonly sessionParameter: string | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Answers one of the two tools from the session that the call names, or that of its connection. */
export function answerCacheTool(
  tool: CacheTool,
  sessions: SessionStore,
  toolArguments: Arguments,
  context: ToolCallContext,
): ToolResult {
  const opened = open(tool, sessions, toolArguments, context);
  if (opened.kind === 'answer') return opened.result;
  return tool.definition.name === 'cache_show' ? show(opened) : clear(opened);
}

/** Names, values, which tool set them, when. */
function show({ cache, handle, note }: OpenedCache): ToolResult {
  const values = cache.entries().map(([name, { value, toolName, setAtMs }]) => ({
    name,
    value,
    setBy: toolName,
    setAt: new Date(setAtMs).toISOString(),
  }));
  const lines = values.map(
    ({ name, value, setBy, setAt }) => `${name}=${JSON.stringify(value)} (${setBy}, ${setAt})`,
  );
  const text = lines.length === 0 ? 'No option values are remembered.' : lines.join('\n');
  return {
    content: [{ type: 'text', text: note + text }],
    structuredContent: { ...(handle !== undefined && { session: handle }), values },
  };
}

/** All, or the one of that name. What is not there is not an error: the call may be repeated. */
function clear({ cache, name, note }: OpenedCache): ToolResult {
  const known = cache.entries().map(([each]) => each);
  const cleared = cache.clear(name);
  return {
    content: [{ type: 'text', text: note + describe(name, cleared, known) }],
    structuredContent: { cleared },
  };
}

function describe(name: string | undefined, cleared: readonly string[], known: readonly string[]): string {
  if (cleared.length > 0) return `Forgotten: ${cleared.join(', ')}.`;
  if (name === undefined || known.length === 0) return 'Nothing was remembered.';
  return `Nothing is remembered for ${JSON.stringify(name.slice(0, 100))}. Remembered: ${known.join(', ')}.`;
}

interface OpenedCache {
  readonly kind: 'opened';
  readonly cache: OptionCache;
  readonly name: string | undefined;
  /** Of a session that this call began. */
  readonly handle: string | undefined;
  readonly note: string;
}

type Opened = OpenedCache | { readonly kind: 'answer'; readonly result: ToolResult };

function open(
  { definition, sessionParameter }: CacheTool,
  sessions: SessionStore,
  toolArguments: Arguments,
  context: ToolCallContext,
): Opened {
  const read = readArguments(definition, toolArguments);
  if (read.kind === 'refused') return answer(errorResult(read.message));
  const name = read.values['name'] as string | undefined;
  const handle =
    sessionParameter === undefined ? undefined : (read.values[sessionParameter] as string | undefined);
  const found = sessions.find(handle, context);
  switch (found.kind) {
    case 'found':
      return { kind: 'opened', cache: found.cache, name, handle, note: '' };
    case 'new': {
      const minted = sessions.mint(context);
      const note = `New session: pass "${sessionParameter}": "${minted.handle}" in later calls.\n`;
      return { kind: 'opened', cache: minted.cache, name, handle: minted.handle, note };
    }
    case 'none':
      return answer({ content: [{ type: 'text', text: standsAlone(sessionParameter) }] });
    case 'unknown':
      return answer(errorResult(unknownSession(sessionParameter ?? 'session')));
  }
}

function answer(result: ToolResult): Opened {
  return { kind: 'answer', result };
}

function standsAlone(sessionParameter: string | undefined): string {
  const wayOut =
    sessionParameter === undefined
      ? ''
      : ` Pass "${sessionParameter}": the handle of a session, or "new" in any call to begin one.`;
  return `This request stands alone: nothing is remembered for it.${wayOut}`;
}
