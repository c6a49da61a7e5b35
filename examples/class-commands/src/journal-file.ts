import { CliOption } from '@mcpify/class-commands';

/** The options that every command of the journal takes. */
export class JournalFile {
  @CliOption('--file <path>', 'the journal', { type: 'path', env: 'JOURNAL_FILE' }) path = 'journal.txt';
}
