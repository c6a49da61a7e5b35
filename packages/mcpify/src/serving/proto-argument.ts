import { isRecord } from './json-rpc.js';

/*
 * The SDK's check of `tools/call` loses an argument `__proto__` without a word, in the copy that it makes. On the way
 * through it has another name, so that it is refused as every other argument that a tool does not take.
 */
const PROTO = '__proto__';
const STAND_IN = '\u0000__proto__';

/** @param message one from outside, or a batch of them; whatever its form */
export function hideProtoArgument<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map(hideProtoArgument) as Message;
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params']))
    return message;
  const { params } = message;
  const toolArguments = params['arguments'];
  if (!isRecord(toolArguments) || !Object.hasOwn(toolArguments, PROTO)) return message;
  return { ...message, params: { ...params, arguments: renamed(toolArguments, PROTO, STAND_IN) } };
}

/** The arguments as they were sent. */
export function showProtoArgument(
  toolArguments: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.hasOwn(toolArguments, STAND_IN) ? renamed(toolArguments, STAND_IN, PROTO) : toolArguments;
}

/** `fromEntries` defines members: none of them becomes the prototype. */
function renamed(members: Readonly<Record<string, unknown>>, from: string, to: string) {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key === from ? to : key, value]));
}
