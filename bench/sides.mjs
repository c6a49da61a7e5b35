// The two servers that are measured, and the Node that runs both.
import { fileURLToPath } from 'node:url';

import { Server } from './driver.mjs';

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));

export const RAW = fileOf('raw-server.mjs');
export const OURS = fileOf('mcpify-server.mjs');
export const IDLE = fileOf('idle.mjs');
/** mcpify with commands that run as children. */
export const TASKS = fileOf('task-server.mjs');
export const TASK_CLI = fileOf('task-cli.mjs');

/** Both servers, connected. */
export async function startBoth(options) {
  const both = { raw: new Server(RAW, options), ours: new Server(OURS, options) };
  for (const server of Object.values(both)) await server.connect();
  return both;
}

export async function stopBoth(both) {
  for (const server of Object.values(both)) await server.stop();
}

/** Runs the work for each side, the other one first in every second round: neither always has the warmer machine. */
export async function inTurn(round, sides, work) {
  const entries = Object.entries(sides);
  if (round % 2 === 1) entries.reverse();
  for (const [side, value] of entries) await work(side, value);
}

export function greet(server) {
  return server.call('greet', { name: 'World', times: 3 });
}

export async function repeat(count, work) {
  for (let index = 0; index < count; index += 1) await work(index);
}

/** Does the work `count` times, `width` of them at a time. */
export async function inFlight(width, count, work) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: width }, worker));
}
