import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, serve } from './kind-server.js';

/* K16: a result is what a person would have read in the end, whatever was drawn, and nothing here is a terminal. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('terminal.mjs', {
    env: { FORCE_COLOR: '3', CLICOLOR_FORCE: '1', COLORTERM: 'truecolor', TERM: 'xterm-256color' },
  });
  await server.request('logging/setLevel', { level: 'debug' });
});

const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;

const DRAWN: readonly (readonly [what: string, pieces: readonly string[], read: string])[] = [
  ['colours of 16, 256 and all', [`${ESC}[31mred${ESC}[39m ${ESC}[38;5;9mx${ESC}[m ${ESC}[38;2;1;2;3mtrue${ESC}[0m\n`], 'red x true\n'],
  ['a link, ended by a bell or by its terminator', [`${ESC}]8;;https://example.com/a?b=c${BEL}one${ESC}]8;;${BEL} ${ESC}]8;id=1;https://example.com${ST}two${ESC}]8;;${ST}\n`], 'one two\n'],
  ['the title of the window', [`${ESC}]0;my title${BEL}text ${ESC}]2;other${ST}more\n`], 'text more\n'],
  ['a picture', [`${ESC}]1337;File=inline=1:${'QUJD'.repeat(2_000)}${BEL}after\n`], 'after\n'],
  ['device control, and what only some terminals know', [`${ESC}Pq#0;2~~${ST}${ESC}_Gf=100;AAAA${ST}${ESC}^private${ST}${ESC}Xany${ST}after\n`], 'after\n'],
  ['sequences of one byte', ['\u009b31mred\u009b0m \u009d0;title\u009ctext \u0090q\u009c\n'], 'red text \n'],
  ['another alphabet', [`${ESC}(Bplain${ESC})0\n`], 'plain\n'],
  ['modes: cursor, alternate screen, paste', [`${ESC}[?25l${ESC}[?1049h${ESC}[?2004htext${ESC}[?25h${ESC}7${ESC}8\n`], 'text\n'],
  ['a progress bar', ['\r10 %', '\r50 %', '\r100 %\n'], '100 %\n'],
  ['a spinner', [`${ESC}[2K${ESC}[1G| works`, `${ESC}[2K${ESC}[1G/ works`, `${ESC}[2K${ESC}[1Gdone\n`], 'done\n'],
  ['lines drawn over', ['a 1\nb 1\n', `${ESC}[2A${ESC}[J`, 'a 2\nb 2\n'], 'a 2\nb 2\n'],
  ['a sequence in several writes', [`a${ESC}`, '[3', `1mb${ESC}[0m`, 'c\n'], 'abc\n'],
  ['a character in the midst of a sequence', [`${ESC}[31m漢😀${ESC}[0m\n`], '漢😀\n'],
  ['a text for the terminal that never ends', [`before${ESC}]0;title\nafter\n`], 'before0;title\nafter\n'],
  ['nothing but control', [`${ESC}[0m${ESC}[?25h${ESC}]0;title${BEL}`], 'Done. The command printed nothing.'],
  ['line ends of Windows', ['a\tb\r\nc\r\n'], 'a\tb\nc\n'],
  ['text like a sequence, without its escape', ['[31m ]0; \\u001b[0m\n'], '[31m ]0; \\u001b[0m\n'],
]; // prettier-ignore

describe.concurrent.each(['draw', 'draw_as_child'])('%s', (tool) => {
  test.each(DRAWN)('%s', async (_, pieces, read) => {
    expect(await call(server, tool, { pieces })).toEqual({ text: read, isError: false, value: undefined });
  });
});

test.each(['fail', 'fail_as_child'])('%s: errors and stderr are plain, too', async (tool) => {
  const { text, isError } = await call(server, tool, {
    text: `${ESC}[1m${ESC}]8;;https://example.com${BEL}bad${ESC}]8;;${BEL}${ESC}[22m`,
  });
  expect(isError).toBe(true);
  expect(text).toMatch(/^\[stderr\]\nbad\n/);
  expect(text).not.toContain(ESC);
});

test('and so is every log message', () => {
  const messages = server.messages.filter(({ method }) => method === 'notifications/message');
  expect(messages.length).toBeGreaterThan(10);
  for (const { params } of messages) expect(params?.['data']).not.toMatch(/[\u001b\u0080-\u009f]|my title/);
});

test('100,000 sequences, and as many that never end, take no time to speak of', async () => {
  for (const piece of [`${ESC}[31m`, `${ESC}]0;`, `${ESC}]8;;${BEL}`, '\r', `${ESC}[A`, '\u0090']) {
    expect((await call(server, 'draw', { pieces: [piece.repeat(100_000), 'end\n'] })).text).toContain('end');
  }
});

test.each(['look', 'look_as_child'])(
  '%s: no terminal anywhere, and no colours asked for (F102, F104)',
  async (tool) => {
    expect(JSON.parse((await call(server, tool)).text)).toEqual({
      isTTY: [false, false, false],
      isatty: [false, false, false],
      width: 'x'.repeat(80).length,
      colours: [false, 1],
      asked: ['1', null, null],
      child: '1--',
    });
  },
);

test.each(['move', 'move_as_child'])('%s: methods of a terminal do no harm (F104)', async (tool) => {
  const { text, isError } = await call(server, tool);
  expect({ isError, last: text.split(/first/).at(-1) }).toEqual({ isError: false, last: 'second\n' });
});
