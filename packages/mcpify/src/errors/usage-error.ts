/**
 * A mistake of the CLI's author: marks, settings, the program's shape. Thrown at start, never during a call.
 * The message names the command and the way out; `code` is stable, for programs.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    readonly code: UsageErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type UsageErrorCode =
  | 'NO_TOOLS'
  | 'MARK_ON_GROUP'
  | 'INVALID_TOOL_NAME'
  | 'DUPLICATE_TOOL'
  | 'DUPLICATE_PROPERTY'
  | 'RESERVED_NAME'
  | 'CONTRADICTORY_MARKS'
  | 'CLI_ENTRY_NOT_FOUND'
  | 'CLI_ENTRY_AMBIGUOUS'
  | 'UNSUPPORTED_COMMANDER'
  | 'PROGRAM_NOT_FOUND'
  | 'PROGRAM_PARSED_ON_IMPORT'
  | 'NEEDS_CHILD_PROCESS'
  | 'INVALID_SETTING';
