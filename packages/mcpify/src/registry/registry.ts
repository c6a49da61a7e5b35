import type { LoadTasks } from '../tools/background-tasks.js';
import type { CommandResource } from '../tools/command-resource.js';
import type { Tool, ToolDefinition } from '../tools/tool.js';

/** The fixed list of tools of one server: the same for every connection, changed by no call (B2.1). */
export interface Registry {
  readonly definitions: readonly ToolDefinition[];
  get(toolName: string): Tool | undefined;
  /** The nearest known names, for the error of an unknown tool. */
  nearest(toolName: string): readonly string[];
  /** Commands that are resources as well, in the order of declaration. */
  readonly resources: readonly CommandResource[];
  /** The background tasks, where a command may have some. */
  readonly loadTasks?: LoadTasks;
  /** Why the program could not be loaded, where that is served (`serveLoadErrors`). */
  readonly loadError?: string;
  /** One line each, for stderr at start. */
  readonly warnings: readonly string[];
  /** At the end of the server: ends the children that calls wait for, with their trees. */
  close(): Promise<void>;
  /** The same in this very moment. */
  kill(): void;
}
