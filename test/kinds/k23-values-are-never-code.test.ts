import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, list, serve } from './kind-server.js';

/* K23: on every path to a command a value is one value: no shell, no flag, no second value, no file of its choosing. */

let server: RawServer;
let folder = '';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-kinds-')));
  server = await serve('argv.mjs', { cwd: folder });
});
afterAll(() => {
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

const PAYLOADS = [
  '; touch pwned', '$(touch pwned)', '`touch pwned`', '| touch pwned', '&& touch pwned', '|| touch pwned', '\ntouch pwned\n', "'; touch pwned; '",
  '"; touch pwned; "', '$(touch\u0020pwned)', '${IFS}touch${IFS}pwned', '> pwned', '< /etc/passwd', '*', '~', '\\', '%0atouch pwned', '{touch,pwned}',
  '--', '-', '--help', '--text=other', '-s', '-sx', '--profile=other', '--no-list', '--inspect-brk', '-e', '--eval=require("fs").writeFileSync("pwned", "")',
  '--import=data:text/javascript,', '--require=./x.cjs', '@file', 'file:///etc/passwd', '__proto__', 'constructor', 'a,b', 'k=v,admin=true', 'a b', 'a\tb', '\u0000--text=other',
]; // prettier-ignore

const everywhere = (text: string) => ({
  text, optional: text, list: [text, text], s: text, secretWord: text, profile: text, first: text, more: [text, text],
}); // prettier-ignore

describe.each(['here', 'child'])('%s', (tool) => {
  test('every payload in every place is the value that arrives (F139)', async () => {
    const alone = tool === 'here' ? PAYLOADS : PAYLOADS.filter((_, index) => index % 6 === 0);
    const answers = await Promise.all(
      alone.map(async (text) => [text, await call(server, tool, everywhere(text))] as const),
    );
    for (const [text, answer] of answers) {
      expect(answer.isError, answer.text).toBe(false);
      expect(JSON.parse(answer.text)).toEqual({ ...everywhere(text), pairs: [] });
    }
    const together = await call(server, tool, { list: PAYLOADS, first: 'f', more: PAYLOADS });
    expect(JSON.parse(together.text)).toMatchObject({ list: PAYLOADS, more: PAYLOADS });
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  test('the same in debug mode, and under the spelling of flags (F141)', async () => {
    for (const text of PAYLOADS.slice(0, 3)) {
      const flags = { '--text': text, '-s': text, '--secret-word': text, '--list': [text], debug: true };
      const { text: answer } = await call(server, tool, flags);
      expect(JSON.parse(answer.split('\n', 1)[0]!)).toMatchObject({
        text,
        s: text,
        secretWord: text,
        list: [text],
      });
    }
  });

  test('a comma in a value makes no second one, but where the command itself splits (F144)', async () => {
    const { text } = await call(server, tool, { list: ['a,b', 'k=v,admin=true'], pairs: ['a,b', 'c'] });
    expect(JSON.parse(text)).toMatchObject({ list: ['a,b', 'k=v,admin=true'], pairs: ['a', 'b', 'c'] });
  });
});

describe('an executable subcommand', () => {
  const args = PAYLOADS.filter((each) => !each.includes('\0'));
  const received = async (name: string, values: object) => {
    const { text, isError } = await call(server, name, values);
    expect(isError, text).toBe(false);
    return JSON.parse(text) as string[];
  };

  test.each([
    ['file', {}, []],
    ['file', { profile: 'p' }, []],
    ['group_file', {}, []],
    ['group_file', { region: 'r', profile: 'p' }, []],
    ['stops_file', {}, []],
    ['stops_file', { region: 'r' }, []],
    ['knows_file', {}, []],
    ['knows_file', { level: 'l', profile: 'p' }, ['--level=l']],
  ])('gets its arguments as they are, none of them as an option: %s %j', async (name, values, options) => {
    expect(await received(name, { ...values, args })).toEqual([...options, '--', ...args]);
  });

  test('that parses in a way of its own sees no dashes where nothing looks like an option', async () => {
    expect(await received('file', { args: ['a', 'b=c'] })).toEqual(['a', 'b=c']);
  });

  test('whose author lets through options that it does not know gets them', async () => {
    expect(await received('lets_file', { args: ['--text=other', 'a'] })).toEqual(['--text=other', 'a']);
  });
});

test('random texts in random places', async () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(...PAYLOADS),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  const sent = fc.record(
    {
      text: word,
      optional: fc.oneof(word, fc.constant(true)),
      list: fc.array(word, { minLength: 1, maxLength: 3 }),
      s: word,
      profile: word,
      first: word,
      more: fc.array(word, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['first'] },
  );
  await fc.assert(
    fc.asyncProperty(sent, async (values) => {
      const { text, isError } = await call(server, 'here', values);
      expect(isError, text).toBe(false);
      expect(JSON.parse(text)).toEqual({ more: [], pairs: [], ...values });
    }),
    { numRuns: 300 },
  );
});

describe('no parameter says where the server writes, works or what it starts (F143)', () => {
  test('none of the listed ones', async () => {
    for (const tool of (await list(server)).values()) {
      for (const key of Object.keys(tool['inputSchema'].properties)) {
        expect(key).not.toMatch(
          /^(?:cwd|logFile|stateDir|taskFolder|shell|env|execPath|node|cliEntry|root)$/i,
        );
      }
    }
  });

  test.each(['cwd', 'env', 'shell', 'stateDir', 'cliEntry', 'execArgv', 'timeoutMs', 'root'])(
    '%s is refused',
    async (key) => {
      for (const tool of ['here', 'child']) {
        expect(await call(server, tool, { [key]: '/tmp' })).toMatchObject({
          isError: true,
          text: expect.stringContaining('Unknown parameter'),
        });
      }
    },
  );

  test('nor does anything beside the arguments', async () => {
    const params = { name: 'here', arguments: { text: 'x' }, cwd: '/', env: { A: 'b' }, shell: true };
    const { result } = await server.request('tools/call', params);
    expect(JSON.parse(result?.['content'][0].text)).toMatchObject({ text: 'x' });
  });
});
