/**
 * Prints what `run` returned, as a tool would show it: a text with one line end, data as a line of JSON; nothing for
 * undefined, null, and what is returned by the way (a function, an instance of a class).
 *
 * @throws TypeError where data is not JSON
 */
export function printReturned(value: unknown): void {
  const text = toText(value);
  // The console: a reader that has gone (`| head`) is no error to it.
  if (text !== undefined && text !== '') console.log(text.endsWith('\n') ? text.slice(0, -1) : text);
}

function toText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object': {
      if (value === null || !isData(value)) return undefined;
      const json = JSON.stringify(value) as string | undefined;
      // A date is the text that it is in JSON, without quotes.
      return json?.startsWith('"') ? (JSON.parse(json) as string) : json;
    }
    default:
      return undefined;
  }
}

function isData(value: object): boolean {
  if (Array.isArray(value) || typeof (value as { toJSON?: unknown }).toJSON === 'function') return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // A plain object of another realm has a prototype of its own, which itself has none.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
