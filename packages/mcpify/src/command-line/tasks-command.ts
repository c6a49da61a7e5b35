import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { InvalidArgumentError, type Command } from 'commander';

import { projectPath } from '../tasks/project-folder.js';
import { NO_LIMITS, removeOldTasks } from '../tasks/retention.js';
import { StoredTasks, type StoredTask } from '../tasks/stored-tasks.js';
import { styled, type Console } from './console.js';
import { describeStatus, STATUS_STYLES } from './describe-task.js';
import { followTask } from './follow-task.js';
import { showTable, watchTable } from './list-tasks.js';

interface StoreOptions {
  readonly stateDir?: string;
  readonly entry?: string;
}

/** `mcpify tasks`: a person's view of background tasks. It needs no server, and disturbs none. */
export function addTasksCommand(program: Command, console: Console): void {
  const tasks = program
    .command('tasks')
    .description('Background tasks of this user: list, follow, cancel, remove')
    .option('--state-dir <folder>', 'where tasks are stored (the setting stateDir of the server)')
    .option('--entry <script>', 'only tasks of this CLI, such as dist/main.js');
  addList(tasks, console);
  addFollow(tasks, console);
  addCancel(tasks, console);
  addClean(tasks, console);
}

function addList(tasks: Command, console: Console): void {
  tasks
    .command('list', { isDefault: true })
    .description('the newest tasks')
    .option('-n, --limit <count>', 'how many at most', positiveInteger, 20)
    .option('-w, --watch', 'shows them live, on a terminal')
    .option('--json', 'all that is known of them')
    .allowExcessArguments()
    .action(
      async (
        { limit, watch, json }: { limit: number; watch?: boolean; json?: boolean },
        command: Command,
      ) => {
        refuseUnknownSubcommand(tasks, command);
        const store = storeOf(command);
        if (watch && !console.stdout.isTTY) command.error('error: --watch needs a terminal');
        if (watch) return watchTable(store, console, { limit });
        const list = await store.list({ limit });
        if (json) console.stdout.write(`${JSON.stringify(list.map(toJson), undefined, 2)}\n`);
        else showTable(list, console);
      },
    );
}

/** commander takes an unknown word for an argument of the default subcommand. */
function refuseUnknownSubcommand(tasks: Command, list: Command): void {
  if (list.args.length === 0) return;
  const [word] = tasks.args;
  if (word === list.name()) list.error(`error: "${tasks.name()} ${word}" takes no arguments`);
  const names = tasks.commands.map((command) => command.name()).join(', ');
  list.error(`error: unknown subcommand "${word}". There are: ${names}`);
}

function addFollow(tasks: Command, console: Console): void {
  tasks
    .command('follow')
    .argument('<taskId>', 'the id, or its first characters')
    .description('shows the log of a task while it runs; exit code 0 if the task completed')
    .option('-n, --lines <count>', 'how many of the lines before', positiveInteger, 50)
    .action(async (idStart: string, { lines }: { lines: number }, command: Command) => {
      const store = storeOf(command);
      const stored = await findOne(store, idStart, command);
      const end = await followTask(store, stored, console, { lines });
      if (end?.task.status !== 'completed') process.exitCode = 1;
    });
}

function addCancel(tasks: Command, console: Console): void {
  tasks
    .command('cancel')
    .argument('<taskId...>', 'ids, or their first characters')
    .description('ends tasks, with all of their processes')
    .action(async (idStarts: readonly string[], _options: object, command: Command) => {
      const store = storeOf(command);
      const found = await Promise.all(idStarts.map((idStart) => findOne(store, idStart, command)));
      await Promise.all(
        found.map(async (stored) => {
          const wasRunning = stored.task.status === 'running';
          const now = wasRunning ? await store.cancel(stored) : stored;
          console.stdout.write(`${describeEnd(now ?? stored, wasRunning, console)}\n`);
        }),
      );
    });
}

function addClean(tasks: Command, console: Console): void {
  tasks
    .command('clean')
    .description('removes finished tasks with their logs; what runs stays')
    .option('--older-than <days>', 'those that ended so long ago', positiveNumber)
    .option('--all', 'all of them')
    .action(async ({ olderThan, all }: { olderThan?: number; all?: boolean }, command: Command) => {
      if (olderThan === undefined && !all) command.error('error: say which: --older-than <days> or --all');
      const limits = {
        ...NO_LIMITS,
        ...(all ? { maxFinished: 0 } : { retentionDays: olderThan ?? Infinity }),
      };
      let count = 0;
      for (const project of await storeOf(command).projects()) {
        count += (await removeOldTasks(project, limits)).length;
      }
      console.stdout.write(`Removed ${count} ${count === 1 ? 'task' : 'tasks'}.\n`);
    });
}

function storeOf(command: Command): StoredTasks {
  const { stateDir, entry } = command.optsWithGlobals<StoreOptions>();
  if (entry === undefined) return new StoredTasks({ stateDir });
  const script = resolve(entry);
  // Tasks outlive the CLI that started them.
  if (!existsSync(script) && !existsSync(projectPath(script, stateDir))) {
    command.error(`error: there is no script "${script}", and no tasks of one`);
  }
  return new StoredTasks({ stateDir, entry: script });
}

async function findOne(store: StoredTasks, idStart: string, command: Command): Promise<StoredTask> {
  const [found, ...others] = await store.find(idStart);
  if (!found) return command.error(`error: no task "${idStart}". "mcpify tasks" lists them`);
  if (others.length > 0) {
    return command.error(`error: ${others.length + 1} tasks begin with "${idStart}": give more of the id`);
  }
  return found;
}

function describeEnd({ task }: StoredTask, wasRunning: boolean, { stdout }: Console): string {
  const status = styled(stdout, STATUS_STYLES[task.status], describeStatus(task));
  return `${task.taskId} ${task.toolName}: ${wasRunning ? '' : 'had ended before: '}${status}`;
}

function toJson({ task, entry, owner }: StoredTask): object {
  return { ...task, entry, ...(owner !== undefined && { owner }) };
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be 1 or more.');
  return value;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new InvalidArgumentError('It must be a number of days.');
  return value;
}
