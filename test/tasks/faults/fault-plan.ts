import { Random } from './random.js';

export type Target = 'server' | 'recorder' | 'child';

/** After the request to start, or once a file of the task, or of its command, has come into being. */
export interface Moment {
  readonly after: 'request' | (typeof FILES)[number];
  readonly delayMs: number;
}

export interface Kill {
  readonly target: Target;
  readonly moment: Moment;
}

/** One round: a task, what is asked of it, and who is killed when. */
export interface FaultPlan {
  readonly seed: number;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly traits: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly carriesSecrets: boolean;
  readonly tie: boolean;
  /** When; who asks. */
  readonly cancel: { readonly moment: Moment; readonly by: 'server' | 'others' } | undefined;
  readonly kills: readonly Kill[];
  /** The other two servers are there from the start; else they come when the faults are over. */
  readonly othersWatch: boolean;
}

/** In the order of a task's life (tasks.md, section 10); `started` is written by the command. */
const FILES = [
  'meta.json',
  'reserve',
  'run.json',
  'log',
  'child.json',
  'started',
  'cancel.json',
  'exit.w.json',
  'exit.json',
] as const;

/** What there is to be killed at that time. */
const MOMENTS: Readonly<Record<Target, readonly Moment['after'][]>> = {
  server: ['request', ...FILES],
  recorder: [
    'request',
    'run.json',
    'log',
    'child.json',
    'started',
    'cancel.json',
    'exit.w.json',
    'exit.json',
  ],
  child: ['log', 'child.json', 'started', 'cancel.json', 'exit.w.json'],
};

const TARGETS: readonly (readonly Target[])[] = [
  ['server'],
  ['recorder'],
  ['child'],
  ['server', 'recorder'],
  ['server', 'child'],
  ['recorder', 'child'],
  ['server', 'recorder', 'child'],
];

export function planRound(seed: number): FaultPlan {
  const random = new Random(seed);
  const endless = random.chance(0.3);
  const ending = random.pick(['none', 'none', 'cancel', 'deadline'] as const);
  const isTimed = ending === 'deadline';
  return {
    seed,
    exitCode: random.pick([0, 3, 7]),
    durationMs: endless ? 600_000 : random.pick([0, 50, 200, 500]),
    traits: ['stubborn', 'tree'].filter(() => random.chance(0.3)),
    timeoutMs: isTimed ? random.between(1, 1_500) : undefined,
    carriesSecrets: random.chance(0.3),
    tie: random.chance(0.1),
    cancel:
      ending === 'cancel'
        ? { moment: planMoment(random, 'server'), by: random.pick(['server', 'others'] as const) }
        : undefined,
    kills: random.pick(TARGETS).map((target) => ({ target, moment: planMoment(random, target) })),
    othersWatch: random.chance(0.5),
  };
}

function planMoment(random: Random, target: Target): Moment {
  const after = random.pick(MOMENTS[target]);
  const delayMs = after === 'request' ? random.between(0, 800) : random.pick([0, 0, 0, 2, 10, 40, 150]);
  return { after, delayMs };
}
