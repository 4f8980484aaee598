/** `edgewise approve`: a person at a terminal reads a plan's whole preview, and approves or refuses it. */
import { userInfo } from "node:os";
import type { OperatorPlans, Plan } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { onOneLine } from "../language/marks.js";
import { askApproval, atTerminal, isAttended, isPreviewWhole, type Terminal } from "./at-terminal.js";
import { type Command, log, logFailure, refuse } from "./command.js";
import { age, keptPlans } from "./plans.js";

/** What a plan is, before its preview. */
const headLines = ({ id, tool, tier, createdAtMs, expiresAtMs }: Plan, nowMs: number): string[] =>
  [
    `Plan:    ${id}, made ${age(createdAtMs, nowMs)} ago, expires in ${age(nowMs, expiresAtMs)}`,
    `Tool:    ${tool} (${tier})`,
    "",
  ].map(onOneLine);

/**
 * Shows a plan to a person and records what they decide.
 * @param how.isRefusal Whether it is refused, without a look at it.
 * @param how.isWhole Whether all of its preview is shown at once.
 * @returns The exit code: 0 when the plan was approved or, with `isRefusal`, refused.
 * @throws Failure `approval_refused` for a plan that does not wait for a person, or no longer.
 */
export async function decide(
  plans: OperatorPlans,
  id: string,
  { isRefusal = false, isWhole = false }: { readonly isRefusal?: boolean; readonly isWhole?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { say } = terminal;
  if (isRefusal) {
    const isRefused = await plans.refuse(id, "terminal");
    say(isRefused ? "Refused: this plan approves nothing." : "There is no such plan that still waits.");
    return isRefused ? 0 : 1;
  }
  const found = await plans.find(id);
  if (found?.status === "open" && found.plan.awaits === "person") {
    const { plan } = found;
    headLines(plan, Date.now()).forEach(say);
    const needsTarget = plan.tier === "critical";
    const verb = needsTarget ? "To approve this" : "Approve this";
    const question = { preview: plan.preview, needsTarget, isWhole, verb };
    if (!(await askApproval(terminal, question)).isApproved) {
      say("Not approved. The plan still waits; `edgewise approve PLAN --refuse` refuses it for good.");
      return 1;
    }
  }
  await plans.approve(id, "terminal", userInfo().username);
  say("Approved. The same call goes through once: run the same line again, or have the assistant repeat it.");
  return 0;
}

export const approve: Command = async (config, words) => {
  const [id] = words.filter((word) => !word.startsWith("--"));
  if (id === undefined)
    refuse("approve takes the id of a plan.", "Write: edgewise approve PLAN. `edgewise plans` lists them.");
  const plans = keptPlans(config);
  if (!isAttended()) {
    log("edgewise: a plan is approved by a person at a terminal, and here input or error output is none.");
    log("Run it in a terminal window, without a pipe or redirection.");
    return 1;
  }
  const how = { isRefusal: words.includes("--refuse"), isWhole: isPreviewWhole(words) };
  try {
    return await atTerminal((terminal) => decide(plans, id, how, terminal));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "approval_refused") throw error;
    logFailure(error);
    return 1;
  }
};
