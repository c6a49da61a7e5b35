import { compileSchema, describeFault, findErrors } from '../schema/compile-schema.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { isNestedTooDeep, MOST_LEVELS } from './nesting.js';
import type { CapturedOutput } from './outcome.js';

type JsonObject = Readonly<Record<string, unknown>>;

interface Problem {
  /** A sentence for the model. */
  readonly problem: string;
}

export type CheckOutput = (
  returned: JsonObject | undefined,
  output: CapturedOutput,
) => { readonly structured: JsonObject } | Problem;

/**
 * Holds a command to its `McpOutput`: the object that it returned, else the JSON that it printed to stdout, must match
 * the schema, since clients are promised that (P32).
 */
export function createOutputCheck(schema: JsonSchema): CheckOutput {
  let validator: ReturnType<typeof compileSchema> | undefined;
  return (returned, output) => {
    const found = returned ? { json: returned } : readPrinted(output);
    if ('problem' in found) return found;
    const errors = findErrors(() => (validator ??= compileSchema(schema)), found.json);
    const [first] = errors.slice(-1);
    if (first) {
      const place = first.instanceLocation.replace(/^#/, '') || 'the whole';
      return {
        problem: `The command's result does not match its output schema: ${place}: ${describeFault(first)}`,
      };
    }
    return { structured: found.json };
  };
}

function readPrinted({ segments, omittedBytes, totalBytes }: CapturedOutput): { json: JsonObject } | Problem {
  if (omittedBytes > 0) {
    return {
      problem: `The command printed ${totalBytes} bytes, more than are kept: its JSON cannot be read. Ask for less.`,
    };
  }
  const text = segments.map((segment) => (segment.stream === 'stdout' ? segment.text : '')).join('');
  try {
    const json = JSON.parse(text) as unknown;
    if (isNestedTooDeep(json))
      return { problem: `The printed JSON is nested deeper than ${MOST_LEVELS} levels.` };
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
      return { json: json as JsonObject };
    }
  } catch {
    // Said below.
  }
  return {
    problem: 'The command returned no object and printed no JSON object, as its output schema promises.',
  };
}
