import { UsageError } from '../errors/usage-error.js';
import type { CommandModel, Parameter } from '../schema/command-model.js';
import { displayPath } from '../schema/command-node.js';
import { readTemplate } from '../schema/resource-template.js';
import type { CommandResource } from '../tools/command-resource.js';
import type { Tool } from '../tools/tool.js';
import type { MarkedCommand } from './collect-commands.js';

/**
 * The command as a resource, where it is marked `McpResource`.
 *
 * @throws UsageError `INVALID_SETTING` for a template that is none, that names what the command has not, or that
 *   leaves out what the command needs
 */
export function toCommandResource(
  { command, marks }: MarkedCommand,
  { parameters }: CommandModel,
  tool: Tool,
): CommandResource | undefined {
  const { resource } = marks;
  if (!resource) return undefined;
  const { uriTemplate, mimeType } = resource as { readonly uriTemplate: unknown; readonly mimeType: unknown };
  const fail = (setting: string, rule: string) => {
    const of = `McpResource({ ${setting} }) of command "${displayPath(command)}"`;
    throw new UsageError('INVALID_SETTING', `${of} must ${rule}.`);
  };
  if (mimeType !== undefined && (typeof mimeType !== 'string' || !MEDIA_TYPE.test(mimeType))) {
    return fail('mimeType', 'be a media type such as text/markdown');
  }
  if (typeof uriTemplate !== 'string') return fail('uriTemplate', 'be a text');
  const template = readTemplate(uriTemplate);
  if ('mustBe' in template) return fail(`uriTemplate: "${uriTemplate}"`, template.mustBe);
  const names = [...template.variables, ...template.queryVariables];
  const problem = findUnusable(names, parameters) ?? findMissing(names, parameters);
  if (problem !== undefined) return fail(`uriTemplate: "${uriTemplate}"`, problem);
  const promised = tool.definition.outputSchema && 'application/json';
  const neededVariables = parameters.filter(isNeeded).map(({ property }) => property);
  return { tool, template, neededVariables, mimeType: mimeType ?? promised };
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/;

/**
 * No two commands may answer to one uri.
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function checkShapes(resources: readonly CommandResource[]): void {
  const known = new Map<string, CommandResource>();
  for (const resource of resources) {
    const { template, tool } = resource;
    const other = known.get(template.shape);
    if (other) {
      throw new UsageError(
        'INVALID_SETTING',
        `The tools "${other.tool.definition.name}" and "${tool.definition.name}" are resources of the same uris: ` +
          `"${other.template.text}" and "${template.text}". Change the uriTemplate of one McpResource.`,
      );
    }
    known.set(template.shape, resource);
  }
}

function findUnusable(names: readonly string[], parameters: readonly Parameter[]): string | undefined {
  for (const name of names) {
    const found = parameters.find(({ property }) => property === name);
    if (!found || found.target.kind === 'own') {
      const known = parameters.filter(isUsable).map(({ property }) => property);
      return `name parameters of the command; "${name}" is none. It has: ${known.join(', ') || 'none'}`;
    }
    if (found.pinned) return `leave out "${name}", whose value the setting pinnedValues fixes`;
    if (found.secret) {
      return `leave out "${name}", which is a secret: uris are shown and logged. Say describeOption(option, { secret: false }) if it is none`;
    }
  }
  return undefined;
}

function isUsable({ pinned, secret, target }: Parameter): boolean {
  return !pinned && !secret && target.kind !== 'own';
}

function findMissing(names: readonly string[], parameters: readonly Parameter[]): string | undefined {
  const missing = parameters.find((parameter) => isNeeded(parameter) && !names.includes(parameter.property));
  return (
    missing &&
    `have a variable for "${missing.property}", without which the command does not run; or give that a default`
  );
}

function isNeeded({ required, pinned }: Parameter): boolean {
  return required && !pinned;
}
