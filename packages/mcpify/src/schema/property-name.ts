import { toAsciiLetters } from './ascii-letters.js';
import type { ArgumentNode } from './command-node.js';

/** What every model API takes: Gemini is the strictest (client-rules.ts). */
const PROPERTY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LONGEST = 64;

/**
 * Gives every option and argument of one command a property name of its own that all clients accept (decision 3):
 * commander's attribute name, an argument's own name; where that cannot be one, camelCase letters and digits.
 */
export class PropertyNames {
  #taken: Set<string> | undefined;

  /** @param raw gives the names as commander has them: a made-up name gives way to every one of these. */
  constructor(private readonly raw: () => Iterable<string>) {}

  ofOption(attribute: string): string {
    return PROPERTY.test(attribute) ? attribute : this.#makeUp(attribute, 'option');
  }

  ofArgument(argument: ArgumentNode, index: number): string {
    const name = argument.name();
    return PROPERTY.test(name) ? name : this.#makeUp(name, `arg${index + 1}`);
  }

  #makeUp(name: string, substitute: string): string {
    const taken = (this.#taken ??= new Set(this.raw()));
    const base = toIdentifier(name, substitute).slice(0, LONGEST);
    let free = base;
    for (let count = 2; taken.has(free); count += 1) {
      free = `${base.slice(0, LONGEST - String(count).length)}${count}`;
    }
    taken.add(free);
    return free;
  }
}

function toIdentifier(name: string, substitute: string): string {
  const words = toCamelCase(name);
  if (words === '') return substitute;
  return /^\d/.test(words) ? `_${words}` : words;
}

/** `GROUP NAME` → `groupName`, `filter[name]` → `filterName`, `région` → `region`. */
function toCamelCase(name: string): string {
  return toAsciiLetters(name)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}
