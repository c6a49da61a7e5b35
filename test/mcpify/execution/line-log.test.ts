import { describe, expect, test } from 'vitest';

import { LineLog } from '../../../packages/mcpify/src/execution/line-log.js';
import type { LogLevel } from '../../../packages/mcpify/src/execution/invocation.js';

function linesOf(...writes: readonly string[]): [LogLevel, string][] {
  const lines: [LogLevel, string][] = [];
  const log = new LineLog((level, line) => lines.push([level, line]));
  for (const text of writes) log.write(text, 'info');
  log.finish('info');
  return lines;
}

test('one event a line, however the text was cut; the last line needs no newline; blank lines are none', () => {
  expect(linesOf('on', 'e\ntw', 'o\r\n\n\nthree')).toEqual([
    ['info', 'one'],
    ['info', 'two'],
    ['info', 'three'],
  ]);
});

test('colours and links are taken out', () => {
  expect(linesOf('\u001b[31mred\u001b[0m \u001b]8;;https://x.test\u0007link\u001b]8;;\u0007\n')).toEqual([
    ['info', 'red link'],
  ]);
});

test('of a line that was drawn over, the last drawing counts', () => {
  expect(linesOf('10%\r50%\r100%\n')).toEqual([['info', '100%']]);
});

describe('levels', () => {
  test.each<[string, LogLevel]>([
    ['error: no such file', 'error'],
    ['Error: no such file', 'error'],
    ['[warn] careful', 'warning'],
    ['WARNING: careful', 'warning'],
    ['WARN  careful', 'warning'],
    ['2026-11-30T20:26:01.123Z ERROR failed', 'error'],
    ['[2026-11-30 20:26:01] [debug] x', 'debug'],
    ['DEBUG x', 'debug'],
    ['fatal: not a git repository', 'critical'],
    ['npm ERR! code 1', 'error'],
    ['npm warn deprecated', 'warning'],
    ['notice: hello', 'notice'],
    ['emergency: hello', 'emergency'],
    [' WARN  careful', 'warning'],
    [' FATAL  it is over', 'critical'],
    ['\u001b[41m\u001b[30m ERROR \u001b[39m\u001b[49m boom', 'error'],
    ['[db]  WARN  careful', 'warning'],
    ['[warn] [db] careful', 'warning'],
    ['✖ failed', 'error'],
    ['⚠️ careful', 'warning'],
    ['✔ done', 'info'],
    ['information: hello', 'info'],
    ['error handling is on', 'info'],
    ['Debugging x', 'info'],
    ['no errors: fine', 'info'],
    ['plain', 'info'],
    [' ERROR is a column', 'info'],
    ['  WARN  is indented', 'info'],
    [' WARN   | 3 | a table', 'info'],
    ['| ERROR  | 3 |', 'info'],
    ['→ next', 'info'],
    ['⚠careful', 'info'],
  ])('%s', (line, level) => {
    expect(linesOf(`${line}\n`)[0]?.[0]).toBe(level);
  });

  test('pino and its like: level and message are read from JSON', () => {
    expect(
      linesOf(
        '{"level":30,"time":1,"msg":"started"}\n{"level":50,"msg":"broken"}\n{"level":60,"msg":"dead"}\n{"level":20,"msg":"x"}\n' +
          '{"level":"warn","message":"w"}\n{"severity":"ERROR","message":"s"}\n',
      ),
    ).toEqual([
      ['info', 'started'],
      ['error', 'broken'],
      ['critical', 'dead'],
      ['debug', 'x'],
      ['warning', 'w'],
      ['error', 's'],
    ]);
  });

  test('JSON that is data and no log line stays as it is', () => {
    expect(linesOf('{"level":"high","name":"x"}\n{"a":1}\n{broken\n')).toEqual([
      ['info', '{"level":"high","name":"x"}'],
      ['info', '{"a":1}'],
      ['info', '{broken'],
    ]);
  });
});

test('a long line is cut', () => {
  const [[, line] = ['info', '']] = linesOf(`${'x'.repeat(100_000)}\n`);
  expect(line.length).toBeLessThanOrEqual(2_001);
});

test('secrets are hidden before it is, also in one that is written bit by bit', () => {
  const lines: string[] = [];
  const log = new LineLog(
    (_, line) => lines.push(line),
    (line) => line.replaceAll('hunter2', '***'),
  );
  const line = `${'x'.repeat(1_996)}hunter2${'y'.repeat(100)}\n`;
  log.write(line, 'info');
  for (const character of line) log.write(character, 'info');
  expect(lines).toEqual(Array.from({ length: 2 }, () => `${'x'.repeat(1_996)}***y…`));
});

test('of one big write only the end is read for lines', () => {
  const lines = linesOf(Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join('\n'));
  expect(lines.length).toBeLessThan(2_000);
  expect(lines.at(-1)).toEqual(['info', 'line 99999']);
});
