import { CliCommand, CliOption, CliOptions } from '@mcpify/class-commands';
import { McpReadOnly, McpTool } from '@mcpify/markers';

import { Mood, type Entry, type Journal } from './journal.js';
import { JournalFile } from './journal-file.js';

@McpTool
@McpReadOnly
@CliCommand({ name: 'list', description: 'Lists the entries of the journal.' })
export class ListEntries {
  @CliOption('--since <date>', 'leaves out what was before') since?: Date;
  @CliOption('--moods <mood...>', 'lists these alone', { choices: Mood }) moods: Mood[] = [];
  @CliOptions(JournalFile) file!: JournalFile;

  constructor(private readonly journal: Journal) {}

  async run(): Promise<void> {
    const entries = await this.journal.read(this.file.path);
    for (const entry of entries.filter((each) => this.isWanted(each))) {
      console.log(`${entry.day} ${entry.mood}: ${entry.text}`);
    }
  }

  private isWanted({ day, mood }: Entry): boolean {
    const isOfMood = this.moods.length === 0 || this.moods.includes(mood);
    return isOfMood && (!this.since || new Date(day) >= this.since);
  }
}
