import { CliArgument, CliCommand, CliOptions } from '@mcpify/class-commands';
import { McpIdempotent, McpReadOnly, McpTool } from '@mcpify/markers';

import { Connection } from './connection.js';
import { Infobases } from './infobase-commands.js';
import { openInfobase, saveInfobase } from './infobase.js';

@CliCommand({ name: 'extensions', description: 'Extensions of an infobase', parent: Infobases })
class Extensions {}

@McpTool
@McpReadOnly
@CliCommand({ name: 'list', description: 'Lists the extensions of an infobase.', parent: Extensions })
export class ListExtensions {
  @CliOptions(Connection) connection!: Connection;

  async run(): Promise<string> {
    const { extensions } = await openInfobase(this.connection);
    const lines = extensions.map(({ name, version }) => `${name} ${version}`);
    return lines.length > 0 ? lines.join('\n') : 'no extensions';
  }
}

// Reads the infobase and writes it: one call at a time.
@McpTool
@McpIdempotent
@CliCommand({
  name: 'add',
  description: 'Registers an extension, or another version of it.',
  parent: Extensions,
  concurrent: false,
})
export class AddExtension {
  @CliArgument('<name>') name!: string;
  @CliArgument('<version>') version!: string;
  @CliOptions(Connection) connection!: Connection;

  async run(): Promise<string> {
    const infobase = await openInfobase(this.connection);
    const others = infobase.extensions.filter(({ name }) => name !== this.name);
    const added = { name: this.name, version: this.version };
    await saveInfobase(this.connection, { ...infobase, extensions: [...others, added] });
    return `${this.name} ${this.version}: added`;
  }
}
