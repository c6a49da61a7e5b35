import { serveHttp } from 'mcpify';

const { url, close } = await serveHttp(() => import('./program.js'), {
  http: { port: 8080, tokenEnv: 'SITE_TOKEN' },
});
console.log(`Serving ${url}`);
process.once('SIGTERM', () => void close());
