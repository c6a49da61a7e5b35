// The yardstick: the same tools by hand on the SDK's low-level Server, without commander, checks or capture.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { commands } from './commands.mjs';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const CALLS = {
  greet: ({ name, times = 1 }) => text(`Hello, ${name}!\n`.repeat(times)),
  async wait({ ms = 100 }) {
    await sleep(ms);
    return text('waited\n');
  },
  print: ({ megabytes = 1 }) => text(`${'x'.repeat(63)}\n`.repeat(16_384 * megabytes)),
  fail: () => ({ ...text('[exit code 2]'), isError: true }),
  /** The cheapest job there is: a detached shell whose end and output nobody sees. It is called without being listed. */
  job: () => {
    spawn('sh', ['-c', ':'], { detached: true, stdio: 'ignore' }).unref();
    return text(`task ${randomUUID()}`);
  },
};

const tools = commands().map(({ name, description, argument, options }) => ({
  name: name.replaceAll('-', '_'),
  description,
  inputSchema: {
    type: 'object',
    properties: {
      ...(argument && { [argument.name]: { type: 'string', description: argument.description } }),
      ...Object.fromEntries(options.map((option) => [option.name, toProperty(option)])),
    },
    ...(argument && { required: [argument.name] }),
  },
}));

serveStdio(() => {
  const server = new Server({ name: 'raw', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }) => CALLS[params.name](params.arguments ?? {}));
  return server;
});

function toProperty({ kind, value, choices, description }) {
  return {
    type: { number: 'number', flag: 'boolean' }[kind] ?? 'string',
    ...(choices && { enum: choices }),
    description,
    ...(value !== undefined && { default: value }),
  };
}
