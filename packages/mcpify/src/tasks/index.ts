export { createEmbeddedBackend } from './embedded-backend.js';
export type { EmbeddedBackend, EmbeddedSettings, KeptCall, OutputSpill } from './embedded-settings.js';
export {
  TaskRefusedError,
  type Caller,
  type OutputPage,
  type OutputQuery,
  type Secrets,
  type Task,
  type TaskAnswer,
  type TaskBackend,
  type TaskCapabilities,
  type TaskPhase,
  type TaskQuestion,
  type TaskReason,
  type TaskSpec,
  type TaskStatus,
} from './task-backend.js';
