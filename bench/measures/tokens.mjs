import { encode } from 'gpt-tokenizer/encoding/o200k_base';

import { Server } from '../driver.mjs';
import { OURS, RAW, TASKS } from '../sides.mjs';

/**
 * What the list of a 20-command CLI costs the model; mcpify's own parameters (`debug`, `nocache`, `session`) can be left
 * out. The tools that mcpify adds cost the same beside any number of commands: a row of their own.
 */
export async function measureTokens(report, { node }) {
  const raw = await listOf(RAW, node);
  const ours = await listOf(OURS, node);
  const withoutControls = await listOf(OURS, node, { BENCH_NO_CONTROLS: '1' });
  const names = new Set(raw.map(({ name }) => name));
  const isCommand = ({ name }) => names.has(name);
  const shown = (tools) => tools.filter(isCommand).map(toShown);
  const measure = 'tokens of 20 tools: name, description, schema';
  const add = (name, tools, goals) =>
    report.add(`${measure}; ${name}`, [tokensOf(shown(raw))], [tokensOf(shown(tools))], goals);
  add('without control parameters', withoutControls, { must: 1.15, strive: 1 });
  add('with them', ours, { must: 1.35, strive: 1.2 });
  report.add('tokens of 20 tools, with annotations', [tokensOf(raw)], [tokensOf(ours.filter(isCommand))]);
  report.add('the same, and of cache_show and cache_clear', [tokensOf(raw)], [tokensOf(ours)]);
  const added = (await listOf(TASKS, node)).filter(({ name }) => /^(?:task|cache)_/.test(name));
  report.addAbsolute(
    'tokens of the tools of tasks and cache: name, description, schema',
    [tokensOf(added.map(toShown))],
    {
      must: 500,
      strive: 300,
    },
  );
  report.addAbsolute('the same, with annotations', [tokensOf(added)]);
}

/** What a client gives to the model. */
function toShown({ name, description, inputSchema }) {
  return { name, description, inputSchema };
}

async function listOf(file, node, env = {}) {
  const server = new Server(file, { node, env: { BENCH_COMMANDS: '20', ...env } });
  await server.connect();
  const { result } = await server.request('tools/list');
  await server.stop();
  return result.tools;
}

function tokensOf(value) {
  return encode(JSON.stringify(value)).length;
}
