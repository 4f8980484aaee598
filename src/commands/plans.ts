/** `edgewise plans`: the plans that are kept on disk, and what became of each. */
import { textTo } from "../answers/budget.js";
import { onOneLine } from "../api/marks.js";
import type { PlanRecord } from "../guard/index.js";
import { type Command, print } from "./command.js";
import { age, keptPlans } from "./kept-plans.js";

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
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    print(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  return 0;
};
