import { CliArgument, CliCommand, CliOptions } from '@mcpify/class-commands';
import { McpAdditive, McpDestructive, McpIdempotent, McpTitle, McpTool } from '@mcpify/markers';

import { readConfiguration, writeConfiguration } from './configuration.js';
import { Connection } from './connection.js';
import { createInfobase, openInfobase, saveInfobase } from './infobase.js';

@CliCommand({ name: 'infobase', description: 'Infobases: folders with a configuration and users' })
export class Infobases {}

@McpTool
@McpAdditive
@CliCommand({
  name: 'create',
  description: 'Makes an empty infobase; user and password are its first.',
  parent: Infobases,
})
export class CreateInfobase {
  @CliOptions(Connection) connection!: Connection;

  async run(): Promise<string> {
    await createInfobase(this.connection);
    return `${this.connection.folder}: created`;
  }
}

@McpTool
@McpAdditive
@CliCommand({
  name: 'dump',
  description: 'Writes the configuration of an infobase to a file.',
  parent: Infobases,
})
export class DumpInfobase {
  @CliArgument('<file>', 'the configuration file to write', { type: 'path' }) file!: string;
  @CliOptions(Connection) connection!: Connection;

  async run(): Promise<string> {
    const { configuration } = await openInfobase(this.connection);
    await writeConfiguration(this.file, configuration);
    return `${this.file}: written`;
  }
}

// #region restore
// Reads the infobase and writes it: one call at a time.
@McpTool
@McpTitle('Restore an infobase')
@McpDestructive
@McpIdempotent
@CliCommand({
  name: 'restore',
  description: 'Replaces the configuration of an infobase by that of a file. What was there is gone.',
  parent: Infobases,
  concurrent: false,
})
export class RestoreInfobase {
  @CliArgument('<file>', 'configuration file', { type: 'path' }) file!: string;
  @CliOptions(Connection) connection!: Connection;

  async run(): Promise<string> {
    const infobase = await openInfobase(this.connection);
    const configuration = await readConfiguration(this.file);
    await saveInfobase(this.connection, { ...infobase, configuration });
    return `${this.connection.folder}: ${Object.keys(configuration.modules).length} modules restored`;
  }
}
// #endregion restore
