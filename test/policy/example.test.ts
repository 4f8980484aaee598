/** The policy that the documentation shows is read with the catalogue as it is, and does what is said of it there. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, decide } from "../../src/policy/index.js";
import { allServices } from "../../src/tools/index.js";
import { factsWith } from "./made-up.js";

const services = await allServices("documents");
const tools = new Map(
  services.flatMap(({ name, operations }) => Object.keys(operations).map((tool) => [tool, { service: name }] as const)),
);
const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/policy.md", "utf8")) ?? [];
const policy = { ...readPolicy(example, "docs/policy.md", tools), hash: undefined };
const by = (facts: Parameters<typeof factsWith>[0], at = "2026-07-01T12:00:00Z") => {
  const { effect, rule } = decide(policy, factsWith(facts), Date.parse(at));
  return `${effect} by ${rule}`;
};

it("does what it says", () => {
  expect(by({})).toBe("allow by staging-purges");
  expect(by({ objects: ["https://www.example.com/a", "https://other.example/"] })).toBe("approve by default: guarded");
  expect(by({}, "2026-07-03T14:00:00Z")).toBe("deny by quiet-weekends");
  expect(by({}, "2026-11-27T12:00:00Z")).toBe("deny by quiet-weekends");
  expect(by({ tool: "event_update", service: "events", tier: "write" })).toBe("approve by events-are-approved");
  expect(by({ tool: "credential_create", service: "credentials", tier: "critical" })).toBe("deny by no-credentials");
  const zone = { tool: "dns_zone_write", service: "dns", tier: "guarded" } as const;
  const admin = { subject: "ann", groups: ["dns-admins"], scopes: ["edgewise:read", "edgewise:write"] };
  expect(by(zone)).toBe("deny by dns-is-for-its-admins");
  expect(by({ ...zone, principal: { ...admin, groups: [] } })).toBe("deny by dns-is-for-its-admins");
  expect(by({ ...zone, principal: admin })).toBe("approve by default: guarded");
  expect(policy.approvers).toBe(2);
  expect(policy.rules.filter(({ approvers }) => approvers === 2).map(({ id }) => id)).toEqual([
    "log-deliveries-take-two",
  ]);
  expect(allowsWithoutApproval(policy)).toBe(true);
  expect(policy.quotas.map(({ id }) => id)).toEqual(["purged-objects", "one-zone-at-a-time"]);
  expect(policy.egress.emails).toEqual(["*@example.com"]);
});
