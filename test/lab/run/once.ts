/** What is set up once for a run: each project of a run calls the set-ups anew, with modules of its own. */
import type { Vitest } from "vitest/node";

const key = Symbol.for("edgewise set-ups of a run");

/**
 * Calls a function the first time that its name is given in a run.
 * @returns What the function returned that first time.
 */
export function onceInRun<T>(vitest: Vitest, name: string, work: () => T): T {
  const holder = vitest as unknown as Record<symbol, Map<string, unknown> | undefined>;
  const known = holder[key] ?? new Map<string, unknown>();
  holder[key] = known;
  if (!known.has(name)) known.set(name, work());
  return known.get(name) as T;
}
