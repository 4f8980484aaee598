/** What lets a call through that a rule denies: a ticket, two persons with reasons, and who calls; and when a freeze ends. */
import { expect, it } from "vitest";
import type { PolicyRule } from "../../src/policy/file.js";
import {
  asksForTickets,
  type CallFacts,
  decideCall,
  denialOf,
  jointRuling,
  noPolicy,
  type Policy,
  type PolicyDecision,
} from "../../src/policy/index.js";
import { windowOf } from "../../src/policy/window.js";
import { emailTo, factsWith } from "./made-up.js";

const policyOf = (...rules: PolicyRule[]): Policy => ({ ...noPolicy, rules });
const denying = (id: string, more: Partial<PolicyRule>): PolicyRule => ({ id, effect: "deny", ...more });
const window = (text: string) => windowOf(text) ?? expect.fail(text);
const start = Date.parse("2026-07-03T14:00:00Z");
const weekend = [window("fri 16:00-24:00 Europe/Berlin"), window("sat-sun 00:00-24:00 Europe/Berlin")];
const decide = (
  rules: readonly PolicyRule[],
  facts: Partial<CallFacts> = {},
  nowMs = start,
  more: Partial<Policy> = {},
) => decideCall({ ...policyOf(...rules), ...more }, factsWith(facts), nowMs);
const by = ({ effect, rule }: PolicyDecision) => `${effect} by ${rule}`;

const ticketed = denying("ticketed", { networks: ["production"], unless: { tickets: ["OPS-#", "INC#"] } });
const live = { network: "production" };

it("a ticket is asked for where its rule matches; other rules follow it", () => {
  const allow: PolicyRule = { id: "allowed", effect: "allow" };
  expect(by(decide([ticketed], live))).toBe("deny by ticketed");
  expect(by(decide([ticketed], { ...live, ticket: "OPS-" }))).toBe("deny by ticketed");
  for (const ticket of ["OPS-1", "INC7"]) {
    expect(by(decide([ticketed], { ...live, ticket }))).toBe("approve by default: guarded");
    expect(by(decide([ticketed, allow], { ...live, ticket }))).toBe("allow by allowed");
  }
  expect(by(decide([ticketed], { ticket: "nonsense" }))).toBe("approve by default: guarded");
  expect(by(decide([ticketed], { network: "unknown" }))).toBe("deny by ticketed");
  expect(decide([ticketed], live).lacksTicket).toEqual(["OPS-#", "INC#"]);
  expect(decide([ticketed], { ...live, ticket: "OPS-1" })).toMatchObject({ tickets: [["OPS-#", "INC#"]] });
  expect(decide([ticketed]).tickets).toBeUndefined();
});

it("a ticket is asked for in its rule's windows alone, to their end", () => {
  const rule = denying("weekend", { during: weekend, unless: { tickets: ["OPS-#"] } });
  const end = Date.parse("2026-07-05T22:00:00Z");
  const effects = [start - 1, start, end - 1, end].map((nowMs) => decide([rule], {}, nowMs).effect);
  expect(effects).toEqual(["approve", "deny", "deny", "approve"]);
});

it("a ticket has to fit every rule, and opens nothing else that is denied", () => {
  const other = denying("other", { unless: { tickets: ["OPS-1*"] } });
  expect(by(decide([ticketed, other], { ...live, ticket: "OPS-2" }))).toBe("deny by other");
  expect(by(decide([ticketed, other], { ...live, ticket: "OPS-12" }))).toBe("approve by default: guarded");
  const closed = decide([ticketed, denying("closed", {})], live);
  expect([by(closed), closed.lacksTicket]).toEqual(["deny by closed", undefined]);
  const egress = { egress: { emails: [] } };
  expect(
    by(decide([ticketed], { ...live, ticket: "INC1", destinations: [emailTo("a@b.example")] }, start, egress)),
  ).toBe("deny by egress.emails");
});

it("a denial without a ticket says its form, what was given, what is next", () => {
  const none = denialOf("purge_submit", decide([{ ...ticketed, because: "Changes are tracked" }], live));
  expect(none.code).toBe("not_allowed");
  expect(none.detail.why).toBe(
    'Changes are tracked. A call needs a ticket: "OPS-" followed by a number (such as OPS-1234), or "INC" followed by a number (such as INC1234). It was given none. Nothing was sent.',
  );
  expect(none.detail.next).toContain("ticket set to the id of the ticket");
  expect(none.detail.atShell?.next).toContain("--ticket ID");
  const wrong = denialOf("purge_submit", decide([ticketed], { ...live, ticket: "X-1" }));
  expect(wrong.detail.why).toContain('It was given "X-1", which is no such ticket.');
});

it("a ticket is for those whom its rule names, and for nobody unknown", () => {
  const rule = denying("admins", { unless: { groups: ["admins"], tickets: ["OPS-#"] } });
  const ann = { subject: "ann", groups: ["admins"], scopes: ["edgewise:read", "edgewise:write"] };
  const of = (principal: CallFacts["principal"], ticket?: string) => by(decide([rule], { principal, ticket }));
  expect(of(ann, "OPS-1")).toBe("approve by default: guarded");
  for (const [principal, ticket] of [[ann], [{ ...ann, groups: [] }, "OPS-1"], [undefined, "OPS-1"]] as const)
    expect(of(principal, ticket)).toBe("deny by admins");
  expect(decide([rule], { ticket: "OPS-1" }).lacksTicket).toBeUndefined();
});

it("a read needs a ticket only where a rule about reads asks for one", () => {
  expect(by(decide([ticketed], { tier: "read", network: "staging" }))).toBe("allow by default: read");
  const all = denying("all", { unless: { tickets: ["OPS-#"] } });
  expect(by(decide([all], { tier: "read" }))).toBe("deny by all");
  expect(by(decide([all], { tier: "read", ticket: "OPS-1" }))).toBe("allow by default: read");
  expect([
    asksForTickets(policyOf(all)),
    asksForTickets(policyOf(denying("none", { unless: { approvers: 2 } }))),
  ]).toEqual([true, false]);
});

const saysEnd = (rule: PolicyRule, more: Partial<Policy> = {}) =>
  /The freeze .*$/.exec(denialOf("x", decide([rule], {}, start, more)).detail.why ?? "")?.[0];

it("a denial in a freeze says its end, in the zone and as an instant", () => {
  const rule = denying("quiet", { during: weekend, because: "Nobody is there" });
  expect(saysEnd(rule)).toBe(
    "The freeze ends on Mon 2026-07-06 at 00:00 in Europe/Berlin (2026-07-05T22:00:00Z). Nothing was sent.",
  );
  expect(saysEnd(rule, { timeZone: "Asia/Tokyo" })).toBe(
    "The freeze ends on Mon 2026-07-06 at 07:00 in Asia/Tokyo (2026-07-05T22:00:00Z). Nothing was sent.",
  );
  expect(decide([rule]).freezes).toEqual([
    {
      rule: "quiet",
      untilMs: Date.parse("2026-07-05T22:00:00Z"),
      zone: "Europe/Berlin",
    },
  ]);
  expect(decide([rule]).next).toMatch(/^Wait until the freeze ends/);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const interval = denying("year-end", { during: [window("2026-07-01T00:00Z/2026-07-04T00:00:30Z")] });
  expect(saysEnd(interval)).toContain(`in ${zone} (2026-07-04T00:00:30Z)`);
  expect(saysEnd(denying("always", { during: [window("mon-sun 00:00-24:00 UTC")] }))).toMatch(
    /^The freeze has no known end/,
  );
  expect(saysEnd(denying("never", {}))).toBeUndefined();
  expect(decide([denying("never", {})]).freezes).toBeUndefined();
  expect(decide([{ id: "a", effect: "approve", during: weekend }]).freezes).toBeUndefined();
});

const breakable = denying("freeze", { during: weekend, unless: { approvers: 2 } });

it("in a freeze that two can break, two approve whatever else is allowed", () => {
  const allow: PolicyRule = { id: "allowed", effect: "allow" };
  for (const rules of [[breakable], [allow, breakable], [{ ...allow, effect: "approve" as const }, breakable]])
    for (const tier of ["write", "guarded", "critical"] as const)
      expect(decide(rules, { tier })).toMatchObject({
        ...{ effect: "approve", rule: "freeze", approvers: 2, breaks: ["freeze"] },
        freezes: [{ untilMs: Date.parse("2026-07-05T22:00:00Z") }],
        whyByRule: expect.stringMatching(/ends on Mon .* each with a reason/),
      });
  expect(decide([breakable, denying("other", { unless: { approvers: 2 } })])).toMatchObject({
    ...{ rule: "freeze", breaks: ["freeze", "other"], freezes: [{ rule: "freeze" }] },
  });
  expect(decide([breakable], {}, start - 1)).not.toHaveProperty("breaks");
  expect(by(decide([breakable], {}, Date.parse("2026-07-05T22:00:00Z")))).toBe("approve by default: guarded");
});

it("together, calls break the freezes of all, of the gravest call first", () => {
  const ruling = (tier: CallFacts["tier"], rules: readonly PolicyRule[]) => {
    const facts = factsWith({ tier, count: 3 });
    return { facts, decision: decideCall(policyOf(...rules), facts, start) };
  };
  const quiet = { ...breakable, id: "quiet" };
  const frozen = [ruling("guarded", [quiet]), ruling("critical", [breakable]), ruling("guarded", [breakable])];
  const joint = jointRuling([...frozen, ruling("critical", [])], [ruling("write", [{ ...breakable, id: "drafts" }])]);
  expect(joint.decision).toMatchObject({ rule: "freeze", approvers: 2, breaks: ["freeze", "quiet", "drafts"] });
  expect(joint.decision.freezes?.map(({ rule }) => rule)).toEqual(joint.decision.breaks);
  expect(joint.facts).toMatchObject({ tier: "critical", count: 12, calls: 4 });
  const denied = jointRuling([...frozen, ruling("write", [denying("hard", {})])]);
  expect(by(denied.decision)).toBe("deny by hard");
  expect(denied.decision).not.toHaveProperty("breaks");
  const mild = jointRuling([ruling("critical", []), ruling("guarded", [quiet])]);
  expect([mild.facts.tier, by(mild.decision)]).toEqual(["critical", "approve by quiet"]);
});

it("two break no read, no harder rule, and nothing without its ticket", () => {
  expect(by(decide([breakable], { tier: "read" }))).toBe("deny by freeze");
  expect(by(decide([breakable, denying("hard", { during: weekend })]))).toBe("deny by hard");
  expect(by(decide([breakable, ticketed], live))).toBe("deny by ticketed");
  const both = denying("both", { unless: { tickets: ["INC#"], approvers: 2 } });
  expect(by(decide([both]))).toBe("deny by both");
  expect(decide([both], { ticket: "INC1" })).toMatchObject({
    effect: "approve",
    breaks: ["both"],
    tickets: [["INC#"]],
  });
  expect(by(decide([breakable], { isReadOnly: true }))).toBe("deny by read-only");
  expect(by(decide([breakable], { highestTier: "write" }))).toBe("deny by highestTier of the profile default");
});
