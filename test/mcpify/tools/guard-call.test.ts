import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import type { Middleware } from '../../../packages/mcpify/src/options/middleware.js';
import { createOutputCheck } from '../../../packages/mcpify/src/result/check-output.js';
import type { JsonSchema } from '../../../packages/mcpify/src/schema/json-schema.js';
import { runThroughMiddleware } from '../../../packages/mcpify/src/tools/guard-call.js';

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as JsonSchema;
const OWN = { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } } as const;

const folder = mkdtempSync(join(tmpdir(), 'mcpify-guard-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(middleware: Middleware, hasSchema = true) {
  const call = { tool: { name: 'count' }, values: {}, signal: new AbortController().signal };
  const checkOutput = hasSchema ? createOutputCheck(SCHEMA) : undefined;
  return runThroughMiddleware([middleware], call as never, { secrets: [], checkOutput }, () =>
    Promise.resolve(OWN),
  );
}

describe('a result in place of that of a tool with an output schema', () => {
  const text = { type: 'text', text: 'replaced' } as const;

  test.each<[string, Middleware]>([
    ['around', { around: () => Promise.resolve({ content: [text] }) }],
    ['after', { after: () => ({ content: [text] }) }],
    ['with another form', { after: () => ({ content: [text], structuredContent: { n: 'one' } }) }],
  ])('%s: refused where it does not fit', async (_, middleware) => {
    const result = await run(middleware);
    expect(result).toMatchObject({
      content: [{ text: expect.stringMatching(/^A middleware gave a result that the tool's output schema/) }],
      isError: true,
    });
    expect(result).not.toHaveProperty('structuredContent');
  });

  test('one that fits, a failure, and the own one pass', async () => {
    const other = { content: [text], structuredContent: { n: 2 } };
    expect(await run({ after: () => other })).toEqual(other);
    expect(await run({ after: () => ({ content: [text], isError: true }) })).toMatchObject({ isError: true });
    expect(await run({})).toBe(OWN);
    expect(await run({ after: () => ({ content: [text] }) }, false)).toEqual({ content: [text] });
  });
});

test('a file that a block names is read, or refused', async () => {
  const path = join(folder, 'x.png');
  writeFileSync(path, 'PNG');
  const image = (file: string) =>
    ({ after: () => ({ content: [{ type: 'image', path: file }] }) }) as Middleware;
  expect(await run(image(path), false)).toEqual({
    content: [{ type: 'image', mimeType: 'image/png', data: 'UE5H' }],
  });
  expect(await run(image(join(folder, 'none.png')), false)).toMatchObject({
    content: [{ text: expect.stringContaining('none.png') }],
    isError: true,
  });
});
