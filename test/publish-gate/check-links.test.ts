import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { NoNetworkError, type FetchFn } from '../../examples/publish-gate/src/ask-link.js';
import { checkLinks, type CheckLinksOptions } from '../../examples/publish-gate/src/check-links.js';
import { toReport } from '../../examples/publish-gate/src/finding.js';
import { findLinks } from '../../examples/publish-gate/src/links.js';

/** Answers from a table of `url` or `METHOD url`: a status, or a fault to throw. 404 for what it does not hold. */
function fakeFetch(table: Readonly<Record<string, number | Error>> = {}) {
  const requests: string[] = [];
  const fetchFn: FetchFn = async (url, { method }) => {
    requests.push(`${method} ${url}`);
    const answer = table[`${method} ${url}`] ?? table[url] ?? 404;
    if (answer instanceof Error) throw answer;
    return { status: answer };
  };
  return { fetchFn, requests };
}

/** As `fetch` reports a fault of the connection. */
function fault(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

async function report(draft: string, options: CheckLinksOptions): Promise<string> {
  return toReport(await checkLinks(draft, options));
}

describe('a link', () => {
  test.each([[200], [204], [299]])('that answers %i passes', async (status) => {
    const { fetchFn, requests } = fakeFetch({ 'https://a.example/': status });
    expect(await report('see https://a.example/', { fetchFn })).toBe('PASS');
    expect(requests).toEqual(['HEAD https://a.example/']);
  });

  test.each([[304], [401], [404], [429], [500]])('that answers %i is a finding', async (status) => {
    const { fetchFn } = fakeFetch({ 'https://a.example/': status });
    expect(await report('see\nhttps://a.example/', { fetchFn })).toBe(
      `FAIL (1)\nline 2: https://a.example/ answers ${status}`,
    );
  });

  test.each<[string, number | Error]>([
    ['405', 405],
    ['404', 404],
    ['a broken connection', fault('ECONNRESET')],
  ])('that meets HEAD with %s is asked again with GET', async (_what, answer) => {
    const { fetchFn, requests } = fakeFetch({
      'HEAD https://a.example/': answer,
      'GET https://a.example/': 200,
    });
    expect(await report('https://a.example/', { fetchFn })).toBe('PASS');
    expect(requests).toEqual(['HEAD https://a.example/', 'GET https://a.example/']);
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'CERT_HAS_EXPIRED'])(
    'whose host does not answer (%s) is a finding',
    async (code) => {
      const { fetchFn } = fakeFetch({ 'https://a.example/': fault(code) });
      expect(await report('https://a.example/', { fetchFn })).toBe(
        `FAIL (1)\nline 1: https://a.example/ does not answer (${code})`,
      );
    },
  );

  test('that does not answer in time is a finding', async () => {
    const fetchFn: FetchFn = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    expect(await report('https://a.example/', { fetchFn, timeoutMs: 5 })).toBe(
      'FAIL (1)\nline 1: https://a.example/ does not answer within 5 ms',
    );
  });

  test('is not loaded: its status is enough', async () => {
    let cancelled = 0;
    const body = { cancel: async () => void (cancelled += 1) };
    const fetchFn: FetchFn = async () => ({ status: 200, body });
    expect(await report('https://a.example/', { fetchFn })).toBe('PASS');
    expect(cancelled).toBe(1);
  });

  test('that is no address is a finding', async () => {
    const { fetchFn, requests } = fakeFetch();
    expect(await report('http://a:b/', { fetchFn })).toBe('FAIL (1)\nline 1: http://a:b/ is not an address');
    expect(requests).toEqual([]);
  });

  test('is asked once, without its fragment, however often it is written', async () => {
    const { fetchFn, requests } = fakeFetch({ 'https://a.example/?x=1&y=2': 200 });
    const draft = 'https://a.example/?x=1&y=2#top\n<a href="https://a.example/?x=1&amp;y=2">';
    expect(await report(draft, { fetchFn })).toBe('PASS');
    expect(requests).toEqual(['HEAD https://a.example/?x=1&y=2']);
  });
});

describe('findings', () => {
  test('stand in the order of the draft, with all lines', async () => {
    const { fetchFn } = fakeFetch({ 'https://ok.example': 200, 'https://b.example': 500 });
    const draft =
      'https://c.example https://ok.example\nhttps://b.example\nhttps://c.example https://c.example';
    expect(await report(draft, { fetchFn })).toBe(
      'FAIL (2)\nlines 1, 3: https://c.example answers 404\nline 2: https://b.example answers 500',
    );
  });

  test('do not come from code, nor from a draft without links', async () => {
    const { fetchFn, requests } = fakeFetch();
    const draft = '`http://localhost:3000/`\n\n```\nhttps://a.example\n```\n[a](./b.md) mailto:a@b.example';
    expect(await report(draft, { fetchFn })).toBe('PASS');
    expect(requests).toEqual([]);
  });
});

describe('without network nothing is known', () => {
  test.each(['EAI_AGAIN', 'ENETUNREACH'])('%s fails the check', async (code) => {
    const { fetchFn } = fakeFetch({ 'https://a.example': 200, 'https://b.example': fault(code) });
    const checked = checkLinks('https://a.example https://b.example', { fetchFn });
    await expect(checked).rejects.toThrow(NoNetworkError);
    await expect(checked).rejects.toThrow(`no network to check https://b.example (${code})`);
  });

  test('an unknown name fails the check while no other link answers', async () => {
    const { fetchFn } = fakeFetch({ 'https://a.example': fault('ENOTFOUND') });
    await expect(checkLinks('https://a.example', { fetchFn })).rejects.toThrow(
      'no link could be checked: https://a.example does not answer (ENOTFOUND), nor does any other',
    );
  });

  test('an unknown name is a finding once another link answers, with whatever status', async () => {
    const { fetchFn } = fakeFetch({ 'https://a.example': fault('ENOTFOUND'), 'https://b.example': 500 });
    expect(await report('https://a.example https://b.example', { fetchFn })).toBe(
      'FAIL (2)\nline 1: https://a.example does not answer (ENOTFOUND)\nline 1: https://b.example answers 500',
    );
  });

  test('the other requests are stopped', async () => {
    const stopped: string[] = [];
    const fetchFn: FetchFn = (url, { signal }) => {
      if (url === 'https://a.example') return Promise.reject(fault('ENETDOWN'));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(url);
          reject(signal.reason as Error);
        });
      });
    };
    await expect(checkLinks('https://b.example https://a.example', { fetchFn })).rejects.toThrow(
      NoNetworkError,
    );
    expect(stopped).toEqual(['https://b.example']);
  });
});

test('asks no more links at once than it may', async () => {
  let running = 0;
  let most = 0;
  const fetchFn: FetchFn = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return { status: 200 };
  };
  const draft = Array.from({ length: 20 }, (_, index) => `https://a.example/${index}`).join(' ');
  const seen: string[] = [];
  const onChecked = (done: number, total: number) => seen.push(`${done}/${total}`);

  await checkLinks(draft, { fetchFn, concurrency: 3, onChecked });

  expect(most).toBe(3);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1}/20`));
});

test('an aborted signal stops the check', async () => {
  const { fetchFn, requests } = fakeFetch({ 'https://a.example': 200, 'https://b.example': 200 });
  const controller = new AbortController();
  const onChecked = () => controller.abort(new Error('enough'));
  const { signal } = controller;
  const checked = checkLinks('https://a.example https://b.example', {
    fetchFn,
    concurrency: 1,
    onChecked,
    signal,
  });
  await expect(checked).rejects.toThrow('enough');
  expect(requests).toEqual(['HEAD https://a.example']);
});

test('uses fetch by itself, and follows redirects', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') response.writeHead(501).end();
    else if (request.url === '/moved') response.writeHead(302, { location: '/page' }).end();
    else response.write('the first of many bytes');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await report(`http://127.0.0.1:${port}/moved`, {})).toBe('PASS');
});

test.each<[string, string[]]>([
  ['[a](https://a.example/x), [b](https://b.example "title")', ['https://a.example/x', 'https://b.example']],
  ['<https://a.example> and "https://b.example"', ['https://a.example', 'https://b.example']],
  ['See https://a.example/x. Or (https://b.example/)!', ['https://a.example/x', 'https://b.example/']],
  ['[w](https://a.example/wiki/Gate_(logic))', ['https://a.example/wiki/Gate_(logic)']],
  ['[a](https://a.example)/[b](https://b.example)', ['https://a.example', 'https://b.example']],
  ['[https://a.example](https://b.example)', ['https://a.example', 'https://b.example']],
  ['[r]: HTTPS://a.example/x', ['HTTPS://a.example/x']],
  ['**https://a.example**', ['https://a.example']],
  ['https://a.example/2020/https://b.example/', ['https://a.example/2020/https://b.example/']],
  ['http://[::1]:80/x', ['http://[::1]:80/x']],
  ['ftp://a.example, a.example, xhttps://a.example', []],
])('the links of %j', (text, urls) => {
  const links = findLinks(text);
  expect(links.map(({ url }) => url)).toEqual(urls);
  for (const { url, index } of links) expect(text.slice(index, index + url.length)).toBe(url);
});
