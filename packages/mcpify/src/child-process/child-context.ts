/* In the CLI's own process, before its first line: what `callContext()` of `@mcpify/markers` gives there. */
import type { Socket } from 'node:net';

import type { Answer, CallContext, LogLevel } from '@mcpify/markers';

import { toLogData } from '../result/log-data.js';
import type { QuestionWay } from './child-questions.js';
import type { ChildReport } from './child-reports.js';
import { writeAll } from './write-all.js';

export interface ContextWays {
  /** The lifeline, where a server waits for this process and passes on what it reports. */
  readonly reports: { readonly fd: number; readonly socket: Promise<Socket> } | undefined;
  readonly questions: QuestionWay;
}

/** The end of the call comes as a signal of the system. */
export function supplyCallContext({ reports, questions }: ContextWays): void {
  const send = (report: ChildReport) => {
    try {
      if (reports) sendReport(reports, `${JSON.stringify(report)}\n`);
    } catch {
      // A command does not fail because nobody could be told of it.
    }
  };
  const context: CallContext = {
    signal: new AbortController().signal,
    caller: undefined,
    isMcp: true,
    progress: (...progress) => send({ progress }),
    log: reports ? (level, data) => send({ log: [level, toLogData(data)] }) : printLog,
    async ask(message, schema) {
      const { ask } = await import('./child-questions.js');
      return (await ask(
        questions,
        message,
        schema as Readonly<Record<string, unknown>>,
      )) as unknown as Answer;
    },
  };
  Object.assign(globalThis, { [Symbol.for('mcpify.callContext')]: () => context });
}

/** At once, since `process.exit()` may follow. On Windows a write would wait for the read that is under way. */
function sendReport({ fd, socket }: NonNullable<ContextWays['reports']>, line: string): void {
  if (process.platform === 'win32') void socket.then((lifeline) => lifeline.write(line));
  else writeAll(fd, Buffer.from(line));
}

/** Nobody waits for this process: who reads its output later reads this, too, in the form of a log line. */
function printLog(level: LogLevel, data: unknown): void {
  if (level === 'debug') return;
  const shown = toLogData(data);
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  process.stderr.write(`${level}: ${text}\n`);
}
