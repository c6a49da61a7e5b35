import type { ResourceTemplate } from '../schema/resource-template.js';
import type { Tool } from './tool.js';

/** A command that clients read by a uri (`McpResource`). Its tool is what runs. */
export interface CommandResource {
  readonly tool: Tool;
  readonly template: ResourceTemplate;
  /** Variables without which the command does not run. */
  readonly neededVariables: readonly string[];
  /** Of its text, where that is known before it runs. */
  readonly mimeType: string | undefined;
}
