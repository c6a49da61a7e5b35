/** Most names hold none of these: one test in place of the word search. */
const CANDIDATE = /pass|token|secret|credential|api.?key/i;

const SECRET_WORD =
  /(?:^| )(?:\w*(?:password|passwd|passphrase|secret|credential|api ?key)s?|\w*token)(?: |$)/;

/** `--token-limit 4096`: a number of tokens, as language models count them. */
const TOKEN_AMOUNT =
  /(?:^| )(?:(?:max|min) token|token (?:limit|count|budget|window|usage|size|length))(?: |$)/;

/**
 * Whether a name says password, passwd, passphrase, token, secret, api key or credential (api.md), as words of their
 * own: `authToken`, `db-password`, `API_KEY`; not `tokenizer`, `passwordless`, `maxTokens`.
 */
export function isSecretName(name: string): boolean {
  if (!CANDIDATE.test(name)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();
  return SECRET_WORD.test(words) && !TOKEN_AMOUNT.test(words);
}
