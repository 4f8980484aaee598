/** The tool that reads the whole preview of a plan, for clients that read no resources. */
import { tokensOf } from "../answers/tokens.js";
import { workflow } from "../calls/workflow.js";
import { Failure } from "../language/failure.js";
import { z } from "../language/z.js";

export const planId = z
  .string()
  .regex(/^plan_[\w-]{1,64}$/, "a plan id, such as plan_ and 22 characters, from a preview or an answer")
  .describe("Plan id, from a preview or an answer");

/** As many of the lines from a place on as take no more than so many tokens, and at least one. */
function pageOf(lines: readonly string[], from: number, maxTokens: number): readonly string[] {
  let room = maxTokens;
  let end = from;
  for (; end < lines.length; end += 1) {
    room -= tokensOf(`${JSON.stringify(lines[end])},`);
    if (room < 0 && end > from) break;
  }
  return lines.slice(from, end);
}

export const planPage = workflow({
  title: "Whole preview of a plan",
  servesAllTools: true,
  does: "Reads every line of what a planned change would do, and what became of the plan.",
  input: z.strictObject({
    plan: planId,
    from: z.int().min(1).default(1).describe("First line"),
  }),
  example: { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA" },

  async run({ plan: id, from }, { plan: find, results }) {
    const found = await find(id);
    if (!found)
      throw new Failure("not_found", "There is no such plan.", {
        why: "A preview creates a plan, which belongs to whoever asked for it and is kept for some days at most.",
        next: "Call the tool without confirm to get a new preview.",
      });
    const { plan, status, approval, outcome } = found;
    const { lines } = plan.preview;
    const shown = pageOf(lines, from - 1, results.maxTokens);
    const next = from + shown.length;
    return {
      plan: id,
      tool: plan.tool,
      tier: plan.tier,
      status,
      awaits: plan.awaits,
      expiresAt: new Date(plan.expiresAtMs).toISOString(),
      ...(approval === undefined
        ? {}
        : { approved: { by: approval.channel, at: new Date(approval.atMs).toISOString() } }),
      ...(outcome === undefined ? {} : { outcome }),
      total: lines.length,
      lines: shown,
      ...(next <= lines.length ? { nextFrom: next } : {}),
    };
  },
});
