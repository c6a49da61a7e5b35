import { startMcpServer } from 'mcpify';

import { isEnabled, middleware } from './options.js';

await startMcpServer(() => import('./program.js'), { isEnabled, middleware });
