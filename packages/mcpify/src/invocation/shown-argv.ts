/** Stands for a secret. */
export const MASK = '***';

/** The operating system takes less than 131,072 bytes in one argument (K21). */
const LONGEST_TOKEN_BYTES = 102_400;

/** All arguments and the environment share some megabytes, on some systems one. */
const MOST_BYTES = 262_144;

/** So many short tokens are shown where all of them together would be too much. */
const MOST_SHOWN = 50;

/**
 * What may stand on a command line in place of the real argv.
 *
 * @param masked the argv without secrets
 * @returns undefined where the real one may and can stand there itself
 */
export function toShownArgv(
  argv: readonly string[],
  masked: readonly string[],
): readonly string[] | undefined {
  const short = masked.map((token) => (canStand(token) ? token : `[${token.length} characters]`));
  const shown = sizeOf(short) <= MOST_BYTES ? short : shortened(short);
  const isSame = shown.length === argv.length && shown.every((token, index) => token === argv[index]);
  return isSame ? undefined : shown;
}

/** NUL ends an argument; half a surrogate pair would arrive as another character. */
function canStand(token: string): boolean {
  return Buffer.byteLength(token) <= LONGEST_TOKEN_BYTES && !/\0|\p{Surrogate}/u.test(token);
}

function shortened(tokens: readonly string[]): readonly string[] {
  const shown = tokens
    .slice(0, MOST_SHOWN)
    .map((token) => (token.length > 200 ? `[${token.length} characters]` : token));
  return [...shown, `[${tokens.length - shown.length} more]`];
}

/** Each takes a pointer, too. */
function sizeOf(tokens: readonly string[]): number {
  return tokens.reduce((size, token) => size + Buffer.byteLength(token) + 9, 0);
}
