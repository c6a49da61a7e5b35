import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { CLIENT_KINDS, connect, startServer, textOf, type WireClient } from './connect.js';

const ENTRY = 'examples/publish-gate/dist/mcp.js';
const SAMPLES = 'examples/publish-gate/samples';

const DEBUG = { type: 'boolean' };

/** Pinned by hand: what hosts cache and models read changes only on purpose. */
const TOOLS = [
  {
    name: 'check_numbers',
    title: 'Check numbers',
    description:
      'Lists the numbers of a draft that are not in its facts: PASS, or FAIL (n) and n lines.\n' +
      'Not together: draftText, draftPath.\nNot together: factsText, factsPath.',
    inputSchema: {
      type: 'object',
      properties: {
        draftText: { type: 'string', description: 'the draft, in place of a file' },
        draftPath: { type: 'string', description: 'the draft as a UTF-8 file (path; ~ is not expanded)' },
        factsText: { type: 'string', description: 'the facts, in place of a file' },
        factsPath: { type: 'string', description: 'the facts as a UTF-8 file (path; ~ is not expanded)' },
        debug: DEBUG,
      },
      additionalProperties: false,
    },
    annotations: {
      title: 'Check numbers',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: 'check_links',
    title: 'Check links',
    description:
      'Lists the web links of a draft that do not answer: PASS, or FAIL (n) and n lines.\n' +
      'Not together: draftText, draftPath.',
    inputSchema: {
      type: 'object',
      properties: {
        draftText: { type: 'string', description: 'the draft, in place of a file' },
        draftPath: { type: 'string', description: 'the draft as a UTF-8 file (path; ~ is not expanded)' },
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          maximum: 600_000,
          default: 10_000,
          description: 'how long one link may take, in milliseconds',
        },
        debug: DEBUG,
      },
      additionalProperties: false,
    },
    annotations: {
      title: 'Check links',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
];

/** `/ok` answers 200, all else 404. */
const site = createServer(({ url }, response) => response.writeHead(url === '/ok' ? 200 : 404).end());
let siteUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(() => {
  site.closeAllConnections();
  site.close();
});

describe.each(CLIENT_KINDS)('%s client', (kind) => {
  let client: WireClient;

  beforeAll(async () => {
    client = await connect(kind, ENTRY);
  });

  test('sees the package as the server', () => {
    expect(client.server).toEqual({ name: 'publish-gate', version: '0.1.0' });
  });

  test('lists both checks', async () => {
    expect(await client.listTools()).toEqual(TOOLS);
  });

  test('a check that passes is a normal result', async () => {
    const result = await client.callTool('check_numbers', {
      draftPath: `${SAMPLES}/draft.md`,
      factsPath: `${SAMPLES}/facts.md`,
    });
    expect(result.isError).toBeFalsy();
    expect(textOf(result).trim()).toBe('PASS');
  });

  test('a check that does not pass is a normal result too', async () => {
    const result = await client.callTool('check_numbers', {
      draftPath: `${SAMPLES}/draft-with-mistakes.md`,
      factsPath: `${SAMPLES}/facts.md`,
    });
    expect(result.isError).toBeFalsy();
    expect(textOf(result).trim().split('\n')).toEqual([
      'FAIL (3)',
      'line 3: 2026-03-15 is not in the facts',
      'line 3: 1.52 million is not in the facts',
      'lines 5, 6: 33% is not in the facts',
      '[exit code 1]',
    ]);
  });

  test('a request without a draft is an error that names both parameters', async () => {
    const result = await client.callTool('check_numbers', { factsText: '1' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('error: no draft given: pass --draft-text or --draft-path');
    expect(textOf(result)).toMatch(/"draftText".*"draftPath"/);
  });

  test('text and file at once are refused', async () => {
    const result = await client.callTool('check_links', { draftText: 'a', draftPath: 'b' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/"draftText".*"draftPath"/);
  });

  test('a file that cannot be read is an error, not a finding', async () => {
    const result = await client.callTool('check_numbers', { draftPath: 'no/such.md', factsText: '1' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('error: cannot read no/such.md: there is no such file');
    expect(textOf(result)).not.toContain('FAIL');
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ draft_txt: 'a' }, /"draft_txt".*draftText/],
    [{ draftText: ['a', 'b'] }, /"draftText" must be a text/],
    [
      { draftText: 'a', timeoutMs: 'soon' },
      /"timeoutMs" must be an integer of at least 1.*at most 600000; you sent "soon"/,
    ],
    [
      { draftText: 'a', timeoutMs: 0 },
      /"timeoutMs" must be an integer of at least 1.*at most 600000; you sent 0/,
    ],
  ])('the wrong arguments %j are named', async (toolArguments, message) => {
    const result = await client.callTool('check_links', toolArguments);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
  });

  test('an unknown tool is a protocol error', async () => {
    await expect(client.callTool('check_number')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('check_numbers'),
    });
  });

  test('links are asked, each with progress', async () => {
    const progress: unknown[] = [];
    const result = await client.callTool(
      'check_links',
      { draftText: `${siteUrl}/ok\n\n[a](${siteUrl}/gone)` },
      { onProgress: (report) => progress.push(report) },
    );
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toContain(`FAIL (1)\nline 3: ${siteUrl}/gone answers 404`);
    // The second one comes with the result; a busy client reads both at once, and drops the report.
    expect(progress.at(0)).toMatchObject({ progress: 1, total: 2 });
  });

  test('links that all answer pass', async () => {
    const result = await client.callTool('check_links', { draftText: `${siteUrl}/ok` });
    expect(textOf(result).trim()).toBe('PASS');
  });
});

test('two lines and the end of input: two answers and exit code 0', async () => {
  const server = startServer(ENTRY);
  server.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'printf', version: '1' } },
  });
  server.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });

  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(server.messages).toHaveLength(2);
  expect(server.messages[0]).toMatchObject({
    id: 1,
    result: { protocolVersion: '2024-11-05', serverInfo: { name: 'publish-gate' } },
  });
  expect(server.messages[1]).toMatchObject({ id: 2, result: { tools: [{ name: 'check_numbers' }, {}] } });
  expect(server.stderr).toBe('');
});

test('calls that run when the input ends are answered', async () => {
  const server = startServer(ENTRY);
  await server.initialize();
  server.send({
    jsonrpc: '2.0',
    id: 'links',
    method: 'tools/call',
    params: { name: 'check_links', arguments: { draftText: `${siteUrl}/ok` } },
  });

  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  const answer = await server.answerTo('links');
  expect(answer.result?.['content'][0].text.trim()).toBe('PASS');
});

test('a cancelled call stops its requests, gets no answer, and the next call goes on', async () => {
  const silent = createServer();
  const asked = once(silent, 'request');
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const draftText = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const server = startServer(ENTRY);
  await server.initialize();
  const params = { name: 'check_links', arguments: { draftText } };
  server.send({ jsonrpc: '2.0', id: 'waits', method: 'tools/call', params });
  const [, response] = (await asked) as [unknown, ServerResponse];
  const hungUp = once(response, 'close');

  server.notify('notifications/cancelled', { requestId: 'waits' });
  await hungUp;

  const next = await server.request('tools/call', {
    name: 'check_numbers',
    arguments: { draftText: '1', factsText: '1' },
  });
  expect(next.result?.['content'][0].text.trim()).toBe('PASS');
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(server.messages.filter(({ id }) => id === 'waits')).toEqual([]);
});
