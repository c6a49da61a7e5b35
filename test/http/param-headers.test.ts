import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { resolveSettings } from '../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../packages/mcpify/src/registry/build-registry.js';
import type { CommandNode } from '../../packages/mcpify/src/schema/command-node.js';
import { modernMeta } from '../wire/connect.js';
import { answerOf, post, startHttp, type HttpServer } from './http-server.js';

let server: HttpServer;

beforeAll(async () => {
  server = await startHttp('test/conformance/dist/mcp.js');
});

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

function callWith(
  toolArguments: object | undefined,
  headers: Record<string, string>,
  tool = 'test_x_mcp_header',
) {
  return post(
    server.url,
    {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: tool, arguments: toolArguments, _meta: modernMeta() },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool, ...headers },
  );
}

describe('headers that repeat arguments (protocol.md, section 9)', () => {
  test.each([
    ['as it is', 'eu-1', 'eu-1'],
    ['in the Base64 form', 'Grüße 世界', base64('Grüße 世界')],
    ['a byte order mark is a part of the text', '\uFEFFeu', base64('\uFEFFeu')],
    ['what only looks like the Base64 form', '=?base64?ZXU=', '=?base64?ZXU='],
  ])('the same value: %s', async (_, region, header) => {
    const response = await callWith({ region }, { 'mcp-param-region': header });
    expect(response.status).toBe(200);
    expect(await answerOf(response)).toMatchObject({
      id: 7,
      result: { content: [{ text: `Region: ${region}\n` }] },
    });
  });

  test.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['another value', { 'mcp-param-region': 'us-1' }],
    ['another case', { 'mcp-param-region': 'EU-1' }],
    ['Base64 of another value', { 'mcp-param-region': base64('us-1') }],
    ['Base64 without its padding', { 'mcp-param-region': '=?base64?ZXUtMQ?=' }],
    ['Base64 with foreign characters', { 'mcp-param-region': '=?base64?ZXUt*MQ==?=' }],
    ['Base64 of what is no UTF-8', { 'mcp-param-region': '=?base64?/w==?=' }],
  ])('refused: %s', async (_, headers) => {
    const response = await callWith({ region: 'eu-1' }, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 7,
      error: { code: -32_020, message: expect.stringContaining('Mcp-Param-Region') as string },
    });
  });

  test('an argument that is not given needs no header; what is missing is told as ever', async () => {
    for (const toolArguments of [undefined, {}, { region: null }]) {
      const response = await callWith(toolArguments, { 'mcp-param-region': 'eu-1' });
      expect(response.status).toBe(200);
      expect(await answerOf(response)).toMatchObject({ result: { isError: true } });
    }
  });

  test('tools without such a property need none', async () => {
    expect((await callWith({ name: 'Ada' }, {}, 'greet')).status).toBe(200);
  });
});

describe('at start', () => {
  const registryOf = (flags: string, schema: object, secret = false) => {
    const program = new Command('app');
    const command = program.command('run').option('--zone <zone>').option(flags);
    exposeAsTool(command.action(() => {}));
    describeOption(command, '--zone', { schema: { type: 'string', 'x-mcp-header': 'Zone' } });
    describeOption(command, flags.split(' ')[0] ?? '', { schema: schema as never, secret });
    const node = program as unknown as CommandNode;
    return buildRegistry(node, node, resolveSettings({}, node, undefined));
  };

  test.each([
    ['no token of HTTP', { type: 'string', 'x-mcp-header': 'my region' }],
    ['empty', { type: 'string', 'x-mcp-header': '' }],
    ['no text', { type: 'string', 'x-mcp-header': 5 }],
    ['of a number that is not whole', { type: 'number', 'x-mcp-header': 'Region' }],
    ['of a list', { type: 'array', items: { type: 'string' }, 'x-mcp-header': 'Region' }],
    ['of another option too, in another case', { type: 'string', 'x-mcp-header': 'ZONE' }],
  ])('a header that is %s is a usage error', (_, schema) => {
    expect(() => registryOf('--region <region>', schema)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SETTING',
        message: expect.stringMatching(/"region" of command "app run".*x-mcp-header/) as string,
      }),
    );
  });

  test('so is one of a secret', () => {
    const schema = { type: 'string', 'x-mcp-header': 'Region' };
    expect(() => registryOf('--region <region>', schema, true)).toThrow(/secret/);
    expect(() => registryOf('--region <region>', schema)).not.toThrow();
  });
});
