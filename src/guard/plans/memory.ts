/** Plans in the memory of this process: a restart forgets them, and a forgotten plan approves nothing. */
import { randomBytes } from "node:crypto";
import type { Plan } from "../plan.js";
import { entryOf, type Mark, type MarkOf, type Storage } from "./storage.js";

const dayMs = 86_400_000;

interface Kept {
  readonly plan: Plan;
  readonly marks: Map<Mark, object>;
}

export function memoryStorage(): Storage {
  const all = new Map<string, Kept>();
  const key = randomBytes(32).toString("base64url");
  return {
    keptMs: dayMs,
    key: async () => key,
    entries: async () =>
      [...all.values()].map(({ plan, marks }) => ({ ...entryOf(plan), marks: new Set(marks.keys()) })),
    add: async (plan) => void all.set(plan.id, { plan, marks: new Map() }),
    read: async (id) => {
      const kept = all.get(id);
      return kept && { plan: kept.plan, ...Object.fromEntries(kept.marks) };
    },
    // The check and the mark happen in one step, without an await between them.
    mark: async <M extends Mark>(name: M, content: MarkOf<M>) => {
      const kept = all.get(content.id);
      if (!kept || kept.marks.has(name)) return false;
      kept.marks.set(name, content);
      return true;
    },
    remove: async (id) => void all.delete(id),
  };
}
