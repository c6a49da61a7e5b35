import type { Parameter } from '../schema/command-model.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ValueType } from '../schema/parameter-description.js';
import { mergeValues } from './merge-values.js';
import { toRefusal } from './problem.js';
import { resolveKeys } from './resolve-keys.js';
import { validateValues } from './validate-values.js';

export type ReadArguments =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Reads the arguments of a built-in tool as those of commands are read: leniently where it is clear what is meant, else
 * with a text that says what to send (B3.6).
 */
export function readArguments(
  tool: { readonly name: string; readonly inputSchema: JsonSchema },
  toolArguments: Readonly<Record<string, unknown>>,
): ReadArguments {
  const model = modelOf(tool.inputSchema);
  const keys = resolveKeys(toolArguments, model.parameters);
  const values = mergeValues(model, keys.values, undefined, { pinnedValues: {}, defaultValues: {} });
  const problems = [...keys.problems, ...validateValues(model, values)];
  return problems.length > 0
    ? { kind: 'refused', message: toRefusal(tool.name, problems) }
    : { kind: 'values', values: Object.fromEntries(values) };
}

interface ArgumentsModel {
  readonly parameters: readonly Parameter[];
  readonly inputSchema: JsonSchema;
}

const models = new WeakMap<JsonSchema, ArgumentsModel>();

function modelOf(inputSchema: JsonSchema): ArgumentsModel {
  let model = models.get(inputSchema);
  if (!model) models.set(inputSchema, (model = { inputSchema, parameters: toParameters(inputSchema) }));
  return model;
}

function toParameters({ properties = {}, required = [] }: JsonSchema): readonly Parameter[] {
  return Object.entries(properties).map(([property, schema]) => ({
    property,
    schema,
    required: required.includes(property),
    secret: false,
    pinned: false,
    cacheable: false,
    shape: { kind: 'single', type: schema.type as ValueType },
    target: { kind: 'own' },
  }));
}
