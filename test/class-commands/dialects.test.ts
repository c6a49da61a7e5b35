import { pathToFileURL } from 'node:url';

import { marksOf } from '@mcpify/markers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { MAJORS } from '../mcpify/execution/majors.js';
import { compile, DEPOT, DIALECTS, type Dialect } from './compile.js';
import * as asTheRunnerCompilesIt from './fixtures/depot.js';
import { parse as runLine } from './parse.js';

type Depot = typeof asTheRunnerCompilesIt;
type AnyCommand = ReturnType<Depot['createProgram']>;

const depots: ReadonlyArray<readonly [string, () => Promise<Depot>]> = [
  ['legacy, as the test runner compiles them', () => Promise.resolve(asTheRunnerCompilesIt)],
  ...Object.keys(DIALECTS).map(
    (dialect) => [dialect, once(() => load(dialect as Dialect))] as [string, () => Promise<Depot>],
  ),
];

const DEFAULTS = {
  dryRun: false,
  article: 'pen',
  counts: [],
  days: 14,
  condition: 'new',
  priority: 0,
  tags: ['plain', 'seen'],
  notes: [],
  log: false,
  receipt: true,
  connection: { server: 'localhost', credentials: {} },
};

const HELP = [
  'Usage: depot lend|l [options] <article> [counts...]\n\nLends an article.\n',
  ' article what is lent\n',
  ' -n, --dry-run changes nothing\n',
  ' --days <n> how long (default: 14)\n',
  ' --condition <name> (choices: "new", "worn", default: "new")\n',
  ' --priority <name> (choices: "Low", "High", default: "Low")\n',
  ' --tags <tag...> (default: ["plain"])\n',
  ' --log [file]\n --insured\n --no-insured\n --no-receipt prints none\n',
  ' --server <host> where the depot is (default: "localhost")\n',
  ' --user <name> who signs in (env: DEPOT_USER)\n',
];

describe.each(depots)('decorators: %s', (_, getDepot) => {
  describe.each(MAJORS)('commander %s', (_major, commander) => {
    const parse = async (...argv: string[]) => {
      const { createProgram } = await getDepot();
      return runLine(createProgram(new commander.Command('depot')), ...argv);
    };

    test('nothing given: the initial values, new in each call', async () => {
      const { createProgram } = await getDepot();
      const program = createProgram(new commander.Command('depot'));
      expect(await runLine(program, 'lend', 'pen')).toEqual(DEFAULTS);
      expect(await runLine(program, 'lend', 'pen')).toEqual(DEFAULTS);
      expect(await runLine(program, 'lend', 'pen', '--tags', 'red')).toEqual({
        ...DEFAULTS,
        tags: ['red', 'seen'],
      });
    });

    test('every kind of value', async () => {
      const argv =
        'l pen 1 2 --weight 1.5e1 --days 3 --since 2026-01-31 --condition worn --priority High --wrap bag ' +
        '--tags a b --places 1,2 --places 3 --notes x;y --data {"a":1} --size 9007199254740993 --log out.txt ' +
        '--no-insured --no-receipt -n --server far --user ann --password pw';
      expect(await parse(...argv.split(' '))).toEqual({
        dryRun: true,
        article: 'pen',
        counts: [1, 2],
        weight: 15,
        days: 3,
        since: '2026-01-31T00:00:00.000Z',
        condition: 'worn',
        priority: 5,
        wrap: 'bag',
        tags: ['a', 'b', 'seen'],
        places: [1, 2, 3],
        notes: ['x', 'y'],
        data: { a: 1 },
        size: '9007199254740993n',
        log: 'out.txt',
        insured: false,
        receipt: false,
        connection: { server: 'far', credentials: { user: 'ann', password: 'pw' } },
      });
    });

    test('a flag with a value that may be left out; a flag and its opposite; a list of nothing', async () => {
      expect(await parse('lend', 'pen', '--log', '--insured', '--notes=')).toEqual({
        ...DEFAULTS,
        log: true,
        insured: true,
      });
    });

    test('the environment', async () => {
      vi.stubEnv('DEPOT_USER', 'eve');
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await parse('lend', 'pen')).toMatchObject({ connection: { credentials: { user: 'eve' } } });
      expect(await parse('lend', 'pen', '--user', 'ann')).toMatchObject({
        connection: { credentials: { user: 'ann' } },
      });
    });

    test.each([
      [['--days', '1.5'], /'--days <n>' argument '1.5' is invalid. It must be an integer/],
      [['--weight', 'much'], /It must be a number/],
      [['--since', '2026-02-30'], /It must be an ISO 8601 date/],
      [['--data', '{'], /It must be JSON/],
      [['--size', 'big'], /Cannot convert big to a BigInt/],
      [['--condition', 'New'], /Allowed choices are new, worn/],
      [['--priority', '5'], /Allowed choices are Low, High/],
      [['--wrap', 'bottle'], /Allowed choices are box, bag/],
      [['--places', '1,x'], /argument '1,x' is invalid. It must be an integer/],
    ])('%j is refused', async (argv, message) => {
      await expect(parse('lend', 'pen', ...argv)).rejects.toThrow(message);
    });

    test('a parent that is a class, its options, and a service', async () => {
      expect(await parse('shelf', '--room', 'attic', 'count', 'a3')).toEqual({
        path: ['depot', 'shelf', 'count'],
        shelf: 'a3',
        room: 'attic',
        now: 'noon',
        aborted: 0,
      });
      expect(await parse('shelf', 'count', 'a3')).toMatchObject({ room: 'hall' });
    });

    test("commander's own help and hooks", async () => {
      const { createProgram } = await getDepot();
      const program = createProgram(new commander.Command('depot'));
      const lend = find(program, 'lend');
      expect(lend).toBeInstanceOf(commander.Command);
      expect(lend.options.every((option) => option instanceof commander.Option)).toBe(true);
      // Spaces before an empty description differ from major to major.
      const help = lend.helpInformation().replaceAll(/ +/g, ' ');
      for (const line of HELP) expect(help).toContain(line);
      expect(program.commands.map((each) => each.name())).toEqual(['lend', 'shelf', 'wait']);
      const seen: unknown[] = [];
      program.hook('preAction', (_program, action) => void seen.push(action.name(), action.opts()['days']));
      await runLine(program, 'lend', 'pen', '--days', '2');
      expect(seen).toEqual(['lend', 2]);
    });
  });

  test('marks of a class are those of its command; a subclass of a marked class has none', async () => {
    const { createProgram, Lend } = await getDepot();
    const program = createProgram();
    expect(marksOf(find(program, 'lend'))).toEqual({ tool: {}, title: 'Lend', concurrent: true });
    expect(marksOf(find(program, 'shelf', 'count'))).toEqual({
      tool: { name: 'count' },
      readOnly: true,
      concurrent: true,
    });
    expect(marksOf(find(program, 'shelf'))).toEqual({});
    expect(marksOf(class extends Lend {})).toEqual({});
  });
});

async function load(dialect: Dialect): Promise<Depot> {
  return (await import(/* @vite-ignore */ pathToFileURL(compile(DEPOT, dialect).program).href)) as Depot;
}

function find(program: AnyCommand, ...path: string[]): AnyCommand {
  return path.reduce((command, name) => command.commands.find((each) => each.name() === name)!, program);
}

function once<T>(work: () => T): () => T {
  let result: { value: T } | undefined;
  return () => (result ??= { value: work() }).value;
}
