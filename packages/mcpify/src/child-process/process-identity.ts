import { hostname } from 'node:os';

import { processSource, type ProcessEntry } from './process-source.js';

/**
 * One process and no other: numbers are used again, even within a second (K27). Plain JSON, made to be stored.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** A number that grows with time: ticks since the machine's start on Linux, else the time of day. */
  readonly startTime: string;
  /** Another one: the machine was started anew since. */
  readonly bootId: string;
  /** Where the number has its meaning: a container has its own. Empty where the system has no such thing. */
  readonly pidNamespace: string;
  /** Tells a restart of this machine from another machine that shares the store. */
  readonly hostName: string;
}

/** `elsewhere`: of another PID namespace or machine, not ours to judge. A zombie is `gone`. */
export type ProcessState = 'alive' | 'gone' | 'host-restarted' | 'elsewhere';

/**
 * Who has this number now. Never undefined for a child in the same turn of the event loop that spawned it, however
 * short its life: its number is free only once Node has taken note of its end.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const entry = processSource.read(pid);
  return entry && identityOf(entry);
}

export function identityOf({ pid, startTime }: ProcessEntry): ProcessIdentity {
  return { pid, startTime, ...whereWeAre() };
}

/** Of this boot and PID namespace: its number means the same process to us. */
export function isFromHere({ bootId, pidNamespace }: ProcessIdentity): boolean {
  const here = whereWeAre();
  return bootId === here.bootId && pidNamespace === here.pidNamespace;
}

/**
 * What has become of it.
 *
 * @throws where this process is out of descriptors and cannot look: any answer would be a guess
 */
export function stateOf(identity: ProcessIdentity): ProcessState {
  if (!isFromHere(identity)) {
    const { bootId, hostName } = whereWeAre();
    return identity.bootId !== bootId && identity.hostName === hostName ? 'host-restarted' : 'elsewhere';
  }
  const entry = processSource.read(identity.pid);
  return entry && entry.state !== 'ended' && entry.startTime === identity.startTime ? 'alive' : 'gone';
}

/** False only where it is known to be gone. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  try {
    return stateOf(identity) === 'alive';
  } catch {
    return true;
  }
}

type Place = Pick<ProcessIdentity, 'bootId' | 'pidNamespace' | 'hostName'>;

let place: Place | undefined;

function whereWeAre(): Place {
  return (place ??= {
    bootId: processSource.bootId(),
    pidNamespace: processSource.pidNamespace(),
    hostName: hostname(),
  });
}
