import type { Readable } from 'node:stream';

/** What the server sends over the pipe: one line of JSON. */
export interface SupervisorOrders {
  /** The command's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The real argv, where it is not that of the record. */
  readonly argv?: readonly string[] | undefined;
}

export function toOrderLine(orders: SupervisorOrders): string {
  return `${JSON.stringify(orders)}\n`;
}

export interface OrderLine {
  /** Undefined: the server ended before the line was whole. */
  readonly orders: Promise<SupervisorOrders | undefined>;
  /** Resolves when the other end of the pipe is closed. */
  readonly closed: Promise<void>;
}

export function readOrderLine(input: Readable): OrderLine {
  let isWhole = false;
  let text = '';
  const closed = new Promise<void>((resolve) => {
    input.once('end', resolve).once('error', () => resolve());
  });
  const orders = new Promise<SupervisorOrders | undefined>((resolve) => {
    void closed.then(() => resolve(undefined));
    input.setEncoding('utf8').on('data', (chunk: string) => {
      if (isWhole) return;
      text += chunk;
      isWhole = chunk.includes('\n');
      if (isWhole) resolve(JSON.parse(text) as SupervisorOrders);
    });
  });
  return { orders, closed };
}
