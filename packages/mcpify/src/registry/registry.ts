import type { Tool, ToolDefinition } from '../tools/tool.js';

/** The fixed list of tools of one server: the same for every connection, changed by no call (B2.1). */
export interface Registry {
  readonly definitions: readonly ToolDefinition[];
  get(toolName: string): Tool | undefined;
  /** The nearest known names, for the error of an unknown tool. */
  nearest(toolName: string): readonly string[];
  /** One line each, for stderr at start. */
  readonly warnings: readonly string[];
}
