import { exposeAsTool, McpIsolated, McpLongRunning } from '@mcpify/markers';
import { Command } from 'commander';
// #region loggers
import { createConsola } from 'consola';
import createDebug from 'debug';
import { pino } from 'pino';
import winston from 'winston';

const forPino = pino({ level: 'debug' });
const forWinston = winston.createLogger({ level: 'debug', transports: [new winston.transports.Console()] });
const forConsola = createConsola({ level: 4 });
const forDebug = createDebug('shop:stock');
// #endregion loggers

export const program = new Command('shop');

tool('pino', () => {
  forPino.debug('connected');
  forPino.info({ articles: 12 }, 'articles found');
  forPino.warn('"pan" has no price');
  forPino.error('"mug" was refused');
});

tool('winston', () => {
  forWinston.debug('connected');
  forWinston.info('articles found');
  forWinston.warn('"pan" has no price');
  forWinston.error('"mug" was refused');
});

tool('consola', () => {
  forConsola.debug('connected');
  forConsola.info('articles found');
  forConsola.warn('"pan" has no price');
  forConsola.error('"mug" was refused');
});

tool('debug', () => {
  forDebug('%d articles found', 12);
});

/** In the process of the server, in one of its own, and in the background. */
function tool(name: string, action: () => void): void {
  exposeAsTool(program.command(name).action(action));
  exposeAsTool(program.command(`${name}-isolated`).action(action), McpIsolated);
  exposeAsTool(program.command(`${name}-long`).action(action), McpLongRunning);
}
