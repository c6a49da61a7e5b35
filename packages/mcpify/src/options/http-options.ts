import { UsageError } from '../errors/usage-error.js';
import { refuseUnknown } from './refuse-unknown.js';
import { filled, values } from './setting-values.js';

/** How Streamable HTTP is served. Loopback without any setting; beyond it a token or OAuth is demanded. */
export interface HttpOptions {
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Port to listen on; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Names besides those of loopback that a `Host` header may carry, without port. @default none */
  readonly allowedHosts?: readonly string[];
  /** Host names besides those of loopback of web pages that may call, without scheme and port. @default none */
  readonly allowedOrigins?: readonly string[];
  /** Environment variable with the bearer token that every request must carry. @default no token */
  readonly tokenEnv?: string;
  /** OAuth 2.1 resource server: who may call is told by access tokens. @default no OAuth */
  readonly oauth?: OAuthOptions;
}

/** What a resource server must know; the authorization server is somebody else's. */
export interface OAuthOptions {
  /** Public URL of this server: the audience that tokens must be made for (RFC 8707). */
  readonly resource: string;
  /** Metadata of the authorization server (RFC 8414), `issuer` first of all. */
  readonly authorizationServer: { readonly issuer: string } & Readonly<Record<string, unknown>>;
  /** Scopes that every request must have. @default none */
  readonly requiredScopes?: readonly string[];
  /** Scopes told to clients in the resource's metadata. @default those required and those of tools */
  readonly scopesSupported?: readonly string[];
  /**
   * Checks a token, by introspection or by its signature.
   *
   * @throws any error for a token that is not valid: the answer is 401
   */
  verifyAccessToken(token: string): Promise<AccessToken>;
}

/** A token that is valid, and what it is good for. */
export interface AccessToken {
  readonly clientId: string;
  /** Whose tasks and sessions the caller may see. @default the client id */
  readonly subject?: string;
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The audience: must be `OAuthOptions.resource`, or hold it. */
  readonly resource: string | readonly string[];
}

/** `HttpOptions` with every default filled in. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The token itself. */
  readonly token: string | undefined;
  readonly oauth: OAuthOptions | undefined;
}

/** No global type of Node: this file is a part of the public types, which users compile without `@types/node`. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A token that could be guessed is none. */
const SHORTEST_TOKEN = 16;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whatever address a request comes in by: no name can be derived from these. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]', '']);

/**
 * Fills in the defaults and refuses what would leave the server open (protocol.md, section 8).
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function resolveHttp(options: HttpOptions, environment: Environment = process.env): HttpSettings {
  checkHttp(options);
  const { host = '127.0.0.1', port = 0, allowedHosts = [], allowedOrigins = [], tokenEnv, oauth } = options;
  const token = tokenEnv === undefined ? undefined : readToken(tokenEnv, environment);
  const isLoopback = LOOPBACK.test(host);
  if (!isLoopback && token === undefined && oauth === undefined) {
    throw invalid(
      'host',
      `${JSON.stringify(host)} can be reached from other machines: demand a token with http.tokenEnv (--token-env), ` +
        'or set http.oauth',
    );
  }
  if (ANY_ADDRESS.has(host) && allowedHosts.length === 0) {
    throw invalid(
      'allowedHosts',
      `must name the hosts that clients use, where the server listens on ${host}`,
    );
  }
  const own = isLoopback || ANY_ADDRESS.has(host) ? [] : [host];
  return { host, port, allowedHosts: [...own, ...allowedHosts], allowedOrigins, token, oauth };
}

const KNOWN = [
  'host',
  'port',
  'allowedHosts',
  'allowedOrigins',
  'tokenEnv',
  'oauth',
] satisfies readonly (keyof HttpOptions)[];
const OF_OAUTH = [
  'resource',
  'authorizationServer',
  'requiredScopes',
  'scopesSupported',
  'verifyAccessToken',
] satisfies readonly (keyof OAuthOptions)[];

/**
 * What can be said of the settings alone: on stdio too, since one script serves both. Whether the server would be
 * open is asked where it listens.
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function checkHttp(options: HttpOptions | undefined): void {
  if (options === undefined) return;
  refuseUnknown(values('http', options), KNOWN, (name) => `Unknown setting "http.${name}"`);
  const { host = '127.0.0.1', port = 0, allowedHosts = [], allowedOrigins = [], tokenEnv, oauth } = options;
  if (typeof host !== 'string') throw invalid('host', 'must be an address or a name');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw invalid('port', 'must be from 0 to 65535');
  checkNames('allowedHosts', allowedHosts);
  checkNames('allowedOrigins', allowedOrigins);
  filled('http.tokenEnv', tokenEnv);
  if (oauth !== undefined) checkOAuth(oauth);
}

function checkNames(name: string, value: unknown): void {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
  if (!isList) throw invalid(name, 'must be a list of host names');
  for (const each of value as string[]) {
    if (/[/\s]/.test(each) || /[^\]]:\d+$/.test(each)) {
      throw invalid(name, `must be host names without scheme and port; one is ${JSON.stringify(each)}`);
    }
  }
}

function checkOAuth(oauth: OAuthOptions): void {
  refuseUnknown(values('http.oauth', oauth), OF_OAUTH, (name) => `Unknown setting "http.oauth.${name}"`);
  if (!URL.canParse(oauth.resource)) throw invalid('oauth.resource', 'must be the public URL of this server');
  if (typeof oauth.verifyAccessToken !== 'function') {
    throw invalid('oauth.verifyAccessToken', 'must be a function that checks a token');
  }
  if (!URL.canParse(oauth.authorizationServer?.issuer)) {
    throw invalid('oauth.authorizationServer.issuer', 'must be the URL of the authorization server');
  }
}

function readToken(tokenEnv: string, environment: Environment): string {
  const token = environment[tokenEnv];
  if (token !== undefined && token.length >= SHORTEST_TOKEN) return token;
  throw invalid(
    'tokenEnv',
    `the environment variable ${tokenEnv} must hold a token of at least ${SHORTEST_TOKEN} characters`,
  );
}

function invalid(name: string, what: string): UsageError {
  return new UsageError('INVALID_SETTING', `Setting http.${name}: ${what}.`);
}
