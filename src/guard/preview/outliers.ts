/** Which of many things stand out: those that have a value which few of them have. */

/** What is compared of a thing: names and values, such as its host and its action. */
export type Features = readonly (readonly [name: string, value: string])[];

/**
 * How usual each thing is among the others: the smallest share of things that have one of its values. A name whose values
 * nearly all differ, such as an id, tells nothing.
 */
export function usualness(things: readonly Features[]): readonly number[] {
  const records = things.map((features) => new Map(features));
  const names = new Set(things.flatMap((features) => features.map(([name]) => name)));
  const shares = things.map(() => 1);
  for (const name of names) {
    const counts = new Map<string | undefined, number>();
    // That a thing has no such value at all tells it from the others, too.
    for (const record of records) counts.set(record.get(name), (counts.get(record.get(name)) ?? 0) + 1);
    if (counts.size * 2 > things.length) continue;
    for (const [at, record] of records.entries())
      shares[at] = Math.min(shares[at] ?? 1, (counts.get(record.get(name)) ?? 0) / things.length);
  }
  return shares;
}

/** The places of things, those that stand out first and the others in their order. */
export function unusualFirst(things: readonly Features[]): readonly number[] {
  const shares = usualness(things);
  return [...things.keys()].sort((a, b) => (shares[a] ?? 1) - (shares[b] ?? 1) || a - b);
}
