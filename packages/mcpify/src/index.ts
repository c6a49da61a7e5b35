export { UsageError, type UsageErrorCode } from './errors/usage-error.js';
export type { AccessToken, HttpOptions, OAuthOptions } from './options/http-options.js';
export type { McpOptions } from './options/mcp-options.js';
export type { IsEnabled, Middleware, ToolCall, ToolInfo } from './options/middleware.js';
export type { ContentBlock, ToolResult } from './result/tool-result.js';
export type { ProgramLoader } from './start/load-program.js';
export { attach, type AttachOptions } from './start/attach.js';
export { serveHttp, type HttpServing } from './start/serve-http.js';
export { startMcpServer } from './start/start-mcp-server.js';
