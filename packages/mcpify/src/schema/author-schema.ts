import { UsageError } from '../errors/usage-error.js';
import type { Parameter } from './command-model.js';
import { displayPath, type CommandNode } from './command-node.js';
import type { JsonSchema } from './json-schema.js';

/**
 * The parameters as an `McpInputSchema` has them: those that it names, and pinned ones.
 *
 * @throws UsageError `INVALID_SETTING` where it names or requires what is none
 */
export function withAuthorSchema(
  command: CommandNode,
  parameters: readonly Parameter[],
  authorSchema: JsonSchema,
): readonly Parameter[] {
  const properties = authorSchema.properties ?? {};
  for (const property of Object.keys(properties)) {
    if (parameters.some((each) => each.property === property)) continue;
    const known = parameters.map((each) => each.property).join(', ') || 'none';
    throw new UsageError(
      'INVALID_SETTING',
      `McpInputSchema of command "${displayPath(command)}" has the property "${property}", which no option or ` +
        `argument takes. The command has: ${known}.`,
    );
  }
  const required = new Set(authorSchema.required);
  for (const property of required) {
    if (Object.hasOwn(properties, property)) continue;
    throw new UsageError(
      'INVALID_SETTING',
      `McpInputSchema of command "${displayPath(command)}" requires "${property}", which is none of its properties.`,
    );
  }
  return parameters
    .filter(({ property, pinned }) => pinned || Object.hasOwn(properties, property))
    .map((each) =>
      each.pinned
        ? each
        : { ...each, schema: properties[each.property] ?? {}, required: required.has(each.property) },
    );
}

/** A pinned value is the operator's: not even an author's schema offers it. */
export function withoutPinned(schema: JsonSchema, pinned: ReadonlySet<string>): JsonSchema {
  const { properties = {}, required } = schema;
  if (!Object.keys(properties).some((property) => pinned.has(property))) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([property]) => !pinned.has(property))),
    ...(required && { required: required.filter((property) => !pinned.has(property)) }),
  };
}
