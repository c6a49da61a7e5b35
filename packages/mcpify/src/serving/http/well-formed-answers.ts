import type { Server } from '@modelcontextprotocol/server';

import { withoutHalves } from '../../result/well-formed.js';

type Transport = Parameters<Server['connect']>[0];
type Message = Parameters<Transport['send']>[0];

/**
 * No message of the server has single halves of surrogate pairs, which are no characters: some parsers refuse the whole
 * of it for one of them. On stdio our own transport sees to that; over HTTP the SDK writes the JSON.
 */
export function withWellFormedAnswers(server: Server): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(toWellFormed(message), options);
    return connect(transport);
  };
  return server;
}

/** The same message where there is nothing to mend, as nearly always: to look costs little, to write it twice does not. */
function toWellFormed(message: Message): Message {
  if (isWellFormed(message)) return message;
  return JSON.parse(withoutHalves(JSON.stringify(message))) as Message;
}

/** Without recursion: what a command returns may be deeper than the stack. */
function isWellFormed(message: Message): boolean {
  const open: unknown[] = [message];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && !(value as Text).isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push(key, member);
  }
  return true;
}

/** Node 20 has it, the library of ES2022 does not know of it. */
type Text = string & { isWellFormed(): boolean };
