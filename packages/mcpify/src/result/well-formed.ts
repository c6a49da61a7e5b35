/**
 * JSON text without the escapes of single halves of surrogate pairs, which are no characters: some parsers refuse the
 * whole text for one of them. `JSON.stringify` escapes nothing else that way.
 */
export function withoutHalves(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replaceAll(/(\\[^u])|\\ud[89a-f][0-9a-f]{2}/g, (_match, other?: string) => other ?? '\ufffd');
}
