import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answerOf, call, post, startHttp, type HttpServer } from '../http/http-server.js';

/* Clients that send too slowly or too much: they are cut, and nobody else feels it. Limits of docs/http.md. */

let server: HttpServer;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = await startHttp('test/fixtures/http/mcp.mjs');
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

const HEAD = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.add(socket);
  // A client that is cut while it sends.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function expectServed(): Promise<void> {
  const { result } = await answerOf(await post(server.url, call('echo', { text: 'others' })));
  expect(result).toMatchObject({ content: [{ text: 'others\n' }] });
}

/** Sends one byte a second behind `head`. @returns how long the server bore it, in milliseconds, and what it said */
async function trickle(head: string, byte: string): Promise<{ elapsedMs: number; answer: string }> {
  const socket = await open();
  const startedAt = performance.now();
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write(head);
  const timer = setInterval(() => socket.write(byte), 1_000);
  await once(socket, 'close');
  clearInterval(timer);
  return { elapsedMs: performance.now() - startedAt, answer };
}

test('100 clients that send a byte a second: cut at their limits, while others are served', async () => {
  const headers = Array.from({ length: 50 }, () => trickle(HEAD, 'X'));
  const bodies = Array.from({ length: 50 }, () => trickle(`${HEAD}Content-Length: 1000\r\n\r\n`, ' '));
  const silent = Array.from({ length: 5 }, () => trickle('', ''));
  const all = Promise.all([...headers, ...bodies, ...silent]);
  let ended: unknown;
  while (ended === undefined) {
    await expectServed();
    ended = await Promise.race([all, setTimeout(500)]);
  }
  for (const { elapsedMs, answer } of await Promise.all([...headers, ...silent])) {
    expect(elapsedMs).toBeGreaterThan(9_000);
    // 10 s and the second between two looks; the rest is for a machine that is busy.
    expect(elapsedMs).toBeLessThan(25_000);
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
  }
  for (const { elapsedMs, answer } of await Promise.all(bodies)) {
    expect(elapsedMs).toBeGreaterThan(29_000);
    expect(elapsedMs).toBeLessThan(50_000);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  }
  await expectServed();
});

describe('a body without end', () => {
  const BLOCK = Buffer.alloc(65_536, ' ');
  const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);

  test.each([
    ['that is told beforehand', `Content-Length: ${10 * 1024 ** 3}`, BLOCK],
    ['in chunks', 'Transfer-Encoding: chunked', CHUNK],
  ])(
    '%s: 413 early, then the connection is cut; memory stays, others are served',
    async (_, header, block) => {
      await expectServed();
      const before = residentBytes();
      const socket = await open();
      let answer = '';
      let answeredAfter = Number.NaN;
      let sentBytes = 0;
      socket.setMaxListeners(0);
      socket.on('data', (data: Buffer) => {
        if (answer === '') answeredAfter = sentBytes;
        answer += data.toString();
      });
      socket.write(`${HEAD}${header}\r\n\r\n`);
      let highest = 0;
      for (let count = 0; !socket.closed; count += 1) {
        sentBytes += block.length;
        if (!socket.write(block))
          await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
        if (count % 500 === 0) {
          highest = Math.max(highest, residentBytes());
          await expectServed();
        }
      }
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      // 4 MiB that the server reads, and what lies in buffers on the way.
      expect(answeredAfter).toBeLessThan(64 * 1024 ** 2);
      expect(sentBytes).toBeLessThan(5 * 1024 ** 3);
      expect(highest - before).toBeLessThan(100 * 1024 ** 2);
      await expectServed();
    },
  );
});

function residentBytes(): number {
  const { pid } = server.process;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
