import { CliOption } from '@mcpify/class-commands';

/** The options that every command of an infobase takes: one set, declared once. */
export class Connection {
  @CliOption('--connection <folder>', 'folder of the infobase', { type: 'path', required: true })
  folder!: string;

  @CliOption('--user <name>', 'who signs in, where the infobase has users') user?: string;

  @CliOption('--password <text>', 'the password of the user', { secret: true, env: 'BUILDER_PASSWORD' })
  password?: string;
}
