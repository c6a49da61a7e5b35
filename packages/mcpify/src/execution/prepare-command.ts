import type { CommandNode } from '../schema/command-node.js';
import { CallEnded } from './call-ended.js';
import { toCommanderEnd, type CommanderError } from './commander-error.js';
import { currentCall } from './running-call.js';

/**
 * Makes one command of the user's program fit for calls: its exits end the call, its action's return value is kept, no
 * help follows an error.
 * Looked at again at each call, since a program may replace either; outside of calls it behaves as before.
 */
export function prepareCommand(command: CommandNode): void {
  overrideExit(command as Internals & CommandNode);
  keepReturnedValue(command as Internals & CommandNode);
  leaveOutHelp(command as Internals & CommandNode);
}

/**
 * The guard of argv.md rule 13, before every hook of the user's; it stops a default command, too, that would run in
 * place of the one that was asked for. Once a program.
 */
export function guardProgram(program: CommandNode): void {
  if (guarded.has(program)) return;
  guarded.add(program);
  program.hook('preAction', (_program, actionCommand) => {
    const call = currentCall();
    // An action may go on to parse again, with an argv of its own.
    if (!call || call.isGuarded) return;
    call.isGuarded = true;
    const mismatch = call.invocation.findMismatch(actionCommand);
    if (mismatch === undefined) return;
    call.end({ kind: 'refused', message: mismatch });
    throw new CallEnded(mismatch);
  });
  const hooks = program._lifeCycleHooks?.['preAction'];
  const guard = hooks?.pop();
  if (guard) hooks?.unshift(guard);
}

const guarded = new WeakSet<CommandNode>();

type ExitCallback = (error: Error & CommanderError) => void;
type Action = (args: unknown[]) => unknown;

interface Internals {
  _exitCallback?: ExitCallback | null;
  _actionHandler?: Action | null;
  /** `.showHelpAfterError()`: all of the help, or a hint. */
  _showHelpAfterError?: boolean | string;
}

/** What this file has put in place: a subcommand that is made later inherits its parent's. */
const ours = new WeakSet<object>();

/** On every command: `exitOverride` spreads neither to commands that exist nor to those added by `addCommand`. */
function overrideExit(command: Internals & CommandNode): void {
  const own = command._exitCallback;
  if (own && ours.has(own)) return;
  const callback: ExitCallback = (error) => {
    const call = currentCall();
    if (!call) {
      own?.(error);
      // Where no callback of the user's throws, commander ends the process.
      return;
    }
    if (own) callOwn(own, error);
    else call.end(toCommanderEnd(error));
    // Of an executable subcommand's end commander tells by an event, where nobody could catch an error.
    if (error.code !== 'commander.executeSubCommandAsync') throw error;
  };
  ours.add(callback);
  command._exitCallback = callback;
}

/** A callback of the user's decides what is thrown; the refusal stays known, whatever it makes of it. */
function callOwn(own: ExitCallback, error: Error & CommanderError): void {
  try {
    own(error);
  } catch (thrown) {
    if (thrown !== error && typeof thrown === 'object' && thrown !== null) refusals.set(thrown, error);
    throw thrown;
  }
}

const refusals = new WeakMap<object, CommanderError>();

/** commander's refusal that an exit callback of the user's turned into this error. */
export function refusalBehind(error: unknown): CommanderError | undefined {
  return typeof error === 'object' && error !== null ? refusals.get(error) : undefined;
}

function keepReturnedValue(command: Internals & CommandNode): void {
  const action = command._actionHandler;
  if (!action || ours.has(action)) return;
  const handler: Action = function (this: unknown, args) {
    const call = currentCall();
    if (!call || call.action) return action.call(this, args);
    call.action = { command };
    return (call.action.result = action.call(this, args));
  };
  ours.add(handler);
  command._actionHandler = handler;
}

/** Help behind an error is for people: its flags are none of the caller's, who has the schema. */
function leaveOutHelp(command: Internals & CommandNode): void {
  if (helpLeftOut.has(command)) return;
  helpLeftOut.add(command);
  let shown = command._showHelpAfterError ?? false;
  Object.defineProperty(command, '_showHelpAfterError', {
    configurable: true,
    enumerable: true,
    get: () => (currentCall() ? false : shown),
    set(value: boolean | string) {
      shown = value;
    },
  });
}

const helpLeftOut = new WeakSet<CommandNode>();
