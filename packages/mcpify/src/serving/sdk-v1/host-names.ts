import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';

import type { Registry } from '../../registry/registry.js';
import type { Extra } from './host-call.js';

export type Handler = (request: never, extra: Extra) => unknown;

/** A list without end names nothing new some day. */
const MOST_PAGES = 100;

/**
 * Which of our names a server has given to tools of its own. What its handler lists is known only when it is asked: by
 * a client, or else before the first call of a tool of ours, so that no call ever reaches another tool than was meant.
 */
export class HostNames {
  /** The server's own handler of `tools/list`. */
  list: Handler | undefined;
  private readonly taken = new Set<string>();
  private listed: Handler | undefined;

  constructor(private readonly registry: Registry) {}

  /** @returns a name on the page that is one of ours */
  note({ tools }: ListToolsResult): string | undefined {
    const clashes = tools.flatMap(({ name }) => (this.registry.get(name) ? [name] : []));
    for (const name of clashes) this.taken.add(name);
    return clashes[0];
  }

  async isTaken(name: string, extra: Extra): Promise<boolean> {
    const { list } = this;
    if (list && list !== this.listed && (await this.readAll(list, extra))) this.listed = list;
    return this.taken.has(name);
  }

  /** @returns false where the server fails to list its tools: its client hears of that when it asks */
  private async readAll(list: Handler, extra: Extra): Promise<boolean> {
    let cursor: string | undefined;
    try {
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const page = (await list({ method: 'tools/list', params } as never, extra)) as ListToolsResult;
        this.note(page);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      return true;
    } catch {
      return false;
    }
  }
}
