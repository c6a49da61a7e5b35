import { CliArgument, CliOption } from '@mcpify/class-commands';

// #region fields
enum Level {
  Info = 'info',
  Debug = 'debug',
}

export class Values {
  // What the compiler knows needs no word: texts, numbers, booleans, dates.
  @CliArgument('<source>', 'where it comes from') source!: string;
  @CliOption('--retries <n>', 'how often it is tried') retries = 3;
  @CliOption('--since <date>', 'ISO 8601') since?: Date;
  @CliOption('-f, --force', 'asks nothing') force = false;

  // More than a field's type says.
  @CliOption('--port <n>', 'where it listens', { type: 'integer' }) port = 8080;
  @CliOption('--out <path>', 'where it goes', { type: 'path' }) out?: string;

  // An enum, and the members of a union.
  @CliOption('--level <level>', 'what is logged', { choices: Level }) level = Level.Info;
  @CliOption('--mode <mode>', 'how it runs', { choices: ['once', 'watch'] }) mode: 'once' | 'watch' = 'once';

  // Lists say what is in them: repeated, or several in one text.
  @CliOption('--tags <tag...>', 'kept with it', { type: 'string' }) tags: string[] = [];
  @CliOption('--ports <n,n>', 'also there', { type: 'integer', separator: ',' }) ports: number[] = [];

  // Three states: --color, --no-color, neither.
  @CliOption('--color', 'colours the output', { negatable: true }) color?: boolean;

  @CliOption('--password <text>', 'signs in', { type: 'string', secret: true, env: 'PASSWORD' })
  password?: string;

  // A reader of your own; what it throws is told to the user.
  @CliOption('--url <url>', 'whom it asks', { parse: (text) => new URL(text) }) url?: URL;
}
// #endregion fields
