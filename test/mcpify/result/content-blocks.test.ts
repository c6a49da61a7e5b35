import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { createMask, maskResult } from '../../../packages/mcpify/src/result/mask-secrets.js';
import { createOutputCheck } from '../../../packages/mcpify/src/result/check-output.js';
import type { JsonSchema } from '../../../packages/mcpify/src/schema/json-schema.js';
import { toToolResult } from '../../../packages/mcpify/src/result/to-tool-result.js';

const folder = mkdtempSync(join(tmpdir(), 'mcpify-blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

function resultOf(value: unknown, printed = '', outputSchema?: JsonSchema, omittedBytes = 0) {
  return toToolResult(
    {
      end: { kind: 'returned', value },
      output: {
        segments: printed === '' ? [] : [{ stream: 'stdout', text: printed }],
        totalBytes: 9_999,
        omittedBytes,
      },
    },
    {
      exitCodes: [],
      parameters: [],
      outputBudgetBytes: 1_000,
      checkOutput: outputSchema && createOutputCheck(outputSchema),
    },
  );
}

const IMAGE = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

describe('blocks that the action returns', () => {
  test.each([
    { type: 'text', text: 'a' },
    IMAGE,
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations: { audience: ['user'] } },
    { type: 'resource', resource: { uri: 'test://a', text: 'a' } },
    { type: 'resource', resource: { uri: 'test://a', blob: 'AAAA' } },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ])('%j is sent as it is, behind what was printed', (block) => {
    expect(resultOf({ content: [block] }, 'printed\n')).toEqual({
      content: [{ type: 'text', text: 'printed\n' }, block],
    });
    expect(resultOf({ content: [block] })).toEqual({ content: [block] });
  });

  test('with structuredContent and isError beside them', () => {
    const value = { content: [IMAGE], structuredContent: { a: new Date(0) }, isError: true };
    expect(resultOf(value)).toEqual({
      content: [IMAGE],
      structuredContent: { a: '1970-01-01T00:00:00.000Z' },
      isError: true,
    });
  });

  test.each([
    [{ content: [] }],
    [{ content: ['a'] }],
    [{ content: [null] }],
    [{ content: [{ type: 'image', data: 'AAAA' }] }],
    [{ content: [{ type: 'resource', resource: { uri: 'a' } }] }],
    [{ content: [{ type: 'constructor' }] }],
    [{ content: [{ type: 'video', data: 'AAAA', mimeType: 'video/mp4' }] }],
    [{ content: [IMAGE, { name: 'pen' }] }],
    [{ content: 'text' }],
  ])('%j is data like any other', (value) => {
    expect(resultOf(value)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    });
  });

  test('secrets are hidden in their texts, data is left as it is', () => {
    const content = [
      { type: 'image', data: 'sesame', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://sesame', text: 'sesame' } },
    ] as const;
    expect(maskResult({ content }, createMask(['sesame'])).content).toEqual([
      { type: 'image', data: 'sesame', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://***', text: '***' } },
    ]);
  });

  test.each(['text', 'image', 'image/png', 'user'])(
    '%j as a secret leaves what the protocol reads',
    (secret) => {
      const annotations = { audience: ['user'] };
      const content = [
        { type: 'text', text: secret, annotations },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ] as const;
      expect(maskResult({ content }, createMask([secret])).content).toEqual([
        { type: 'text', text: '***', annotations },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ]);
    },
  );

  test.each([
    [{ content: [IMAGE, { ...IMAGE, data: '***' }] }, 'content[1].data is no base64'],
    [{ content: [{ ...IMAGE, data: 'AAAAA' }] }, 'content[0].data is no base64'],
    [
      { content: [{ type: 'resource', resource: { uri: 'a', blob: 'é' } }] },
      'content[0].resource.blob is no base64',
    ],
  ])('%j: an error that names the place', (value, message) => {
    expect(resultOf(value)).toMatchObject({
      content: [{ text: expect.stringContaining(message) }],
      isError: true,
    });
  });
});

describe('blocks that name a file', () => {
  const at = (name: string, bytes = 'PNG') => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  test.each([
    ['image', 'a.PNG', undefined, 'image/png'],
    ['audio', 'a.mp3', undefined, 'audio/mpeg'],
    ['image', 'a.bin', 'image/avif', 'image/avif'],
  ])('%s %s %s', (type, name, given, mimeType) => {
    const block = { type, path: at(name), ...(given && { mimeType: given }) };
    expect(resultOf({ content: [block] })).toEqual({ content: [{ type, mimeType, data: 'UE5H' }] });
  });

  test('that is not there, is of an unknown kind or too large: an error that says so', () => {
    const large = at('large.png');
    truncateSync(large, 21 * 1024 * 1024);
    for (const [path, reason] of [
      [join(folder, 'none.png'), /ENOENT.*none\.png/],
      [at('a.xyz'), /media type of .*a\.xyz is not known/],
      [large, /22020096 bytes; at most 20971520/],
    ] as const) {
      const { content, isError } = resultOf({ content: [{ type: 'image', path }] }, 'printed\n');
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/^printed\n/);
      expect(content[0]?.text).toMatch(reason);
    }
  });
});

describe('McpOutput', () => {
  const SCHEMA = { type: 'object', properties: { articles: { type: 'integer' } }, required: ['articles'] };

  test('a property too many is told as one', () => {
    const { content } = resultOf({ articles: 3, more: 1 }, '', { ...SCHEMA, additionalProperties: false });
    expect(content.at(-1)?.text).toContain('output schema: /more: The schema has no such property.');
  });

  test.each([
    ['returned', { articles: 3 }, ''],
    ['printed', undefined, '{\n  "articles": 3\n}\n'],
    ['returned, beside other output', { articles: 3 }, 'counting\n'],
    ['returned with blocks', { content: [IMAGE], structuredContent: { articles: 3 } }, ''],
  ])('an object that matches: %s', (_, value, printed) => {
    expect(resultOf(value, printed, SCHEMA)).toMatchObject({ structuredContent: { articles: 3 } });
    expect(resultOf(value, printed, SCHEMA).isError).toBeUndefined();
  });

  test('over the budget the text is cut, the object is whole', () => {
    const value = { articles: 3, note: 'x'.repeat(5_000) };
    const { content, structuredContent } = resultOf(value, '', SCHEMA);
    expect(structuredContent).toEqual(value);
    expect(content[0]?.text?.length).toBeLessThan(1_200);
  });

  test.each<[string, unknown, string, RegExp]>([
    ['of another type', { articles: 'many' }, '', /output schema: \/articles: .*integer/],
    ['without what is required', {}, '', /output schema: .*"articles"/],
    ['printed', undefined, '{"articles":true}', /output schema: \/articles/],
    ['no JSON', undefined, 'three', /printed no JSON object/],
    ['a list', undefined, '[1]', /printed no JSON object/],
    ['nothing', undefined, '', /printed no JSON object/],
  ])('anything else is an error: %s', (_, value, printed, reason) => {
    const { content, structuredContent, isError } = resultOf(value, printed, SCHEMA);
    expect(isError).toBe(true);
    expect(structuredContent).not.toMatchObject({ articles: 3 });
    expect(content.at(-1)?.text).toMatch(reason);
  });

  test('JSON that was cut is not guessed', () => {
    const { content, isError } = resultOf(undefined, '{"articles":3}', SCHEMA, 50);
    expect(isError).toBe(true);
    expect(content.at(-1)?.text).toMatch(/9999 bytes, more than are kept/);
  });

  test('a broken schema is told, not thrown', () => {
    const broken = { type: 'object', properties: { a: { $ref: '#/$defs/none' } } };
    expect(resultOf({ a: 1 }, '', broken).content.at(-1)?.text).toMatch(/own schema is broken/);
  });
});
