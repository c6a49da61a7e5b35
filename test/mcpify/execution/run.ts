import type { Command } from 'commander';

import { createExecutor } from '../../../packages/mcpify/src/execution/create-executor.js';
import type { Executor, LogLevel } from '../../../packages/mcpify/src/execution/invocation.js';
import type { CapturedOutput, Outcome } from '../../../packages/mcpify/src/result/outcome.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';

export interface CallOptions {
  readonly args?: readonly string[];
  readonly concurrent?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly budgetBytes?: number;
  readonly mismatch?: (command: CommandNode) => string | undefined;
  readonly log?: (level: LogLevel, data: unknown) => void;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

export type Call = (command: Command | string, options?: CallOptions) => Promise<Outcome>;

/** Calls commands of one program: by themselves, or by their path in words. */
export function caller(program: Command, source: Command | (() => Command) = program): Call {
  const executor: Executor = createExecutor(source as unknown as CommandNode);
  return (command, options = {}) => {
    const found = typeof command === 'string' ? find(program, command) : command;
    return executor.run(
      {
        toolName: found.name(),
        command: found as unknown as CommandNode,
        argv: [...names(found), ...(options.args ?? [])],
        shownArgv: () => undefined,
        secrets: [],
        findMismatch: options.mismatch ?? (() => undefined),
        concurrent: options.concurrent ?? false,
      },
      {
        signal: options.signal ?? new AbortController().signal,
        timeoutMs: options.timeoutMs,
        outputBudgetBytes: options.budgetBytes ?? 100_000,
        log: options.log ?? (() => {}),
        progress: options.progress ?? (() => {}),
        ask: () => Promise.reject(new Error('Nobody is there to be asked: pass an option.')),
      },
    );
  };
}

function find(program: Command, path: string): Command {
  let command = program;
  for (const name of path.split(' ').filter(Boolean)) {
    const child = command.commands.find((each) => each.name() === name);
    if (!child) throw new Error(`no command ${path}`);
    command = child;
  }
  return command;
}

function names(command: Command): string[] {
  return command.parent ? [...names(command.parent), command.name()] : [];
}

export function textOf({ segments }: CapturedOutput, stream?: 'stdout' | 'stderr'): string {
  return segments
    .filter((segment) => stream === undefined || segment.stream === stream)
    .map(({ text }) => text)
    .join('');
}

/** A promise that the test settles. */
export function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open };
}

/** commander's typings know no action that returns something. */
export function returning(action: (...args: never[]) => unknown): (...args: unknown[]) => void {
  return action as (...args: unknown[]) => void;
}
