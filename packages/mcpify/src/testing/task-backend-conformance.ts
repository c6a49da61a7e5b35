import { cancelCases } from './backend-conformance/cancel-cases.js';
import { CaseContext } from './backend-conformance/case-context.js';
import { deadlineCases } from './backend-conformance/deadline-cases.js';
import { endCases } from './backend-conformance/end-cases.js';
import { outputCases } from './backend-conformance/output-cases.js';
import { ownerCases } from './backend-conformance/owner-cases.js';
import { startCases } from './backend-conformance/start-cases.js';
import type { BackendUnderTest, CaseDefinition } from './backend-conformance/subject.js';
import { treeCases } from './backend-conformance/tree-cases.js';
import { waitCases } from './backend-conformance/wait-cases.js';

export type { BackendUnderTest } from './backend-conformance/subject.js';

/** One promise of a task backend. For any test runner: `run` resolves where it is kept and rejects where it is not. */
export interface ConformanceCase {
  readonly name: string;
  /** Why it does not apply to this backend: what its `capabilities` lack. Undefined: it applies. */
  readonly skip: string | undefined;
  /** Takes seconds, some cases up to 30. All of them may run at the same time. */
  run(): Promise<void>;
}

/**
 * What every task backend promises (`mcpify/tasks`), as a list of cases: a new backend is done when all of them pass.
 * Each case opens backends of its own, ends what it has started, and needs no other case.
 *
 * @param subject how to open a backend; one is opened and closed at once, to ask for its `capabilities`
 */
export async function taskBackendConformance(subject: BackendUnderTest): Promise<ConformanceCase[]> {
  const first = await subject.open();
  const { capabilities } = first;
  await first.close('cancel');
  return ALL_CASES.map((definition) => ({
    name: definition.name,
    skip: definition.skip?.(capabilities),
    run: () => runCase(subject, definition),
  }));
}

const ALL_CASES: readonly CaseDefinition[] = [
  ...startCases,
  ...endCases,
  ...outputCases,
  ...waitCases,
  ...cancelCases,
  ...deadlineCases,
  ...treeCases,
  ...ownerCases,
];

async function runCase(subject: BackendUnderTest, definition: CaseDefinition): Promise<void> {
  const context = await CaseContext.open(subject);
  try {
    await definition.run(context);
  } finally {
    await context.close();
  }
}
