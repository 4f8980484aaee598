/** The policy that the documentation shows is read with the catalogue as it is, and does what is said of it there. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, decideCall } from "../../src/policy/index.js";
import { allServices } from "../../src/tools/index.js";
import { factsWith } from "./made-up.js";

const services = await allServices("documents");
const tools = new Map(
  services.flatMap(({ name, operations }) => Object.keys(operations).map((tool) => [tool, { service: name }] as const)),
);
const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/policy.md", "utf8")) ?? [];
const policy = { ...readPolicy(example, "docs/policy.md", tools), hash: undefined };
const by = (facts: Parameters<typeof factsWith>[0], at = "2026-07-01T12:00:00Z") => {
  const { effect, rule } = decideCall(policy, factsWith(facts), Date.parse(at));
  return `${effect} by ${rule}`;
};

it("the documented policy decides as its page says", () => {
  const zone = { tool: "dns_zone_write", service: "dns", tier: "guarded" } as const;
  const activation = {
    ...{ tool: "property_activate", service: "properties", tier: "critical" as const },
    network: "production",
  };
  const admin = { subject: "ann", groups: ["dns-admins"], scopes: ["edgewise:read", "edgewise:write"] };
  const rows: readonly [facts: Parameters<typeof by>[0], effect: string, at?: string][] = [
    [{}, "allow by staging-purges"],
    [{ objects: ["https://www.example.com/a", "https://other.example/"] }, "approve by default: guarded"],
    [{}, "deny by quiet-weekends", "2026-07-03T14:00:00Z"],
    [{}, "deny by quiet-weekends", "2026-11-27T12:00:00Z"],
    [{}, "deny by quiet-weekends", "2026-12-20T22:59:59Z"],
    [{}, "deny by year-end", "2026-12-20T23:00:00Z"],
    [{}, "deny by year-end", "2027-01-04T04:59:59Z"],
    [{}, "deny by year-end", "2026-12-22T12:00:00Z"],
    [{ ticket: "OPS-1" }, "deny by year-end", "2026-12-22T12:00:00Z"],
    [{ ticket: "INC0012" }, "approve by year-end", "2026-12-22T12:00:00Z"],
    [{ ticket: "INC0012" }, "deny by quiet-weekends", "2026-12-26T12:00:00Z"],
    [{}, "allow by staging-purges", "2027-01-04T05:00:00Z"],
    [activation, "deny by production-has-a-ticket"],
    [{ ...activation, ticket: "OPS-" }, "deny by production-has-a-ticket"],
    [{ ...activation, ticket: "OPS-77" }, "approve by default: critical"],
    [{ ...activation, network: "staging", tier: "guarded" }, "approve by default: guarded"],
    [{ tool: "event_update", service: "events", tier: "write" }, "approve by events-are-approved"],
    [{ tool: "credential_create", service: "credentials", tier: "critical" }, "deny by no-credentials"],
    [zone, "deny by dns-is-for-its-admins"],
    [{ ...zone, principal: { ...admin, groups: [] } }, "deny by dns-is-for-its-admins"],
    [{ ...zone, principal: admin }, "approve by default: guarded"],
  ];
  for (const [facts, effect, at] of rows) expect(by(facts, at)).toBe(effect);
  expect(policy.approvers).toBe(2);
  const byTwo = policy.rules.filter(({ approvers }) => approvers === 2);
  expect(byTwo.map(({ id }) => id)).toEqual(["log-deliveries-take-two"]);
  expect(allowsWithoutApproval(policy)).toBe(true);
  expect(policy.quotas.map(({ id }) => id)).toEqual(["purged-objects", "one-zone-at-a-time"]);
  expect(policy.egress.emails).toEqual(["*@example.com"]);
});
