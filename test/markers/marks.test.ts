import { Command } from 'commander';
import { expect, test } from 'vitest';

import {
  exposeAsTool,
  marksOf,
  McpAdditive,
  McpConcurrent,
  McpDestructive,
  McpExitCodes,
  McpIdempotent,
  McpInputSchema,
  McpIsolated,
  McpLongRunning,
  McpOpenWorld,
  McpOutput,
  McpReadOnly,
  McpResource,
  McpScope,
  McpTitle,
  McpTool,
  type Mark,
  type ToolMarks,
} from '@mcpify/markers';

const SCHEMA = { type: 'object', properties: {} } as const;

/** Every mark, and what it records. */
const MARKS: readonly (readonly [name: string, mark: Mark, marks: ToolMarks])[] = [
  ['McpTool', McpTool, { tool: {} }],
  ['McpTool()', McpTool(), { tool: {} }],
  ['McpTool({ name })', McpTool({ name: 'other' }), { tool: { name: 'other' } }],
  ['McpTitle', McpTitle('A title'), { title: 'A title' }],
  ['McpReadOnly', McpReadOnly, { readOnly: true }],
  ['McpReadOnly()', McpReadOnly(), { readOnly: true }],
  ['McpDestructive', McpDestructive, { destructive: true }],
  ['McpAdditive', McpAdditive, { additive: true }],
  ['McpIdempotent', McpIdempotent, { idempotent: true }],
  ['McpOpenWorld', McpOpenWorld, { openWorld: true }],
  ['McpLongRunning', McpLongRunning, { longRunning: {} }],
  ['McpLongRunning({ timeoutMs })', McpLongRunning({ timeoutMs: 5 }), { longRunning: { timeoutMs: 5 } }],
  ['McpIsolated', McpIsolated, { isolated: true }],
  ['McpConcurrent', McpConcurrent, { concurrent: true }],
  ['McpExitCodes', McpExitCodes([1, 2]), { exitCodes: [1, 2] }],
  ['McpInputSchema', McpInputSchema(SCHEMA), { inputSchema: SCHEMA }],
  ['McpOutput', McpOutput(SCHEMA), { output: SCHEMA }],
  ['McpResource', McpResource({ uriTemplate: 'a://{b}' }), { resource: { uriTemplate: 'a://{b}' } }],
  ['McpScope', McpScope('read'), { scope: 'read' }],
];

test.each(MARKS)('%s as a plain call on a Command', (_name, mark, marks) => {
  const command = new Command('run');
  expect(mark(command)).toBe(command);
  expect(marksOf(command)).toEqual(marks);
});

test.each(MARKS)('%s as a legacy decorator: the instances carry it', (_name, mark, marks) => {
  @mark
  class Run extends Command {}
  expect(marksOf(new Run('run'))).toEqual(marks);
});

test.each(MARKS)('%s as a TC39 decorator: the class as it is in the end carries it', (_name, mark, marks) => {
  const initializers: ((this: unknown) => void)[] = [];
  class Original extends Command {}
  const context = {
    kind: 'class' as const,
    name: 'Original',
    metadata: {},
    addInitializer: (initializer: (this: unknown) => void) => initializers.push(initializer),
  };
  expect(mark(Original, context as never)).toBeUndefined();
  // A decorator above replaced the class.
  class Replaced extends Original {}
  for (const initializer of initializers) initializer.call(Replaced);
  expect(marksOf(new Replaced('run'))).toEqual(marks);
  expect(marksOf(Original)).toEqual({});
});

test('marks add up; the later one of a kind wins', () => {
  const command = McpReadOnly()(McpTitle('second')(McpTitle('first')(McpTool(new Command('run')))));
  expect(marksOf(command)).toEqual({ tool: {}, title: 'second', readOnly: true });
});

test('decorators add up in any order', () => {
  @McpTool()
  @McpTitle('A title')
  @McpReadOnly
  class Run extends Command {}
  expect(marksOf(new Run('run'))).toEqual({ tool: {}, title: 'A title', readOnly: true });
});

test('marks are not inherited, and a subclass never changes its parent', () => {
  @McpTool
  class Parent extends Command {}
  class Silent extends Parent {}
  @McpReadOnly
  class Child extends Parent {}
  expect(marksOf(new Silent('run'))).toEqual({});
  expect(marksOf(new Child('run'))).toEqual({ readOnly: true });
  expect(marksOf(new Parent('run'))).toEqual({ tool: {} });
});

test('an instance adds to the marks of its class', () => {
  @McpTool
  class Run extends Command {}
  const marked = McpReadOnly(new Run('run'));
  expect(marksOf(marked)).toEqual({ tool: {}, readOnly: true });
  expect(marksOf(new Run('run'))).toEqual({ tool: {} });
});

test('exposeAsTool applies all marks and returns the command', () => {
  const command = new Command('run');
  expect(exposeAsTool(command, McpReadOnly, McpTitle('A title'))).toBe(command);
  expect(marksOf(command)).toEqual({ tool: {}, readOnly: true, title: 'A title' });
});

test.each(['readonly', null, { readOnly: true }])('exposeAsTool refuses %j, which is no mark', (given) => {
  const expose = () => exposeAsTool(new Command('run'), given as unknown as Mark);
  expect(expose).toThrow(TypeError);
  expect(expose).toThrow(/for command "run", which is no mark: write McpReadOnly/);
});

test.each([{}, { name: 'run' }, 'run', null, undefined])(
  'exposeAsTool refuses %j, which is no command',
  (given) => {
    const expose = () => exposeAsTool(given as unknown as Command, McpReadOnly);
    expect(expose).toThrow(TypeError);
    expect(expose).toThrow(/which is no commander Command: write exposeAsTool\(program\.command/);
  },
);

test('marks with a value say so where they have none', () => {
  expect(() => exposeAsTool(new Command('run'), McpExitCodes as unknown as Mark)).toThrow(
    'McpExitCodes needs a value',
  );
});

test('exposeAsTool keeps a name that was set before', () => {
  const command = McpTool({ name: 'other' })(new Command('run'));
  expect(marksOf(exposeAsTool(command))).toEqual({ tool: { name: 'other' } });
});

test('two copies of the package agree', async () => {
  const copy = (await import(
    `${new URL('../../packages/markers/dist/index.js', import.meta.url).href}?copy`
  )) as typeof import('@mcpify/markers');
  expect(copy.McpTool).not.toBe(McpTool);
  const command = copy.McpTool(new Command('run'));
  expect(marksOf(command)).toEqual({ tool: {} });
});

test.each([
  ['on a method, legacy', () => (McpReadOnly as Function)({}, 'method', {})],
  ['on a method, TC39', () => (McpReadOnly as Function)(() => {}, { kind: 'method', addInitializer() {} })],
  ['on a number', () => (McpReadOnly() as Function)(5)],
  ['without its value', () => (McpTitle as Function)(class {})],
])('a mark %s is refused', (_case, apply) => {
  expect(apply).toThrow(TypeError);
});
