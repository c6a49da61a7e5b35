import { readIntent } from './read-records.js';
import type { TaskFolder } from './task-folder.js';
import type { EndIntent } from './task-records.js';
import { writeOnce } from './write-record.js';

/**
 * Says for good that a run is to end: whoever watches it, now or later, ends it. The first reason stays.
 *
 * @returns the intent that stands
 * @throws where it cannot be written
 */
export async function requestEnd(folder: TaskFolder, kind: EndIntent['kind']): Promise<EndIntent> {
  const intent: EndIntent = { kind, at: new Date().toISOString() };
  const isFirst = await writeOnce(folder.cancel, intent);
  return isFirst ? intent : ((await readIntent(folder)) ?? intent);
}
