import fs from 'node:fs';
import { stdin as importedStdin } from 'node:process';
import readline from 'node:readline';
import readlinePromises from 'node:readline/promises';
import { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import tty from 'node:tty';

import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { installPatches } from '../../../packages/mcpify/src/execution/install-patches.js';
import { caller, gate, returning, textOf, type Call } from './run.js';

let takenEarlier: typeof process.stdin;

beforeAll(() => {
  installPatches();
  takenEarlier = process.stdin;
});

function running(action: () => unknown): Call {
  const program = new Command('app');
  program.command('run').option('--yes').option('--level <n>').action(returning(action));
  return caller(program);
}

const ask = (create: (question: string) => unknown) =>
  running(() => create('Delete everything? '))('run', { timeoutMs: 5_000 });

describe('stdin is at its end, for the second call as for the first', () => {
  test.each<[string, () => unknown, unknown]>([
    ['for await', async () => (await process.stdin.toArray()).length, 0],
    ['a consumer', () => readAll(process.stdin), ''],
    [
      'data and end events',
      () =>
        new Promise((resolve) => {
          let all = '';
          process.stdin.setEncoding('utf8');
          process.stdin.on('data', (chunk) => (all += String(chunk)));
          process.stdin.on('end', () => resolve(all));
        }),
      '',
    ],
    ['a reference taken earlier', () => readAll(takenEarlier), ''],
    ['the named import', () => readAll(importedStdin), ''],
    [
      'readline',
      async () => {
        const lines: string[] = [];
        for await (const line of readline.createInterface({ input: process.stdin })) lines.push(line);
        return lines;
      },
      [],
    ],
    ['openStdin', () => readAll((process as unknown as { openStdin(): Readable }).openStdin()), ''],
    ['readFileSync(0)', () => fs.readFileSync(0, 'utf8'), ''],
    ['readFileSync(/dev/stdin)', () => fs.readFileSync('/dev/stdin').length, 0],
    ['readSync', () => fs.readSync(0, Buffer.alloc(10), 0, 10, null), 0],
    ['promises.readFile', () => fs.promises.readFile('/dev/stdin', 'utf8'), ''],
    [
      'read',
      () =>
        new Promise((resolve) =>
          fs.read(0, Buffer.alloc(10), 0, 10, null, (_error, bytes) => resolve(bytes)),
        ),
      0,
    ],
    ['a read stream', () => readAll(fs.createReadStream('', { fd: 0, autoClose: false })), ''],
  ])('%s', async (_name, read, expected) => {
    const call = running(read);
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await call('run', { timeoutMs: 5_000 })).end).toEqual({ kind: 'returned', value: expected });
    }
  });

  test('is no terminal', async () => {
    const { end } = await running(() => [
      process.stdin.isTTY,
      tty.isatty(0),
      tty.isatty(1),
      process.stdin.fd,
    ])('run');
    expect(end).toMatchObject({ value: [false, false, false, 0] });
  });

  test('is a stream to those who look closely, and harmless to those who unref it', async () => {
    const { end } = await running(() => {
      process.stdin.unref();
      process.stdin.ref();
      process.stdin.setRawMode(false);
      return process.stdin instanceof Readable;
    })('run');
    expect(end).toMatchObject({ value: true });
  });
});

describe('a prompt ends the call at once, with the question in the result', () => {
  const create = () => readline.createInterface({ input: process.stdin, output: process.stdout });

  test.each<[string, (question: string) => unknown]>([
    ['question', (question) => new Promise((resolve) => create().question(question, resolve))],
    [
      'question of readline/promises',
      (question) =>
        readlinePromises.createInterface({ input: process.stdin, output: process.stdout }).question(question),
    ],
    [
      'prompt',
      (question) => {
        const lines = create();
        lines.setPrompt(question);
        lines.prompt();
        return new Promise(() => {});
      },
    ],
    [
      'raw mode, as inquirer does',
      (question) => {
        const lines = readline.createInterface({
          input: process.stdin,
          output: process.stdout,
          terminal: true,
        });
        process.stdout.write(question);
        return new Promise((resolve) => lines.once('line', resolve));
      },
    ],
    [
      'key presses, as prompts does',
      (question) => {
        readline.emitKeypressEvents(process.stdin);
        process.stdin.on('keypress', () => {});
        process.stdout.write(question);
        return new Promise(() => {});
      },
    ],
  ])('%s', async (_name, prompt) => {
    const { end, output } = await ask(prompt);
    expect(end).toMatchObject({ kind: 'refused', message: expect.stringContaining('"yes"') });
    expect(textOf(output)).toContain('Delete everything?');
  });

  test('an interface over something else asks as ever', async () => {
    const answered = gate<string>();
    const { end } = await ask(() => {
      const input = Readable.from(['fine\n']);
      readline.createInterface({ input }).question('', answered.open);
      return answered.opened;
    });
    expect(end).toEqual({ kind: 'returned', value: 'fine' });
  });

  test('opening the terminal itself fails as without one', async () => {
    const tries: (() => unknown)[] = [
      () => fs.openSync('/dev/tty', 'r+'),
      () => fs.readFileSync('/dev/tty'),
      () => fs.promises.open('/dev/tty'),
      () => new Promise((_resolve, reject) => fs.createReadStream('/dev/tty').on('error', reject)),
    ];
    for (const open of tries) {
      expect((await ask(open)).end).toMatchObject({ kind: 'threw', error: { code: 'ENXIO' } });
    }
  });
});
