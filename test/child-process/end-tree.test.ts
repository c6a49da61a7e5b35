import { describe, expect } from 'vitest';

import { stateOf, type ProcessIdentity } from '../../packages/mcpify/src/child-process/process-identity.js';
import { endTree, membersOf } from '../../packages/mcpify/src/child-process/process-tree.js';
import { endElsewhere, endOutOfDescriptors, stateLetter, test, until } from './place.js';

/** Short, where the victim does not end by itself anyway. */
const GRACE_MS = 150;

const IDLE = '"$node" -e "setTimeout(() => {}, 60000)" & wait';

/* Each of these has been left alive by a usual way to end a process tree (tasks.md, section 2). */
const VICTIMS: readonly [name: string, script: string, living: number, sleeping: number][] = [
  ['a child', 'sleep 60 & wait', 2, 1],
  ['npm run', 'export npm_config_update_notifier=false; exec npm run --silent idle', 3, 0],
  ['a double fork', '(sh -c "sleep 60 & exec sleep 60" &); exec sleep 60', 3, 3],
  ['a leader that is gone', 'sleep 60 & sleep 60 & exit', 2, 2],
  ['setsid', 'setsid sleep 60 & wait', 2, 1],
  [
    'nohup, setsid and double fork',
    '(setsid nohup sh -c "sleep 60 & exec sleep 60" &) >/dev/null 2>&1',
    2,
    2,
  ],
  [
    'the same with an empty environment',
    '(setsid nohup env -i sh -c "sleep 60 & exec sleep 60" 2>/dev/null &)',
    2,
    2,
  ],
  ['ignores SIGTERM', 'trap "" TERM; sleep 60 & wait', 2, 1],
  ['children that ignore SIGTERM', '(trap "" TERM; sleep 60 & exec sleep 60) & wait', 3, 2],
  ['50 children, each respawned', 'exec "$node" "$fixtures/respawns.mjs" 50', 51, 50],
  ['20 setsid children, each respawned', 'exec "$node" "$fixtures/respawns.mjs" 20 detached', 21, 20],
  ['the same, SIGTERM ignored', 'exec "$node" "$fixtures/respawns.mjs" 20 detached stubborn', 21, 20],
  ['a stopped child', 'sh -c "kill -STOP \\$\\$; sleep 60" & wait', 2, 0],
  [
    'another group of the session',
    'bash -c "set -m; env -i sleep 60 >/dev/null 2>&1 &"; exec sleep 60',
    2,
    2,
  ],
  ['a group that has given up its environment and log', 'env -i sleep 60 >/dev/null 2>&1 & exit', 1, 1],
  [
    'a grandchild whose parent has cleared its environment',
    'env -i setsid sh -c "sleep 60 & wait" >/dev/null 2>&1 & wait',
    3,
    1,
  ],
  [
    'a session whose leader alone has kept its environment',
    'setsid sh -c "(env -i sleep 60 &) >/dev/null 2>&1; exec sleep 60" & exit',
    2,
    2,
  ],
];

describe('nobody is left of', () => {
  test.for(VICTIMS)('%s', async ([, script, living, sleeping], { place }) => {
    place.write('package.json', JSON.stringify({ scripts: { idle: IDLE } }));
    const tree = place.run(script);
    await place.untilSleeping(sleeping);
    await place.untilLiving(living);
    expect(pidsOf(membersOf(tree))).toEqual(pidsOf(place.living()));

    const { survivors } = await endTree(tree, { graceMs: GRACE_MS });

    expect(place.living()).toEqual([]);
    expect(survivors).toEqual([]);
    expect(membersOf(tree)).toEqual([]);
  });

  test('a group whose leader alone has kept its environment, in a session of ours', async ({ place }) => {
    const tree = place.run(
      'bash -c \'set -m; sh -c "(env -i sleep 60 &) >/dev/null 2>&1; exec sleep 60" & exit\'',
      {
        detached: false,
      },
    );
    await place.untilSleeping(2);
    expect(pidsOf(membersOf(tree))).toEqual(pidsOf(place.living()));

    expect(await endTree(tree, { graceMs: 30_000 })).toEqual({ survivors: [], forced: false });

    expect(place.living()).toEqual([]);
  });

  test('children that a SIGTERM handler starts in sessions of their own', async ({ place }) => {
    const tree = place.run('exec "$node" "$fixtures/starts-more-at-the-end.mjs"');
    await place.untilLiving(1, 'ready');

    // They are asked themselves, once nobody who may wait for them is left: without the grace time running out.
    expect(await endTree(tree, { graceMs: 30_000 })).toEqual({ survivors: [], forced: false });

    expect(place.living()).toEqual([]);
  });

  test('a member that loses every mark when it is asked to end', async ({ place }) => {
    const tree = place.run(
      '(trap "exec env -i setsid sleep 60 >/dev/null 2>&1" TERM; touch ready; while :; do sleep 0.02; done) & wait',
    );
    await until(() => expect(place.has('ready')).toBe(true));

    expect(await endTree(tree, { graceMs: GRACE_MS })).toEqual({ survivors: [], forced: true });

    expect(place.living()).toEqual([]);
  });
});

test('out of reach: one that has given up environment, session, parent and log before anybody looked', async ({
  place,
}) => {
  const tree = place.run('(env -i setsid sleep 60 >/dev/null 2>&1 &) ; exit');
  await until(() => expect(stateOf(tree.root)).toBe('gone'));
  await place.untilSleeping(1);

  expect(await endTree(tree, { graceMs: 0 })).toEqual({ survivors: [], forced: false });

  // Only a PID namespace or a cgroup could hold it. The day it is caught, the documents may say so.
  expect(place.living()).toHaveLength(1);
});

describe('SIGTERM and the grace time', () => {
  test('a second of clean-up within two of grace is left alone, and so are the children it needs', async ({
    place,
  }) => {
    const tree = place.run('exec "$node" "$fixtures/cleans-up.mjs"');
    await place.untilLiving(1, 'ready');

    expect(await endTree(tree, { graceMs: 2_000 })).toEqual({ survivors: [], forced: false });

    expect(place.read('cleaned')).toBe('clean\n');
  });

  test('a stopped process is woken, so that it can clean up', async ({ place }) => {
    const tree = place.run('exec "$node" "$fixtures/cleans-up.mjs"');
    await place.untilLiving(1, 'ready');
    process.kill(tree.root.pid, 'SIGSTOP');
    await until(() => expect(stateLetter(tree.root.pid)).toBe('T'));

    expect(await endTree(tree, { graceMs: 30_000 })).toEqual({ survivors: [], forced: false });

    expect(place.read('cleaned')).toBe('clean\n');
  });

  test('whoever joins a running end sends no second SIGTERM; the shorter grace time holds', async ({
    place,
  }) => {
    const tree = place.run('exec "$node" "$fixtures/cleans-up.mjs"');
    await place.untilLiving(1, 'ready');

    const first = endTree(tree, { graceMs: 60_000 });
    await until(() => expect(place.has('asked')).toBe(true));
    const second = endTree({ ...tree }, { graceMs: 0 });

    expect(await Promise.all([first, second])).toEqual([
      { survivors: [], forced: true },
      { survivors: [], forced: true },
    ]);
    expect(place.read('asked')).toBe('asked\n');
    expect(place.living()).toEqual([]);
  });

  test('two processes that end the same tree at once', async ({ place }) => {
    const tree = place.run('exec "$node" "$fixtures/respawns.mjs" 10 detached stubborn');
    await place.untilLiving(11);

    const [ours, theirs] = await Promise.all([
      endTree(tree, { graceMs: GRACE_MS }),
      endElsewhere(place, tree),
    ]);

    expect([ours.survivors, theirs.survivors]).toEqual([[], []]);
    expect(place.living()).toEqual([]);
  });

  test('a tree that has ended before is no error', async ({ place }) => {
    const tree = place.run('exit 3');
    await until(() => expect(stateOf(tree.root)).toBe('gone'));
    expect(await endTree(tree, { graceMs: 60_000 })).toEqual({ survivors: [], forced: false });
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'who may not be signalled is told as a survivor, without delay',
  async ({ place }) => {
    const tree = place.run('sleep 60 & wait');
    await place.untilLiving(2);

    const nobody = 65_534;
    const { survivors, forced } = await endElsewhere(place, tree, nobody);

    expect(survivors).toEqual(place.living());
    expect(survivors).toHaveLength(2);
    expect(forced).toBe(false);
  },
);

test('without a descriptor to look with, "gone" is no guess: the end waits until it can look', async ({
  place,
}) => {
  const tree = place.run('trap "" TERM; sleep 60 & wait');
  await place.untilSleeping(1);
  await place.untilLiving(2);

  expect(await endOutOfDescriptors(place, tree)).toEqual({ survivors: [], forced: true });

  expect(place.living()).toEqual([]);
});

function pidsOf(processes: readonly (number | ProcessIdentity)[]): number[] {
  return processes.map((each) => (typeof each === 'number' ? each : each.pid)).toSorted((a, b) => a - b);
}
