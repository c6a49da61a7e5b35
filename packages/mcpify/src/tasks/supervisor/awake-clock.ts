/** A step that takes longer was a sleep of the machine. */
const LONGEST_STEP_MS = 2_000;

/**
 * Counts the time that the machine is awake: clocks differ in whether they count suspend, and a timer of more than
 * 2^31 ms fires at once. So it counts steps, and a sleep counts as one of 2 s at most (tasks.md, section 7).
 */
export class AwakeClock {
  elapsedMs = 0;
  private lastMs: number;

  constructor(private readonly nowMs: () => number = () => performance.now()) {
    this.lastMs = nowMs();
  }

  tick(): void {
    const nowMs = this.nowMs();
    this.elapsedMs += Math.min(Math.max(0, nowMs - this.lastMs), LONGEST_STEP_MS);
    this.lastMs = nowMs;
  }
}
