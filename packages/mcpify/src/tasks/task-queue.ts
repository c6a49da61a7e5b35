import { TaskRefusedError } from './task-backend.js';

export interface QueueLimits {
  readonly maxConcurrentTasks: number;
  readonly maxQueuedTasks: number;
}

/** A place in the queue, taken before the task is stored, so that nothing is stored that cannot run. */
export interface QueuePlace {
  /** @param run resolves when the task is over */
  fill(taskId: string, run: () => Promise<void>): void;
  giveBack(): void;
}

interface Waiting {
  readonly taskId: string;
  readonly run: () => Promise<void>;
}

/** A place whose task is still being stored: whoever came later waits for it. */
interface Place {
  task: Waiting | undefined;
}

/** So many tasks of this server at the same time; the others wait for their turn, in the order in which they came. */
export class TaskQueue {
  private readonly running = new Set<string>();
  private places: Place[] = [];

  constructor(private readonly limits: QueueLimits) {}

  /** @throws TaskRefusedError where all places are taken */
  reserve(): QueuePlace {
    const { maxConcurrentTasks, maxQueuedTasks } = this.limits;
    if (this.running.size + this.places.length >= maxConcurrentTasks + maxQueuedTasks) {
      throw new TaskRefusedError(
        `${this.running.size} tasks are running and ${this.places.length} are waiting, which is the limit. ` +
          'Wait until one has ended, or cancel one; then try again.',
      );
    }
    const place: Place = { task: undefined };
    this.places.push(place);
    return {
      fill: (taskId, run) => {
        place.task = { taskId, run };
        this.advance();
      },
      giveBack: () => this.remove((each) => each === place),
    };
  }

  /** Undefined: not of this queue, or over. */
  phaseOf(taskId: string): 'queued' | 'starting' | undefined {
    if (this.running.has(taskId)) return 'starting';
    return this.places.some(({ task }) => task?.taskId === taskId) ? 'queued' : undefined;
  }

  /** Takes one out that waits. */
  withdraw(taskId: string): void {
    this.remove(({ task }) => task?.taskId === taskId);
  }

  /** Takes all out that wait. */
  withdrawAll(): string[] {
    const waiting = this.places.flatMap(({ task }) => task?.taskId ?? []);
    this.remove(({ task }) => task !== undefined);
    return waiting;
  }

  private remove(isMeant: (place: Place) => boolean): void {
    this.places = this.places.filter((place) => !isMeant(place));
    this.advance();
  }

  private advance(): void {
    while (this.running.size < this.limits.maxConcurrentTasks) {
      const next = this.places[0]?.task;
      if (!next) return;
      this.places.shift();
      this.running.add(next.taskId);
      void this.runNext(next);
    }
  }

  private async runNext({ taskId, run }: Waiting): Promise<void> {
    // The answer with the id leaves first.
    await new Promise((resolve) => setImmediate(resolve));
    // What goes wrong stands in the task's records, or is found there by the next look at them.
    await run().catch(() => {});
    this.running.delete(taskId);
    this.advance();
  }
}
