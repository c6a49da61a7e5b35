import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { describe, expect, onTestFinished } from 'vitest';

import {
  identify,
  stateOf,
  type ProcessIdentity,
} from '../../packages/mcpify/src/child-process/process-identity.js';
import {
  endTree,
  membersOf,
  TREE_TOKEN_VARIABLE,
  type ProcessTree,
} from '../../packages/mcpify/src/child-process/process-tree.js';
import { NODE, Place, stateLetter, test, until } from './place.js';

/** Ends the tree with force; whoever is to be spared must not even have been stopped. */
async function endWithForce(tree: ProcessTree): Promise<void> {
  const { survivors } = await endTree(tree, { graceMs: 0 });
  expect(survivors).toEqual([]);
}

function expectUntouched(pid: number): void {
  expect(stateLetter(pid)).toMatch(/[RS]/);
}

describe('a stranger that has the number of a process of ours', () => {
  test.for<[name: string, change: Partial<ProcessIdentity>]>([
    ['started at another time', { startTime: '1' }],
    ['after a restart of the machine', { bootId: 'another' }],
    ['in another container', { pidNamespace: 'pid:[1]' }],
    ['on another machine', { bootId: 'another', hostName: 'another' }],
  ])('%s', async ([, change], { place }) => {
    const { root } = place.run('sleep 60 & wait');
    await place.untilLiving(2);
    const tree = { root: { ...root, ...change }, token: randomUUID(), isWatched: true };

    expect(membersOf(tree)).toEqual([]);
    await endWithForce(tree);

    for (const pid of place.living()) expectUntouched(pid);
    expect(place.living()).toHaveLength(2);
  });

  test('has led a group and ended: its group counts only if somebody kept watch, or carries a mark', async ({
    place,
  }) => {
    const { root, token, logPath } = place.run('env -i sleep 60 >/dev/null 2>&1 & exit');
    await until(() => expect(identify(root.pid)).toBeUndefined());
    await place.untilSleeping(1);

    expect(membersOf({ root, token, logPath })).toEqual([]);
    expect(membersOf({ root, token, logPath, isWatched: true })).toHaveLength(1);
  });

  test('a mark of one member counts for its group', async ({ place }) => {
    const { root, token } = place.run('sleep 60 & env -i sleep 60 & exit');
    await until(() => expect(identify(root.pid)).toBeUndefined());
    await place.untilSleeping(2);

    expect(membersOf({ root, token })).toHaveLength(2);
  });
});

describe('no mark', () => {
  test('reading the log; writing it from its start', async ({ place }) => {
    const readers = placeOfItsOwn();
    const tree = place.run('echo first; (setsid env -i sleep 60 &) ; exit');
    await place.untilSleeping(1);
    const follower = readers.spawn('tail', ['-f', tree.logPath]);
    readers.spawn('sh', ['-c', `exec sleep 60 4<>'${tree.logPath}' 5<'${tree.logPath}'`]);
    await readers.untilLiving(2);
    await until(() => expect(stateLetter(follower.pid!)).toBe('S'));

    await endWithForce(tree);

    expect(place.living()).toEqual([]);
    for (const pid of readers.living()) expectUntouched(pid);
    expect(readers.living()).toHaveLength(2);
  });

  test('a token that only begins or ends as ours; its value as an argument or under another name', async ({
    place,
  }) => {
    const token = randomUUID();
    const name = TREE_TOKEN_VARIABLE;
    for (const env of [
      { [name]: `${token}0` },
      { [name]: `0${token}` },
      { [`X${name}`]: token },
      { OTHER: `${name}=${token}` },
    ]) {
      place.spawn('sleep', ['60'], { env: { ...process.env, ...env } });
    }
    place.spawn('sh', ['-c', 'sleep 60 & wait', `${name}=${token}`]);
    await place.untilLiving(6);

    expect(membersOf({ root: undefined, token })).toEqual([]);
  });

  test('no token at all', async ({ place }) => {
    place.spawn('sleep', ['60'], { env: { ...process.env, [TREE_TOKEN_VARIABLE]: '' } });
    await place.untilLiving(1);
    expect(membersOf({ root: undefined, token: '' })).toEqual([]);
  });

  test('the group that the root shares with whoever started it', async ({ place }) => {
    const tree = place.run('exec sleep 60', { detached: false });
    place.spawn('sleep', ['60']);
    await place.untilLiving(2);

    await endWithForce(tree);

    expect(place.living()).toHaveLength(1);
    expect(stateOf(tree.root)).toBe('gone');
  });
});

test('the environment alone is enough where nobody knows the root', async ({ place }) => {
  const { token } = place.run('setsid sleep 60 & wait');
  await place.untilLiving(2);
  expect(
    membersOf({ root: undefined, token })
      .map(({ pid }) => pid)
      .sort(),
  ).toEqual(place.living().sort());
  await endWithForce({ root: undefined, token });
  expect(place.living()).toEqual([]);
});

test('one named in `spare`, though it is marked', async ({ place }) => {
  const tree = place.run('setsid sleep 60 & wait');
  await place.untilLiving(2);
  const spared = place.living().find((pid) => pid !== tree.root.pid)!;

  await endWithForce({ ...tree, spare: [spared] });

  expect(place.living()).toEqual([spared]);
  expectUntouched(spared);
});

test('whoever ends a tree that it is in itself, and its ancestors; not its children', async ({ place }) => {
  const token = randomUUID();
  const ender = join(import.meta.dirname, 'fixtures/ends-tree.mjs');
  const tree = JSON.stringify({ token });
  const outer = place.spawn(
    'sh',
    ['-c', 'sleep 60 & "$@"; echo " and went on" >&2; exec sleep 60', 'sh', NODE, ender, '', tree, '30000'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, [TREE_TOKEN_VARIABLE]: token },
    },
  );
  let text = '';
  outer.stderr!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await until(() => expect(text).toContain('and went on'));

  expect(text).toBe('{"survivors":[],"forced":false} and went on\n');
  expect(place.living()).toEqual([outer.pid]);
  expect(identify(outer.pid!)).toBeDefined();
});

function placeOfItsOwn(): Place {
  const place = new Place();
  onTestFinished(() => place.clear());
  return place;
}
