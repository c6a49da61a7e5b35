import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { Registry } from '../registry/registry.js';
import type { CommandResource } from '../tools/command-resource.js';
import type { ToolResult } from '../tools/tool.js';
import { runTool } from './answer-call.js';
import { findResource, isFixed } from './find-resource.js';
import { toContents, type Contents } from './resource-contents.js';
import type { RequestFacts } from './serve-resources.js';

/** Commands whose uris have no variables. */
export function listResources({ resources }: Registry) {
  return resources
    .filter(({ template }) => isFixed(template))
    .map((resource) => ({ uri: resource.template.text, ...describe(resource) }));
}

/** Commands whose uris have variables. */
export function listTemplates({ resources }: Registry) {
  return resources
    .filter(({ template }) => !isFixed(template))
    .map((resource) => ({ uriTemplate: resource.template.text, ...describe(resource) }));
}

function describe({ tool, mimeType }: CommandResource) {
  const { name, title, description } = tool.definition;
  return { name, ...(title !== undefined && { title }), description, ...(mimeType && { mimeType }) };
}

/** The end of a text tells why a command failed. */
const LONGEST_REASON = 2_000;

/**
 * Runs the command that the uri names, as a call of its tool would: values are checked, the operator's are used, and
 * `isEnabled`, middleware and time limit hold. What is another thing for another client does not: one uri is one
 * resource, whatever the session remembers, and nobody is asked.
 *
 * @returns undefined where no command has such a uri
 * @throws ProtocolError -32602 where the command does not take the values, -32603 where it fails
 */
export async function readCommandResource(
  { resources }: Registry,
  uri: string,
  facts: RequestFacts,
): Promise<readonly Contents[] | undefined> {
  const found = findResource(resources, uri);
  if (!found) return undefined;
  const { resource, values } = found;
  const missing = resource.neededVariables.filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeMissing(missing, resource), { uri });
  }
  const { isRefusal, ...result } = await runTool(resource.tool, {
    ...facts,
    toolArguments: values,
    connection: undefined,
    contentsOnly: true,
  });
  if (!result.isError) return toContents(result, uri, resource.mimeType);
  const code = isRefusal ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(code, reasonOf(result), { uri });
}

/** Those of the path are in every uri that matches. */
function describeMissing(missing: readonly string[], { template }: CommandResource): string {
  const query = missing.map((name) => `${name}=…`).join('&');
  return `The uri lacks ${query} in its query: the command does not run without. Uris are ${template.text}.`;
}

function reasonOf({ content }: ToolResult): string {
  const text = content
    .flatMap((block) => block.text ?? [])
    .join('\n')
    .trim();
  return text.length <= LONGEST_REASON ? text : `…${text.slice(-LONGEST_REASON)}`;
}
