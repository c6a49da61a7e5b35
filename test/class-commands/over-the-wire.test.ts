import { describe, expect, test } from 'vitest';

import { startServer, type RawServer } from '../wire/connect.js';
import { compile, DEPOT, type Dialect } from './compile.js';

describe.each<Dialect>(['legacy', 'standard'])(
  'a real server of class commands, %s decorators',
  (dialect) => {
    let server: RawServer;
    const call = (name: string, toolArguments: object) =>
      server.request('tools/call', { name, arguments: toolArguments });

    test('lists each marked class with the schema of its fields', async () => {
      server = startServer(compile(DEPOT, dialect).mcp);
      await server.initialize();
      const { result } = await server.request('tools/list');
      const tools = result?.['tools'] as ReadonlyArray<Record<string, any>>;
      const [lend, count] = tools;
      expect(tools.map(({ name }) => name as string)).toEqual(
        expect.arrayContaining(['lend', 'count', 'shelf_front_meet', 'wait']),
      );
      expect(lend).toMatchObject({
        title: 'Lend',
        description: expect.stringContaining('Lends an article.'),
        inputSchema: { required: ['article'], additionalProperties: false },
      });
      const { properties } = lend!['inputSchema'] as { properties: Record<string, any> };
      expect(properties).toMatchObject({
        article: { type: 'string' },
        counts: { type: 'array', items: { type: 'integer' } },
        dryRun: { type: 'boolean' },
        weight: { type: 'number' },
        days: { type: 'integer', default: 14 },
        since: { type: 'string', description: expect.stringContaining('ISO 8601 date') },
        condition: { type: 'string', enum: ['new', 'worn'], default: 'new' },
        priority: { type: 'string', enum: ['Low', 'High'] },
        wrap: { type: 'string', enum: ['box', 'bag'] },
        tags: { type: 'array', items: { type: 'string' }, default: ['plain'] },
        places: { type: 'array', items: { type: 'integer' } },
        notes: { type: 'array', items: { type: 'string', pattern: '^[^;]+$' } },
        log: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
        insured: { type: 'boolean' },
        receipt: { type: 'boolean', default: true },
        server: { type: 'string', default: 'localhost' },
        password: { type: 'string' },
      });
      expect(properties['insured']).not.toHaveProperty('default');
      expect(count).toMatchObject({
        annotations: { readOnlyHint: true },
        inputSchema: { properties: { room: { default: 'hall' }, shelf: {} }, required: ['shelf'] },
      });
    });

    test('gives a call its fields', async () => {
      const { result } = await call('lend', {
        article: '-pen',
        counts: [1, 2],
        weight: 1.5,
        since: '2026-01-31',
        condition: 'worn',
        priority: 'High',
        tags: ['a', 'b,c'],
        places: [1, 2],
        notes: ['x, y', 'z'],
        data: '{"a":1}',
        size: '9007199254740993',
        log: true,
        insured: false,
        receipt: false,
        password: 'pw',
      });
      expect(result?.['structuredContent']).toEqual({
        dryRun: false,
        article: '-pen',
        counts: [1, 2],
        weight: 1.5,
        days: 14,
        since: '2026-01-31T00:00:00.000Z',
        condition: 'worn',
        priority: 5,
        tags: ['a', 'b,c', 'seen'],
        places: [1, 2],
        notes: ['x, y', 'z'],
        data: { a: 1 },
        size: '9007199254740993n',
        log: true,
        insured: false,
        receipt: false,
        connection: { server: 'localhost', credentials: { password: 'pw' } },
      });
    });

    test('refuses what the fields do not take, and what would become two values', async () => {
      const wrong = await call('lend', { article: 'pen', priority: 'Middle', days: 'many', notes: ['a;b'] });
      expect(wrong.result).toMatchObject({ isError: true });
      const text = wrong.result?.['content'][0].text as string;
      for (const name of ['priority', 'days', 'notes[0]']) expect(text).toContain(`"${name}"`);
    });

    test('gives a subcommand the options of its parent, and its services', async () => {
      const { result } = await call('count', { shelf: 'a3', room: 'attic' });
      expect(result?.['structuredContent']).toEqual({
        path: ['depot', 'shelf', 'count'],
        shelf: 'a3',
        room: 'attic',
        now: 'noon',
        aborted: 0,
      });
    });

    test('runs calls side by side, each with an instance, values and output of its own', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      // Each waits for another one: one after the other they would wait for ever.
      const answers = await Promise.all(
        names.map((name, index) =>
          call('shelf_front_meet', { name, ...(index % 2 === 0 ? { tags: ['own'] } : { nocache: true }) }),
        ),
      );
      answers.forEach(({ result }, index) => {
        const name = names[index];
        const tags = [index % 2 === 0 ? 'own' : 'plain', name];
        expect(result?.['structuredContent']).toEqual({ name, tags, args: [name] });
        expect(result?.['content'][0].text).toMatch(new RegExp(`^met ${name}\\n`));
      });
    });

    test('aborts a call that is cancelled', async () => {
      await server.request('logging/setLevel', { level: 'info' });
      server.send({
        jsonrpc: '2.0',
        id: 'waits',
        method: 'tools/call',
        params: { name: 'wait', arguments: {} },
      });
      const logged = (data: string) =>
        server.message(
          ({ method, params }) => method === 'notifications/message' && params?.['data'] === data,
        );
      await logged('waits');
      server.notify('notifications/cancelled', { requestId: 'waits' });
      const { result } = await call('count', { shelf: 'a3' });
      expect(result?.['structuredContent']).toMatchObject({ aborted: 1 });
      expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
      expect(server.messages.filter(({ id }) => id === 'waits')).toEqual([]);
      expect(server.stderr).toBe('');
    });
  },
);
