import type { CallTool, CommandFacts, CommandRunner } from './run-commands.js';
import type { Tool, ToolAnswer, ToolCallContext, ToolDefinition } from './tool.js';

export interface CommandToolFacts extends CommandFacts {
  /** What runs the commands of this registry: loaded at the first call, not at start. */
  readonly loadRunner: () => Promise<CommandRunner>;
  /** `McpScope`. */
  readonly scope: string | undefined;
  /** `McpLongRunning({ taskSupport: 'required' })`. */
  readonly needsTasks: boolean;
}

/** A marked command as a tool. */
export class CommandTool implements Tool {
  readonly definition: ToolDefinition;
  private callTool: CallTool | undefined;

  constructor(private readonly facts: CommandToolFacts) {
    this.definition = facts.definition;
  }

  get scope(): string | undefined {
    return this.facts.scope;
  }

  get needsTasks(): boolean {
    return this.facts.needsTasks;
  }

  call(toolArguments: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolAnswer> {
    return this.callTool ? this.callTool(toolArguments, context) : this.callFirst(toolArguments, context);
  }

  private async callFirst(...call: Parameters<CallTool>): Promise<ToolAnswer> {
    this.callTool ??= (await this.facts.loadRunner()).forTool(this.facts);
    return this.callTool(...call);
  }
}
