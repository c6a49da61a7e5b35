import { currentCall } from './running-call.js';

/**
 * Makes a property of an object that all calls share each call's own: what a call assigns is seen by that call alone
 * and is forgotten with it. Programs that replace `console.log` for a while do no harm to others, in whatever order
 * they put it back.
 */
export function ownPerCall(target: object, name: string): void {
  const described = Object.getOwnPropertyDescriptor(target, name);
  if (described?.configurable === false) return;
  let shared = (target as Record<string, unknown>)[name];
  const key = {};
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: described?.enumerable ?? false,
    get() {
      const own = currentCall()?.properties;
      return own?.has(key) ? own.get(key) : shared;
    },
    set(value: unknown) {
      const call = currentCall();
      if (call) (call.properties ??= new Map()).set(key, value);
      else shared = value;
    },
  });
}
