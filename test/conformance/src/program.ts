import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import {
  callContext,
  describeOption,
  exposeAsTool,
  McpAdditive,
  McpConcurrent,
  McpInputSchema,
  McpLongRunning,
  McpReadOnly,
  McpResource,
} from '@mcpify/markers';
import { Command } from 'commander';

import { addQuestions } from './questions.js';

/** The pause between two logs or reports of progress, in milliseconds. */
const PAUSE_MS = 50;

/** How long `failing_job` works before it fails, in milliseconds. */
const FAILURE_DELAY_MS = 300;

/** Longer texts are answered with their length, in UTF-16 units as JavaScript counts. */
const LONGEST_ECHO = 200;

/** One red pixel. */
const IMAGE = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};

/** Silence: the header of a file without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** The schema that the suite wants to see unchanged. */
export const OWN_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** The commands that the public conformance suite calls by name, and some of ours. The first one must be harmless. */
export const program = new Command('conformance');

tool('test_simple_text', 'Prints a text').action(() => {
  console.log('This is a simple text response for testing.');
});

tool('test_error_handling', 'Fails').action(() => {
  throw new Error('This tool intentionally returns an error for testing');
});

tool('test_tool_with_logging', 'Logs three lines').action(async () => {
  console.info('Tool execution started');
  await wait(PAUSE_MS);
  console.info('Tool processing data');
  await wait(PAUSE_MS);
  console.info('Tool execution completed');
});

tool('test_logging_tool', 'Logs one line').action(() => {
  console.info('This is a log line for testing');
});

tool('test_tool_with_progress', 'Reports progress three times').action(async () => {
  const context = callContext();
  for (const done of [0, 50, 100]) {
    context.progress(done, 100, `Completed ${done} of 100`);
    // Behind the last one too: the SDKs' clients drop a report that they read together with the result.
    await wait(PAUSE_MS);
  }
  console.log('Progress was reported.');
});

tool('test_streaming_elicitation', 'Logs one line; asks nothing').action(() => {
  console.info('Nothing is elicited');
});

tool('test_stdout_noise', 'Writes to stdout in two ways').action(() => {
  console.log('noise one');
  process.stdout.write('noise two\n');
});

tool('test_unicode', `Prints a text, or its length above ${LONGEST_ECHO} characters`)
  .requiredOption('--text <text>', 'the text')
  .action(({ text }: { text: string }) => {
    console.log(text.length > LONGEST_ECHO ? `length ${text.length}` : text);
  });

tool('greet', 'Greets somebody')
  .requiredOption('--name <name>', 'whom to greet')
  .action(({ name }: { name: string }) => {
    // Without a line end: the suite compares.
    process.stdout.write(`Hello, ${name}!`);
  });

returning('test_image_content', 'Returns an image', IMAGE);

returning('test_audio_content', 'Returns a sound', { type: 'audio', data: WAV, mimeType: 'audio/wav' });

returning('test_embedded_resource', 'Returns a resource', {
  type: 'resource',
  resource: {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  },
});

returning(
  'test_multiple_content_types',
  'Returns content of three types',
  { type: 'text', text: 'Multiple content types test:' },
  IMAGE,
  {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  },
);

exposeAsTool(
  tool('json_schema_2020_12_tool', 'Has an input schema of its own')
    .option('--name <name>')
    .option('--address <address>')
    .option('--contactMethod <method>')
    .option('--phone <phone>')
    .option('--email <email>')
    .action(() => {
      console.log('The schema holds.');
    }),
  McpInputSchema(OWN_SCHEMA),
);

describeOption(
  tool('test_x_mcp_header', 'Takes a parameter that HTTP clients send as a header too')
    .requiredOption('--region <region>', 'the region')
    .action(({ region }: { region: string }) => {
      console.log(`Region: ${region}`);
    }),
  '--region',
  { schema: { type: 'string', 'x-mcp-header': 'Region' } },
);

exposeAsTool(
  tool('static_text', 'Prints a text').action(() => {
    process.stdout.write('This is the content of the static text resource.');
  }),
  McpResource({ uriTemplate: 'test://static-text', mimeType: 'text/plain' }),
);

exposeAsTool(
  returning('static_binary', 'Returns an image', IMAGE),
  McpResource({ uriTemplate: 'test://static-binary', mimeType: 'image/png' }),
);

exposeAsTool(
  tool('template_data', 'Returns data of a number')
    .argument('<id>')
    .action(((id: string) => ({
      id,
      templateTest: true,
      data: `Data for ID: ${id}`,
    })) as (id: string) => void),
  McpResource({ uriTemplate: 'test://template/{id}/data', mimeType: 'application/json' }),
);

exposeAsTool(
  program
    .command('slow_compute')
    .description('Computes for a while')
    .requiredOption('--seconds <n>', 'how long', Number)
    .option('--label <text>', 'what is computed', 'nothing')
    .action(async ({ seconds, label }: { seconds: number; label: string }) => {
      await wait(seconds * 1_000);
      console.log(`computed ${label}`);
    }),
  McpReadOnly,
  McpLongRunning({ taskSupport: 'optional' }),
);

exposeAsTool(
  program
    .command('slow_touch')
    .description('Writes a file after a while')
    .requiredOption('--seconds <n>', 'how long it waits before', Number)
    .requiredOption('--file <path>', 'the file')
    .action(async ({ seconds, file }: { seconds: number; file: string }) => {
      await wait(seconds * 1_000);
      await writeFile(file, 'touched\n');
      console.log(`touched ${file}`);
    }),
  McpAdditive,
  McpLongRunning({ taskSupport: 'optional' }),
);

exposeAsTool(
  program
    .command('failing_job')
    .description('Fails after a moment')
    .action(async () => {
      await wait(FAILURE_DELAY_MS);
      console.error('This job intentionally fails for testing');
      process.exitCode = 1;
    }),
  McpReadOnly,
  McpLongRunning({ taskSupport: 'required' }),
);

exposeAsTool(
  program
    .command('protocol_error_job')
    .description('Cannot be started')
    .action(() => {
      console.log('Nobody gets here: see mcp.ts');
    }),
  McpReadOnly,
  McpLongRunning({ taskSupport: 'optional' }),
);

exposeAsTool(
  program
    .command('confirm_delete')
    .description('Asks before it would delete')
    .requiredOption('--filename <name>', 'the file')
    .action(async ({ filename }: { filename: string }) => {
      const answer = await callContext().ask(`Delete ${filename}?`, {
        type: 'object',
        properties: { confirm: { type: 'boolean' } },
      });
      console.log(answer.content?.['confirm'] === true ? `deleted ${filename}` : 'nothing was deleted');
    }),
  McpReadOnly,
  McpLongRunning({ taskSupport: 'optional' }),
);

exposeAsTool(
  program
    .command('multi_input')
    .description('Asks two questions at once')
    .action(async () => {
      const { ask } = callContext();
      const answers = await Promise.all([
        ask('What is your name?', { type: 'object', properties: { name: { type: 'string' } } }),
        ask('Go on?', { type: 'object', properties: { confirm: { type: 'boolean' } } }),
      ]);
      console.log(answers.map(({ action }) => action).join(', '));
    }),
  McpReadOnly,
  McpLongRunning({ taskSupport: 'optional' }),
);

addQuestions(program);

/** None of them changes anything or keeps anything between calls. */
function tool(name: string, description: string): Command {
  return exposeAsTool(program.command(name).description(description), McpReadOnly, McpConcurrent);
}

/** commander's types know of no returned value, its code does not mind one. */
function returning(name: string, description: string, ...content: object[]): Command {
  return tool(name, description).action((() => ({ content })) as () => void);
}
