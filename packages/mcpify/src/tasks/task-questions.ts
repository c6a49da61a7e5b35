import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { answerFile, isOfQuestions, questionFile, questionNumber } from '../child-process/question-files.js';
import type { TaskAnswer, TaskQuestion } from './task-backend.js';
import type { TaskFolder } from './task-folder.js';
import { writeOnce } from './write-record.js';

/** What the command of a task asks, and nobody has answered yet; by key. */
export async function readQuestions({ path }: TaskFolder): Promise<ReadonlyMap<string, TaskQuestion>> {
  const numbers = (await readdir(path)).flatMap((name) => questionNumber(name) ?? []);
  const found = await Promise.all(
    numbers
      .sort((a, b) => a - b)
      .map(async (number) => {
        const question = await readQuestion(path, number);
        return question ? ([[`${KEY}${number}`, question]] as const) : [];
      }),
  );
  return new Map(found.flat());
}

/** Writes the answer where the command waits for it, unless it has one. */
export async function writeAnswer(folder: TaskFolder, key: string, answer: TaskAnswer): Promise<void> {
  const isAsked = (await readQuestions(folder)).has(key);
  if (isAsked) await writeOnce(answerFile(folder.path, Number(key.slice(KEY.length))), answer);
}

/** Once nobody waits for an answer any more: it may hold what is on no disk else. */
export async function removeQuestions({ path }: TaskFolder): Promise<void> {
  const files = (await readdir(path)).filter(isOfQuestions);
  await Promise.all(files.map((name) => rm(join(path, name), { force: true })));
}

const KEY = 'question';

async function readQuestion(path: string, number: number): Promise<TaskQuestion | undefined> {
  try {
    const text = await readFile(questionFile(path, number), 'utf8');
    const isAnswered = await stat(answerFile(path, number)).then(
      () => true,
      () => false,
    );
    return isAnswered ? undefined : (JSON.parse(text) as TaskQuestion);
  } catch (error) {
    // The command has its answer already.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
