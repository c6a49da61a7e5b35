/**
 * What is logged by `callContext()`, as a client can get it: data of JSON. An error, of which JSON writes nothing, is its
 * name and message, wherever in the data it stands. Never throws: a command does not fail because of what it logs.
 */
export function toLogData(data: unknown): unknown {
  if (typeof data === 'string') return data;
  try {
    const json = JSON.stringify(data, sayErrors) as string | undefined;
    return json === undefined ? typeof data : (JSON.parse(json) as unknown);
  } catch {
    return '[data that is not JSON]';
  }
}

function sayErrors(_: string, value: unknown): unknown {
  if (value instanceof Error) return String(value);
  return typeof value === 'bigint' ? String(value) : value;
}
