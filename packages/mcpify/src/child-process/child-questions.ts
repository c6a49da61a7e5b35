/* In the CLI's own process, loaded by its first question: asks whoever started it. */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { refuseQuestion } from '../result/refuse-question.js';
import { answerFile, questionFile } from './question-files.js';

type Schema = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/** Where the questions of this process go. */
export interface QuestionWay {
  /** To a server that waits for this process. */
  readonly lifeline?: Promise<Socket> | undefined;
  /** Into the folder of a task, where whoever has its client finds them. */
  readonly folder?: string | undefined;
}

/** @throws Error where nobody can be asked, or the answer is none */
export async function ask(
  { lifeline, folder }: QuestionWay,
  message: string,
  schema: Schema,
): Promise<Answer> {
  if (folder !== undefined) return askByFiles(folder, message, schema);
  if (lifeline) return askOver(await lifeline, message, schema);
  throw unanswered(refuseQuestion(message, schema));
}

const unansweredQuestions = new WeakSet<Error>();
let isWatching = false;

/** An error that the model reads. Where nothing catches it, Node would print a stack, the path of this file in it. */
function unanswered(message: string): Error {
  const error = new Error(message);
  unansweredQuestions.add(error);
  if (!isWatching) process.on('uncaughtExceptionMonitor', endWithoutStack);
  isWatching = true;
  return error;
}

function endWithoutStack(error: Error): void {
  const isHandled = process.listenerCount('uncaughtException') > 0;
  if (!unansweredQuestions.has(error) || isHandled || process.hasUncaughtExceptionCaptureCallback()) return;
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exit(1);
}

let asked = 0;

interface Reply {
  readonly id: number;
  readonly answer?: Answer;
  readonly error?: string;
}

const waiting = new Map<number, (reply: Reply) => void>();
let unfinishedLine = '';
let isListening = false;

function askOver(socket: Socket, message: string, schema: Schema): Promise<Answer> {
  asked += 1;
  const id = asked;
  if (!isListening) {
    isListening = true;
    socket.setEncoding('utf8').on('data', (chunk) => readReplies(chunk as unknown as string));
  }
  // Somebody waits: this process does not end by itself meanwhile.
  socket.ref();
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ answer, error }) => {
      waiting.delete(id);
      if (waiting.size === 0) socket.unref();
      if (answer) resolve(answer);
      else reject(unanswered(error ?? 'Nobody answered.'));
    });
    socket.write(`${JSON.stringify({ id, message, schema })}\n`);
  });
}

function readReplies(chunk: string): void {
  const lines = (unfinishedLine + chunk).split('\n');
  unfinishedLine = lines.pop() ?? '';
  for (const line of lines) {
    const reply = JSON.parse(line) as Reply;
    waiting.get(reply.id)?.(reply);
  }
}

/** People take their time. */
const LOOK_INTERVAL_MS = 200;

async function askByFiles(folder: string, message: string, schema: Schema): Promise<Answer> {
  asked += 1;
  const question = questionFile(folder, asked);
  const answer = answerFile(folder, asked);
  writeWhole(question, JSON.stringify({ message, schema }));
  for (;;) {
    const text = readIfThere(answer);
    if (text !== undefined) {
      // Nothing of it stays on the disk.
      rmSync(question, { force: true });
      rmSync(answer, { force: true });
      return JSON.parse(text) as Answer;
    }
    await delay(LOOK_INTERVAL_MS);
  }
}

/** Nobody ever reads a part of it. The umask is the command's. */
function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
