import type { JsonSchema } from '../schema/json-schema.js';
import type { LoadTasks } from './background-tasks.js';
import type { ToolAnnotations } from '../schema/tool-annotations.js';
import type { Tool, ToolDefinition } from './tool.js';

/** The tools that follow background tasks (B2.2). What they do is loaded by their first call. */
export function createTaskTools(loadTasks: LoadTasks): readonly Tool[] {
  return DEFINITIONS.map((definition) => toTool(definition, loadTasks));
}

function toTool(definition: ToolDefinition, loadTasks: LoadTasks): Tool {
  return {
    definition,
    async call(toolArguments, context) {
      const { callTaskTool } = await import('./call-task-tool.js');
      return callTaskTool(definition, toolArguments, context, loadTasks);
    },
  };
}

/** One wait, at most: many clients give up a call after 60 s. */
const LONGEST_WAIT_MS = 45_000;

const taskId: JsonSchema = { type: 'string' };

const waitFor = (what: string): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  maximum: LONGEST_WAIT_MS,
  description: `Wait for ${what}`,
});

const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Every word here is in every conversation (B2.4). */
const DEFINITIONS: readonly ToolDefinition[] = [
  {
    name: 'task_status',
    description: 'State of a background task; without taskId, a list of yours.',
    inputSchema: object({ taskId, waitMs: waitFor('its end') }),
    annotations: READ_ONLY,
  },
  {
    name: 'task_result',
    description: 'Output of a task, also while it runs: its last lines, or a page from an offset on.',
    inputSchema: object(
      {
        taskId,
        offsetBytes: { type: 'integer', minimum: 0, description: 'The last page names the next' },
        maxBytes: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 16_000 },
        tailLines: { type: 'integer', minimum: 1, maximum: 5_000, default: 50 },
        waitMs: waitFor('more output or the end'),
      },
      ['taskId'],
    ),
    annotations: READ_ONLY,
  },
  {
    name: 'task_cancel',
    description: 'Stops a background task and all its processes.',
    inputSchema: object({ taskId }, ['taskId']),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
];

function object(properties: Readonly<Record<string, JsonSchema>>, required?: readonly string[]): JsonSchema {
  return { type: 'object', properties, ...(required && { required }), additionalProperties: false };
}
