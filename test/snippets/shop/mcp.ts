import { startMcpServer } from 'mcpify';

await startMcpServer(() => import('./program.js'));
