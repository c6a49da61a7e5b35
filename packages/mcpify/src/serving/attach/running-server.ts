/**
 * An `McpServer` of the v2 SDK, as far as its user's compiler has to know it: whoever never attaches need not have the
 * SDK's types in order.
 */
export interface RunningServer {
  readonly server: object;
  registerTool(name: string, config: never, callback: never): unknown;
  /** Of the v1 SDK alone: `mcpify/sdk-v1` serves that. */
  readonly tool?: never;
}
