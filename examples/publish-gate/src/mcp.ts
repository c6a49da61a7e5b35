import { startMcpServer } from 'mcpify';

// A gate judges what it is given, and nothing of an earlier call.
await startMcpServer(() => import('./program.js'), { sessionCache: 'off' });
