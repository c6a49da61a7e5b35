import { createRequire } from 'node:module';

import type { OutputUnit, Validator } from '@cfworker/json-schema';

import { isStackOverflow } from '../result/nesting.js';
import type { JsonSchema } from './json-schema.js';

export type { OutputUnit, Validator } from '@cfworker/json-schema';

type Library = typeof import('@cfworker/json-schema');

let library: Library | undefined;

/**
 * Makes a validator of a schema (2020-12), which tells every problem at once: the library stops at the first by
 * default. Loaded with the first one that is needed: a server that is only listed never pays for it.
 */
export function compileSchema(schema: JsonSchema): Validator {
  library ??= createRequire(import.meta.url)('@cfworker/json-schema') as Library;
  return new library.Validator(schema as never, '2020-12', false);
}

/** @returns what is wrong, empty where all is right; a schema that is itself broken is a problem of the whole */
export function findErrors(compile: () => Validator, instance: unknown): readonly OutputUnit[] {
  try {
    return compile().validate(instance).errors;
  } catch (error) {
    // The library goes down by recursion: a schema that refers to itself takes it deep into the stack.
    const text = isStackOverflow(error)
      ? 'It is nested too deep to be checked.'
      : // An author's schema with a reference to nowhere or a broken pattern.
        `This tool's own schema is broken: ${(error as Error).message}`;
    return [{ keyword: '', keywordLocation: '#', instanceLocation: '#', error: text }];
  }
}

/** The library tells of a property too many as of the schema `false`, which no value fits. */
export function describeFault({ keyword, error }: OutputUnit): string {
  return keyword === 'false' ? 'The schema has no such property.' : error;
}
