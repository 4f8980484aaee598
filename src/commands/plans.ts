/** `edgewise plans`: the plans that are kept on disk, whichever process keeps them, and what became of each. */
import { textTo } from "../answers/budget.js";
import { type Config, stateDirOf } from "../config.js";
import { createPlans, type OperatorPlans, type PlanRecord } from "../guard/index.js";
import { directoryStorage } from "../guard/plans/directory.js";
import { onOneLine } from "../language/marks.js";
import { type Command, log, print, refuse } from "./command.js";
import { alignedLines } from "./terminal.js";

/**
 * Opens the plans on disk; the directory is made by the process that keeps the first one.
 * @throws Failure `bad_configuration` when plans are kept in memory, where another process cannot see them.
 */
export function keptPlans(config: Config): OperatorPlans {
  const directory = stateDirOf(config);
  if (directory === "memory")
    refuse(
      "Plans are kept in the memory of the process that made them.",
      "Start the server and this command with the same directory as --state-dir, or without the flag.",
      "--state-dir is memory, so no other process can see them.",
    );
  return createPlans({ ttlMs: config.values["plan-seconds"] * 1_000, storage: directoryStorage(directory), log });
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** How long ago something was, in its largest unit: `3 min`. */
export function age(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
  const [size, unit] = units.find(([one]) => seconds >= one) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const maxSummary = 100;

/** What became of a plan, and how it was approved. */
function fate({ status, approval, outcome }: PlanRecord): string {
  const by = approval === undefined ? "" : `; approval: ${approval.channel}${approval.by ? ` by ${approval.by}` : ""}`;
  return `${status}${outcome === undefined ? "" : ` (${outcome})`}${by}`;
}

function cells(record: PlanRecord, nowMs: number): string[] {
  const { id, tool, tier, createdAtMs, preview } = record.plan;
  const summary = onOneLine(preview.summary);
  const short = summary.length > maxSummary ? `${textTo(summary, maxSummary)}…` : summary;
  return [id, tool, tier, age(createdAtMs, nowMs), onOneLine(fate(record)), short];
}

/** A record as JSON: times in ISO 8601, and without the hashes that mean nothing to a reader. */
function asJson({ plan, status, approval, outcome }: PlanRecord): object {
  const { id, tool, tier, awaits, createdAtMs, expiresAtMs, preview } = plan;
  const { outline: _, actsOn: __, ...shown } = preview;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    plan: id,
    tool,
    tier,
    awaits,
    status,
    outcome,
    approval: approval && { channel: approval.channel, at: iso(approval.atMs), by: approval.by },
    createdAt: iso(createdAtMs),
    expiresAt: iso(expiresAtMs),
    preview: shown,
  };
}

export const plans: Command = async (config, words) => {
  const records = await keptPlans(config).list();
  if (words.includes("--json")) {
    print(JSON.stringify(records.map(asJson), null, 2));
    return 0;
  }
  const rows = [
    ["PLAN", "TOOL", "TIER", "AGE", "STATUS", "SUMMARY"],
    ...records.map((record) => cells(record, Date.now())),
  ];
  alignedLines(rows).forEach(print);
  return 0;
};
