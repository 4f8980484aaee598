/** What a policy makes of a call: deny wins, then the first rule that matches, then the defaults; read-only beats all. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { PolicyRule } from "../../src/policy/file.js";
import { type CallFacts, decideCall, denialOf, noPolicy, type Policy } from "../../src/policy/index.js";
import type { Principal } from "../../src/policy/principal.js";
import { holdsForEach } from "../lab/laws.js";
import { emailTo, factsWith, hostTo } from "./made-up.js";

const policyOf = (...rules: PolicyRule[]): Policy => ({ ...noPolicy, rules });
const decisionBy = (policy: Policy, facts: Partial<CallFacts> = {}, nowMs = 0): string => {
  const { effect, rule } = decideCall(policy, factsWith(facts), nowMs);
  return `${effect} by ${rule}`;
};
const ruleWith = (effect: PolicyRule["effect"], more: Partial<PolicyRule> = {}): PolicyRule => ({
  id: `${effect}-it`,
  effect,
  ...more,
});

it.each([
  ["read", "allow"],
  ["write", "allow"],
  ["guarded", "approve"],
  ["critical", "approve"],
] as const)("a %s call falls to %s", (tier, effect) => {
  expect(decisionBy(noPolicy, { tier })).toBe(`${effect} by default: ${tier}`);
  expect(decisionBy(policyOf(ruleWith("deny", { tools: ["other_*"] })), { tier })).toBe(
    `${effect} by default: ${tier}`,
  );
});

const isAboutDestinations = true as const;
const destinations = [emailTo("ops@shop.example"), hostTo("logs.shop.example")];
const lists = { emails: ["*@shop.example"], hosts: ["*.shop.example"] };
const byLists = (egress: Policy["egress"], facts: Partial<CallFacts> = {}, rules: PolicyRule[] = []) =>
  decisionBy({ ...noPolicy, egress, rules }, { tier: "guarded", isAboutDestinations, destinations, ...facts });

it("a call guarded for its destinations is allowed where lists have them", () => {
  expect(byLists(lists)).toBe("allow by egress");
});

it.each<[string, Policy["egress"], Partial<CallFacts>]>([
  ["no list", {}, {}],
  ["a list of hosts alone", { hosts: lists.hosts }, {}],
  ["a list of addresses alone", { emails: lists.emails }, {}],
  ["lists, if its destinations are unknown", lists, { destinations: [] }],
])("a call guarded for its destinations is approved with %s", (_, egress, facts) => {
  expect(byLists(egress, facts)).toBe("approve by default: guarded");
});

it("listed destinations do not spare approval where more is at stake", () => {
  expect(byLists(lists, { tier: "critical" })).toBe("approve by default: critical");
  expect(byLists(lists, {}, [ruleWith("approve")])).toBe("approve by approve-it");
  const { isAboutDestinations: _, ...guardedForMore } = factsWith({ destinations });
  expect(decisionBy({ ...noPolicy, egress: lists }, guardedForMore)).toBe("approve by default: guarded");
});

const [allow, deny, approve] = [ruleWith("allow"), ruleWith("deny"), ruleWith("approve")];
it.each<[string, PolicyRule[], Partial<CallFacts>, string]>([
  ["deny wins at the end", [allow, deny], {}, "deny by deny-it"],
  ["deny wins at the beginning", [deny, allow], {}, "deny by deny-it"],
  ["the first of the others decides", [approve, allow], {}, "approve by approve-it"],
  ["the first of the others decides", [allow, approve], {}, "allow by allow-it"],
  ["the first that matches", [ruleWith("approve", { tools: ["x"] }), allow], {}, "allow by allow-it"],
  ["a read is never approved", [approve], { tier: "read" }, "allow by default: read"],
  ["a write needs an approval", [approve], { tier: "write" }, "approve by approve-it"],
  ["a read is denied", [deny], { tier: "read" }, "deny by deny-it"],
  ["a read-only server refuses a write first", [allow], { tier: "write", isReadOnly: true }, "deny by read-only"],
  [
    "a read-only server refuses a guarded call first",
    [allow],
    { tier: "guarded", isReadOnly: true },
    "deny by read-only",
  ],
  [
    "a read-only server refuses a critical call first",
    [allow],
    { tier: "critical", isReadOnly: true },
    "deny by read-only",
  ],
  ["a read-only server allows a read", [], { tier: "read", isReadOnly: true }, "allow by default: read"],
])("of several rules: %s", (_, rules, facts, expected) => {
  expect(decisionBy(policyOf(...rules), facts)).toBe(expected);
});

it.each([
  ["write", "read", false],
  ["write", "write", false],
  ["write", "guarded", true],
  ["guarded", "critical", true],
  ["critical", "critical", false],
] as const)("a profile's highest tier %s meets a call that is %s", (highestTier, tier, isRefused) => {
  const { effect, rule } = decideCall(policyOf(ruleWith("allow")), factsWith({ highestTier, tier }), 0);
  expect([effect, rule === "highestTier of the profile default"]).toEqual([isRefused ? "deny" : "allow", isRefused]);
});

it("a refusal beyond a profile's highest tier says the tier and why", () => {
  const facts = factsWith({ highestTier: "write", because: ["it is wide", "it is on production"] });
  const { why, fields } = denialOf(facts.tool, decideCall(noPolicy, facts, 0)).detail;
  expect(why).toMatch(/is write, .* purge_submit is guarded, because it is wide, and it is on production\./);
  expect(fields).toBeUndefined();
});

const both = (more: Partial<PolicyRule>, facts: Partial<CallFacts>) =>
  (["deny", "approve", "allow"] as const).map((effect) =>
    decideCall(policyOf(ruleWith(effect, more)), factsWith({ tier: "critical", ...facts }), 0).rule === `${effect}-it`
      ? 1
      : 0,
  );
const [none, all, restricting] = [
  [0, 0, 0],
  [1, 1, 1],
  [1, 1, 0],
];
const never = { endMs: () => undefined };
const always = { endMs: () => 1 };
const of = (...objects: string[]) => ({ objects });
const [a, b, path] = ["https://x.example/a", "https://x.example/b", { isPath: true }];

it.each<[string, Partial<PolicyRule>, Partial<CallFacts>, number[] | undefined]>([
  ["a tool's pattern", { tools: ["x", "purge_*"] }, {}, all],
  ["no other tool's pattern", { tools: ["purge"] }, {}, none],
  ["a service", { services: ["dns", "purge"] }, {}, all],
  ["no other service", { services: ["dns"] }, {}, none],
  ["a tier", { tiers: ["critical"] }, {}, all],
  ["no other tier", { tiers: ["guarded"] }, {}, none],
  ["a section", { profiles: ["prod-*"] }, { section: "prod-eu" }, all],
  ["no other section", { profiles: ["prod-*"] }, { section: "default" }, none],
  ["a network", { networks: ["staging"] }, {}, all],
  ["no other network", { networks: ["production"] }, {}, none],
  [
    "an unknown network as production, unless it allows",
    { networks: ["production"] },
    { network: "both" },
    restricting,
  ],
  ["an object", of("https://www.example.com/*"), {}, all],
  ["the host of an object", of("www.example.com"), {}, all],
  ["no other object", of("https://www.example.com/b*"), {}, none],
  ["one object of several, unless it allows", of("*/a"), of(a, b), restricting],
  ["every object of several", of("*/a", "*/b"), of(a, b), all],
  ["nothing of a call that names no object", of("*"), of(), none],
  ["a part of a path, unless it allows", of("oi-1"), of("oi-1/4101"), restricting],
  ["a whole path", of("oi-1/*"), of("oi-1/4101"), all],
  ["a later part of a path, unless it allows", of("4101"), of("oi-1/4101"), restricting],
  ["a name that could be a scheme, as it is written", of("Tag:One"), of("Tag:One"), all],
  ["a name that is no escaped text", of("50%-off*"), of("50%-off"), all],
  ["the tool that composed the call", { tools: ["purge_all"] }, { through: "purge_all" }, all],
  ["the tool that a call was composed of", { tools: ["purge_submit"] }, { through: "purge_all" }, all],
  ["any URL of a scheme", of("https://*"), of(a), all],
  ["no URL of which it names the host alone, if it allows", of("https://x.example"), of(a), none],
  ["an @ in path arguments", of("a@cp_*"), { ...of("a@cp_1"), ...path }, all],
  ["an @ in what is no path, unless it allows", of("a@cp_*"), of("a@cp_1"), restricting],
  ["unreadable path arguments, unless it allows", of("*"), { ...of("a\u200bb"), ...path }, restricting],
  ["a number", of("123*"), of("12345"), all],
  ["one of its windows", { during: [never, always] }, {}, all],
  ["none of its windows", { during: [never] }, {}, none],
  ["all arguments that it names", { tools: ["purge_*"], networks: ["staging"] }, {}, all],
  ["not a part of what it names", { tools: ["purge_*"], networks: ["production"] }, {}, none],
])("a rule matches by %s", (_, more, facts, expected) => {
  expect(both(more, facts)).toEqual(expected);
});

it("a rule with networks does not match a call without one", () => {
  const { network: _, ...facts } = factsWith();
  expect(decideCall(policyOf(ruleWith("deny", { networks: ["production"] })), facts, 0).rule).toBe("default: guarded");
});

const limitedTo = (egress: Policy["egress"]): Policy => ({ ...noPolicy, rules: [ruleWith("allow")], egress });
const emails = (...patterns: string[]) => limitedTo({ emails: patterns });
const hosts = (...patterns: string[]) => limitedTo({ hosts: patterns });
const own = emails("*@example.com");
const toOwnHost = hosts("logs.example.com", "*.logs.example.com");

it("a destination is matched with the list of its kind, in any spelling", async () => {
  const table = readFileSync(new URL("destinations.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  await holdsForEach(table, (row) => {
    const [effect, list = "", kind = "", value = ""] = row.split("\t");
    const [name, ...patterns] = list.split(" ");
    const destination = (kind === "email" ? emailTo : hostTo)(JSON.parse(value));
    const expected = effect === "allow" ? "allow by allow-it" : `deny by egress.${name}`;
    expect(decisionBy((name === "emails" ? emails : hosts)(...patterns), { destinations: [destination] })).toBe(
      expected,
    );
  });
  expect(table).toHaveLength(43);
});

it("a refusal names the destination, or asks for another spelling", () => {
  const policy = emails("*@example.com", "*@shop.example");
  const facts = factsWith({
    destinations: [
      emailTo("a@example.com"),
      { ...emailTo("b@evil.example"), field: "body.cc" },
      { ...emailTo("c@evil.example"), field: "body.bcc" },
    ],
  });
  const { code, detail } = denialOf("alert", decideCall(policy, facts, 0));
  const takes = expect.stringMatching(/: \*@example\.com, \*@shop\.example$/);
  const refused = { ...{ field: "body.cc", given: '"b@evil.example"' }, takes };
  expect([code, detail.fields]).toEqual([
    "not_allowed",
    [refused, { ...refused, field: "body.bcc", given: '"c@evil.example"' }],
  ]);
  const takesOf = (policy: Policy, destination: ReturnType<typeof hostTo>) =>
    decideCall(policy, factsWith({ destinations: [destination] }), 0).fields?.[0]?.takes;
  expect(takesOf(toOwnHost, hostTo("user@logs.example.com"))).toMatch(
    /^one that the policy lists: .*; an unambiguous spelling/,
  );
  expect(takesOf(own, emailTo("a@example.com b@example.com"))).toContain("without spaces");
  expect(takesOf(own, emailTo("a@evil.example"))).not.toContain("spelled");
  expect(takesOf(hosts(), hostTo("user@logs.example.com"))).not.toContain("spelled");
});

it("a decision says its rule's id, its own words and what to do", () => {
  const policy = policyOf(ruleWith("deny", { because: "Nobody is there to notice" }));
  const failure = denialOf("purge_submit", decideCall(policy, factsWith(), 0));
  expect(failure.message).toContain('"deny-it"');
  expect(failure.detail.why).toMatch(/^Nobody is there to notice\. /);
  expect(denialOf("x", decideCall(noPolicy, factsWith({ isReadOnly: true }), 0)).detail.next).toContain(
    "writes enabled",
  );
  const whyOf = (more?: object) => decideCall(policyOf({ ...ruleWith("approve"), ...more }), factsWith(), 0);
  const why = { why: "Ask Ann.", whyByRule: "By the policy's rule approve-it: Ask Ann." };
  expect(whyOf({ because: "Ask Ann" })).toMatchObject(why);
  expect(whyOf().whyByRule).toBe("The policy's rule approve-it matches this call.");
  expect(decideCall(noPolicy, factsWith(), 0).whyByRule).toBeUndefined();
});

const alice: Principal = {
  subject: "alice@example.com",
  issuer: "https://login.example.com",
  groups: ["staff", "dns-admins"],
  client: "desktop",
  scopes: ["edgewise:read", "edgewise:write:dns"],
};
const token: Principal = { subject: "ci", groups: [], scopes: ["edgewise:read"] };
const by = (effect: PolicyRule["effect"], rule: Partial<PolicyRule>, principal: Principal | undefined) =>
  decisionBy(policyOf(ruleWith(effect, rule)), { principal }) === `${effect} by ${effect}-it`;

it.each<[Partial<PolicyRule>, alice: boolean, token: boolean]>([
  [{ subjects: ["alice@*"] }, true, false],
  [{ subjects: ["bob", "alice@example.com"] }, true, false],
  [{ subjects: ["c?"] }, false, true],
  [{ subjects: ["Alice@example.com"] }, false, false],
  [{ issuers: ["https://login.example.com"] }, true, false],
  [{ issuers: ["*"] }, true, false],
  [{ groups: ["dns-*"] }, true, false],
  [{ groups: ["*"] }, true, false],
  [{ clients: ["desktop"] }, true, false],
  [{ scopes: ["*:write*"] }, true, false],
  [{ scopes: ["edgewise:read"] }, true, true],
  [{ subjects: ["*"], groups: ["staff"] }, true, false],
  [{ subjects: ["alice@*"], groups: ["other"] }, false, false],
  [{ unless: { groups: ["dns-admins"] } }, false, true],
  [{ unless: { groups: ["dns-admins"], clients: ["phone"] } }, true, true],
  [{ groups: ["staff"], unless: { subjects: ["alice@*"] } }, false, false],
])("a rule about who calls matches those whom it names: %j", (rule, isAlice, isToken) => {
  for (const effect of ["allow", "deny", "approve"] as const)
    expect([by(effect, rule, alice), by(effect, rule, token)]).toEqual([isAlice, isToken]);
});

it("a rule about who calls exempts no unknown caller, and says its match", () => {
  for (const list of ["subjects", "issuers", "groups", "clients", "scopes"])
    for (const effect of ["allow", "deny", "approve"] as const) {
      expect([list, by(effect, { [list]: ["*"] }, undefined)]).toEqual([list, false]);
      expect(by(effect, { unless: { [list]: ["*"] } }, undefined)).toBe(effect !== "allow");
    }
  const rule = ruleWith("deny", { subjects: ["alice@*"], groups: ["dns-*"] });
  const facts = factsWith({ principal: alice });
  const { why } = decideCall(policyOf({ ...rule, because: "Not now" }), facts, 0);
  expect(why).toMatch(/^Not now\. .*"alice@example\.com", and the group "dns-admins"\.$/);
});

const approversOf = (policy: Partial<Policy>, facts: Partial<CallFacts>) =>
  decideCall({ ...noPolicy, ...policy }, factsWith(facts), 0).approvers;
const critical = { tier: "critical" } as const;

it.each<[string, Partial<Policy>, Partial<CallFacts>, 2 | undefined]>([
  ["nothing without a policy", {}, critical, undefined],
  ["a critical call where that is on", { approvers: 2 }, critical, 2],
  ["no guarded call then", { approvers: 2 }, { tier: "guarded" }, undefined],
  ["a critical call that a rule has approved", { approvers: 2, rules: [ruleWith("approve")] }, critical, 2],
  ["none that a rule exempts", { approvers: 2, rules: [ruleWith("approve", { approvers: 1 })] }, critical, undefined],
  ["none that a rule allows", { approvers: 2, rules: [ruleWith("allow")] }, critical, undefined],
  ["none that a rule denies", { approvers: 2, rules: [ruleWith("deny")] }, critical, undefined],
  ["what a rule says, whatever the tier", { rules: [ruleWith("approve", { approvers: 2 })] }, { tier: "write" }, 2],
  ["no read", { approvers: 2, rules: [ruleWith("approve", { approvers: 2 })] }, { tier: "read" }, undefined],
])("two persons approve %s", (_, policy, facts, approvers) => {
  expect(approversOf(policy, facts)).toBe(approvers);
});

const decided = (scopes: readonly string[] | undefined, facts: Partial<CallFacts>) => {
  const principal = scopes && { subject: "ann", groups: [], scopes };
  return decideCall(noPolicy, factsWith({ principal, service: "purge", ...facts }), 0);
};

it.each([
  ["read", "edgewise:read"],
  ["launch", "edgewise:write"],
  ["create", "edgewise:write"],
  ["update", "edgewise:write"],
  ["destructive", "edgewise:destructive"],
] as const)("a token is denied the effect %s unless it has %s", (effect, needed) => {
  const tier = effect === "read" ? "read" : "write";
  const others = ["edgewise:read", "edgewise:write", "edgewise:destructive", "edgewise:approve"].filter(
    (scope) => scope !== needed,
  );
  for (const held of [[needed], [`${needed}:purge`], [...others, needed], undefined])
    expect(decided(held, { effect, tier }).effect).toBe("allow");
  for (const held of [[], others, [`${needed}:dns`], [`${needed}:`]]) {
    const decision = decided(held, { effect, tier });
    expect(decision).toMatchObject({ effect: "deny", rule: `scope ${needed}` });
    expect(denialOf("purge_submit", decision).detail.why).toContain(`${needed}:purge`);
  }
});

it("the scope of one service suffices to begin a tool that reads several", () => {
  expect(decided(["edgewise:read:dns"], { tier: "read" }).effect).toBe("allow");
  expect(decided(["edgewise:write"], { tier: "read" }).effect).toBe("deny");
});
