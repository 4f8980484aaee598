/** Both sides of what is found: where the best hits only read, the tool that changes the same object is shown, too, and conversely. */

/** What is known of a tool when the hits are ranked. */
interface Sided {
  /** What it is about. */
  readonly object: string;
  readonly reads: boolean;
}

// So many hits of one side show where a search leads.
const leads = 2;

/**
 * The first of ranked hits, and right after the best of them the best hit of the other side about one of their objects.
 * @param limit How many hits are returned.
 */
export function withBothSides<Hit extends Sided>(ranked: readonly Hit[], limit: number): Hit[] {
  const best = ranked.slice(0, Math.min(leads, limit - 1));
  const [first] = best;
  const isOfOneSide = best.every(({ reads }) => reads === first?.reads);
  const objects = new Set(best.map(({ object }) => object));
  const other = ranked.find(({ object, reads }) => isOfOneSide && reads !== first?.reads && objects.has(object));
  if (other === undefined) return ranked.slice(0, limit);
  return [...best, other, ...ranked.slice(best.length).filter((hit) => hit !== other)].slice(0, limit);
}
