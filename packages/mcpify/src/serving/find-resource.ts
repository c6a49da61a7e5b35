import { UriTemplate } from '@modelcontextprotocol/server';

import { withPlainScheme } from '../schema/resource-template.js';
import type { CommandResource } from '../tools/command-resource.js';

export interface FoundResource {
  readonly resource: CommandResource;
  /** What the variables stand for, decoded: the arguments of the command. */
  readonly values: Readonly<Record<string, string>>;
}

/** What HTTP servers take, too (RFC 9110, 4.1). */
const LONGEST_URI = 8_000;

/** The command that a uri names: one without variables first, else the one declared first. */
export function findResource(resources: readonly CommandResource[], uri: string): FoundResource | undefined {
  if (resources.length === 0 || uri.length > LONGEST_URI) return undefined;
  const asked = withPlainScheme(uri);
  const fixed = resources.find(({ template }) => isFixed(template) && template.path === asked);
  if (fixed) return { resource: fixed, values: {} };
  for (const resource of resources) {
    const values = isFixed(resource.template) ? undefined : match(resource, asked);
    if (values) return { resource, values };
  }
  return undefined;
}

/** Whether the uri is known before anybody asks for it. */
export function isFixed({ variables, queryVariables }: CommandResource['template']): boolean {
  return variables.length === 0 && queryVariables.length === 0;
}

function match(resource: CommandResource, uri: string): FoundResource['values'] | undefined {
  const { queryVariables } = resource.template;
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?$/s.exec(uri) ?? [];
  const given = matcherOf(resource).match(path);
  if (!given) return undefined;
  const pairs = [...Object.entries(given as Record<string, string>), ...readQuery(query)];
  const inQuery = pairs.slice(Object.keys(given).length).map(([name]) => name);
  const isKnown = inQuery.every((name, at) => queryVariables.includes(name) && inQuery.indexOf(name) === at);
  return isKnown ? decode(pairs) : undefined;
}

/** The SDK's template wants every variable of a query, in order (2.4): these are read here. */
function readQuery(query = ''): (readonly [string, string])[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name, value.join('=')];
    });
}

/** @returns undefined where a value is no percent-encoded UTF-8 */
function decode(pairs: readonly (readonly [string, string])[]): FoundResource['values'] | undefined {
  try {
    return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

const matchers = new WeakMap<CommandResource, UriTemplate>();

function matcherOf(resource: CommandResource): UriTemplate {
  let matcher = matchers.get(resource);
  if (!matcher) matchers.set(resource, (matcher = new UriTemplate(resource.template.path)));
  return matcher;
}
