import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';

import { createOutputCheck } from '../../../packages/mcpify/src/result/check-output.js';
import { createMask, type SecretMask } from '../../../packages/mcpify/src/result/mask-secrets.js';
import type { CallEnd, OutputSegment } from '../../../packages/mcpify/src/result/outcome.js';
import { toToolResult } from '../../../packages/mcpify/src/result/to-tool-result.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';
import type { JsonSchema } from '../../../packages/mcpify/src/schema/json-schema.js';
import { readCommand } from '../../../packages/mcpify/src/schema/read-command.js';

const FACTS = { exitCodes: [3], parameters: [], outputBudgetBytes: 1_000 };

type Printed = readonly (readonly [stream: OutputSegment['stream'], text: string])[];

function result(end: CallEnd, printed: Printed = [], facts: Partial<typeof FACTS> = {}) {
  const segments = printed.map(([stream, text]) => ({ stream, text }));
  const { content, ...rest } = toToolResult(
    { end, output: { segments, totalBytes: 0, omittedBytes: 0 } },
    { ...FACTS, ...facts },
  );
  expect(content).toHaveLength(1);
  return { text: content[0]?.text, ...rest };
}

const returned = (value?: unknown): CallEnd => ({ kind: 'returned', value });

describe('what was printed', () => {
  test('is the text', () => {
    expect(result(returned(), [['stdout', 'one\ntwo\n']])).toEqual({ text: 'one\ntwo\n' });
  });

  test('stderr stands under its own heading, in the order of writing', () => {
    const printed: Printed = [
      ['stdout', 'a\n'],
      ['stderr', 'b'],
      ['stdout', 'c\n'],
    ];
    expect(result(returned(), printed).text).toBe('a\n[stderr]\nb\n[stdout]\nc\n');
  });

  test('nothing printed and nothing returned is said', () => {
    expect(result(returned()).text).toBe('Done. The command printed nothing.');
  });

  test('a cut is stated where it lies, with the size of the whole', () => {
    const segments = [
      { stream: 'stdout', text: 'head\n' },
      { stream: 'stdout', text: 'tail\n', omittedBefore: true },
    ] as const;
    const output = { segments, totalBytes: 5_000, omittedBytes: 4_990 };
    const { content } = toToolResult({ end: returned(), output }, FACTS);
    expect(content[0]?.text).toBe('head\n[… 4990 of 5000 bytes of output left out here …]\ntail\n');
  });
});

describe('what was returned', () => {
  test.each<[unknown, string, object | undefined]>([
    ['text', 'text', undefined],
    [5, '5', undefined],
    [false, 'false', undefined],
    [12n, '12', undefined],
    [{ a: 1 }, '{"a":1}', { a: 1 }],
    [[1, 2], '[1,2]', { array: [1, 2] }],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', { at: '1970-01-01T00:00:00.000Z' }],
    [new Date(0), '1970-01-01T00:00:00.000Z', undefined],
  ])('%s', (value, text, structured) => {
    expect(result(returned(value))).toEqual({ text, ...(structured && { structuredContent: structured }) });
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a function', () => {}],
    ['a Command', new Command('app')],
    ['an object of a class', new (class Server {})()],
    ['a Map', new Map([[1, 2]])],
  ])('%s is no result', (_case, value) => {
    expect(result(returned(value), [['stdout', 'printed\n']])).toEqual({ text: 'printed\n' });
  });

  test('a value that is not JSON is a failure where it is all that there is, else it is left out', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const { text, ...more } = result(returned(circular), [['stdout', 'printed\n']]);
    expect(text).toMatch(/^printed\n\[What the command returned besides is left out: it is not JSON \(/);
    expect(more).toEqual({});
    expect(result(returned(circular))).toEqual({
      text: expect.stringMatching(/^\[The command returned a value that is not JSON \(/),
      isError: true,
    });
    expect(
      result(returned({ content: [{ type: 'text', text: 'a' }], structuredContent: circular })),
    ).toMatchObject({
      isError: true,
    });
  });

  test('what is printed and returned alike is said once', () => {
    expect(result(returned({ a: 1 }), [['stdout', '{"a":1}\n']])).toEqual({
      text: '{"a":1}\n',
      structuredContent: { a: 1 },
    });
  });

  test('over the budget it is cut to head and tail, with its size', () => {
    const { text, structuredContent } = result(returned({ a: 'x'.repeat(5_000) }));
    expect(text).toMatch(/^\{"a":"x+\n\[… cut here: the returned value has 5008 bytes …\]\nx+"\}$/);
    expect(text?.length).toBeLessThan(1_100);
    expect(structuredContent).toBeUndefined();
  });
});

describe('how it ended', () => {
  test('exit code 0 is success', () => {
    expect(result({ kind: 'exited', exitCode: 0 }, [['stdout', 'ok\n']])).toEqual({ text: 'ok\n' });
  });

  test('a code of McpExitCodes is a normal result that says the code', () => {
    expect(result({ kind: 'exited', exitCode: 3 }, [['stdout', 'FAIL\n']])).toEqual({
      text: 'FAIL\n[exit code 3]',
    });
  });

  test('any other code is an error', () => {
    expect(result({ kind: 'exited', exitCode: 4 }, [['stderr', 'no\n']])).toEqual({
      text: '[stderr]\nno\n[exit code 4] The command failed.',
      isError: true,
    });
  });

  test('what was returned with a code set is there, too', () => {
    const end = (exitCode: number, value: unknown): CallEnd => ({ kind: 'exited', exitCode, value });
    expect(result(end(3, 'two differ'))).toEqual({ text: 'two differ\n[exit code 3]' });
    expect(result(end(3, { differ: 2 }), [['stdout', 'compared\n']])).toEqual({
      text: 'compared\n{"differ":2}\n[exit code 3]',
      structuredContent: { differ: 2 },
    });
    expect(result(end(4, 'no such table'))).toEqual({
      text: 'no such table\n[exit code 4] The command failed.',
      isError: true,
    });
    expect(result(end(4, undefined)).text).toBe('[exit code 4] The command failed and printed nothing.');
    expect(result(end(4, 'x'.repeat(2_000))).text?.length).toBeLessThan(1_200);
  });

  test('a thrown error is told with its name, code and cause, without its stack', () => {
    const error = Object.assign(new TypeError('bad', { cause: new Error('deep') }), { code: 'E_BAD' });
    expect(result({ kind: 'threw', error })).toEqual({
      text: 'TypeError: bad (E_BAD)\nCaused by: Error: deep',
      isError: true,
    });
  });

  test('passwords in URLs are masked', () => {
    const error = new Error('cannot reach postgres://me:s3cret@host/db');
    expect(result({ kind: 'threw', error }).text).toBe('Error: cannot reach postgres://me:***@host/db');
  });

  test.each<[unknown, string]>([
    ['text', 'text'],
    [{ reason: 1 }, '{"reason":1}'],
    [undefined, 'The command failed without a reason (it threw undefined).'],
    [null, 'The command failed without a reason (it threw null).'],
  ])('%j may be thrown too', (error, text) => {
    expect(result({ kind: 'threw', error })).toEqual({ text, isError: true });
  });

  test('a refusal, a deadline and a cancellation are errors', () => {
    expect(result({ kind: 'refused', message: 'Why.' })).toEqual({ text: 'Why.', isError: true });
    expect(result({ kind: 'timedOut', timeoutMs: 50 }, [['stdout', 'so far\n']])).toEqual({
      text: 'so far\nTimed out: the call was stopped after 50 ms.',
      isError: true,
    });
    expect(result({ kind: 'cancelled' }).isError).toBe(true);
  });
});

describe("commander's own errors", () => {
  const program = new Command('app')
    .addOption(new Option('-n, --dry-run').conflicts('force'))
    .option('--force');
  const node = program as unknown as CommandNode;
  const { parameters } = readCommand(node, {
    pinned: new Set(),
    defaulted: new Set(),
    describe: () => undefined,
  });
  const refusal = { kind: 'commanderError', exitCode: 1 } as const;

  test('name the parameters, and are told once', () => {
    const message = "error: option '-n, --dry-run' cannot be used with option '--force'";
    const end: CallEnd = { ...refusal, code: 'commander.conflictingOption', message };
    expect(result(end, [['stderr', `${message}\n`]], { parameters } as never)).toEqual({
      text: `[stderr]\n${message}\n(--dry-run is the parameter "dryRun"; --force is the parameter "force".)`,
      isError: true,
    });
  });

  test('stay errors whatever McpExitCodes says', () => {
    const end: CallEnd = { ...refusal, exitCode: 3, code: 'commander.invalidArgument', message: 'error: no' };
    expect(result(end).isError).toBe(true);
  });

  test('what an action says with error() follows its exit code', () => {
    const end: CallEnd = { ...refusal, exitCode: 3, code: 'commander.error', message: 'error: no' };
    expect(result(end)).toEqual({ text: 'error: no\n[exit code 3]' });
    expect(result({ ...end, exitCode: 7 })).toEqual({ text: 'error: no\n[exit code 7]', isError: true });
  });

  test('help and version are normal results', () => {
    const end: CallEnd = {
      ...refusal,
      exitCode: 0,
      code: 'commander.helpDisplayed',
      message: '(outputHelp)',
    };
    expect(result(end, [['stdout', 'Usage: app\n']])).toEqual({ text: 'Usage: app\n' });
  });
});

describe('a secret that a cut goes through (K22)', () => {
  const mask = createMask(['correct horse']) as SecretMask;
  const facts = { ...FACTS, outputBudgetBytes: 100, mask };
  const nothing = { segments: [], totalBytes: 0, omittedBytes: 0 };

  test('in a long error', () => {
    const error = new Error(`${'x'.repeat(3_980)} correct horse ${'y'.repeat(100)}`);
    const { content } = toToolResult({ end: { kind: 'threw', error }, output: nothing }, facts);
    expect(content[0]?.text).not.toMatch(/corr/);
  });

  test('in a long value that is returned', () => {
    const value = `${'x'.repeat(44)}correct horse${'y'.repeat(40)}correct horse${'x'.repeat(44)}`;
    const { content } = toToolResult({ end: returned(value), output: nothing }, facts);
    expect(content[0]?.text).not.toMatch(/corr|orse/);
  });

  test('in a long output; the task that has all of it goes on in front of the secret', () => {
    const output = {
      segments: [
        { stream: 'stdout', text: 'correct horse é, corre' },
        { stream: 'stderr', text: 'ct horse, correct horse', omittedBefore: true },
      ],
      totalBytes: 1_000,
      omittedBytes: 900,
    } as const;
    const { content } = toToolResult({ end: returned(), output }, { ...facts, keptAs: 't1' });
    expect(mask(content[0]?.text ?? '')).toBe(
      '*** é, ***\n[… 900 of 1000 bytes of output left out here: task_result {"taskId":"t1","offsetBytes":8} …]\n' +
        '[stderr]\n***, ***',
    );
  });
});

test('a text block that is returned has the budget of all output', () => {
  const text = `a${'c'.repeat(3_000)}z`;
  const content = [{ type: 'text', text }];
  const output = { segments: [], totalBytes: 0, omittedBytes: 0 };
  const shown = toToolResult({ end: returned({ content }), output }, FACTS).content[0]?.text ?? '';
  expect(shown.length).toBeLessThan(1_100);
  expect(shown).toMatch(/^ac+\n\[… cut here: the returned text has 3002 bytes …\]\nc+z$/);
});

describe('a secret in an object that is returned (K22)', () => {
  const nothing = { segments: [], totalBytes: 0, omittedBytes: 0 };
  const resultOf = (value: object, secret: string, schema?: JsonSchema) =>
    toToolResult(
      { end: returned(value), output: nothing },
      {
        ...FACTS,
        mask: createMask([secret]),
        ...(schema && { checkOutput: createOutputCheck(schema) }),
      },
    );

  test.each<[object, string, object]>([
    [{ n: 1234, m: 12_345, k: 1 }, '1234', { n: '***', m: '***5', k: 1 }],
    [{ abcd: 1, x: { 'a-abcd': 'abcd' } }, 'abcd', { '***': 1, x: { 'a-***': '***' } }],
    [{ ok: true, no: null }, 'true', { ok: '***', no: null }],
  ])('%j without %j: text and object say the same', (value, secret, shown) => {
    expect(resultOf(value, secret)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(shown) }],
      structuredContent: shown,
    });
  });

  test('in a list', () => {
    expect(resultOf([1234], '1234')).toEqual({
      content: [{ type: 'text', text: '["***"]' }],
      structuredContent: { array: ['***'] },
    });
  });

  test('where the schema has no place for what is left: withheld', () => {
    const schema = { type: 'object', properties: { n: { enum: ['abcd', 'x'] } } } as JsonSchema;
    expect(resultOf({ n: 'x' }, 'abcd', schema)).toMatchObject({ structuredContent: { n: 'x' } });
    const { content, structuredContent, isError } = resultOf({ n: 'abcd' }, 'abcd', schema);
    expect({ structuredContent, isError }).toEqual({ structuredContent: undefined, isError: true });
    expect(content[1]?.text).toMatch(/secret parameter.*is withheld/);
    expect(JSON.stringify(content)).not.toContain('abcd');
  });
});
