/** What `tools/list` shows of a tool, as far as a rule looks at it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A limit of a client, or of the model API behind it, that the protocol does not have. */
export interface ClientRule {
  readonly id: string;
  readonly clients: readonly string[];
  /** One sentence: what is refused, and what happens then. */
  readonly says: string;
  /** The strongest first. */
  readonly sources: readonly RuleSource[];
  /** `refused`: the tool, or more, is lost. `reported`: worth a word, but no client in use loses anything by it. */
  readonly effect: RuleEffect;
  /** Whether the tool breaks the rule: where, or undefined. */
  find(tool: ListedTool): string | undefined;
}

export type RuleEffect = 'refused' | 'reported';

export interface RuleSource {
  readonly url: string;
  /** `documented` by whoever makes the client, told in an issue `thread`, or by a `third party`. */
  readonly evidence: 'documented' | 'thread' | 'third party';
}

type Schema = Readonly<Record<string, unknown>>;

const OPENAI = documented('https://github.com/openai/openai-node/blob/master/src/resources/shared.ts');
const GEMINI = documented('https://googleapis.github.io/js-genai/interfaces/types.FunctionDeclaration.html');

/**
 * The rules of clients in use, K08 to K10. No server loads this: generated schemas keep all that are `refused`, and
 * whoever tests or examines a list asks here.
 */
export const CLIENT_RULES: readonly ClientRule[] = [
  {
    id: 'name-letters',
    clients: ['OpenAI', 'Claude', 'GitHub Copilot CLI'],
    says: 'Names hold letters, digits, "_" and "-" only; another character makes every request fail.',
    sources: [OPENAI, thread('github/copilot-cli/issues/1879')],
    effect: 'refused',
    find: ({ name }) => (/^[A-Za-z0-9_-]+$/.test(name) ? undefined : name),
  },
  {
    id: 'name-start',
    clients: ['Gemini'],
    says: 'Names begin with a letter or "_".',
    sources: [GEMINI],
    effect: 'refused',
    find: ({ name }) => (/^[A-Za-z_]/.test(name) ? undefined : name),
  },
  {
    id: 'name-64',
    clients: ['OpenAI', 'Gemini', 'Claude Desktop', 'VS Code'],
    says: 'Names have at most 64 characters; VS Code counts a prefix of its own. The API of Claude takes 128.',
    sources: [
      OPENAI,
      GEMINI,
      thread('anthropics/claude-code/issues/34960'),
      thread('microsoft/vscode/issues/243602'),
      thread('github/copilot-cli/issues/1879'),
    ],
    effect: 'refused',
    find: ({ name }) => (name.length <= 64 ? undefined : name),
  },
  {
    id: 'name-60-with-server',
    clients: ['Cursor'],
    says: 'The name of the server and of the tool have fewer than 60 characters together; else the tool is hidden.',
    sources: [
      thread('aashari/mcp-server-atlassian-confluence/issues/16'),
      thread('ComposioHQ/composio/issues/2788'),
    ],
    effect: 'refused',
    // The server's name, which its user chooses, has one character at least.
    find: ({ name }) => (name.length < 59 ? undefined : name),
  },
  {
    id: 'description-1024',
    clients: ['OpenAI'],
    says: 'The description of a tool has at most 1,024 characters; a longer one makes every request fail.',
    sources: [thread('CherryHQ/cherry-studio/issues/3698')],
    effect: 'refused',
    find: ({ description = '' }) => (description.length <= 1_024 ? undefined : 'description'),
  },
  {
    id: 'plain-root',
    clients: ['Claude'],
    says: 'No anyOf, oneOf or allOf at the root; every request fails, or the tool vanishes without a message.',
    sources: [
      thread('anthropics/claude-code/issues/4886'),
      thread('anthropics/claude-code/issues/5973'),
      thread('anthropics/claude-code/issues/95504'),
    ],
    effect: 'refused',
    find: ({ inputSchema }) => ['anyOf', 'oneOf', 'allOf'].find((word) => word in inputSchema),
  },
  {
    id: 'properties-present',
    clients: ['OpenAI'],
    says: 'An object names its properties, also where it has none; the tool is refused.',
    sources: [thread('openai/openai-agents-python/issues/449')],
    effect: 'refused',
    find: ({ inputSchema }) =>
      inputSchema['type'] === 'object' && isSchema(inputSchema['properties']) ? undefined : 'properties',
  },
  {
    id: 'property-letters',
    clients: ['Claude'],
    says: 'Properties match [A-Za-z0-9_.-]{1,64}; another one makes the whole request fail.',
    sources: [thread('freee/freee-mcp/issues/15')],
    effect: 'refused',
    find: (tool) => propertiesOf(tool).find((key) => !/^[A-Za-z0-9_.-]{1,64}$/.test(key)),
  },
  {
    id: 'property-identifiers',
    clients: ['Gemini'],
    says: 'Properties begin with a letter or "_" and hold letters, digits and "_" only, 64 at most.',
    sources: [GEMINI],
    effect: 'refused',
    find: (tool) => propertiesOf(tool).find((key) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key)),
  },
  everywhere('array-items', ['VS Code', 'Gemini'], {
    says: 'Every array tells the type of its items; the tool is refused, by Gemini the request.',
    threads: ['microsoft/vscode/issues/246119', 'microsoft/vscode/issues/248810', 't8y2/dbx/issues/6233'],
    isBad: (schema) => schema['type'] === 'array' && !isSchema(schema['items']),
  }),
  everywhere('no-references', ['Gemini', 'Zed before its pull request 60165'], {
    says: 'No references or definitions; the request fails. Zed dropped such tools for Gemini, xAI and compatible providers.',
    threads: [
      'danny-avila/LibreChat/issues/14160',
      'zed-industries/zed/issues/60162',
      'zed-industries/zed/pull/60165',
    ],
    isBad: (schema) => ['$ref', '$defs', '$id', 'definitions'].some((word) => word in schema),
  }),
  everywhere('enum-not-empty', ['Gemini'], {
    says: 'No empty enum, and no empty text in one; the request fails.',
    threads: ['sbroenne/mcp-server-excel/issues/607'],
    isBad: ({ enum: values }) => Array.isArray(values) && (values.length === 0 || values.includes('')),
  }),
  everywhere('enum-one-type', ['Gemini'], {
    says: 'Values of an enum are texts; the request fails.',
    threads: ['microsoft/azure-devops-mcp/issues/145', 'makenotion/notion-mcp-server/issues/42'],
    isBad: ({ enum: values }) => Array.isArray(values) && values.some((value) => typeof value !== 'string'),
  }),
  everywhere('no-format', ['OpenAI', 'Gemini'], {
    says: 'No format words: OpenAI takes nine, and uri is none of them; Gemini took enum and date-time. The tool is refused.',
    threads: ['cyanheads/git-mcp-server/issues/47', 'google-gemini/gemini-cli/issues/2237'],
    isBad: (schema) => typeof schema['format'] === 'string',
  }),
  {
    id: 'strict-required',
    clients: ['OpenAI, strict'],
    says: 'In strict mode all properties are required. Clients send tools of MCP servers without it where some are not.',
    sources: [thread('posit-dev/chatlas/pull/255')],
    effect: 'reported',
    find: (tool) => {
      const required = tool.inputSchema['required'];
      return propertiesOf(tool).find((key) => !Array.isArray(required) || !required.includes(key));
    },
  },
];

/** One line for each rule of that effect that a tool breaks. */
export function brokenRules(tool: ListedTool, effect: RuleEffect = 'refused'): readonly string[] {
  return CLIENT_RULES.filter((rule) => rule.effect === effect).flatMap(({ id, says, find }) => {
    const where = find(tool);
    return where === undefined ? [] : [`${tool.name}: ${id} (${where}): ${says}`];
  });
}

function documented(url: string): RuleSource {
  return { url, evidence: 'documented' };
}

function thread(path: string): RuleSource {
  return { url: `https://github.com/${path}`, evidence: 'thread' };
}

function propertiesOf({ inputSchema }: ListedTool): readonly string[] {
  return Object.keys((inputSchema['properties'] ?? {}) as Schema);
}

interface Everywhere {
  readonly says: string;
  readonly threads: readonly string[];
  isBad(schema: Schema): boolean;
}

/** A rule about each schema within the schema. */
function everywhere(
  id: string,
  clients: readonly string[],
  { says, threads, isBad }: Everywhere,
): ClientRule {
  return {
    id,
    clients,
    says,
    sources: threads.map(thread),
    effect: 'refused',
    find: ({ inputSchema }) => search(inputSchema, '', isBad),
  };
}

/** Down through everything that may hold a schema. A property may have the name of a keyword. */
function search(schema: Schema, path: string, isBad: (schema: Schema) => boolean): string | undefined {
  if (isBad(schema)) return path === '' ? 'root' : path;
  const properties = Object.entries((schema['properties'] ?? {}) as Schema);
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
    Object.entries((schema[word] ?? []) as Schema),
  );
  for (const [key, inner] of [...properties, ...alternatives, ['items', schema['items']] as const]) {
    const found = isSchema(inner) ? search(inner, `${path}/${key}`, isBad) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
