/** `edgewise plans` and `edgewise approve`: lists stored plans with their status, and decides on one. */
import { userInfo } from "node:os";
import { textTo } from "../answers/budget.js";
import type { Config } from "../config.js";
import { type ApprovalRecord, createPlans, type OperatorPlans, type Plan, type PlanRecord } from "../guard/index.js";
import { lacksReason } from "../guard/plans/persons.js";
import { Failure } from "../language/failure.js";
import { onOneLine } from "../text/marks.js";
import { askApproval, atTerminal, hasTerminal, isPreviewWhole, type Terminal } from "./at-terminal.js";
import { type Command, flagValue, log, logFailure, print, printJson, refuse } from "./command.js";
import { sharedState } from "./shared-state.js";
import { alignedLines } from "./terminal.js";

/**
 * Opens the stored plans; a directory is created with the first one.
 * @throws Failure `bad_configuration` if plans are kept in memory, where other processes cannot see them.
 */
async function openPlans(config: Config): Promise<OperatorPlans> {
  const state = await sharedState(config);
  const ttlMs = config.values["plan-seconds"] * 1_000;
  return createPlans({ ttlMs, storage: state.plans, now: state.now, log });
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** A duration in its largest unit: `3 min`. */
function age(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
  const [size, unit] = units.find(([one]) => seconds >= one) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const maxSummary = 100;

/** The status of a plan, and who decided on it. */
function statusText({ status, approvals, refusal, outcome }: PlanRecord): string {
  const because = (reason: string | undefined) => (reason === undefined ? "" : `: ${reason}`);
  const given = approvals.map(
    ({ channel, by, reason }) => `; approval: ${channel}${by ? ` by ${by}` : ""}${because(reason)}`,
  );
  const refused = refusal?.by === undefined ? "" : `; refused by ${refusal.by}${because(refusal.reason)}`;
  return `${status}${outcome === undefined ? "" : ` (${outcome})`}${given.join("")}${refused}`;
}

function planCells(record: PlanRecord, nowMs: number): string[] {
  const { id, tool, tier, createdAtMs, preview, ticket, breaks } = record.plan;
  const summary = onOneLine(preview.summary);
  const short = summary.length > maxSummary ? `${textTo(summary, maxSummary)}…` : summary;
  const about = [
    ...(ticket === undefined ? [] : [`ticket ${ticket}`]),
    ...(breaks === undefined ? [] : [`breaks ${breaks.join(", ")}`]),
  ];
  const whole = about.length === 0 ? short : `[${about.join(", ")}] ${short}`;
  return [id, tool, tier, age(createdAtMs, nowMs), onOneLine(statusText(record)), whole];
}

/** A record as JSON: times in ISO 8601, and without the hashes. */
function asJson({ plan, status, approvals, refusal, outcome }: PlanRecord): object {
  const { id, tool, tier, awaits, approvers, ticket, breaks, requester, createdAtMs, expiresAtMs, preview } = plan;
  const { outline: _, actsOn: __, ...shown } = preview;
  const iso = (ms: number) => new Date(ms).toISOString();
  const decided = ({ atMs, ...rest }: ApprovalRecord | NonNullable<PlanRecord["refusal"]>) => ({
    ...rest,
    at: iso(atMs),
  });
  return {
    plan: id,
    tool,
    tier,
    awaits,
    status,
    outcome,
    approvers,
    ticket,
    breaks,
    approvals: approvals.map(decided),
    refusal: refusal && decided(refusal),
    requester,
    createdAt: iso(createdAtMs),
    expiresAt: iso(expiresAtMs),
    preview: shown,
  };
}

export const plansCommand: Command = async (config, _, flags) => {
  const records = await (await openPlans(config)).list();
  if (flags.includes("--json")) {
    printJson(records.map(asJson));
    return 0;
  }
  const rows = [
    ["PLAN", "TOOL", "TIER", "AGE", "STATUS", "SUMMARY"],
    ...records.map((record) => planCells(record, Date.now())),
  ];
  alignedLines(rows).forEach(print);
  return 0;
};

/** The head of a plan, before its preview. */
const headLines = ({ id, tool, tier, createdAtMs, expiresAtMs }: Plan, nowMs: number): string[] =>
  [
    `Plan:    ${id}, made ${age(createdAtMs, nowMs)} ago, expires in ${age(nowMs, expiresAtMs)}`,
    `Tool:    ${tool} (${tier})`,
    "",
  ].map(onOneLine);

interface DecisionOptions {
  readonly isRefusal?: boolean;
  readonly isWhole?: boolean;
  readonly reason?: string | undefined;
}

/**
 * Shows a plan and records the approver's decision.
 * @param how.isRefusal Whether to refuse it without showing it.
 * @param how.isWhole Whether to show the whole preview at once.
 * @param how.reason Why, for the record.
 * @returns The exit code: 0 if the plan was approved or, with `isRefusal`, refused.
 * @throws Failure `approval_refused` for a plan that does not wait for a person, or no longer waits.
 */
export async function decideOnPlan(
  plans: OperatorPlans,
  id: string,
  { isRefusal = false, isWhole = false, reason }: DecisionOptions,
  terminal: Terminal,
): Promise<number> {
  const { say } = terminal;
  const by = { name: userInfo().username, reason };
  if (isRefusal) {
    const isRefused = await plans.refuse(id, "terminal", by);
    say(isRefused ? "Refused: this plan can no longer be approved." : "No waiting plan has this id.");
    return isRefused ? 0 : 1;
  }
  const planRecord = await plans.find(id);
  if (planRecord?.status === "open" && planRecord.plan.awaits === "person") {
    const { plan } = planRecord;
    // It is said before the preview is read and the target typed.
    if (lacksReason(plan, by)) {
      say(
        "Approving this plan needs a reason, because it breaks a freeze. Run the same line again with --reason TEXT.",
      );
      return 1;
    }
    headLines(plan, Date.now()).forEach(say);
    const needsTarget = plan.tier === "critical";
    const verb = needsTarget ? "To approve this" : "Approve this";
    const question = { preview: plan.preview, needsTarget, isWhole, verb };
    if (!(await askApproval(terminal, question)).isApproved) {
      say("Not approved. The plan still waits; `edgewise approve PLAN --refuse` refuses it permanently.");
      return 1;
    }
  }
  const missing = await plans.approve(id, "terminal", by);
  say(
    missing > 0
      ? "Approved by one person. Another one has to approve it, too, for example at the approvals desk."
      : "Approved, for one execution. Run the same line again, or have the assistant repeat the call.",
  );
  return 0;
}

export const approveCommand: Command = async (config, [id], flags) => {
  const reason = flagValue(flags, "--reason")?.trim();
  if (id === undefined)
    refuse("approve takes the id of a plan.", "Write: edgewise approve PLAN. `edgewise plans` lists them.");
  const plans = await openPlans(config);
  if (!hasTerminal()) {
    log("edgewise: plans are approved at a terminal, but stdin or stderr is not a terminal");
    log("Run it in a terminal window, without a pipe or redirection.");
    return 1;
  }
  const how = { isRefusal: flags.includes("--refuse"), isWhole: isPreviewWhole(flags), reason };
  try {
    return await atTerminal((terminal) => decideOnPlan(plans, id, how, terminal));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "approval_refused") throw error;
    logFailure(error);
    return 1;
  }
};
