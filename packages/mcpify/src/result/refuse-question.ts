/**
 * For the model: it can make the call again, with the values that nobody can be asked for.
 *
 * @param parameters names of the tool's parameters; undefined where they are not known, as in the process of a task
 */
export function refuseQuestion(
  message: string,
  schema: Readonly<Record<string, unknown>>,
  parameters?: readonly string[],
): string {
  const names = Object.keys((schema['properties'] ?? {}) as object);
  const known = parameters ? names.filter((name) => parameters.includes(name)) : names;
  return `This client cannot be asked during a call: ${JSON.stringify(message)}. ${wayOut(known, parameters !== undefined)}`;
}

function wayOut(names: readonly string[], areParameters: boolean): string {
  if (names.length === 0) return 'No parameter of this tool answers it in advance.';
  const shown = names.map((name) => `"${name}"`).join(', ');
  return areParameters
    ? `Pass ${shown} with the call, as an option.`
    : `Pass ${shown} with the call, where the tool takes that.`;
}
