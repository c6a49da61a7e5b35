/*
 * Measures mcpify against the raw SDK on the same commands, side by side in one run. What counts are the ratios.
 *
 *   pnpm bench [--quick] [--only start,calls,...] [--node PATH] [--json FILE]
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { measureBundle } from './measures/bundle.mjs';
import { measureCalls, measureOverlap } from './measures/calls.mjs';
import { measureChildren } from './measures/children.mjs';
import { measureClasses } from './measures/classes.mjs';
import { measureOutput } from './measures/output.mjs';
import { measurePackages } from './measures/packages.mjs';
import { measureScale } from './measures/scale.mjs';
import { measureStart } from './measures/start.mjs';
import { measureTaskStore } from './measures/task-store.mjs';
import { measureTasks } from './measures/tasks.mjs';
import { measureTokens } from './measures/tokens.mjs';
import { createReport } from './report.mjs';

const MEASURES = {
  start: measureStart,
  bundle: measureBundle,
  calls: measureCalls,
  overlap: measureOverlap,
  scale: measureScale,
  classes: measureClasses,
  output: measureOutput,
  tokens: measureTokens,
  packages: measurePackages,
  children: measureChildren,
  tasks: measureTasks,
  store: measureTaskStore,
};

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(MEASURES).join(',') },
    node: { type: 'string', default: process.execPath },
    json: { type: 'string' },
  },
});
const names = flags.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(MEASURES, name));
if (unknown.length > 0) {
  console.error(`No such measurement: ${unknown.join(', ')}. There are: ${Object.keys(MEASURES).join(', ')}`);
  process.exit(1);
}

const version = execFileSync(flags.node, ['-v'], { encoding: 'utf8' }).trim();
const settings = {
  node: flags.node,
  nodeMajor: Number(/^v(\d+)/.exec(version)?.[1]),
  isQuick: flags.quick,
  rounds: flags.quick ? 5 : 15,
  calls: flags.quick ? 300 : 1_000,
};
const machine = `Node ${version}, ${cpus().length} processors, ${settings.rounds} rounds`;
console.log(`${machine}. Ratio: mcpify / raw SDK, median of the rounds.\n`);

const report = createReport();
for (const name of names) await MEASURES[name](report, settings);
const missed = report.rows.filter(({ isMet }) => isMet === false);
console.log(`\n${missed.length === 0 ? 'All goals met.' : `${missed.length} goals missed.`}`);
if (flags.json) writeFileSync(flags.json, `${JSON.stringify({ machine, rows: report.rows }, null, 2)}\n`);
