import { exposeAsTool, McpConcurrent } from '@mcpify/markers';

import { buildProgram } from './program.mjs';

export const program = buildProgram();
for (const command of program.commands) {
  if (command.name() === 'wait') exposeAsTool(command, McpConcurrent);
  else exposeAsTool(command);
}
