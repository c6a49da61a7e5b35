import type { ArgumentNode, OptionNode } from '../schema/command-node.js';
import type { ValueType } from '../schema/parameter-description.js';
import { customParser } from '../schema/value-shape.js';

/**
 * A value as the text of one token (argv.md, rule 11). Objects and arrays become JSON text, for a parser of the
 * author's to read.
 *
 * @returns undefined where the value cannot be a text: nothing would read it
 */
export function toText(value: unknown, node: OptionNode | ArgumentNode, type: ValueType): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  return type === 'json' || customParser(node) ? JSON.stringify(value) : undefined;
}
