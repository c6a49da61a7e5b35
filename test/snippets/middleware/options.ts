import { readFile } from 'node:fs/promises';

import type { ContentBlock, IsEnabled, Middleware } from 'mcpify';

interface State {
  readonly switchedOff: readonly string[];
  readonly readOnly: boolean;
}

export const journal: string[] = [];
export const clock = { hour: 12 };
const isNight = () => clock.hour < 9;
let running = 0;

// #region enabled
export const isEnabled: IsEnabled = async ({ name, annotations }) => {
  const { switchedOff, readOnly } = JSON.parse(await readFile('state.json', 'utf8')) as State;
  if (switchedOff.includes(name)) return 'Switch it on in the window "Tools" of the shop.';
  return !readOnly || annotations.readOnlyHint;
};
// #endregion enabled

// #region middleware
/** Writes down who called what, and how it ended. */
const audit: Middleware = {
  after({ tool, values, caller = 'local' }, { isError = false }) {
    journal.push(`${caller} ${tool.name} ${JSON.stringify(values)} ${isError ? 'failed' : 'done'}`);
  },
};

/** No sales in the night. */
const openingHours: Middleware = {
  before({ tool }) {
    if (tool.annotations.destructiveHint && isNight())
      throw new Error('The shop opens at 9. Ask for an offer.');
  },
};

/** Two calls at the same time, at most. */
const limit: Middleware = {
  async around(_call, next) {
    if (running >= 2) throw new Error('Too many calls at once: try again in a moment.');
    running += 1;
    try {
      return await next();
    } finally {
      running -= 1;
    }
  },
};

/** Customers stay unnamed. */
const redaction: Middleware = {
  after(_call, result) {
    const hide = (block: ContentBlock) =>
      block.text === undefined ? block : { ...block, text: block.text.replaceAll(/\d{4}-\d{4}/g, '…') };
    return { ...result, content: result.content.map(hide) };
  },
};

export const middleware = [audit, openingHours, limit, redaction];
// #endregion middleware
