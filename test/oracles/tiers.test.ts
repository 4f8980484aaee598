/** The tier of every operation, as reviewed: reads are reads, and each change has its tier in the operations table. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { tierOf } from "../../src/language/tier.js";
import { allServices } from "../../src/tools/index.js";
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
  tierOf(operationOf(tool), checkArguments(tool, operationOf(tool), args, nowMs).values);

it("each changing operation's tier is listed, and all others only read", () => {
  for (const row of operationRows(services)) {
    const { tool } = row;
    const { tier } = tierWith(tool, resolvedExample(operationOf(tool).spec.example, nowMs));
    expect([tool, tier]).toEqual([tool, rowOf(row).tier || "read"]);
    expect([tool, tier === "read"]).toEqual([tool, isRead(operationOf(tool))]);
  }
});

describe("a replacement of an enrollment", () => {
  const { body } = operationOf("cert_enrollment_update").spec.example as { readonly body: object };
  const replace = (flags: object) => tierWith("cert_enrollment_update", { enrollmentId: 10_001, body, ...flags });

  it.each<[string, string]>([
    ["allow-cancel-pending-changes", "pending"],
    ["allow-staging-bypass", "production"],
    ["renewal-date-check-override", "expire"],
  ])("is critical with %s", (flag, because) => {
    const { tier, because: given } = replace({ [flag]: true });
    expect(tier).toBe("critical");
    expect(given.join()).toContain(because);
    expect(replace({ [flag]: false }).tier).toBe("guarded");
  });
});

describe("a purge", () => {
  const objects = ["https://www.example.com/a"];
  const purge = (body: object, queueName = "default") => tierWith("purge_submit", { queueName, body });
  const mild = { objects, action: "invalidate", domain: "staging", type: "arl" };

  it("of a few addresses is guarded when they are invalidated on staging", () => {
    expect(purge(mild).tier).toBe("guarded");
  });

  it.each<[string, object, string]>([
    ["on production", { domain: "production" }, "production"],
    ["that names no network", { domain: undefined }, "production"],
    ["that removes", { action: "remove" }, "origin"],
    ["that names no action", { action: undefined }, "origin"],
    ["of a CP code", { type: "cpcode", objects: [12345] }, "CP code"],
    ["of 101 addresses", { objects: Array.from({ length: 101 }, (_, at) => `https://a.example/${at}`) }, "101"],
  ])("%s is critical", (_, change, because) => {
    const { tier, because: given } = purge({ ...mild, ...change });
    expect(tier).toBe("critical");
    expect(given.join()).toContain(because);
  });
});
