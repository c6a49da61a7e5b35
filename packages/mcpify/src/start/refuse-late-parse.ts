import { currentCall } from '../execution/running-call.js';
import type { CommandNode } from '../schema/command-node.js';

type Parse = (this: CommandNode, ...args: unknown[]) => unknown;

/**
 * A module may go on after it has been loaded (`main()`, which nobody waits for), and parse the server's command line
 * then: the program would run, print help and exit in place of the server.
 *
 * @param refuse ends the process
 */
export function refuseLateParse(program: CommandNode, refuse: () => never): void {
  const methods = program as unknown as Record<'parse' | 'parseAsync', Parse>;
  for (const name of ['parse', 'parseAsync'] as const) {
    const original = methods[name];
    methods[name] = function (...args) {
      return currentCall() ? original.apply(this, args) : refuse();
    };
  }
}
