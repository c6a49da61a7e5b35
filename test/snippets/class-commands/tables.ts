export class Tables {
  async count(table: string, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    return Promise.resolve(table.length);
  }
}
