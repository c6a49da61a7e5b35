import { CliArgument, CliCommand, CliOption, CliOptions } from '@mcpify/class-commands';
import { McpAdditive, McpTool } from '@mcpify/markers';

import { Mood, type Journal } from './journal.js';
import { JournalFile } from './journal-file.js';

@McpTool
@McpAdditive
@CliCommand({ name: 'add', description: 'Adds an entry to the journal.' })
export class AddEntry {
  @CliArgument('<text>', 'what happened') text!: string;
  @CliOption('--mood <mood>', 'what kind of day it was', { choices: Mood }) mood = Mood.Good;
  @CliOption('--day <date>', 'when it was', { defaultText: 'today' }) day = new Date();
  @CliOptions(JournalFile) file!: JournalFile;

  constructor(private readonly journal: Journal) {}

  async run(): Promise<void> {
    const day = this.day.toISOString().slice(0, 10);
    await this.journal.add(this.file.path, { day, mood: this.mood, text: this.text });
    console.log(`Added to ${day}.`);
  }
}
