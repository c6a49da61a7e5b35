/** For the model: it can make the call again, with the values that nobody can be asked for. */
export function refuseQuestion(message: string, schema: Readonly<Record<string, unknown>>): string {
  const names = Object.keys((schema['properties'] ?? {}) as object);
  const what = names.length === 0 ? 'the answer' : names.map((name) => `"${name}"`).join(', ');
  return `This client cannot be asked during a call: ${JSON.stringify(message)}. Pass ${what} with the call, as an option.`;
}
