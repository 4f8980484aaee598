/** What an error of the engine means for the query, without the engine's own text. */
import type { Problem } from "./messages.js";

/** The engine's messages that are about a word of the query, or that say which kind of mistake it is; the first that fits. */
const known: readonly (readonly [RegExp, Problem["kind"]])[] = [
  [/Referenced (?:column|table) "([^"]+)" not found/, "column"],
  [/does not have a column named "([^"]+)"/, "column"],
  [/Ambiguous reference to column name "([^"]+)"/, "ambiguous"],
  [/(?:Function|Macro) with name "?([\w.]+)"? does not exist/, "unknownFunction"],
  [/No function matches the given name and argument types '(\w+)/, "arguments"],
  [/function call "([^"(]+)\(/, "arguments"],
  [/column "([^"]+)" must appear in the GROUP BY/, "grouping"],
  [/must appear in the GROUP BY|aggregate function calls cannot|cannot contain aggregates/, "grouping"],
  [/at or near "([^"]+)"/, "syntax"],
  [/Parser Error|syntax error/, "syntax"],
  [/Out of Memory|failed to allocate|memory limit/i, "memory"],
  [/Conversion Error|Could not convert|Could not parse|Invalid Input Error/, "conversion"],
  [/Out of Range Error|Overflow/, "range"],
  [/No function matches|Binder Error/, "arguments"],
];

/** Finds out what an error is about. A word is passed on only if the query has it, so that it can hold nothing else. */
export function problemOf(error: unknown, sql: string): Problem {
  const message = error instanceof Error ? error.message : "";
  for (const [pattern, kind] of known) {
    const found = pattern.exec(message);
    if (!found) continue;
    const word = found[1];
    return word !== undefined && sql.toLowerCase().includes(word.toLowerCase()) ? { kind, word } : { kind };
  }
  return { kind: "other" };
}
