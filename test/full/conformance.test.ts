import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startHttp, type HttpServer } from '../http/http-server.js';

/** The protocol's official suite: needs Node 22 or newer, which runs these tests. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

const OLD = ['2025-06-18', '2025-11-25'];
const ALL = [...OLD, '2026-07-28'];

/** Scenarios of what this server serves, and the revisions that have them. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': OLD,
  'server-session-lifecycle': OLD,
  'server-stateless': ['2026-07-28'],
  'logging-set-level': OLD,
  ping: OLD,
  'tools-list': ALL,
  'tools-call-simple-text': ALL,
  'tools-call-image': ALL,
  'tools-call-audio': ALL,
  'tools-call-embedded-resource': ALL,
  'tools-call-mixed-content': ALL,
  'tools-call-with-logging': OLD,
  'tools-call-error': ALL,
  'tools-call-with-progress': ALL,
  'tools-call-elicitation': OLD,
  'elicitation-sep1034-defaults': ['2025-11-25'],
  'elicitation-sep1330-enums': ['2025-11-25'],
  'json-schema-2020-12': ['2025-11-25', '2026-07-28'],
  'server-sse-multiple-streams': ['2025-11-25', '2026-07-28'],
  'resources-list': ALL,
  'resources-read-text': ALL,
  'resources-read-binary': ALL,
  'resources-templates-read': ALL,
  'sep-2164-resource-not-found': ['2026-07-28'],
  'dns-rebinding-protection': ['2025-11-25', '2026-07-28'],
  caching: ['2026-07-28'],
  'http-header-validation': ['2026-07-28'],
  'http-custom-header-server-validation': ['2026-07-28'],
  'tasks-lifecycle': ['2026-07-28'],
  'tasks-capability-negotiation': ['2026-07-28'],
  'tasks-wire-fields': ['2026-07-28'],
  'tasks-request-state-removal': ['2026-07-28'],
  'tasks-mrtr-input': ['2026-07-28'],
  'tasks-request-headers': ['2026-07-28'],
  'tasks-dispatch-and-envelope': ['2026-07-28'],
  'tasks-required-task-error': ['2026-07-28'],
  'input-required-result-request-state': ['2026-07-28'],
  'input-required-result-multi-round': ['2026-07-28'],
  'input-required-result-missing-input-response': ['2026-07-28'],
  'input-required-result-result-type': ['2026-07-28'],
  'input-required-result-unsupported-methods': ['2026-07-28'],
  'input-required-result-tampered-state': ['2026-07-28'],
  'input-required-result-validate-input': ['2026-07-28'],
};

const PROMPTS = 'There are no prompts, and no completions of their arguments.';
const SAMPLING = 'No command asks a model, or for the roots of a client.';
const SUBSCRIPTIONS = 'Resources are read again; nobody is told of their changes.';
const SKILLS = 'There are no skills.';

/** All others, each with its reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'completion-complete': PROMPTS,
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
  'input-required-result-non-tool-request': PROMPTS,
  'tools-call-sampling': SAMPLING,
  'input-required-result-basic-sampling': SAMPLING,
  'input-required-result-basic-list-roots': SAMPLING,
  'input-required-result-multiple-input-requests': SAMPLING,
  'input-required-result-capability-check': SAMPLING,
  'resources-subscribe': SUBSCRIPTIONS,
  'resources-unsubscribe': SUBSCRIPTIONS,
  'sep-2640-skills-directory': SKILLS,
  'sep-2640-skills-enumeration': SKILLS,
  'sep-2640-skills-manifest': SKILLS,
  'input-required-result-basic-elicitation': 'Wants a key of its own for the question; ours are numbered.',
  'input-required-result-ignore-extra-params':
    'Answers before it is asked: a command waits for its answer, and nothing is known of questions before they are asked.',
  'server-sse-polling': 'Streams are not resumed: checks nothing then.',
  'tasks-status-notifications': 'The suite skips its only check.',
  'tasks-mrtr-composition':
    'Wants a call that asks first and becomes a task then. A long-running command is a task from its start, and asks as one (tasks-mrtr-input).',
};

/** Checks of what is not served: no prompts, no command that needs sampling. */
const NOT_SERVED = new Set([
  'sep-2549-prompts-list-caching-hints',
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
]);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'mcpify-conformance-'));
let server: HttpServer;

beforeAll(async () => {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, SUITE], { stdio: 'pipe' });
  server = await startHttp('test/conformance/dist/mcp.js');
});

afterAll(() => rmSync(folder, { recursive: true }));

const RUNS = Object.entries(SCENARIOS).flatMap(([scenario, revisions]) =>
  revisions.map((revision) => [scenario, revision] as const),
);

test.each(RUNS)('%s, %s', async (scenario, revision) => {
  const checks = await run(scenario, revision);
  const wrong = checks.filter(({ id, status }) => status === 'FAILURE' && !NOT_SERVED.has(id));
  expect(wrong).toEqual([]);
  // A server that is dead, or a scenario that checks nothing, is no pass. That what was sent is valid is checked in each.
  const passed = checks.filter(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid');
  expect(passed.length).toBeGreaterThan(0);
});

test('every scenario of the suite is run, or there is a reason', () => {
  const listed = execFileSync(process.execPath, [suite(), 'list', '--server'], { encoding: 'utf8' });
  const names = [...listed.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...Object.keys(SCENARIOS), ...Object.keys(NOT_RUN)].toSorted());
});

function suite(): string {
  return join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
}

/** Fails where the suite itself does not run to its end. */
async function run(scenario: string, revision: string): Promise<readonly Check[]> {
  const results = join(folder, 'results', `${scenario}-${revision}`);
  // Scenarios of extensions belong to no revision: without `--force` the suite leaves them out.
  const args = ['server', '--url', server.url, '--scenario', scenario, '--spec-version', revision, '--force'];
  await promisify(execFile)(process.execPath, [suite(), ...args, '-o', results]).catch((error: unknown) => {
    // It says by its exit code, too, that a check failed; which ones, the results tell.
    if ((error as { code?: unknown }).code !== 1) throw error;
  });
  const [only, ...others] = readdirSync(results);
  expect(others).toEqual([]);
  return JSON.parse(readFileSync(join(results, only ?? '', 'checks.json'), 'utf8')) as Check[];
}
