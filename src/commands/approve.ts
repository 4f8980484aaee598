/** `edgewise approve`: a person at a terminal reads a plan's whole preview, and approves or refuses it. */
import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { Failure } from "../api/failure.js";
import { onOneLine } from "../api/marks.js";
import type { OperatorPlans, Plan } from "../guard/index.js";
import { type Command, log, logFailure } from "./command.js";
import { age, keptPlans } from "./kept-plans.js";

/** The terminal that a person sits at. */
export interface Terminal {
  say(line: string): void;
  /** What the person types; an empty text when they leave. */
  ask(question: string): Promise<string>;
}

/** Everything that the plan would do, a line each, with nothing in it that could move the cursor or fake a line. */
function shownLines({ id, tool, tier, createdAtMs, expiresAtMs, preview }: Plan, nowMs: number): string[] {
  return [
    `Plan:    ${id}, made ${age(createdAtMs, nowMs)} ago, expires in ${age(nowMs, expiresAtMs)}`,
    `Tool:    ${tool} (${tier})`,
    "",
    ...preview.lines,
    "",
  ].map(onOneLine);
}

/** Asks for the decision in the form that the tier takes; a critical call wants its target typed out. */
async function isApprovedAt({ ask }: Terminal, { tier, preview }: Plan): Promise<boolean> {
  if (tier !== "critical") return /^y(es)?$/i.test((await ask("Approve this? (yes/no) ")).trim());
  const target = onOneLine(preview.target);
  return (await ask(`To approve this, type: ${target}\n> `)) === target;
}

/**
 * Shows a plan to a person and records what they decide.
 * @returns The exit code: 0 when the plan was approved or, with `isRefusal`, refused.
 * @throws Failure `approval_refused` for a plan that does not wait for a person, or no longer.
 */
export async function decide(
  plans: OperatorPlans,
  id: string,
  isRefusal: boolean,
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
    for (const line of shownLines(found.plan, Date.now())) say(line);
    if (!(await isApprovedAt(terminal, found.plan))) {
      say("Not approved. The plan still waits; `edgewise approve PLAN --refuse` refuses it for good.");
      return 1;
    }
  }
  await plans.approve(id, "terminal", userInfo().username);
  say("Approved. The same call, with the same arguments and without confirm, now goes through once.");
  return 0;
}

/** Whether a person can be asked here: what is typed comes from a terminal, and what is shown goes to one. */
const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

export const approve: Command = async (config, words) => {
  const [id] = words.filter((word) => !word.startsWith("--"));
  if (id === undefined)
    throw new Failure("bad_configuration", "approve takes the id of a plan.", {
      next: "Write: edgewise approve PLAN. `edgewise plans` lists them.",
    });
  const plans = keptPlans(config);
  if (!isAttended()) {
    log("edgewise: a plan is approved by a person at a terminal, and here input or error output is none.");
    log("Run it in a terminal window, without a pipe or redirection.");
    return 1;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A question whose terminal is closed is never answered.
  const left = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const ask = (question: string): Promise<string> => Promise.race([terminal.question(question), left]);
  try {
    return await decide(plans, id, words.includes("--refuse"), { say: log, ask });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "approval_refused") throw error;
    logFailure(error);
    return 1;
  } finally {
    terminal.close();
  }
};
