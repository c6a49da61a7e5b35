import { randomBytes } from 'node:crypto';

/** Crockford's base 32, lower case: no letters that look like digits, and it sorts as the numbers do. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 7;
const RANDOM_DIGITS = 25;
const TASK_ID = new RegExp(`^t[${DIGITS}]{${TIME_DIGITS + RANDOM_DIGITS}}$`);

/** 2024-01-01. Seven digits of tenths of a second last for a hundred years from there. */
const EPOCH_MS = 1_704_067_200_000;
const TIME_UNIT_MS = 100;

/** A new id: it sorts by time, and its 125 random bits cannot be guessed (K26). */
export function newTaskId(nowMs: number = Date.now()): string {
  return `t${timePart(nowMs)}${randomPart()}`;
}

/** Asked before any path is made of what a caller sent. */
export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** Whether the times that two ids tell are the same: a tenth of a second. */
export function isOfOneMoment(taskId: string, other: string | undefined): boolean {
  const length = 1 + TIME_DIGITS;
  return other !== undefined && taskId.slice(0, length) === other.slice(0, length);
}

function timePart(nowMs: number): string {
  let rest = Math.max(0, Math.floor((nowMs - EPOCH_MS) / TIME_UNIT_MS));
  let digits = '';
  for (let count = 0; count < TIME_DIGITS; count += 1) {
    digits = DIGITS.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

function randomPart(): string {
  return Array.from(randomBytes(RANDOM_DIGITS), (byte) => DIGITS.charAt(byte % 32)).join('');
}
