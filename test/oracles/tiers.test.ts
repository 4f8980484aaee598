/** The tier of every operation, as reviewed: reads are reads, and each change has its tier in the operations table. */
import { expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/pages/example.js";
import { tierOf } from "../../src/policy/tier.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { rowsOf } from "../lab/tables.js";
import { rowOf } from "./operation-table.js";

const nowMs = Date.UTC(2026, 4, 20);
const services = await allServices("documents");
const operations = new Map(services.flatMap((service) => Object.entries<AnyOperation>(service.operations)));
const operationOf = (tool: string): AnyOperation => {
  const found = operations.get(tool);
  if (!found) throw new Error(`no operation ${tool}`);
  return found;
};
const tierWith = (tool: string, args: Readonly<Record<string, unknown>>) =>
  tierOf(operationOf(tool), validateArguments(tool, operationOf(tool), args, nowMs).values);

it("each changing operation's tier is listed, and all others only read", () => {
  for (const row of operationRows(services)) {
    const { tool } = row;
    const { tier } = tierWith(tool, resolvedExample(operationOf(tool).spec.example, nowMs));
    expect([tool, tier]).toEqual([tool, rowOf(row).tier || "read"]);
    expect([tool, tier === "read"]).toEqual([tool, isRead(operationOf(tool))]);
  }
});

it.each(["guarded", "critical"])("a call is %s by its arguments, for a reason that is told", async (tier) =>
  holdsForEach(rowsOf<[string, object, string]>("oracles/tiers.tsv", tier), (tool, given, reason) => {
    const found = tierWith(tool, { ...resolvedExample(operationOf(tool).spec.example, nowMs), ...given });
    expect([given, found.tier]).toEqual([given, tier]);
    expect(found.because.join()).toContain(reason);
  }),
);

it("a purge of more than 100 addresses is critical", () => {
  const purge = (count: number) => {
    const objects = Array.from({ length: count }, (_, at) => `https://a.example/${at}`);
    const body = { objects, action: "invalidate", domain: "staging", type: "arl" };
    return tierWith("purge_submit", { queueName: "default", body });
  };
  expect([purge(100).tier, purge(101).tier]).toEqual(["guarded", "critical"]);
  expect(purge(101).because.join()).toContain("101");
});
