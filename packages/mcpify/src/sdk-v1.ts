export { UsageError, type UsageErrorCode } from './errors/usage-error.js';
export { attach } from './start/attach-v1.js';
export type { AttachOptions } from './start/guest.js';
export type { ProgramLoader } from './start/load-program.js';
