/** Tests of many seconds, run once by `npm run test:full`, so that `npm test` stays short on every Node. */
export const LONG_TESTS = [
  'test/full/**/*.test.ts',
  'test/kinds/k28-task-files-are-bounded-and-let-go.test.ts',
  'test/kinds/k29-signals-end-all-in-order.test.ts',
  'test/kinds/overlapping-calls.test.ts',
  'test/snippets/backend/conformance.test.ts',
  'test/tasks/engine.adoption.test.ts',
];
