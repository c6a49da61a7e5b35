import type { SessionStore } from '../session/session-store.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ToolAnnotations } from '../schema/tool-annotations.js';
import type { Tool } from './tool.js';

export interface CacheToolFacts {
  /** The name of the parameter that takes a handle; undefined where connections alone have sessions. */
  readonly sessionParameter: string | undefined;
  /** The name of the parameter by which a call stands aside; undefined where tools have none. */
  readonly asideParameter: string | undefined;
  readonly loadSessions: () => Promise<SessionStore>;
}

/** `cache_show` and `cache_clear` (B7.3). What they do is loaded by the first call. */
export function createCacheTools({
  sessionParameter,
  asideParameter,
  loadSessions,
}: CacheToolFacts): readonly Tool[] {
  const about = aboutValues(asideParameter);
  const session = sessionParameter === undefined ? {} : { [sessionParameter]: HANDLE };
  const show: Tool['definition'] = {
    name: 'cache_show',
    description: sessionParameter === undefined ? about : `${about} ${aboutHandles(sessionParameter)}`,
    inputSchema: toSchema(session),
    annotations: annotations({ readOnlyHint: true }),
  };
  const clear: Tool['definition'] = {
    name: 'cache_clear',
    description: 'Forgets the remembered option values, or one.',
    inputSchema: toSchema({ name: NAME, ...session }),
    annotations: annotations({ idempotentHint: true }),
  };
  return [show, clear].map((definition) => ({
    definition,
    async call(toolArguments, context) {
      const { answerCacheTool } = await import('./answer-cache-tools.js');
      return answerCacheTool({ definition, sessionParameter }, await loadSessions(), toolArguments, context);
    },
  }));
}

/** What every tool with options says in no more than the name of a parameter. */
function aboutValues(asideParameter: string | undefined): string {
  const orAside = asideParameter === undefined ? '' : ` or set ${asideParameter}`;
  return (
    'Shows the remembered option values: what a call gives for an option, later calls of any tool use for an option of ' +
    `that name, unless they give it${orAside}.`
  );
}

function aboutHandles(parameter: string): string {
  return `Where nothing is kept for the connection, ${parameter}: "new" begins a session; its result names the handle.`;
}

const HANDLE: JsonSchema = { type: 'string' };
const NAME: JsonSchema = { type: 'string', description: 'option' };

function toSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

function annotations(hints: Partial<ToolAnnotations>): ToolAnnotations {
  return {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
    ...hints,
  };
}
