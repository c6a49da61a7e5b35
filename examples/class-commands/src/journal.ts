import { appendFile, readFile } from 'node:fs/promises';

export enum Mood {
  Good = 'good',
  Bad = 'bad',
}

export interface Entry {
  readonly day: string;
  readonly mood: Mood;
  readonly text: string;
}

/** Entries in a text file, one a line of JSON. */
export class Journal {
  async add(file: string, entry: Entry): Promise<void> {
    await appendFile(file, `${JSON.stringify(entry)}\n`);
  }

  async read(file: string): Promise<readonly Entry[]> {
    const text = await readFile(file, 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Entry)));
  }
}
