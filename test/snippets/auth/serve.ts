import { serveHttp, type AccessToken } from 'mcpify';

const RESOURCE = 'https://tools.example/mcp';

await serveHttp(() => import('../publish/program.js'), {
  http: {
    port: 8080,
    allowedHosts: ['tools.example'],
    oauth: {
      resource: RESOURCE,
      authorizationServer: { issuer: 'https://login.example', response_types_supported: ['code'] },
      requiredScopes: ['mcp'],
      scopesSupported: ['mcp', 'admin'],
      verifyAccessToken: introspect,
    },
  },
});

/** Token introspection, RFC 7662. */
async function introspect(token: string): Promise<AccessToken> {
  const response = await fetch('https://login.example/introspect', {
    method: 'POST',
    headers: { authorization: `Basic ${process.env['INTROSPECTION_KEY']}` },
    body: new URLSearchParams({ token }),
  });
  const { active, client_id: clientId, sub, scope, exp, aud } = (await response.json()) as Introspection;
  if (!active) throw new Error('The token is not active.');
  return { clientId, subject: sub, scopes: scope.split(' '), expiresAt: exp, resource: aud };
}

interface Introspection {
  readonly active: boolean;
  readonly client_id: string;
  readonly sub: string;
  readonly scope: string;
  readonly exp: number;
  readonly aud: string | readonly string[];
}
