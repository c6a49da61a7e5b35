/*
 * Sums up the reports of all runs: the last line of .ci/run. The counts are those of the runs' own reports in
 * .reports/. A run that left no report, a test file that could not be loaded and a command that ended with another
 * exit code than 0 without a failed test count as one failure each. A test that passed on its second try counts as
 * passed and is named, with what the first try said.
 *
 *   node scripts/count-reports.mjs [NAME=EXIT_CODE ...]
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { REPORTS } from './full-runs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('../.reports/', import.meta.url);
/** Of the message of a failed test: whoever sees only the end of the output is to know what has failed. */
const MESSAGE_LENGTH = 400;
const NAMED_FAILURES = 25;

let passed = 0;
let failed = 0;
for (const name of REPORTS) {
  const counts = countsOf(name);
  passed += counts.passed;
  failed += counts.failed;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed${skipped}${counts.note ?? ''}`);
}
for (const command of process.argv.slice(2)) {
  const [name, exitCode] = command.split('=');
  if (exitCode === '0' || failed > 0) continue;
  failed += 1;
  console.log(`${name}: exit code ${exitCode}, although no report holds a failed test`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function countsOf(name) {
  let report;
  try {
    report = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, note: ' (no report)' };
  }
  const secondTries = (report.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults.filter(isSecondTry),
  ).length;
  const unloaded = (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
  ).length;
  nameFailures(name, report.testResults ?? []);
  const found = report.numFailedTests + unloaded;
  return {
    passed: report.numPassedTests,
    // An error outside of all tests fails the run without failing a test.
    failed: found === 0 && report.success === false ? 1 : found,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
    note: secondTries > 0 ? `, ${secondTries} of them on the second try` : '',
  };
}

function isFailed({ status }) {
  return status === 'failed';
}

function isSecondTry({ status, failureMessages }) {
  return status === 'passed' && (failureMessages ?? []).length > 0;
}

function nameFailures(run, testResults) {
  const lines = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failures = assertionResults.filter(isFailed);
    const named = [...failures, ...assertionResults.filter(isSecondTry)].map((test) => {
      const note = isFailed(test) ? '' : ' passed on the second try;';
      return `${file}: ${test.fullName}:${note} ${shorten(test.failureMessages.join(' '))}`;
    });
    return status === 'failed' && failures.length === 0 ? [`${file}: ${shorten(message)}`, ...named] : named;
  });
  for (const line of lines.slice(0, NAMED_FAILURES)) console.log(`  ${run}: ${line}`);
  if (lines.length > NAMED_FAILURES) console.log(`  ${run}: and ${lines.length - NAMED_FAILURES} more`);
}

function shorten(text = '') {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MESSAGE_LENGTH ? `${line.slice(0, MESSAGE_LENGTH)}…` : line;
}
