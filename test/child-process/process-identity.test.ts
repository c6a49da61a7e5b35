import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import { identify, stateOf } from '../../packages/mcpify/src/child-process/process-identity.js';
import { signalProcess } from '../../packages/mcpify/src/child-process/signal-process.js';
import { stateLetter, test, until } from './place.js';

describe('identify', () => {
  test('gives plain JSON that stays the same as long as the process lives', async ({ place }) => {
    const { pid } = place.spawn('sleep', ['60']);
    const stored: unknown = JSON.parse(JSON.stringify(identify(pid!)));
    await until(() => expect(stateLetter(pid!)).toBe('S'));
    expect(stored).toEqual(identify(pid!));
    expect(stateOf(stored as never)).toBe('alive');
  });

  test('knows a child in the turn that spawned it, however short its life', () => {
    const child = spawn('true', { stdio: 'ignore' });
    // Without a turn of the event loop Node cannot take note of its end.
    while (stateLetter(child.pid!) !== 'Z');
    const identity = identify(child.pid!);
    expect(identity).toMatchObject({ pid: child.pid });
    expect(stateOf(identity!)).toBe('gone');
  });

  test('tells two processes apart that have one number', () => {
    const identity = identify(process.pid)!;
    expect(stateOf(identity)).toBe('alive');
    expect(stateOf({ ...identity, startTime: String(Number(identity.startTime) + 1) })).toBe('gone');
  });

  test('is not led astray by the name of a program', ({ place }) => {
    const name = 'a) Z 1 (b ';
    symlinkSync('/bin/sleep', join(place.folder, name));
    const { pid } = place.spawn(`./${name}`, ['60']);
    expect(stateOf(identify(pid!)!)).toBe('alive');
    expect(identify(pid!)!.startTime).toMatch(/^\d{2,}$/);
  });

  test('nobody', () => {
    expect(identify(2 ** 22 + 1)).toBeUndefined();
  });
});

test.for([
  ['another boot of this machine', { bootId: 'another' }, 'host-restarted'],
  ['another boot, another container since', { bootId: 'another', pidNamespace: 'pid:[1]' }, 'host-restarted'],
  ['another machine', { bootId: 'another', hostName: 'another' }, 'elsewhere'],
  ['another container of this machine', { pidNamespace: 'pid:[1]' }, 'elsewhere'],
  ['this machine under a new name', { hostName: 'another' }, 'alive'],
] as const)('state of a process of %s', ([, change, state]) => {
  expect(stateOf({ ...identify(process.pid)!, ...change })).toBe(state);
});

describe('a signal', () => {
  test('reaches the very process', async ({ place }) => {
    const identity = identify(place.spawn('sleep', ['60']).pid!)!;
    expect(signalProcess(identity, 'SIGKILL')).toBe('sent');
    await until(() => expect(stateOf(identity)).toBe('gone'));
    expect(signalProcess(identity, 'SIGKILL')).toBe('gone');
  });

  test('never reaches a process with another start time, a group, the first process, or its sender', ({
    place,
  }) => {
    const identity = identify(place.spawn('sleep', ['60']).pid!)!;
    expect(signalProcess({ ...identity, startTime: '1' }, 'SIGKILL')).toBe('gone');
    for (const pid of [0, 1, -1, -identity.pid, process.pid]) {
      expect(signalProcess({ ...identity, pid }, 'SIGKILL')).toBe('refused');
    }
    expect(stateOf(identity)).toBe('alive');
  });
});
