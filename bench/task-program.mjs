// The marked program of the task measurements; as a CLI it is task-cli.mjs.
import { setTimeout as sleep } from 'node:timers/promises';

import { exposeAsTool, McpIsolated, McpLongRunning } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('bench-tasks').description('A CLI to measure tasks with');

const job = program
  .command('job')
  .description('Starts a short job.')
  .action(() => {});
const silent = program
  .command('silent')
  .description('Prints nothing.')
  .action(() => sleep(300_000));
const greet = program
  .command('greet')
  .description('Greets somebody.')
  .argument('<name>', 'who is greeted')
  .action((name) => console.log(`Hello, ${name}!`));
const burn = program
  .command('burn')
  .description('Uses the processor.')
  .option('--ms <value>', 'how long, in milliseconds', Number, 10_000)
  .action(({ ms }) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  });

for (const command of [job, silent]) exposeAsTool(command, McpLongRunning);
for (const command of [greet, burn]) exposeAsTool(command, McpIsolated);
