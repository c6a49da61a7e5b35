import { CliArgument, CliCommand, CliOption } from '@mcpify/class-commands';
import { McpAdditive, McpExitCodes, McpLongRunning, McpReadOnly, McpTitle, McpTool } from '@mcpify/markers';

import { amount } from './amount.js';
import { compareConfigurations } from './compare-configurations.js';
import { compileConfiguration } from './compile-configuration.js';
import { readConfiguration, writeConfiguration } from './configuration.js';

@CliCommand({ name: 'cf', description: 'Configuration files' })
class ConfigurationFiles {}

@McpTool
@McpTitle('Compile')
@McpAdditive
@McpLongRunning({ timeoutMs: 15 * 60_000 })
@CliCommand({
  name: 'compile',
  description: 'Checks every module of a folder and packs them into a configuration file.',
  parent: ConfigurationFiles,
})
export class Compile {
  @CliArgument('<source>', 'folder with modules (.js, .mjs)', { type: 'path' }) source!: string;
  @CliArgument('<output>', 'the file to write', { type: 'path' }) output!: string;
  @CliOption('--jobs <n>', 'modules checked at the same time', amount(1, 64, 2)) jobs = 2;
  @CliOption('--pause-ms <ms>', 'pause behind each module, in milliseconds', amount(0, 60_000, 0)) pauseMs =
    0;

  async run(): Promise<string> {
    const configuration = await compileConfiguration(this.source, this);
    await writeConfiguration(this.output, configuration);
    return `${this.output}: ${Object.keys(configuration.modules).length} modules`;
  }
}

@McpTool
@McpTitle('Compare')
@McpReadOnly
@McpExitCodes([1])
@CliCommand({
  name: 'diff',
  description: 'Lists the modules in which two configurations differ.',
  parent: ConfigurationFiles,
})
export class Diff {
  @CliArgument('<old>', 'configuration file or folder with modules', { type: 'path' }) old!: string;
  @CliArgument('<new>', 'configuration file or folder with modules', { type: 'path' }) new!: string;

  async run(): Promise<string> {
    const [before, after] = await Promise.all([readConfiguration(this.old), readConfiguration(this.new)]);
    const differences = compareConfigurations(before, after);
    if (differences.length === 0) return 'no differences';
    process.exitCode = 1;
    return differences.join('\n');
  }
}
