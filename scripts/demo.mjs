/*
 * `npm start`: serves the example CLI "publish-gate" over MCP and calls its tools as a client does. No network is
 * needed. Ends by itself: exit code 0, or 1 where anything is not as expected.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const FOLDER = fileURLToPath(new URL('../examples/publish-gate/', import.meta.url));
const LINE_WIDTH = 100;

const site = await startSite();
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
try {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/mcp.js'],
      cwd: FOLDER,
      stderr: 'inherit',
    }),
  );
  await run();
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await client.close();
  site.closeAllConnections();
  site.close();
}

async function run() {
  showServer();
  await showTools();

  heading('A draft whose numbers are all in its facts');
  await call(
    'check_numbers',
    { draftPath: 'samples/draft.md', factsPath: 'samples/facts.md' },
    (text, result) => {
      assert.equal(text, 'PASS');
      assert.equal(result.isError ?? false, false);
    },
  );

  heading('A draft with mistakes: a normal result, although the command ends with exit code 1');
  await call(
    'check_numbers',
    { draftPath: 'samples/draft-with-mistakes.md', factsPath: 'samples/facts.md' },
    (text, result) => {
      assert.match(text, /^FAIL \(3\)\nline 3: 2026-03-15 is not in the facts\n/);
      assert.equal(result.isError ?? false, false);
    },
  );

  heading('Links, asked on a server of this demo, with progress');
  const { port } = site.address();
  const draftText = `Read http://127.0.0.1:${port}/manual and\nhttp://127.0.0.1:${port}/missing.`;
  await call('check_links', { draftText }, (text, result) => {
    assert.match(text, /^FAIL \(1\)\nline 2: .*\/missing answers 404/);
    assert.equal(result.isError ?? false, false);
  });

  heading('A wrong call: the model is told what to change');
  await call('check_numbers', { draft_txt: 'We grew by 40%.', factsText: '40%' }, (text, result) => {
    assert.match(text, /"draft_txt".*draftText/);
    assert.equal(result.isError, true);
  });

  heading('A right call that fails: the file is not there');
  await call('check_numbers', { draftPath: 'samples/lost.md', factsText: '1' }, (text, result) => {
    assert.match(text, /cannot read samples\/lost\.md: there is no such file/);
    assert.equal(result.isError, true);
  });

  console.log(
    `\nAll of this is ${bold('examples/publish-gate')}: a commander program and an MCP entrypoint of`,
  );
  console.log('three lines. To use it from an MCP client, let the client start:\n');
  console.log(`  node ${FOLDER}dist/mcp.js`);
}

function showServer() {
  const { name, version } = client.getServerVersion();
  console.log(`${bold(`${name} ${version}`)}, an MCP server made from a commander CLI`);
  console.log(`(stdio, protocol revision ${client.getNegotiatedProtocolVersion()})`);
}

async function showTools() {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['check_numbers', 'check_links'],
  );
  heading('Its tools');
  for (const tool of tools) {
    const hints = Object.entries(tool.annotations).filter(([, value]) => value === true);
    console.log(`  ${bold(tool.name)}  ${dim(hints.map(([hint]) => hint).join(', '))}`);
    show(tool.description, '    ');
    for (const [name, { type, description }] of Object.entries(tool.inputSchema.properties)) {
      console.log(`      ${name.padEnd(10)} ${type.padEnd(8)} ${description ?? ''}`.trimEnd());
    }
  }
}

/** Calls a tool, shows what goes and comes, and checks it. */
async function call(name, toolArguments, check) {
  show(`${name} ${JSON.stringify(toolArguments)}`, '  → ');
  const onprogress = ({ progress, total, message }) => {
    // Lines of output are progress too; those come again with the result.
    if (total !== undefined) show(`${progress} of ${total}: ${message}`, '  … ');
  };
  const result = await client.callTool({ name, arguments: toolArguments }, { onprogress });
  const text = result.content
    .map((block) => block.text)
    .join('\n')
    .trim();
  show(text, result.isError ? '  ✗ ' : '  ← ');
  check(text, result);
}

/** Prints a text behind a sign, its further lines below its first. */
function show(text, sign) {
  const [first, ...others] = text.split('\n').flatMap(wrap);
  console.log(sign + first);
  for (const line of others) console.log(' '.repeat(sign.length) + line);
}

function wrap(line) {
  return line.match(new RegExp(`.{1,${LINE_WIDTH}}(?:\\s|$)|\\S+`, 'g')) ?? [''];
}

function heading(text) {
  console.log(`\n${bold(text)}`);
}

function bold(text) {
  return process.stdout.isTTY ? styleText('bold', text) : text;
}

function dim(text) {
  return process.stdout.isTTY ? styleText('dim', text) : text;
}

/** Answers `/manual`, and 404 to all else. */
async function startSite() {
  const server = createServer(({ url }, response) => response.writeHead(url === '/manual' ? 200 : 404).end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
