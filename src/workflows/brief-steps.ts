/** The steps of a workflow in few words: how many calls each tool took, and in full what was not done. */
import type { Steps } from "./steps.js";

const maxShown = 5;

/** What was done, by tool, and the first steps that were not, with the reason. */
export function briefly({ record }: Steps) {
  const done: Record<string, number> = {};
  for (const { tool, outcome } of record) if (outcome === "done") done[tool] = (done[tool] ?? 0) + 1;
  const rest = record.filter(({ outcome }) => outcome !== "done");
  const notDone = rest.slice(0, maxShown).map(({ step, tool, outcome, why }) => ({ step, tool, outcome, why }));
  const more = rest.length - notDone.length;
  return { done, ...(rest.length > 0 ? { notDone } : {}), ...(more > 0 ? { notDoneAndNotShown: more } : {}) };
}
