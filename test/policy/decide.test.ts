/** What a policy makes of a call: deny wins, then the first rule that matches, then the defaults; read-only beats all. */
import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/language/principal.js";
import type { Rule } from "../../src/policy/file.js";
import { type CallFacts, decide, denied, noPolicy, type Policy } from "../../src/policy/index.js";
import { emailTo, factsWith, hostTo } from "./made-up.js";

const policyOf = (...rules: Rule[]): Policy => ({ ...noPolicy, rules });
const decisionBy = (policy: Policy, facts: Partial<CallFacts> = {}, nowMs = 0): string => {
  const { effect, rule } = decide(policy, factsWith(facts), nowMs);
  return `${effect} by ${rule}`;
};
const ruleWith = (effect: Rule["effect"], more: Partial<Rule> = {}): Rule => ({ id: `${effect}-it`, effect, ...more });

describe("without a rule that matches", () => {
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
});

describe("a call that is guarded for its destinations alone", () => {
  const isAboutDestinations = true as const;
  const destinations = [emailTo("ops@shop.example"), hostTo("logs.shop.example")];
  const lists = { emails: ["*@shop.example"], hosts: ["*.shop.example"] };
  const by = (egress: Policy["egress"], facts: Partial<CallFacts> = {}, rules: Rule[] = []) =>
    decisionBy({ ...noPolicy, egress, rules }, { tier: "guarded", isAboutDestinations, destinations, ...facts });

  it("is allowed where a list names each of them", () => {
    expect(by(lists)).toBe("allow by egress");
  });

  it.each<[string, Policy["egress"], Partial<CallFacts>]>([
    ["no list", {}, {}],
    ["a list of hosts alone", { hosts: lists.hosts }, {}],
    ["a list of addresses alone", { emails: lists.emails }, {}],
    ["lists that it is not known to be held against", lists, { destinations: [] }],
  ])("is approved with %s", (_, egress, facts) => {
    expect(by(egress, facts)).toBe("approve by default: guarded");
  });

  it("listed destinations do not spare approval where more is at stake", () => {
    expect(by(lists, { tier: "critical" })).toBe("approve by default: critical");
    expect(by(lists, {}, [ruleWith("approve")])).toBe("approve by approve-it");
    const { isAboutDestinations: _, ...guardedForMore } = factsWith({ destinations });
    expect(decisionBy({ ...noPolicy, egress: lists }, guardedForMore)).toBe("approve by default: guarded");
  });
});

describe("among several rules", () => {
  it("deny wins wherever it stands", () => {
    for (const rules of [
      [ruleWith("allow"), ruleWith("deny")],
      [ruleWith("deny"), ruleWith("allow")],
    ])
      expect(decisionBy(policyOf(...rules))).toBe("deny by deny-it");
  });

  it("the first of the others decides", () => {
    expect(decisionBy(policyOf(ruleWith("approve"), ruleWith("allow")))).toBe("approve by approve-it");
    expect(decisionBy(policyOf(ruleWith("allow"), ruleWith("approve")))).toBe("allow by allow-it");
    expect(decisionBy(policyOf(ruleWith("approve", { tools: ["x"] }), ruleWith("allow")))).toBe("allow by allow-it");
  });

  it("a read is denied but never approved", () => {
    expect(decisionBy(policyOf(ruleWith("approve")), { tier: "read" })).toBe("allow by default: read");
    expect(decisionBy(policyOf(ruleWith("approve")), { tier: "write" })).toBe("approve by approve-it");
    expect(decisionBy(policyOf(ruleWith("deny")), { tier: "read" })).toBe("deny by deny-it");
  });

  it("a read-only server refuses every change before any rule is asked", () => {
    for (const tier of ["write", "guarded", "critical"] as const)
      expect(decisionBy(policyOf(ruleWith("allow")), { tier, isReadOnly: true })).toBe("deny by read-only");
    expect(decisionBy(noPolicy, { tier: "read", isReadOnly: true })).toBe("allow by default: read");
  });
});

describe("a profile with a highest tier", () => {
  it.each([
    ["write", "read", false],
    ["write", "write", false],
    ["write", "guarded", true],
    ["guarded", "critical", true],
    ["critical", "critical", false],
  ] as const)("of %s is asked about a call that is %s", (highestTier, tier, isRefused) => {
    const { effect, rule } = decide(policyOf(ruleWith("allow")), factsWith({ highestTier, tier }), 0);
    expect([effect, rule === "highestTier of the profile default"]).toEqual([isRefused ? "deny" : "allow", isRefused]);
  });

  it("beyond a profile's highest tier, a refusal says the tier and why", () => {
    const facts = factsWith({ highestTier: "write", because: ["it is wide", "it is on production"] });
    const { why, fields } = denied(facts.tool, decide(noPolicy, facts, 0)).detail;
    expect(why).toMatch(/is write, .* purge_submit is guarded, because it is wide, and it is on production\./);
    expect(fields).toBeUndefined();
  });
});

describe("a rule matches by", () => {
  const both = (more: Partial<Rule>, facts: Partial<CallFacts>) =>
    (["deny", "approve", "allow"] as const).map((effect) =>
      decide(policyOf(ruleWith(effect, more)), factsWith({ tier: "critical", ...facts }), 0).rule === `${effect}-it`
        ? 1
        : 0,
    );
  const [none, all, restricting] = [
    [0, 0, 0],
    [1, 1, 1],
    [1, 1, 0],
  ];
  const url = (text: string) => ({ objects: [text] });

  it.each<[string, Partial<Rule>, Partial<CallFacts>, number[] | undefined]>([
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
    ["an object", { objects: ["https://www.example.com/*"] }, {}, all],
    ["the host of an object", { objects: ["www.example.com"] }, {}, all],
    ["no other object", { objects: ["https://www.example.com/b*"] }, {}, none],
    [
      "one object of several, unless it allows",
      { objects: ["*/a"] },
      { objects: ["https://x.example/a", "https://x.example/b"] },
      restricting,
    ],
    [
      "every object of several",
      { objects: ["*/a", "*/b"] },
      { objects: ["https://x.example/a", "https://x.example/b"] },
      all,
    ],
    ["nothing of a call that names no object", { objects: ["*"] }, { objects: [] }, none],
    ["a part of a path, unless it allows", { objects: ["oi-1"] }, { objects: ["oi-1/4101"] }, restricting],
    ["a whole path", { objects: ["oi-1/*"] }, { objects: ["oi-1/4101"] }, all],
    ["a later part of a path, unless it allows", { objects: ["4101"] }, { objects: ["oi-1/4101"] }, restricting],
    ["a name that could be a scheme, as it is written", { objects: ["Tag:One"] }, { objects: ["Tag:One"] }, all],
    ["a name that is no escaped text", { objects: ["50%-off*"] }, { objects: ["50%-off"] }, all],
    ["the tool that composed the call", { tools: ["purge_all"] }, { through: "purge_all" }, all],
    ["the tool that a call was composed of", { tools: ["purge_submit"] }, { through: "purge_all" }, all],
    ["any URL of a scheme", { objects: ["https://*"] }, url("https://a.example/x"), all],
    [
      "no URL of which it names the host alone, if it allows",
      { objects: ["https://a.example"] },
      url("https://a.example/x"),
      none,
    ],
    ["an @ in path arguments", { objects: ["a@cp_*"] }, { objects: ["a@cp_1"], isPath: true }, all],
    ["an @ in what is no path, unless it allows", { objects: ["a@cp_*"] }, { objects: ["a@cp_1"] }, restricting],
    [
      "path arguments that cannot be read, unless it allows",
      { objects: ["*"] },
      { objects: ["a\u200bb"], isPath: true },
      restricting,
    ],
    ["a number", { objects: ["123*"] }, { objects: ["12345"] }, all],
    ["one of its windows", { during: [() => false, () => true] }, {}, all],
    ["none of its windows", { during: [() => false] }, {}, none],
    ["all arguments that it names", { tools: ["purge_*"], networks: ["staging"] }, {}, all],
    ["not a part of what it names", { tools: ["purge_*"], networks: ["production"] }, {}, none],
  ])("%s", (_, more, facts, expected) => {
    expect(both(more, facts)).toEqual(expected);
  });

  it("no network where the call has none", () => {
    const { network: _, ...facts } = factsWith();
    expect(decide(policyOf(ruleWith("deny", { networks: ["production"] })), facts, 0).rule).toBe("default: guarded");
  });
});

describe("a destination", () => {
  const emails = (...patterns: string[]): Policy => ({
    ...noPolicy,
    rules: [ruleWith("allow")],
    egress: { emails: patterns },
  });
  const hosts = (...patterns: string[]): Policy => ({
    ...noPolicy,
    rules: [ruleWith("allow")],
    egress: { hosts: patterns },
  });
  const own = emails("*@example.com");
  const toOwnHost = hosts("logs.example.com", "*.logs.example.com");

  it.each([
    [own, emailTo("ops@example.com"), true],
    [own, emailTo("OPS@Example.COM"), true],
    [own, emailTo("a@example.com,b@example.com"), true],
    [own, emailTo("a@example.com, b@example.com"), false],
    [own, emailTo("a@example.com\r\nb@example.com"), false],
    [own, emailTo("ops@example.com\n"), false],
    [own, emailTo("ops\u200b@example.com"), false],
    [own, emailTo("a@evil.example\\@example.com"), false],
    [own, emailTo("a\uff20evil.example\uff0cb@example.com"), false],
    [own, emailTo("a%evil.example@example.com"), false],
    [own, emailTo("evil.example!a@example.com"), false],
    [emails("*example.com"), emailTo("a@evil.ex\u00e4mple.com"), false],
    [emails("*"), emailTo("a@ex\u00e4mple.com"), false],
    [own, emailTo("j\u00fcrgen+x@example.com"), true],
    [own, emailTo("<a@example.com>"), true],
    [own, emailTo("ops@evil.example"), false],
    [own, emailTo("a@example.com,b@evil.example"), false],
    [own, emailTo("b@evil.example a@example.com"), false],
    [own, emailTo("a@evil.example@example.com"), false],
    [own, emailTo('"a@evil.example"@example.com'), false],
    [own, emailTo("a@evil.example(@example.com"), false],
    [own, emailTo("@example.com"), false],
    [own, emailTo(" "), false],
    [own, emailTo("a@example.com.evil.example"), false],
    [own, emailTo(";a@example.com,;b@example.com"), true],
    [own, emailTo("a@example.com;b@evil.example"), false],
    [own, emailTo("evil<@example.com>"), false],
    [own, emailTo("<ops@>example.com"), false],
    [own, emailTo("evil.example:ops@example.com"), false],
    [emails("*@EXAMPLE.com"), emailTo("ops@example.com"), true],
    [emails("*"), emailTo("ops@example.com"), true],
    [emails("*"), emailTo("ops@example.com(evil)"), false],
    [emails("*"), emailTo("ops"), false],
    [emails(), emailTo("ops@example.com"), false],
    [own, hostTo("evil.example"), true],
    [toOwnHost, hostTo("logs.example.com"), true],
    [hosts("*"), hostTo("https://"), false],
    [hosts(), hostTo("logs.example.com"), false],
    [toOwnHost, hostTo(" "), false],
    [toOwnHost, emailTo("ops@evil.example"), true],
    [emails("*"), emailTo("a@example.com,b"), false],
    [emails("*"), emailTo(""), false],
    [emails("*@example.com"), emailTo("a/b@example.com"), true],
  ])("%#: by %j to %j", (policy, destination, isAllowed) => {
    const expected = isAllowed ? "allow by allow-it" : `deny by egress.${destination.kind}s`;
    expect(decisionBy(policy, { destinations: [destination] })).toBe(expected);
  });

  it("that is refused is named, with what is allowed", () => {
    const policy = emails("*@example.com", "*@shop.example");
    const facts = factsWith({
      destinations: [
        emailTo("a@example.com"),
        { ...emailTo("b@evil.example"), field: "body.cc" },
        { ...emailTo("c@evil.example"), field: "body.bcc" },
      ],
    });
    const { code, detail } = denied("alert", decide(policy, facts, 0));
    const takes = expect.stringMatching(/: \*@example\.com, \*@shop\.example$/);
    expect([code, detail.fields]).toEqual([
      "not_allowed",
      [
        { field: "body.cc", given: '"b@evil.example"', takes },
        { field: "body.bcc", given: '"c@evil.example"', takes },
      ],
    ]);
  });

  it("that no pattern can allow is told to be spelled in another way", () => {
    const takesOf = (policy: Policy, destination: ReturnType<typeof hostTo>) =>
      decide(policy, factsWith({ destinations: [destination] }), 0).fields?.[0]?.takes;
    expect(takesOf(toOwnHost, hostTo("user@logs.example.com"))).toMatch(
      /^one that the policy lists: .*; an unambiguous spelling/,
    );
    expect(takesOf(own, emailTo("a@example.com b@example.com"))).toContain("without spaces");
    expect(takesOf(own, emailTo("a@evil.example"))).not.toContain("spelled");
    expect(takesOf(hosts(), hostTo("user@logs.example.com"))).not.toContain("spelled");
  });
});

it("refuses with the rule's id, its own words and what to do", () => {
  const policy = policyOf(ruleWith("deny", { because: "Nobody is there to notice" }));
  const failure = denied("purge_submit", decide(policy, factsWith(), 0));
  expect(failure.message).toContain('"deny-it"');
  expect(failure.detail.why).toMatch(/^Nobody is there to notice\. /);
  expect(denied("x", decide(noPolicy, factsWith({ isReadOnly: true }), 0)).detail.next).toContain("writes enabled");
});

describe("a decision says why", () => {
  it("a reason for a person names the file's rule, if one decided", () => {
    const whyOf = (because?: string) =>
      decide(policyOf({ ...ruleWith("approve"), ...(because === undefined ? {} : { because }) }), factsWith(), 0);
    expect(whyOf("Ask Ann")).toMatchObject({ why: "Ask Ann.", whyByRule: "By the policy's rule approve-it: Ask Ann." });
    expect(whyOf().whyByRule).toBe("The policy's rule approve-it matches this call.");
    expect(decide(noPolicy, factsWith(), 0).whyByRule).toBeUndefined();
  });
});

describe("a rule about who calls", () => {
  const alice: Principal = {
    subject: "alice@example.com",
    issuer: "https://login.example.com",
    groups: ["staff", "dns-admins"],
    client: "desktop",
    scopes: ["edgewise:read", "edgewise:write:dns"],
  };
  const token: Principal = { subject: "ci", groups: [], scopes: ["edgewise:read"] };
  const by = (effect: Rule["effect"], rule: Partial<Rule>, principal: Principal | undefined) =>
    decisionBy(policyOf(ruleWith(effect, rule)), { tier: "guarded", principal }).startsWith(
      `${effect} by ${effect}-it`,
    );

  it.each<[Partial<Rule>, alice: boolean, token: boolean]>([
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
  ])("matches those whom it names, whatever its effect: %j", (rule, isAlice, isToken) => {
    for (const effect of ["allow", "deny", "approve"] as const)
      expect([by(effect, rule, alice), by(effect, rule, token)]).toEqual([isAlice, isToken]);
  });

  it.each(["subjects", "issuers", "groups", "clients", "scopes"] as const)(
    "rules by %s neither match nor exempt unknown callers",
    (list) => {
      for (const effect of ["allow", "deny", "approve"] as const) {
        expect(by(effect, { [list]: ["*"] }, undefined)).toBe(false);
        expect(by(effect, { unless: { [list]: ["*"] } }, undefined)).toBe(effect !== "allow");
      }
    },
  );

  it("names what it matched", () => {
    const rule = ruleWith("deny", { subjects: ["alice@*"], groups: ["dns-*"] });
    const facts = factsWith({ principal: alice });
    const { why } = decide(policyOf({ ...rule, because: "Not now" }), facts, 0);
    expect(why).toMatch(/^Not now\. .*"alice@example\.com", and the group "dns-admins"\.$/);
  });
});

describe("two persons have to approve", () => {
  const approversOf = (policy: Partial<Policy>, facts: Partial<CallFacts>) =>
    decide({ ...noPolicy, ...policy }, factsWith(facts), 0).approvers;
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
  ])("%s", (_, policy, facts, approvers) => {
    expect(approversOf(policy, facts)).toBe(approvers);
  });
});

describe("the scopes of a token", () => {
  const decided = (scopes: readonly string[] | undefined, facts: Partial<CallFacts>) => {
    const principal = scopes && { subject: "ann", groups: [], scopes };
    return decide(noPolicy, factsWith({ principal, service: "purge", ...facts }), 0);
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
      expect(denied("purge_submit", decision).detail.why).toContain(`${needed}:purge`);
    }
  });

  it("one service's scope is enough to begin a tool that reads several", () => {
    expect(decided(["edgewise:read:dns"], { tier: "read" }).effect).toBe("allow");
    expect(decided(["edgewise:write"], { tier: "read" }).effect).toBe("deny");
  });
});
