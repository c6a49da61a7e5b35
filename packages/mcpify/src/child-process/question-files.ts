import { join } from 'node:path';

/** In the folder of a task: a question of its command, by its number. */
export function questionFile(folder: string, number: number): string {
  return join(folder, `question-${number}.json`);
}

/** The answer to it; the first writer wins, and the command takes it away. */
export function answerFile(folder: string, number: number): string {
  return join(folder, `answer-${number}.json`);
}

/** @returns the number of a question, where a file of that name holds one */
export function questionNumber(fileName: string): number | undefined {
  const digits = /^question-([1-9]\d{0,8})\.json$/.exec(fileName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Also one that is not written to its end. */
export function isOfQuestions(fileName: string): boolean {
  return /^(question|answer)-\d/.test(fileName);
}
