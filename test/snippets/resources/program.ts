import { exposeAsTool, McpReadOnly, McpResource } from '@mcpify/markers';
import { Command } from 'commander';

const NOTES: Readonly<Record<string, string>> = { shopping: '- milk\n', 'to do': '- call Ann\n' };

export const program = new Command('notes');

// #region marked
const index = program
  .command('index')
  .description('Lists all notes.')
  .action(() => console.log(Object.keys(NOTES).join('\n')));

exposeAsTool(index, McpReadOnly, McpResource({ uriTemplate: 'notes://index' }));

const show = program
  .command('show')
  .description('Shows a note.')
  .argument('<name>')
  .option('--head <lines>', 'so many lines of it', Number)
  .action((name: string, { head }: { head?: number }) => {
    const note = NOTES[name];
    if (note === undefined) program.error(`There is no note "${name}".`);
    console.log(note.split('\n').slice(0, head).join('\n'));
  });

exposeAsTool(
  show,
  McpReadOnly,
  McpResource({ uriTemplate: 'notes://by-name/{name}{?head}', mimeType: 'text/markdown' }),
);
// #endregion marked
