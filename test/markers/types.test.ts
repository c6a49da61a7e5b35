import { Command as TypedCommand } from '@commander-js/extra-typings';
import { Command as Command12 } from 'commander12';
import { Command as Command13 } from 'commander13';
import { Command as Command14, Option as Option14 } from 'commander14';
import { Command as Command15 } from 'commander15';
import { expectTypeOf, test } from 'vitest';

import {
  describeArgument,
  describeOption,
  exposeAsTool,
  McpReadOnly,
  McpTitle,
  McpTool,
} from '@mcpify/markers';

test('a Command of every major keeps its own type', () => {
  expectTypeOf(McpTool(new Command12('run'))).toEqualTypeOf<Command12>();
  expectTypeOf(McpTool({ name: 'a' })(new Command13('run'))).toEqualTypeOf<Command13>();
  expectTypeOf(McpReadOnly()(McpTool()(new Command14('run')))).toEqualTypeOf<Command14>();
  expectTypeOf(
    exposeAsTool(new Command15('run'), McpReadOnly, McpTitle('A title')),
  ).toEqualTypeOf<Command15>();
  const command = new Command14('run').option('--a <b>').argument('[c]');
  expectTypeOf(describeOption(command, '--a', { secret: true })).toEqualTypeOf<Command14>();
  expectTypeOf(describeArgument(command, 'c', { type: 'path' })).toEqualTypeOf<Command14>();
  expectTypeOf(describeOption(new Option14('--a <b>'), { cache: false })).toEqualTypeOf<Option14>();
});

test('inferred option types survive the marks', () => {
  exposeAsTool(new TypedCommand('run').option('--count <n>', 'how many', Number), McpReadOnly).action(
    (options) => {
      expectTypeOf(options.count).toEqualTypeOf<number | undefined>();
    },
  );
});

test('what cannot be a mark does not compile', () => {
  // @ts-expect-error a title is a text
  McpTitle(5);
  // @ts-expect-error there is no such option
  McpTool({ nmae: 'a' });
  const wrongType = () => {
    // @ts-expect-error there is no such type
    describeOption(new Option14('--a <b>'), { type: 'integr' });
    // @ts-expect-error a number is no command
    exposeAsTool(5);
  };
  expectTypeOf(wrongType).toBeFunction();
});
