// #region sets
import { addCommands, CliArgument, CliCommand, CliOption, CliOptions } from '@mcpify/class-commands';
import { callContext } from '@mcpify/markers';
import { Command } from 'commander';

import { Tables } from './tables.js';

class Connection {
  @CliOption('--host <name>', 'the database', { type: 'string' }) host = 'localhost';
}

@CliCommand({ name: 'db', description: 'Databases' })
class Database {
  @CliOption('--schema <name>', 'which part of it', { type: 'string' }) schema = 'public';
}

@CliCommand({ name: 'copy', description: 'Copies a table.', parent: Database })
class CopyTable {
  @CliArgument('<table>', 'what is copied', { type: 'string' }) table!: string;
  @CliOptions(Connection) connection!: Connection;
  @CliOptions(Database) database!: Database;

  constructor(private readonly tables: Tables) {}

  async run(command: Command): Promise<string> {
    const { signal } = callContext();
    const count = await this.tables.count(`${this.database.schema}.${this.table}`, signal);
    if (count === 0) command.error('error: the table is empty', { exitCode: 3 });
    return `${count} rows from ${this.connection.host}`;
  }
}
// #endregion sets

// #region services
const tables = new Tables();

export const program = addCommands(new Command('copier'), [CopyTable], {
  create: (commandClass) => new commandClass(tables),
});
// #endregion services
