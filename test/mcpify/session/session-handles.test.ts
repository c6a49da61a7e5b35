import { expect, test } from 'vitest';

import { OptionCache } from '../../../packages/mcpify/src/session/option-cache.js';
import { SessionHandles } from '../../../packages/mcpify/src/session/session-handles.js';

const HOUR_MS = 3_600_000;

function remembered(value: unknown, toolName = 'deploy') {
  return {
    value,
    shape: { kind: 'single', type: 'string' },
    toolName,
    setAtMs: 0,
  } as const;
}

test('the newest value of a name replaces the older one and stands last', () => {
  const cache = new OptionCache();
  cache.set('connection', remembered('a'));
  cache.set('user', remembered('root'));
  cache.set('connection', remembered('b', 'restore'));
  expect(cache.entries().map(([name, { value, toolName }]) => [name, value, toolName])).toEqual([
    ['user', 'root', 'deploy'],
    ['connection', 'b', 'restore'],
  ]);
});

test('names are only names', () => {
  const cache = new OptionCache();
  expect(cache.get('constructor')).toBeUndefined();
  cache.set('__proto__', remembered('x'));
  expect(cache.get('__proto__')?.value).toBe('x');
  expect(cache.clear()).toEqual(['__proto__']);
});

test('what is remembered is a copy', () => {
  const cache = new OptionCache();
  const list = ['a'];
  cache.set('tag', remembered(list));
  list.push('b');
  expect(cache.get('tag')?.value).toEqual(['a']);
});

test('clear forgets one name or all, and tells which', () => {
  const cache = new OptionCache();
  cache.set('a', remembered(1));
  cache.set('b', remembered(2));
  expect(cache.clear('c')).toEqual([]);
  expect(cache.clear('a')).toEqual(['a']);
  expect(cache.clear()).toEqual(['b']);
  expect(cache.entries()).toEqual([]);
});

test('handles are long, unlike each other, and lead back to their session', () => {
  const sessions = new SessionHandles();
  const minted = Array.from({ length: 100 }, () => sessions.mint(undefined));
  expect(new Set(minted.map(({ handle }) => handle)).size).toBe(100);
  for (const { handle, cache } of minted) {
    expect(handle).toMatch(/^s[0-9a-f]{40}$/);
    expect(sessions.find(handle, undefined)).toBe(cache);
  }
  expect(sessions.find('s00', undefined)).toBeUndefined();
});

test("somebody else's handle is an unknown one", () => {
  const sessions = new SessionHandles();
  const { handle, cache } = sessions.mint('alice');
  expect(sessions.find(handle, 'bob')).toBeUndefined();
  expect(sessions.find(handle, undefined)).toBeUndefined();
  expect(sessions.find(handle, 'alice')).toBe(cache);
});

test('P33: a handle lives for a day behind its last use', () => {
  let now = 0;
  const sessions = new SessionHandles(() => now);
  const used = sessions.mint(undefined).handle;
  const unused = sessions.mint(undefined).handle;
  now += 23 * HOUR_MS;
  expect(sessions.find(used, undefined)).toBeDefined();
  now += 2 * HOUR_MS;
  expect(sessions.find(unused, undefined)).toBeUndefined();
  expect(sessions.find(used, undefined)).toBeDefined();
});

test('a client that mints without end loses the handles that it does not use', () => {
  const sessions = new SessionHandles();
  const kept = sessions.mint(undefined).handle;
  const lost = sessions.mint(undefined).handle;
  for (let count = 0; count < 999; count += 1) {
    expect(sessions.find(kept, undefined)).toBeDefined();
    sessions.mint(undefined);
  }
  expect(sessions.find(kept, undefined)).toBeDefined();
  expect(sessions.find(lost, undefined)).toBeUndefined();
});

test('whoever has the most makes room: nobody loses a handle because others mint', () => {
  const sessions = new SessionHandles();
  const { handle } = sessions.mint('ada');
  const { handle: first } = sessions.mint('ben');
  for (let count = 0; count < 1_500; count += 1) sessions.mint('ben');
  expect(sessions.find(handle, 'ada')).toBeDefined();
  expect(sessions.find(first, 'ben')).toBeUndefined();
});
