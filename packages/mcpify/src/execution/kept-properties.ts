/**
 * Properties that all calls share and that are accessors by now, so that an assignment is each call's own
 * (`own-per-call.ts`). `Object.defineProperty` goes past that: what it has put in their place is put back when a call
 * has ended (B4.3).
 */
export function keepProperty(target: object, name: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  if (descriptor) kept.push({ target, name, descriptor });
}

/** To be called when a call has ended. */
export function restoreKept(): void {
  for (const { target, name, descriptor } of kept) {
    if (Object.getOwnPropertyDescriptor(target, name)?.get === descriptor.get) continue;
    // One that can no longer be configured stays as it is.
    Reflect.defineProperty(target, name, descriptor);
  }
  hideExtensions();
}

interface KeptProperty {
  readonly target: object;
  readonly name: string;
  readonly descriptor: PropertyDescriptor;
}

const kept: KeptProperty[] = [];

/**
 * What a library adds to every object stays there, but not for loops over the members of an object: the SDK's
 * validators would find a member too many in each request, and would not answer.
 */
export function hideExtensions(): void {
  for (const name of Object.keys(Object.prototype)) {
    Reflect.defineProperty(Object.prototype, name, { enumerable: false });
  }
}
