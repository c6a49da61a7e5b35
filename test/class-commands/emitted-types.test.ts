import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

/* In processes of their own: what is loaded once cannot be taken back. */

const PROGRAM = `
  import { addCommands, CliCommand, CliOption, defineFields } from '@mcpify/class-commands';
  import { Command } from 'commander';
  class Serve { run() {} }
  CliCommand({ name: 'serve', description: '' })(Serve);
  const port = CliOption('--port <number>');
  const isLoaded = () => 'getMetadata' in Reflect;
  const build = () => {
    defineFields(Serve, { port });
    try {
      const [command] = addCommands(new Command('app'), [Serve]).commands;
      const value = command.options[0].parseArg?.('1');
      return { value };
    } catch ({ message }) {
      return { message };
    }
  };
  const tell = (facts) => console.log(JSON.stringify(facts));
`;

/** What compilers write beside a field. */
const EMITTED = `Reflect.metadata('design:type', Number)(Serve.prototype, 'port');`;

function run(script: string, before = ''): unknown {
  const args = ['--input-type=module', '-e', `${before}${PROGRAM}${script}`];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('the library that keeps emitted types is loaded by the first of them', () => {
  expect(
    run(`const before = isLoaded(); ${EMITTED} tell({ before, after: isLoaded(), ...build() });`),
  ).toEqual({
    before: false,
    after: true,
    value: 1,
  });
});

test('a field without any is told so', () => {
  expect(run(`tell({ ...build(), isLoaded: isLoaded() });`)).toEqual({
    message: expect.stringContaining('the compiler emits no types of fields'),
    isLoaded: false,
  });
});

test('where it is missing, a field whose type was emitted is told so', () => {
  const withoutIt = `import Module from 'node:module';
    const load = Module._load;
    Module._load = (name, ...rest) => {
      if (name.startsWith('reflect-metadata')) throw new Error('missing');
      return load(name, ...rest);
    };`;
  expect(run(`${EMITTED} tell(build());`, withoutIt)).toEqual({
    message: expect.stringContaining('is not in this bundle'),
  });
});

test('a copy of the program that came later is used', () => {
  const later = `const kept = new Map();
    Reflect.defineMetadata = (key, value, target, member) => kept.set(member, value);
    Reflect.getMetadata = (key, target, member) => kept.get(member);`;
  expect(run(`${later} ${EMITTED} tell(build());`)).toEqual({ value: 1 });
});
