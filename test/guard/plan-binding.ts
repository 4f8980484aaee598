/** The call whose plans the tests make, for processes of its own as well. */
import type { AwaitedApproval, Binding, PlanContent } from "../../src/guard/plan.js";

export const binding: Binding = { tool: "t", account: "a", owner: "p", requestHash: "r", stateHash: "s" };

export const shownTo = (awaits: AwaitedApproval): PlanContent => ({
  awaits,
  tier: "guarded",
  preview: {
    summary: "REMOVE 3 things",
    kind: "delete",
    account: "a",
    request: { method: "DELETE", path: "/things" },
    target: "3 things",
    warnings: [],
    lines: ["REMOVE 3 things", "id: 1"],
    digest: "abcdefghijkl",
  },
});
