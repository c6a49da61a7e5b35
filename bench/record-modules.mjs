// Loaded by `--import` before a server. At the end it writes the modules that were loaded to the file BENCH_MODULES.
import { writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

const HOOKS = `
  let port;
  export function initialize(data) { port = data; }
  export async function load(url, context, nextLoad) { port.postMessage(url); return nextLoad(url, context); }`;

const urls = new Set();
const { port1, port2 } = new MessageChannel();
port1.on('message', (url) => urls.add(url));
port1.unref();
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: port2, transferList: [port2] });

process.on('exit', () => {
  const required = Object.keys(createRequire(import.meta.url).cache);
  writeFileSync(process.env.BENCH_MODULES, JSON.stringify([...urls, ...required]));
});
