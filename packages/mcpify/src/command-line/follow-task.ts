import { waitForPage } from '../tasks/output/wait-for-page.js';
import type { LogPage, PageQuery } from '../tasks/output/read-page.js';
import type { StoredTask, StoredTasks } from '../tasks/stored-tasks.js';
import { isEnded } from '../tasks/until-ended.js';
import { formatBytes, formatDuration } from './amounts.js';
import { styled, type Console } from './console.js';
import { describeStatus, STATUS_STYLES } from './describe-task.js';
import { PlainLog, TerminalLog, type LogWriter } from './terminal-text.js';

const PAGE_BYTES = 256 * 1024;
/** In between, a task whose supervisor was killed is looked after. */
const LOOK_INTERVAL_MS = 2_000;

/**
 * Writes the end of a task's log to stdout, and what follows while it runs. What is said about the task goes to stderr.
 *
 * @returns the task when it has ended; undefined where it was removed meanwhile
 */
export async function followTask(
  tasks: StoredTasks,
  stored: StoredTask,
  console: Console,
  { lines }: { readonly lines: number },
): Promise<StoredTask | undefined> {
  const log = console.stdout.isTTY ? new TerminalLog() : new PlainLog();
  announce(stored, console);
  let query: PageQuery = { tailLines: lines, maxBytes: PAGE_BYTES };
  let waitMs = 0;
  for (;;) {
    const page = await waitForPage(stored.folder, { ...query, waitMs }, () => isEnded(stored.folder));
    await show(page, log, console);
    query = { offsetBytes: page.nextOffsetBytes, maxBytes: PAGE_BYTES };
    if (page.text === '') {
      const now = await tasks.look(stored.folder);
      if (now?.task.status !== 'running') return finish(now, log, console);
    }
    waitMs = LOOK_INTERVAL_MS;
  }
}

function announce({ task }: StoredTask, { stderr }: Console): void {
  if (task.status !== 'running') return;
  const since = formatDuration(task.elapsedMs);
  const text = `${task.toolName} has been running for ${since}. Ctrl-C ends the view, not the task.`;
  stderr.write(`${styled(stderr, 'dim', text)}\n`);
}

async function show(page: LogPage, log: LogWriter, { stdout, stderr }: Console): Promise<void> {
  if (page.truncatedBytes > 0) {
    stderr.write(`${styled(stderr, 'dim', `[${formatBytes(page.truncatedBytes)} are not kept any more]`)}\n`);
  }
  await write(stdout, log.write(page.text));
}

async function finish(
  stored: StoredTask | undefined,
  log: LogWriter,
  { stdout, stderr }: Console,
): Promise<StoredTask | undefined> {
  await write(stdout, log.end());
  if (stored) {
    const { task } = stored;
    const status = styled(stderr, STATUS_STYLES[task.status], describeStatus(task));
    const message = task.message === undefined ? '' : `\n${task.message}`;
    stderr.write(`${status}, after ${formatDuration(task.elapsedMs)}${message}\n`);
  } else {
    stderr.write('The task has been removed.\n');
  }
  return stored;
}

/** Resolves when it has left: a slow terminal holds back the reading. */
function write(stream: Console['stdout'], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (text === '') resolve();
    else stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
