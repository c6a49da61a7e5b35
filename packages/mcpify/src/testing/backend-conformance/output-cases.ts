import assert from 'node:assert/strict';

import { soon, there } from './case-context.js';
import type { CaseDefinition } from './subject.js';

const TEXT = 'plain, grüße, 漢字, 😀👩‍👩‍👧, עברית; \u001b[31mred\u001b[0m, a\rb';
const LINE_COUNT = 10_000;

export const outputCases: readonly CaseDefinition[] = [
  {
    name: 'stdout and stderr in the order of writing, all of it, also with process.exit()',
    async run(context) {
      const { taskId } = await context.start([`lines:${LINE_COUNT}`, 'exit:0']);
      const { outputBytes } = await context.untilEnded(taskId);
      const expected = Array.from({ length: LINE_COUNT }, (_, line) => `line ${line}\n`).join('');
      assert.equal(await context.readAll(taskId, 100_000), expected);
      assert.equal(outputBytes, expected.length);
    },
  },
  {
    name: 'pages of any size add up to the whole, and cut no character',
    async run(context) {
      const { taskId } = await context.start([`out:${TEXT}`, `err:${TEXT}`]);
      await context.untilEnded(taskId);
      for (const maxBytes of [1, 2, 3, 4, 5, 7, 64, 1_000_000]) {
        assert.equal(await context.readAll(taskId, maxBytes), `${TEXT}\n${TEXT}\n`, `by ${maxBytes} bytes`);
      }
    },
  },
  {
    name: 'what is no UTF-8 does not bring reading to a halt',
    async run(context) {
      const { taskId } = await context.start([
        'out:before',
        `raw:${'ff80c3f09f98'.repeat(50)}`,
        'out:',
        'out:after',
      ]);
      await context.untilEnded(taskId);
      for (const maxBytes of [1, 3, 50, 100_000]) {
        assert.match(
          await context.readAll(taskId, maxBytes),
          /^before\n[\s\S]*\nafter\n$/,
          `by ${maxBytes} bytes`,
        );
      }
    },
  },
  {
    name: 'a page has its size, and tells where the next one begins',
    async run(context) {
      const { taskId } = await context.start(['out:0123456789']);
      await context.untilEnded(taskId);
      const query = { offsetBytes: 2, maxBytes: 4 };
      const page = there(await context.backend.readOutput(taskId, query, context.caller));
      const { text, offsetBytes, nextOffsetBytes, totalBytes, truncatedBytes, task } = page;
      assert.deepEqual(
        { text, offsetBytes, nextOffsetBytes, totalBytes, truncatedBytes },
        { text: '2345', offsetBytes: 2, nextOffsetBytes: 6, totalBytes: 11, truncatedBytes: 0 },
      );
      assert.deepEqual(task, await context.get(taskId));
    },
  },
  {
    name: 'the last lines, where no offset is given',
    async run(context) {
      const { taskId } = await context.start(['lines:1000', 'out:the last']);
      await context.untilEnded(taskId);
      const query = { maxBytes: 100_000, tailLines: 3 };
      const page = there(await context.backend.readOutput(taskId, query, context.caller));
      assert.equal(page.text, 'line 998\nline 999\nthe last\n');
      assert.equal(page.nextOffsetBytes, page.totalBytes);
      assert.equal(page.offsetBytes, page.totalBytes - page.text.length);
    },
  },
  {
    name: 'nothing is behind the end',
    async run(context) {
      const { taskId } = await context.start(['out:all']);
      await context.untilEnded(taskId);
      for (const offsetBytes of [4, 5, 1_000_000]) {
        const query = { offsetBytes, maxBytes: 100 };
        const page = there(await context.backend.readOutput(taskId, query, context.caller));
        assert.equal(page.text, '');
        assert.equal(page.totalBytes, 4);
      }
    },
  },
  {
    name: 'whoever goes on from the last page reads no line twice and misses none, while the task runs',
    async run(context) {
      const { taskId } = await context.start(['out:1', 'sleep:100', 'out:2', 'sleep:100', 'out:3']);
      let text = '';
      for (let offsetBytes = 0, isRunning = true; isRunning || text.length < 6;) {
        const query = { offsetBytes, maxBytes: 100, waitMs: 20_000 };
        const page = there(await context.backend.readOutput(taskId, query, context.caller));
        assert.equal(page.offsetBytes, offsetBytes);
        text += page.text;
        offsetBytes = page.nextOffsetBytes;
        isRunning = page.task.status === 'running';
        assert.ok(isRunning || page.totalBytes === 6, 'all of the output is there when the task has ended');
      }
      assert.equal(text, '1\n2\n3\n');
    },
  },
  {
    name: 'a read that waits is answered by new output, long before its time is over',
    async run(context) {
      const { taskId } = await context.start(['out:1', 'sleep:300', 'out:2', 'sleep:600000']);
      await context.untilOutput(taskId, /1\n/);
      const query = { offsetBytes: 2, maxBytes: 100, waitMs: 45_000 };
      const page = await soon(context.backend.readOutput(taskId, query, context.caller));
      assert.equal(there(page).text, '2\n');
      assert.equal(there(page).task.status, 'running');
    },
  },
  {
    name: 'a read that waits is answered by the end of the task',
    async run(context) {
      const { taskId } = await context.start(['out:1', 'sleep:300', 'exit:3']);
      await context.untilOutput(taskId, /1\n/);
      const query = { offsetBytes: 2, maxBytes: 100, waitMs: 45_000 };
      const page = there(await soon(context.backend.readOutput(taskId, query, context.caller)));
      assert.equal(page.text, '');
      assert.equal(page.task.exitCode, 3);
    },
  },
  {
    name: 'a read that waits lets go when it is told to, and when its time is over',
    async run(context) {
      const { taskId } = await context.start(['sleep:600000']);
      const query = { offsetBytes: 0, maxBytes: 100 };
      const brief = { ...query, waitMs: 50 };
      const page = there(await soon(context.backend.readOutput(taskId, brief, context.caller)));
      assert.equal(page.text, '');
      const stop = new AbortController();
      const long = { ...query, waitMs: 45_000 };
      const reading = context.backend.readOutput(taskId, long, context.caller, stop.signal);
      stop.abort();
      await soon(Promise.allSettled([reading]));
    },
  },
];
