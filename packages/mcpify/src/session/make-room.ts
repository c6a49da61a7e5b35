/**
 * What makes room where something is full: the oldest of the caller that holds the most, so that nobody takes what
 * others have by asking for more and more.
 *
 * @param held by key, the oldest first
 */
export function oldestOfGreediest<K>(
  held: Iterable<readonly [key: K, caller: string | undefined]>,
): K | undefined {
  const shares = new Map<string | undefined, { readonly oldest: K; count: number }>();
  for (const [key, caller] of held) {
    const share = shares.get(caller);
    if (share) share.count += 1;
    else shares.set(caller, { oldest: key, count: 1 });
  }
  let greediest: { readonly oldest: K; count: number } | undefined;
  for (const share of shares.values()) {
    if (!greediest || share.count > greediest.count) greediest = share;
  }
  return greediest?.oldest;
}
