import type { ToolMarks } from '@mcpify/markers';

import type { CommandModel } from '../schema/command-model.js';
import type { CommandNode } from '../schema/command-node.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ToolDefinition } from '../tools/tool.js';
import { toAnnotations } from './annotations.js';
import { toDescription } from './description.js';

/** @returns the entry of `tools/list`, and whether its description was too long for clients */
export function toDefinition(
  name: string,
  command: CommandNode,
  marks: ToolMarks,
  { inputSchema, notes }: CommandModel,
): { readonly definition: ToolDefinition; readonly isCut: boolean } {
  const { text: description, isCut } = toDescription(command, marks, notes);
  const annotations = toAnnotations(marks);
  const { title, output } = marks;
  const definition =
    title === undefined && !output
      ? { name, description, inputSchema, annotations }
      : {
          name,
          ...(title !== undefined && { title }),
          description,
          inputSchema,
          // A background task answers with its id: it cannot keep the promise of a form.
          ...(output && !marks.longRunning && { outputSchema: output as JsonSchema }),
          annotations,
        };
  return { definition, isCut };
}
