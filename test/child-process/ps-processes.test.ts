import { describe, expect, vi } from 'vitest';

import { linuxProcesses } from '../../packages/mcpify/src/child-process/linux-processes.js';
import { parsePsEntries, psProcesses } from '../../packages/mcpify/src/child-process/ps-processes.js';
import { test, until } from './place.js';

test('reads what macOS prints', () => {
  const text = [
    '    1     0     1 Ss   Mon Dec  1 06:30:00 2025    ',
    '  812     1   812 T+   Mon Dec  1 22:05:09 2025    ',
    '  813   812   812 Z    Mon Dec  1 22:05:10 2025    ',
    'ps: a line of another kind',
    '',
  ].join('\n');
  expect([...parsePsEntries(text).values()]).toEqual([
    { pid: 1, parentPid: 0, groupId: 1, sessionId: 0, startTime: '1764570600', state: 'running' },
    { pid: 812, parentPid: 1, groupId: 812, sessionId: 0, startTime: '1764626709', state: 'stopped' },
    { pid: 813, parentPid: 812, groupId: 812, sessionId: 0, startTime: '1764626710', state: 'ended' },
  ]);
});

describe('where there is a ps', () => {
  const hasPs = psProcesses.read(process.pid) !== undefined;

  test.skipIf(!hasPs)('tells the same as /proc', async ({ place }) => {
    const { pid } = place.spawn('sh', ['-c', 'kill -STOP $$'], { detached: true });
    await until(() => expect(linuxProcesses.read(pid!)?.state).toBe('stopped'));
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const { startTime, ...seen } = psProcesses.takeSnapshot()!.processes.get(pid!)!;
    vi.unstubAllEnvs();
    expect(seen).toEqual({ pid, parentPid: process.pid, groupId: pid, sessionId: 0, state: 'stopped' });
    expect(Math.abs(Number(startTime) - Date.now() / 1_000)).toBeLessThan(60);
    expect(psProcesses.bootId()).toMatch(/^\d+$/);
  });
});

test('without a ps nothing is known, and nothing breaks', ({ place }) => {
  vi.stubEnv('PATH', place.folder);
  try {
    expect(psProcesses.takeSnapshot()).toBeUndefined();
  } finally {
    vi.unstubAllEnvs();
  }
});
