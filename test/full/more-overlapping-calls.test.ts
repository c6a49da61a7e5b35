/** The test of overlapping calls with more of them than `npm test` has time for. */
process.env['MCPIFY_TEST_CALLS'] = '3000';
await import('../kinds/overlapping-calls.test.js');
