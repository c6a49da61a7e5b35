import type { Task } from '../tasks/task-backend.js';
import type { Style } from './console.js';

export const STATUS_STYLES: Readonly<Record<Task['status'], Style>> = {
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  timeout: 'red',
  cancelled: 'yellow',
};

/** `failed, exit code 3`. */
export function describeStatus({ status, phase, reason, exitCode, signal }: Task): string {
  if (status === 'running')
    return phase === undefined || phase === 'supervised' ? status : `${status}, ${phase}`;
  if (reason !== undefined) return `${status}, ${reason}`;
  if (signal !== undefined && status === 'failed') return `${status}, ${signal}`;
  return exitCode === undefined || exitCode === 0 ? status : `${status}, exit code ${exitCode}`;
}
