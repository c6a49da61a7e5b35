#!/usr/bin/env node
import { createMcpifyCommand } from './mcpify-command.js';

// `mcpify tasks | head`: whoever read has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
await createMcpifyCommand(process).parseAsync();
