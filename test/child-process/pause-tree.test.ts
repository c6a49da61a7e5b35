import { readFileSync, truncateSync } from 'node:fs';

import { expect } from 'vitest';

import { identify, stateOf } from '../../packages/mcpify/src/child-process/process-identity.js';
import { pauseTree, resumeTree } from '../../packages/mcpify/src/child-process/process-tree.js';
import { stateLetter, test, until } from './place.js';

test('a log that is cut while its tree pauses loses no byte, whoever writes how fast', async ({ place }) => {
  const tree = place.run(
    '"$node" "$fixtures/counts.mjs" a 150000 & setsid "$node" "$fixtures/counts.mjs" b 150000 & wait',
  );
  const parts: string[] = [];
  let pauses = 0;
  while (stateOf(tree.root) === 'alive') {
    const resume = pauseTree(tree);
    if (resume) {
      const part = readFileSync(tree.logPath, 'utf8');
      truncateSync(tree.logPath);
      resume();
      if (part !== '') pauses += 1;
      parts.push(part);
    }
    await new Promise(setImmediate);
  }
  parts.push(readFileSync(tree.logPath, 'utf8'));

  const lines = parts.join('').trimEnd().split('\n');
  for (const name of ['a', 'b']) {
    const numbers = lines.filter((line) => line.startsWith(`${name} `)).map((line) => Number(line.slice(2)));
    expect(numbers.length).toBe(150_000);
    expect(numbers.every((number, index) => number === index)).toBe(true);
  }
  expect(pauses).toBeGreaterThan(3);
});

test('while it pauses nobody runs; whoever was stopped before stays so', async ({ place }) => {
  const tree = place.run('sleep 60 & setsid sleep 60 & sh -c "kill -STOP \\$\\$" & wait');
  await place.untilLiving(4);
  await until(() => expect(place.living().map(stateLetter).sort()).toEqual(['S', 'S', 'S', 'T']));

  const resume = pauseTree(tree)!;
  expect(place.living().map(stateLetter)).toEqual(['T', 'T', 'T', 'T']);

  resume();
  await until(() => expect(place.living().map(stateLetter).sort()).toEqual(['S', 'S', 'S', 'T']));
});

test('resume is for once: it does not start what others have stopped since', async ({ place }) => {
  const tree = place.run('exec sleep 60');
  const resume = pauseTree(tree)!;
  resume();
  process.kill(tree.root.pid, 'SIGSTOP');
  await until(() => expect(stateLetter(tree.root.pid)).toBe('T'));
  resume();
  expect(stateLetter(tree.root.pid)).toBe('T');
});

test('a tree whose pauser was killed is resumed by another', async ({ place }) => {
  const tree = place.run('sleep 60 & setsid sleep 60 & wait');
  await place.untilLiving(3);
  pauseTree(tree);

  resumeTree({ ...tree, root: identify(tree.root.pid) });

  await until(() => expect(place.living().map(stateLetter)).toEqual(['S', 'S', 'S']));
});

test('a tree without members pauses at once', () => {
  expect(pauseTree({ root: undefined, token: 'nobody' })).toBeTypeOf('function');
});
