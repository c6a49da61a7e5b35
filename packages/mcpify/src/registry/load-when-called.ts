import { createRequire } from 'node:module';

import type { Settings } from '../options/mcp-options.js';
import type { CommandNode } from '../schema/command-node.js';
import type * as BackgroundTasksModule from '../tools/background-tasks.js';
import type { BackgroundTasks, TasksWhenCalled } from '../tools/background-tasks.js';
import type { CommandRunner } from '../tools/run-commands.js';

/** What runs the commands: loaded once, by the first call. A server that is only listed never loads it. */
export function runnerWhenCalled(
  source: CommandNode | (() => CommandNode),
  settings: Settings,
  tasks: TasksWhenCalled,
) {
  let loading: Promise<CommandRunner> | undefined;
  let runner: CommandRunner | undefined;
  return {
    load: () =>
      (loading ??= import('../tools/run-commands.js').then(({ createCommandRunner }) => {
        runner = createCommandRunner(source, settings, tasks);
        return runner;
      })),
    close: async () => (await loading)?.close(),
    kill: () => runner?.kill(),
  };
}

interface TasksOfServer extends TasksWhenCalled {
  /** Has to be called where a command may have left tasks; those of another backend are not ours to look after. */
  lookAfter(): void;
  close(): Promise<void>;
}

/** How often a server that has no tasks of its own looks whether another one has left some. */
const LOOK_INTERVAL_MS = 30_000;
const FIRST_LOOK_MS = 1_000;

/**
 * Background tasks: loaded by the first call that has to do with one, or where an earlier server has left some that
 * somebody must look after.
 *
 * @param cliEntry the script whose tasks they are, where the server has one
 */
export function tasksWhenCalled(settings: Settings, cliEntry: () => string | undefined): TasksOfServer {
  let tasks: BackgroundTasks | undefined;
  let timer: NodeJS.Timeout | undefined;
  const entry = () => cliEntry() ?? process.argv[1] ?? settings.name;
  const create = ({ createBackgroundTasks }: typeof BackgroundTasksModule) => {
    clearTimeout(timer);
    return (tasks ??= createBackgroundTasks(settings.tasks, entry()));
  };
  const load = async () => tasks ?? create(await import('../tools/background-tasks.js'));
  const lookIn = (delayMs: number) => {
    timer = setTimeout(() => void look().catch(() => {}), delayMs).unref();
  };
  const look = async () => {
    const { hasOpenTasks } = await import('../tasks/has-open-tasks.js');
    if (tasks) return;
    if (await hasOpenTasks(entry(), settings.tasks.stateDir)) await load();
    else lookIn(LOOK_INTERVAL_MS);
  };
  return {
    load,
    loadNow: () => tasks ?? create(require('../tools/background-tasks.js') as typeof BackgroundTasksModule),
    lookAfter() {
      if (!settings.tasks.backend) lookIn(FIRST_LOOK_MS);
    },
    async close() {
      clearTimeout(timer);
      await tasks?.close();
    },
  };
}

const require = createRequire(import.meta.url);
