import { CHILD_VARIABLE, type ChildOrders } from './child-orders.js';
import { withNodeFirst } from './node-first.js';

/** What of a command line is not secret: it may be stored and shown. */
export interface ChildScript {
  /** The script of the CLI, an absolute path. */
  readonly entry: string;
  /** Node's own flags: `toChildExecArgv(process.execArgv)`. */
  readonly execArgv: readonly string[];
  /** Behind the entry; what `ps` shows where the real one travels beside it. */
  readonly argv: readonly string[];
}

export interface ChildSurroundings {
  /** Where the child is to write its exit code (`witness.ts`). @default nowhere */
  readonly witnessPath?: string | undefined;
  /** What the child writes around its stderr text on stdout, so that their order is kept. @default apart */
  readonly stderrMark?: string | undefined;
  /** A descriptor that ends with the server: the child, with its process tree, ends with it. @default it stays */
  readonly lifelineFd?: number | undefined;
  /** It starts another script with the same output (an executable subcommand), to which the same applies. @default false */
  readonly startsScript?: boolean | undefined;
  /** Where its questions go (`child-questions.ts`). @default nowhere: they are refused */
  readonly questions?: ChildOrders['questions'];
  /** Its whole environment. */
  readonly env: NodeJS.ProcessEnv;
}

export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** To be written to the child's stdin, which is then ended. Undefined: its stdin is /dev/null. */
  readonly input: string | undefined;
}

/**
 * The command line that runs a CLI as a child process: by this Node, behind a preload that puts the child in order
 * before the CLI's own code runs (`child-preload.ts`), without a shell.
 *
 * @param secrets `argv`: the real one, where it may not or cannot stand on a command line (argv.md rule 14)
 */
export function childCommand(
  { entry, execArgv, argv }: ChildScript,
  secrets: { readonly argv?: readonly string[] | undefined },
  { env, ...surroundings }: ChildSurroundings,
): ChildCommand {
  const orders: ChildOrders = { ...surroundings, readsArgv: secrets.argv !== undefined };
  const preload = new URL('./child-preload.js', import.meta.url).href;
  return {
    file: process.execPath,
    args: [...execArgv, '--import', preload, entry, ...argv],
    env: { ...withNodeFirst(env), [CHILD_VARIABLE]: JSON.stringify(orders) },
    input: secrets.argv && JSON.stringify(secrets.argv),
  };
}

/** Flags of Node that say what the server's own process runs or how it is watched, and not how code is loaded. */
const OWN_FLAG =
  /^--?(?:e|p|pe|c|i|eval|print|check|interactive|input-type|inspect|inspect-[a-z-]+|debug-port|watch|watch-[a-z-]+|test|test-[a-z-]+)(?:=|$)/;

/** Those of them whose value is an argument of its own. */
const WITH_VALUE = /^--?(?:e|p|pe|eval|print|input-type|inspect-port|debug-port|watch-path)$/;

/** The server's own flags as a child's: loaders and conditions stay; a second debugger would not find its port free. */
export function toChildExecArgv(execArgv: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < execArgv.length; index += 1) {
    const flag = execArgv[index] ?? '';
    if (!OWN_FLAG.test(flag)) kept.push(flag);
    else if (WITH_VALUE.test(flag)) index += 1;
  }
  return kept;
}
