import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { describe, expect, test, vi } from 'vitest';

import { run, start } from '../start/start.js';
import type { RawServer } from '../wire/connect.js';

/*
 * K03: frames keep their borders and their order, whatever their size and however slowly either side reads; what
 * nobody can receive any more ends the server, in silence.
 */

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const callLine = (id: string | number, code: string) =>
  line({ id, method: 'tools/call', params: { name: 'run', arguments: { code } } });

async function opened(settings: object = {}): Promise<RawServer> {
  const server = start({ settings });
  await server.initialize();
  return server;
}

/** Resident memory of the process that serves: on Node 20 a child of the one that was started. */
function memoryOf(server: RawServer): number {
  const pid = server.process.pid!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  const sizes = [String(pid), ...children].map((each) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1] ?? 0),
  );
  return Math.max(...sizes) * 1024;
}

describe('size (F014)', () => {
  test('a frame that is too long is refused alone; the ones before and behind it are served', async () => {
    const server = await opened();
    const long = callLine('long', `return '${'x'.repeat(5_000_000)}'`);
    server.send(callLine('before', "return 'a'") + long + callLine('behind', "return 'b'"));
    expect(
      (await server.message(({ id, error }) => (id ?? null) === null && error !== undefined)).error?.code,
    ).toBe(-32_600);
    expect((await server.answerTo('behind')).result?.['content'][0].text).toBe('b');
    expect((await server.answerTo('before')).result?.['content'][0].text).toBe('a');
    expect(server.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('a result of 20 MB arrives whole, and the next one behind it', async () => {
    const server = await opened({ outputBudgetBytes: 50_000_000 });
    const code = (size: number) => `console.log('漢😀\\n"'.repeat(${size / 12}))`;
    const [big, next] = await Promise.all([run(server, code(19_999_992)), run(server, "return 'next'")]);
    expect(Buffer.byteLength(big.text)).toBeGreaterThan(14_000_000);
    expect(big.text.slice(-8)).toBe('漢😀\n"漢😀\n"\n'.slice(-8));
    expect(big.text.replaceAll('漢😀\n"', '')).toBe('\n');
    expect(next.text).toBe('next');
  });

  test.each([65_535, 65_536, 65_537, 131_071, 262_143, 262_144, 262_145])(
    'characters of four bytes around the border of %i stay whole',
    async (size) => {
      const server = (shared ??= await opened({ outputBudgetBytes: 10_000_000 }));
      for (const shift of ['', 'x']) {
        const { text } = await run(server, `process.stdout.write('${shift}' + '😀'.repeat(${size}))`);
        expect(text === shift + '😀'.repeat(size)).toBe(true);
      }
    },
  );
});

let shared: RawServer | undefined;

describe('texts', () => {
  test('single halves of surrogate pairs reach nobody: parsers refuse a line for one of them', async () => {
    const server = (shared ??= await opened({ outputBudgetBytes: 10_000_000 }));
    await server.request('logging/setLevel', { level: 'debug' });
    const half = "'a\\ud800b\\udc00c'";
    await run(server, `console.log(${half}); console.error(${half}); return { [${half}]: [${half}] }`);
    await run(server, `throw new Error(${half})`);
    await run(server, `process.stdout.write('x'.repeat(400_000) + ${half} + 'x'.repeat(200_000))`);
    await server.request('tools/call', { name: 'a\ud800b' });
    await server.request('tools/call', { name: 'run', arguments: { 'a\ud800b': 'c\udc00' } });
    for (const each of server.stdoutLines) expect(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(each)).toBe(false);
    // What only looks like one stays.
    const alike = String.raw`\\ud800 \\\\udc00`;
    expect((await run(server, `return String.raw\`${alike}\``)).text).toBe(alike);
  });

  test('every character of the first plane comes back as it was', async () => {
    const server = (shared ??= await opened({ outputBudgetBytes: 10_000_000 }));
    const { value } = await run(
      server,
      "let all = ''; for (let code = 0; code < 0xd800; code += 1) all += String.fromCharCode(code); return { all }",
    );
    const wanted = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');
    expect(value.all === wanted).toBe(true);
    expect(server.stdoutLines.every((each) => !/[\r\u0000-\u0008]/.test(each))).toBe(true);
  });
});

test('a client that reads nothing while 50,000 lines are logged: memory stays, the answer comes (F015)', async () => {
  const server = await opened({ outputBudgetBytes: 10_000 });
  await server.request('logging/setLevel', { level: 'debug' });
  const before = memoryOf(server);
  server.process.stdout?.pause();
  const code = `for (let n = 0; n < 50_000; n += 1) { console.log('line ' + n + 'x'.repeat(200)); if (n % 500 === 0) await new Promise(setImmediate); } process._rawDebug('written'); return`;
  server.send(
    line({
      id: 'slow',
      method: 'tools/call',
      params: { name: 'run', arguments: { code }, _meta: { progressToken: 'token' } },
    }),
  );
  await server.stderrText(/written/);
  const grown = memoryOf(server) - before;
  server.process.stdout?.resume();
  expect((await server.answerTo('slow')).result?.['content'][0].text).toContain('line 49999');
  expect(grown).toBeLessThan(100_000_000);
  expect(server.stderr).not.toContain('MaxListeners');
  const progress = server.messages.filter(({ method }) => method === 'notifications/progress');
  const counts = progress.map(({ params }) => params?.['progress'] as number);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

describe('a client that sends and reads nothing (P11)', () => {
  const CALLS = 1_500;

  /** So many calls have run when no further one runs any more. */
  async function ranAtRest(server: RawServer): Promise<number> {
    const ran = () => server.stderr.split('ran\n').length - 1;
    await vi.waitFor(() => expect(ran()).toBeGreaterThan(100), 20_000);
    for (let before = -1; before !== ran(); await new Promise((resolve) => setTimeout(resolve, 500))) {
      before = ran();
    }
    return ran();
  }

  function sendAll(server: RawServer): void {
    server.process.stdout?.pause();
    const code = `process._rawDebug('ran'); return 'x'.repeat(90_000); // ${'.'.repeat(2_000)}`;
    for (let id = 1; id <= CALLS; id += 1) server.send(callLine(`n${id}`, code));
  }

  test('is not read either, and nothing more runs; once it reads all is answered', async () => {
    const server = await opened();
    sendAll(server);
    const ran = await ranAtRest(server);
    server.process.stdout?.resume();
    const sent = Array.from({ length: CALLS }, (_, index) => `n${index + 1}`);
    await Promise.all(sent.map((id) => server.answerTo(id)));
    const ids = server.messages.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    expect(ids).toHaveLength(CALLS);
    expect(new Set(ids)).toEqual(new Set(sent));
    // 90 kB each.
    expect(ran).toBeLessThan(400);
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  });

  test('and that leaves ends it', async () => {
    const server = await opened();
    sendAll(server);
    await ranAtRest(server);
    server.process.stdout?.destroy();
    server.process.stdin?.destroy();
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('and that closes its side is not waited for', async () => {
    const server = await opened({ outputBudgetBytes: 50_000_000 });
    server.process.stdout?.pause();
    server.send(callLine('big', "process._rawDebug('ran'); console.log('x'.repeat(20_000_000))"));
    await server.stderrText(/ran/);
    server.process.stdin?.end();
    expect(await once(server.process, 'exit')).toEqual([0, null]);
  });
});

test('nobody reads stderr: 1 MB of it stops neither its command nor the next request (F016)', async () => {
  const server = await opened();
  server.process.stderr?.pause();
  const stray =
    "for (let n = 0; n < 1_000; n += 1) process._rawDebug; setImmediate(() => { for (let n = 0; n < 1_000; n += 1) process.stderr.write('y'.repeat(1_000)); });";
  expect((await run(server, "process.stderr.write('x'.repeat(1_000_000))")).text).toContain('xxx');
  expect((await run(server, stray)).isError).toBe(false);
  expect((await run(server, "console.error('z'.repeat(100)); return 'there'")).text).toContain('there');
  expect((await server.request('tools/list')).result).toBeDefined();
  server.process.stderr?.resume();
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
});

describe('a client that is gone', () => {
  test('the reader of answers, while calls run: the end is clean (F012)', async () => {
    const server = await opened();
    server.send(
      callLine(
        90,
        "process._rawDebug('running'); await new Promise((resolve) => setTimeout(resolve, 300)); return 'late'",
      ),
    );
    await server.stderrText(/running/);
    server.process.stdout?.destroy();
    server.send(callLine(91, "return 'more'"));
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr.replace('running\n', '')).toBe('');
  });

  test('the reader, in the middle of a big frame', async () => {
    const server = await opened({ outputBudgetBytes: 50_000_000 });
    server.process.stdout?.pause();
    server.send(callLine('big', "process._rawDebug('running'); console.log('x'.repeat(20_000_000))"));
    await server.stderrText(/running/);
    server.process.stdout?.destroy();
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toBe('running\n');
  });

  test('the writer, right behind five calls of 100 ms: all are answered, then the end (F018)', async () => {
    const server = await opened();
    const ids = [11, 12, 13, 14, 15];
    const code = (id: number) =>
      `await new Promise((resolve) => setTimeout(resolve, 100)); return 'call ${id}'`;
    server.send(ids.map((id) => callLine(id, code(id))).join(''));
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    const answers = server.messages.filter(({ id }) => ids.includes(id as number));
    expect(answers.map(({ result }) => result?.['content'][0].text)).toEqual(ids.map((id) => `call ${id}`));
  });

  test('the writer, in the middle of a line', async () => {
    const server = await opened();
    server.send(callLine('whole', "return 'a'") + '{"jsonrpc":"2.0","id":"half","meth');
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(server.messages.find(({ id }) => id === 'whole')?.result).toBeDefined();
    expect(server.messages.find(({ error }) => error)).toMatchObject({ id: null, error: { code: -32_700 } });
  });
});
