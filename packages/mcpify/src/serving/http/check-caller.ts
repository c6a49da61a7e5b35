import { createHash, timingSafeEqual } from 'node:crypto';

import {
  type AuthInfo,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';

import { writeStray } from '../../execution/stray-output.js';
import type { HttpSettings, OAuthOptions } from '../../options/http-options.js';
import { INVALID_REQUEST } from '../json-rpc.js';
import { refusal } from './read-body.js';

/** Who calls; or the answer, where this request goes no further. */
export type CallerCheck = (request: Request) => Promise<AuthInfo | Response | undefined>;

/**
 * Refuses what a web page could send in a person's name (Host and Origin: 403) and who has no valid token (401), before
 * anything of the body is read (protocol.md, section 8).
 */
export function createCallerCheck(settings: HttpSettings): CallerCheck {
  const hosts = [...localhostAllowedHostnames(), ...settings.allowedHosts];
  const origins = [...localhostAllowedOrigins(), ...settings.allowedOrigins];
  const authenticate = settings.oauth ? createOAuthCheck(settings.oauth) : createTokenCheck(settings.token);
  return async (request) => {
    const foreign =
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
    if (foreign) return inOurCode(foreign);
    return hasOddName(request)
      ? refusal(403, INVALID_REQUEST, 'Invalid Host or Origin')
      : authenticate(request);
  };
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** What is no name at all, and what a URL is taken apart in: `evil@localhost` is of loopback for `URL`, and for nobody else. */
function hasOddName({ headers }: Request): boolean {
  return !HOST.test(headers.get('host') ?? '') || headers.get('origin') === '';
}

/** The SDK's words; its code, -32000, is none that new code may use (P21). */
async function inOurCode(response: Response): Promise<Response> {
  const { error } = (await response.json()) as { error: { message: string } };
  return refusal(response.status, INVALID_REQUEST, error.message);
}

/** One token for all: it says that somebody may call, not who it is. */
function createTokenCheck(token: string | undefined): CallerCheck {
  if (token === undefined) return () => Promise.resolve(undefined);
  const expected = digest(token);
  return async (request) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    // Digests are of one length: neither it nor a common beginning can be measured from outside.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
    const error = given === undefined ? '' : ', error="invalid_token"';
    const response = refusal(401, INVALID_REQUEST, given === undefined ? NO_TOKEN : WRONG_TOKEN);
    response.headers.set('WWW-Authenticate', `Bearer realm="mcpify"${error}`);
    return response;
  };
}

/** To whoever sets up the client: what it shows of a failed connection is this. */
const WAY_IN =
  'Give the client the header "Authorization: Bearer <token>" for this server, with the token that the server was ' +
  'started with; never in the URL.';
const NO_TOKEN = `Unauthorized: the request carries no bearer token. ${WAY_IN}`;
const WRONG_TOKEN = `Unauthorized: the bearer token is not the one of this server. ${WAY_IN}`;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function createOAuthCheck(oauth: OAuthOptions): CallerCheck {
  const resource = new URL(oauth.resource);
  return requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verify(oauth, token) },
    requiredScopes: [...(oauth.requiredScopes ?? [])],
    expectedResource: resource,
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
  });
}

async function verify(oauth: OAuthOptions, token: string): Promise<AuthInfo> {
  try {
    const { clientId, subject, scopes, expiresAt, resource } = await oauth.verifyAccessToken(token);
    return {
      token,
      clientId,
      scopes: [...scopes],
      expiresAt,
      resource: new URL(ownOf(resource, oauth.resource)),
      extra: { subject: subject ?? clientId },
    };
  } catch (error) {
    // What the check says may hold the token: it goes nowhere.
    if (error instanceof OAuthError) throw error;
    const outage = outageOf(error);
    if (outage === undefined)
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid');
    writeStray(`mcpify: access tokens cannot be verified: ${outage}\n`);
    throw new OAuthError(OAuthErrorCode.ServerError, 'The access token cannot be verified at the moment');
  }
}

/** A token may be issued for several (RFC 7519, section 4.1.3). */
function ownOf(resource: string | readonly string[], own: string): string {
  if (typeof resource === 'string') return resource;
  return resource.includes(own) ? own : (resource[0] ?? '');
}

/** Nobody could be asked about the token: no fault of the caller's. */
function outageOf(error: unknown): string | undefined {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return name;
  return [code, cause?.code].find(
    (each): each is string => typeof each === 'string' && /^(E[A-Z_]+|UND_ERR_\w+)$/.test(each),
  );
}
