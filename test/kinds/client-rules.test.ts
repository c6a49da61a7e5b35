import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { brokenRules, CLIENT_RULES, type ListedTool } from '../../packages/mcpify/src/schema/client-rules.js';
import { connect, REPOSITORY } from '../wire/connect.js';

/* K08 to K10: what any of the clients in use would refuse. */

/** A schema of the author's (`McpInputSchema`) is sent unchanged. */
const AUTHORS_OWN = new Set(['json_schema_2020_12_tool']);

test.each([
  'test/conformance/dist/mcp.js',
  'examples/publish-gate/dist/mcp.js',
  'examples/build/dist/mcp.js',
  'examples/class-commands/dist/mcp.js',
])('every tool of %s suits every client', async (entry) => {
  const tools = await (await connect('v2 legacy', entry)).listTools();
  expect(tools.length).toBeGreaterThan(0);
  const generated = tools.filter(({ name }) => !AUTHORS_OWN.has(name));
  expect(generated.flatMap((tool) => brokenRules(tool as unknown as ListedTool))).toEqual([]);
});

const BAD: Readonly<Record<string, Partial<ListedTool> & { property?: object }>> = {
  'name-letters': { name: 'db:migrate' },
  'name-start': { name: '-tool' },
  'name-64': { name: 'x'.repeat(65) },
  'name-60-with-server': { name: 'x'.repeat(59) },
  'description-1024': { description: 'x'.repeat(1_025) },
  'plain-root': { inputSchema: { type: 'object', properties: {}, anyOf: [] } },
  'properties-present': { inputSchema: { type: 'object' } },
  'property-letters': { inputSchema: { type: 'object', properties: { 'filter[name]': {} } } },
  'property-identifiers': { inputSchema: { type: 'object', properties: { 'file-name': {} } } },
  'array-items': { property: { type: 'array' } },
  'no-references': { property: { $ref: '#/x' } },
  'enum-not-empty': { property: { enum: [''] } },
  'enum-one-type': { property: { anyOf: [{ enum: [1] }] } },
  'strict-required': { property: { type: 'string' } },
  'no-format': { property: { type: 'array', items: { type: 'string', format: 'uri' } } },
};

test.each(CLIENT_RULES)('rule $id finds what breaks it', ({ id, effect }) => {
  const { property, ...bad } = BAD[id]!;
  const inputSchema = { type: 'object', properties: property ? { one: property } : {} };
  const problems = brokenRules({ name: 'tool', inputSchema, ...bad }, effect);
  expect(problems.some((problem) => problem.includes(`: ${id} (`))).toBe(true);
  const fine = { type: 'object', properties: { format: {} }, required: ['format'] };
  expect(brokenRules({ name: 'tool', inputSchema: fine }, effect)).toEqual([]);
});

test('docs/clients.md has the table, rule by rule', () => {
  const document = readFileSync(join(REPOSITORY, 'docs/clients.md'), 'utf8');
  const [, table = ''] = document.split('## What clients refuse');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.slice(2).map((row) => row.split('|').map((cell) => cell.trim()));
  expect(cells.map(([, says, clients, sources]) => ({ says, clients, sources }))).toEqual(
    CLIENT_RULES.map(({ says, clients, sources }) => ({
      says,
      clients: clients.join(', '),
      sources: sources.map(({ url, evidence }) => `${evidence}: <${url}>`).join('<br>'),
    })),
  );
});
