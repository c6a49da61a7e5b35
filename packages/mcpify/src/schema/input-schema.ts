import type { Parameter } from './command-model.js';
import type { JsonSchema } from './json-schema.js';

/** The schema of a tool's input, of the parameters that its clients see. */
export function toInputSchema(parameters: readonly Parameter[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  let required: string[] | undefined;
  for (const parameter of parameters) {
    const { property, schema } = parameter;
    // A strict client would send what the session has (decision 6).
    if (parameter.required && !parameter.cacheable) {
      if (required) required.push(property);
      else required = [property];
    }
    const shown = parameter.required && parameter.cacheable ? toldRequired(schema) : schema;
    if (property === '__proto__') defineOwn(properties, property, shown);
    else properties[property] = shown;
  }
  return required
    ? { type: 'object', properties, required, additionalProperties: false }
    : { type: 'object', properties, additionalProperties: false };
}

/** Assigned, it would become the prototype. */
function defineOwn(properties: object, property: string, value: JsonSchema): void {
  Object.defineProperty(properties, property, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

const REQUIRED = 'required, unless the session has it';

function toldRequired(schema: JsonSchema): JsonSchema {
  const { description } = schema;
  return { ...schema, description: description ? `${description} (${REQUIRED})` : REQUIRED };
}
