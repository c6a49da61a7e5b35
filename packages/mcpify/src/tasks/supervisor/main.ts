/*
 * The process that watches one task: `node main.js <project folder> <task id>`, with its orders on stdin. It records
 * the end, keeps the deadline, obeys a cancel, and needs nobody else alive.
 */
import { taskFolder } from '../task-folder.js';
import { supervise } from './supervise.js';

const [projectPath = '', taskId = ''] = process.argv.slice(2);
await supervise(taskFolder(projectPath, taskId), process.stdin);
// The pipe of a server that lives on would hold it here.
process.exit();
