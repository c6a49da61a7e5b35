import fs from 'node:fs';

import { isHidden } from '../child-process/protocol-descriptors.js';
import { replaceMethod } from './replace-method.js';

const METHODS = ['write', 'writev', 'writeFile', 'appendFile', 'close'].flatMap((name) => [
  name,
  `${name}Sync`,
]);

/** The protocol's own descriptors are closed to everybody else: a program that numbers its own by hand meets them. */
export function patchHiddenDescriptors(): void {
  for (const name of METHODS) {
    replaceMethod(fs, name, (original) => (fd, ...rest) => {
      if (!isHidden(fd)) return original(fd, ...rest);
      const syscall = name.startsWith('close') ? 'close' : 'write';
      const error = Object.assign(new Error(`EBADF: bad file descriptor, ${syscall}`), {
        errno: -9,
        code: 'EBADF',
        syscall,
      });
      const callback = rest.at(-1);
      if (typeof callback !== 'function') throw error;
      process.nextTick(callback as () => void, error);
      return undefined;
    });
  }
}
