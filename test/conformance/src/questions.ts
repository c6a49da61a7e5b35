import { callContext, exposeAsTool, McpConcurrent, McpReadOnly } from '@mcpify/markers';
import type { Command } from 'commander';

type Properties = Record<string, Record<string, unknown>>;

/** The commands of the public suite that ask their client. The words and the names of the fields are the suite's. */
export function addQuestions(program: Command): void {
  const add = (name: string, description: string) =>
    exposeAsTool(program.command(name).description(description), McpReadOnly, McpConcurrent);

  add('test_elicitation', 'Asks for a name and an address')
    .requiredOption('--message <text>', 'the question')
    .action(({ message }: { message: string }) =>
      tellAnswer('User response', message, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
    );

  add('test_elicitation_sep1034_defaults', 'Asks with defaults').action(() =>
    tellAnswer('Elicitation completed', 'Who are you?', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  );

  const titled = ['First Choice', 'Second Choice', 'Third Choice'].map((title, index) => ({
    const: `value${index + 1}`,
    title,
  }));
  const options = ['option1', 'option2', 'option3'];
  add('test_elicitation_sep1330_enums', 'Asks for choices').action(() =>
    tellAnswer('Elicitation completed', 'Which ones?', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  );

  add('test_input_required_result_elicitation', 'Asks for a name').action(async () => {
    const name = await askFor('What is your name?', 'name');
    console.log(`Hello, ${name}!`);
  });

  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    add(name, 'Asks for a confirmation').action(async () => {
      await callContext().ask('Please confirm', {
        type: 'object',
        properties: { ok: { type: 'boolean' } },
        required: ['ok'],
      });
      console.log('state-ok');
    });
  }

  add('test_input_required_result_multi_round', 'Asks twice').action(async () => {
    const name = await askFor('Step 1: What is your name?', 'name');
    const color = await askFor('Step 2: What is your favorite color?', 'color');
    console.log(`${name} likes ${color}`);
  });
}

async function tellAnswer(label: string, message: string, properties: Properties): Promise<void> {
  const answer = await callContext().ask(message, {
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  console.log(`${label}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

async function askFor(message: string, field: string): Promise<unknown> {
  const schema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] };
  return (await callContext().ask(message, schema)).content?.[field];
}
