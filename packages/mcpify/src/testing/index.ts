export { connectClient, type ConnectOptions } from './connect-client.js';
export {
  taskBackendConformance,
  type BackendUnderTest,
  type ConformanceCase,
} from './task-backend-conformance.js';
export { toolListSnapshot } from './tool-list-snapshot.js';
