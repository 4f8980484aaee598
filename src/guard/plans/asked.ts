/** Remembers who was asked and did not say yes: from then on no `confirm` of the model takes the place of their answer. */
import type { Plan } from "../plan.js";
import { principalOf } from "../plan.js";
import { type Entry, entryOf } from "./storage.js";

/** So many questions of one principal at a time are more than anybody answers; beyond them a yes changes nothing more. */
const maxRemembered = 1_000;

/** The questions that were put, as far as they stand against a `confirm`. */
export interface Asked {
  /** Notes that a question is put. Until it is answered with yes, it was not. */
  put(plan: Plan): void;
  /** Notes that a question was answered with yes. */
  answered(plan: Plan): void;
  /**
   * Whether questions stand against a plan. In this process they stand against everything of the same principal: a
   * client that could ask has a user, whatever it says of itself later. Of another process only what was asked about is
   * known again, because it may have had another client.
   * @param kept The plans of all processes.
   */
  standAgainst(plan: Plan, kept: readonly Entry[]): boolean;
}

/** Whether an entry is a question that was not answered with yes; only what was answered so is ever sent or settled. */
const isUnanswered = ({ awaits, marks }: Entry): boolean =>
  awaits === "question" && !marks.has("sending") && !marks.has("settled");

export function createAsked(): Asked {
  const unanswered = new Map<string, Set<string>>();
  const of = (owner: string): Set<string> => unanswered.get(principalOf(owner)) ?? new Set();
  return {
    put({ id, owner }) {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.add(id);
      unanswered.set(principalOf(owner), ids);
    },
    answered({ id, owner }) {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.delete(id);
    },
    standAgainst(plan, kept) {
      if (of(plan.owner).size > 0) return true;
      const { owner, account, changes } = entryOf(plan);
      const isSameChange = (entry: Entry): boolean =>
        principalOf(entry.owner) === principalOf(owner) &&
        entry.account === account &&
        entry.changes.some((change) => changes.includes(change));
      return kept.some((entry) => isUnanswered(entry) && isSameChange(entry));
    },
  };
}
