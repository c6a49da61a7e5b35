// The commands that both sides serve, as plain data: a commander program is made of it, and hand-written tools.
const VERBS = ['create', 'remove', 'deploy', 'restart', 'export', 'import', 'verify', 'archive'];
const NOUNS = ['service', 'database', 'volume', 'account', 'report', 'pipeline', 'release'];

const number = (name, value, description) => ({ name, kind: 'number', value, description });

/** What the measurements call. */
const CALLED = [
  {
    name: 'greet',
    description: 'Greets somebody, one line each time.',
    argument: { name: 'name', description: 'who is greeted' },
    options: [number('times', 1, 'how many lines')],
  },
  {
    name: 'wait',
    description: 'Waits without using the processor.',
    options: [number('ms', 100, 'how long, in milliseconds')],
  },
  {
    name: 'print',
    description: 'Prints lines of 64 bytes.',
    options: [number('megabytes', 1, 'how much')],
  },
  { name: 'fail', description: 'Ends with exit code 2.', options: [] },
];

/** @param total how many commands in all: those that are called, and more of one form */
export function commands(total = Number(process.env.BENCH_COMMANDS ?? CALLED.length)) {
  const more = Array.from({ length: Math.max(0, total - CALLED.length) }, (_, index) =>
    furtherCommand(index),
  );
  return [...CALLED, ...more];
}

function furtherCommand(index) {
  const verb = VERBS[index % VERBS.length];
  const noun = NOUNS[index % NOUNS.length];
  return {
    name: `${verb}-${noun}-${index}`,
    description: `Lets a ${noun} ${verb} in the chosen region and waits until it is healthy.`,
    argument: { name: 'target', description: `name of the ${noun}` },
    options: [
      { name: 'region', kind: 'choice', choices: ['eu', 'us', 'ap'], value: 'eu', description: 'where' },
      number('retries', 3, 'how often it is tried again'),
      { name: 'label', kind: 'text', description: 'kept with the change' },
      { name: 'force', kind: 'flag', description: 'asks no question' },
    ],
  };
}
