/** An RFC 6570 template of the form that commands are read by (`McpResource`). */
export interface ResourceTemplate {
  /** As the author wrote it, and as clients are shown it. */
  readonly text: string;
  /** Up to the query, the scheme in lower case. */
  readonly path: string;
  /** Variables of the path: every uri that matches gives them all. */
  readonly variables: readonly string[];
  /** Variables of the query, of which a uri gives those that it likes. */
  readonly queryVariables: readonly string[];
  /** Two templates of one shape match the same uris. */
  readonly shape: string;
}

/**
 * Reads `{name}` (one segment of the path, or a part of one), `{+name}` (any number of segments) and, at the end,
 * `{?name,name}`. What the rest of RFC 6570 has cannot be read back from a uri without a guess.
 *
 * @returns the template; or what is wrong with it and the way out, to go behind a name and "must"
 */
export function readTemplate(text: string): ResourceTemplate | { readonly mustBe: string } {
  const query = /\{\?([^{}]*)\}$/.exec(text);
  const rawPath = query ? text.slice(0, query.index) : text;
  const parts = rawPath.split(/(\{[^{}]*\})/);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const expressions = parts.filter((_, index) => index % 2 === 1).map((part) => part.slice(1, -1));
  const variables = expressions.map((expression) => expression.replace(/^\+/, ''));
  const queryVariables = query?.[1]?.split(',') ?? [];
  const names = [...variables, ...queryVariables];
  const problem =
    findBadText(rawPath, literals, names.length > 0) ??
    findBadName(names) ??
    findAmbiguity(literals, expressions);
  if (problem !== undefined) return { mustBe: problem };
  const path = withPlainScheme(rawPath);
  return {
    text,
    path,
    variables,
    queryVariables,
    shape: path.replaceAll(/\{(\+?)[^{}]*\}/g, '{$1}'),
  };
}

/** Schemes are the same in upper and lower case (RFC 3986, 3.1); clients that parse a uri make them lower. */
export function withPlainScheme(uri: string): string {
  return uri.replace(/^[^:/?#]*:/, (scheme) => scheme.toLowerCase());
}

/** Of task logs, and whatever else mcpify may serve itself. */
const OWN_SCHEME = 'mcpify:';

function findBadText(path: string, literals: readonly string[], hasVariables: boolean): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./s.test(path))
    return 'begin with a scheme of its own, as in notes://{name}';
  if (withPlainScheme(path).startsWith(OWN_SCHEME)) {
    return `have another scheme than ${OWN_SCHEME}, which the logs of tasks have`;
  }
  if (literals.some((literal) => /[{}]/.test(literal))) return 'close every { with a }, and open none within';
  if (literals.some((literal) => !/^(?:[\w\-.~:/?@!$&'()*+,;=[\]]|%[0-9A-Fa-f]{2})*$/.test(literal))) {
    return 'hold characters of a URI only, without a fragment; write others as %20 and the like';
  }
  if (hasVariables && literals.some((literal) => literal.includes('?'))) {
    return 'give its query as variables at the end, as in notes://all{?tag,author}';
  }
  return undefined;
}

/** What RFC 6570 calls a varname, without percent signs. */
const NAME = /^\w+(?:\.\w+)*$/;

function findBadName(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) {
    return `have variables as {name}, {+name} or, at the end, {?name,name}, of letters, digits, "_" and "."; not "${wrong}"`;
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `name each variable once; "${twice}" is there twice`;
}

/** Also what keeps a match short: without it, a uri made for it would take minutes. */
function findAmbiguity(literals: readonly string[], expressions: readonly string[]): string | undefined {
  if (literals.slice(1, -1).some((literal) => !literal.includes('/'))) {
    return 'have a "/" between two variables: where one ends and the other begins cannot be told else';
  }
  const wide = expressions.filter((expression) => expression.startsWith('+'));
  return wide.length > 1 ? 'have one variable with "+" at most' : undefined;
}
