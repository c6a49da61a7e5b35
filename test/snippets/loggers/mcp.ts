import { format } from 'node:util';

import { callContext } from '@mcpify/markers';
import createDebug from 'debug';
import { startMcpServer } from 'mcpify';

// Always on: each line goes to the call that it belongs to, and is shown where that call asks for it.
createDebug.enable('*');
// It writes this, too, which child processes would inherit.
delete process.env.DEBUG;
createDebug.log = (...line: unknown[]) => callContext().log('debug', format(...line));

await startMcpServer(() => import('./program.js'));
