import type { LogLevel } from './invocation.js';

export interface LogLine {
  readonly level: LogLevel;
  /** The message of a line that is JSON; else the line is the message. */
  readonly message?: string;
}

/** The level that a line of output names: by a word in front of it, or as a JSON logger writes it. */
export function readLogLine(line: string): LogLine | undefined {
  if (line.startsWith('{')) return readJson(line);
  const text = line.replace(TIME, '');
  const match = FORMS.reduce<RegExpExecArray | null>((found, form) => found ?? form.exec(text), null);
  const level = match?.[1] === undefined ? undefined : LEVELS[match[1].toLowerCase()];
  return level && { level };
}

/** `2026-11-30T20:26:01.123Z `, `[2026-11-30 20:26:01] ` */
const TIME = /^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s+/;

/** `error: `, `[warn] `, `<info>`; a bare word may begin a sentence. */
const LEVEL_WORD =
  /^[[(<]?(trace|debug|verbose|info|notice|warn|warning|err|error|fatal|crit|critical|alert|emerg|emergency|panic)(?:[\])>:]|\s[-|]\s)/i;

const CAPITALS = /^(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\s/;

const NPM = /^npm (ERR!|error|WARN|warn|notice) /;

/** consola on a terminal: ` WARN  careful`, `[tag]  WARN  careful`; what else is indented is no badge. */
const BADGE = /^(?:\[[^\]]+\] )? (FATAL|ERROR|WARN) {2}(?! )/;

/** `✖ failed`, `⚠ careful`: consola and many others. Further symbols stand in front of ordinary text as well. */
const SYMBOL = /^([✖⚠])\uFE0F?\s/;

/** consola's debug lines: `⚙ connected`, `[tag] ⚙ connected`. With a variation selector it is somebody's picture. */
const GEAR = /^(?:\[[^\]]+\] )?(⚙) /;

const FORMS = [LEVEL_WORD, CAPITALS, NPM, BADGE, SYMBOL, GEAR];

const LEVELS: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  silly: 'debug',
  verbose: 'debug',
  debug: 'debug',
  http: 'info',
  info: 'info',
  notice: 'notice',
  warn: 'warning',
  warning: 'warning',
  err: 'error',
  'err!': 'error',
  error: 'error',
  fatal: 'critical',
  crit: 'critical',
  critical: 'critical',
  alert: 'alert',
  emerg: 'emergency',
  emergency: 'emergency',
  panic: 'emergency',
  '✖': 'error',
  '⚠': 'warning',
  '⚙': 'debug',
};

/** pino and bunyan: `{"level":30,"msg":"…"}`; winston and others: `{"level":"info","message":"…"}`. */
function readJson(line: string): LogLine | undefined {
  if (!/"(?:level|severity)":/.test(line)) return undefined;
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const name = parsed['level'] ?? parsed['severity'];
  const message = parsed['msg'] ?? parsed['message'];
  const level = typeof name === 'number' ? levelOfNumber(name) : LEVELS[String(name).toLowerCase()];
  return level && { level, ...(typeof message === 'string' && message !== '' && { message }) };
}

function levelOfNumber(level: number): LogLevel {
  if (level >= 60) return 'critical';
  if (level >= 50) return 'error';
  if (level >= 40) return 'warning';
  return level >= 30 ? 'info' : 'debug';
}
