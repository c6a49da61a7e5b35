import type { CommandModel } from '../schema/command-model.js';
import { displayPath, type ArgumentNode, type OptionNode } from '../schema/command-node.js';
import { numberParser, takesDefaultForRadix } from '../schema/value-shape.js';

/**
 * Options and arguments whose parser reads numbers other than its author means: commander hands it the value before, too.
 * One line each, however many commands have it.
 */
export function misreadNumbers(models: Iterable<CommandModel>): readonly string[] {
  const warnings = new Map<OptionNode | ArgumentNode, string>();
  for (const { command, parameters } of models) {
    for (const { target } of parameters) {
      if (target.kind !== 'option' && target.kind !== 'argument') continue;
      const node = target.kind === 'option' ? target.option : target.argument;
      const fault = warnings.has(node) ? undefined : faultOf(node);
      if (fault === undefined) continue;
      const name =
        target.kind === 'option' ? `option "${target.option.flags}"` : `argument "${target.argument.name()}"`;
      warnings.set(node, `Command "${displayPath(command)}", ${name}: ${fault}`);
    }
  }
  return [...warnings.values()];
}

function faultOf(node: OptionNode | ArgumentNode): string | undefined {
  if (takesDefaultForRadix(node)) {
    return (
      `parseInt takes the default (${String(node.defaultValue)}) for its radix and reads other numbers than are given. ` +
      'Write (text) => parseInt(text, 10).'
    );
  }
  if (!node.variadic || !numberParser(node)) return undefined;
  return 'its parser keeps only the last of several values. Collect them: (text, list) => [...(list ?? []), Number(text)].';
}
