import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test } from 'vitest';

import { answerOf, post, startHttp, startOwn, type HttpServer } from '../http/http-server.js';
import { modernMeta } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';

/* Commands as resources, for the clients of both SDKs, on stdio and over HTTP. */

const ENTRY = 'test/fixtures/resources/mcp.mjs';

let http: HttpServer;

beforeAll(async () => {
  http = await startHttp(ENTRY);
});

const INFO = { name: 'tests', version: '1.0.0' };
const PIN = { mode: { pin: '2026-07-28' } } as const;

const CLIENTS = {
  async 'v1, stdio'() {
    const client = new ClientV1(INFO);
    await client.connect(new StdioV1(serverCommand(ENTRY, {})));
    return client;
  },
  async 'v1, HTTP'() {
    const client = new ClientV1(INFO);
    await client.connect(new HttpV1(new URL(http.url)) as never);
    return client;
  },
  'v2 with a handshake, stdio': () => connectV2('legacy', new StdioV2(serverCommand(ENTRY, {}))),
  'v2 with a handshake, HTTP': () => connectV2('legacy', new HttpV2(new URL(http.url))),
  'v2 2026-07-28, stdio': () => connectV2(PIN.mode, new StdioV2(serverCommand(ENTRY, {}))),
  'v2 2026-07-28, HTTP': () => connectV2(PIN.mode, new HttpV2(new URL(http.url))),
};

async function connectV2(mode: 'legacy' | typeof PIN.mode, transport: StdioV2 | HttpV2) {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

test.concurrent.each(Object.entries(CLIENTS))(
  '%s: lists, reads, and is told what fails',
  async (_, connect) => {
    const client = await connect();
    try {
      expect(client.getServerCapabilities()).toHaveProperty('resources');
      const { resources } = await client.listResources();
      expect(resources[0]).toMatchObject({ uri: 'notes://all', title: 'All notes' });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates[0]).toMatchObject({ uriTemplate: 'notes://note/{name}', name: 'show' });
      const read = async (uri: string) => (await client.readResource({ uri })).contents;
      expect(await read('notes://all')).toMatchObject([{ mimeType: 'text/markdown', text: '# All\n' }]);
      expect(await read('notes://note/a%20b')).toMatchObject([{ text: 'note "a b"' }]);
      expect(await read('notes://search/w?limit=3')).toMatchObject([{ mimeType: 'application/json' }]);
      expect((await read('notes://picture'))[1]).toMatchObject({ mimeType: 'image/png' });
      await expect(read('notes://nope')).rejects.toMatchObject({ code: -32_602 });
      await expect(read('notes://fail/x')).rejects.toMatchObject({
        code: -32_603,
        message: expect.stringContaining('cannot: x'),
      });
    } finally {
      await client.close();
    }
  },
);

describe('over HTTP with OAuth', () => {
  let server: HttpServer;

  beforeAll(async () => {
    server = await startOwn('test/fixtures/resources/oauth.mjs');
  });

  const read = (uri: string, token: string, meta?: Record<string, unknown>) =>
    post(
      server.url,
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri, ...(meta && { _meta: meta }) } },
      {
        authorization: `Bearer ${token}`,
        ...(meta && {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'resources/read',
          'mcp-name': uri,
        }),
      },
    );

  describe.each([
    ['with a handshake', undefined],
    ['2026-07-28', modernMeta()],
  ])('%s', (_, meta) => {
    test('a command knows who reads', async () => {
      for (const caller of ['alice', 'bob']) {
        expect((await answerOf(await read('notes://whoami', caller, meta))).result.contents).toMatchObject([
          { text: `${caller} true\n` },
        ]);
      }
    });

    test.each(['notes://secrets/x', 'NOTES://secrets/x', 'notes://secrets/%78'])(
      'McpScope holds for %s',
      async (uri) => {
        const refused = await read(uri, 'alice', meta);
        expect(refused.status).toBe(403);
        expect(refused.headers.get('www-authenticate')).toMatch(/insufficient_scope.*scope="admin"/);
        expect((await answerOf(await read(uri, 'admin-carol', meta))).result.contents).toMatchObject([
          { text: 'secret x\n' },
        ]);
      },
    );
  });
});
