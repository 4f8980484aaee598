/** The policy file: everything unknown is an error with its line, and a file that others can write is refused. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadPolicy, readPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, noPolicy } from "../../src/policy/index.js";
import { folder as newFolder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { failureFrom } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";
import { strangerTo } from "../lab/users.js";

const tools = new Map([
  ["purge_submit", { service: "purge" }],
  ["dns_zone_get", { service: "dns" }],
]);
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const errorIn = async (text: string) => (await failureFrom(() => readPolicy(text, "policy.yaml", tools))).message;
const oneRule = (...lines: string[]) =>
  ["version: 1", "rules:", "  - id: a", ...lines.map((line) => `    ${line}`)].join("\n");

it("may say nothing but its version, and holds as no policy does then", () => {
  const empty = { rules: [], approvers: 1, quotas: [], egress: {} };
  expect(readPolicy("version: 1\n", "x", tools)).toEqual({ version: 1, ...empty });
  expect(noPolicy).toEqual({ ...empty, hash: undefined });
});

it("may say all that there is, up to its bounds", () => {
  const rule = {
    ...{ id: `0${"a_-z".repeat(16)}`.slice(0, 64), effect: "deny", because: "x".repeat(300), tools: ["purge_*"] },
    ...{ services: ["dns"], tiers: ["read", "critical"], profiles: ["?"], networks: ["production", "staging"] },
    ...{ objects: ["*"], during: ["fri 16:00-24:00 Europe/Vienna"] },
  };
  const who = { subjects: ["alice@*"], issuers: ["https://*"], groups: ["a", "b"], clients: ["?"], scopes: ["*:dns"] };
  const approval = { id: "b", effect: "approve", tiers: ["write"], approvers: 2, ...who, unless: who };
  const quotas = [
    { id: "c", tools: ["*"], counts: "objects", per: "hour", max: 1 },
    { id: "d", tools: ["*"], counts: "calls", per: "parallel", max: 2 },
    { id: "e", tools: ["*"], counts: "requests", per: "day", max: 3 },
  ];
  const egress = { emails: [], hosts: ["*.example.com"] };
  const text = JSON.stringify({ version: 1, approvers: 2, rules: [rule, approval], quotas, egress });
  const rules = [{ ...rule, during: [expect.any(Function)] }, approval];
  expect(readPolicy(text, "x", tools)).toEqual({ version: 1, rules, approvers: 2, quotas, egress });
});

describe("an error names the line and what is wrong", () => {
  const quota = (change: object) => `version: 1\nquotas:\n  - ${JSON.stringify({ ...calls, ...change })}\n`;
  const calls = { id: "a", tools: ["*"], counts: "calls", per: "day", max: 1 };
  const withId = (id: string) => `version: 1\nrules:\n  - id: ${id}\n    effect: deny\n`;
  const egress = (line: string) => `version: 1\negress:\n  ${line}\n`;
  const denying = (line: string) => oneRule("effect: deny", line);

  it.each<[what: string, text: string, line: number | undefined, said: string]>([
    ["an unknown key", "version: 1\nrule: []\n", 2, 'there is no key rule (did you mean "rules"?); known: version, '],
    ["an unknown key of a rule", denying("tool: [x]"), 5, 'no key rules[0].tool (did you mean "tools"?)'],
    ["an unknown key of unless", denying("unless: {group: [a]}"), 5, 'unless.group (did you mean "groups"?); known: '],
    ["an empty unless", denying("unless: {}"), 5, "takes at least one of subjects, "],
    ["approvers of what needs none", denying("approvers: 2"), 5, "nothing unless the effect is approve"],
    ["three approvers", oneRule("effect: approve", "approvers: 3"), 5, "takes 1 or 2"],
    ["three approvers of critical calls", "version: 1\napprovers: 3\n", 2, "takes 1 or 2"],
    ["an unknown key of a quota", quota({ maxx: 3 }), 3, 'no key quotas[0].maxx (did you mean "max"?)'],
    ["an unknown key of egress", egress("email: []"), 3, 'no key egress.email (did you mean "emails"?)'],
    ["a missing version", "rules: []\n", 1, "version is required and takes 1, the only version there is."],
    ["another version", "version: 2\n", 1, "version was given as 2, and takes 1"],
    ["an unknown effect", oneRule("effect: forbid"), 4, '"forbid", and takes one of allow, deny, approve'],
    ["a missing effect", oneRule("tools: ['*']"), 3, "rules[0].effect is required"],
    ["an unknown tier", denying("tiers: [red]"), 5, 'rules[0].tiers[0] was given as "red", and takes one of read'],
    ["an unknown network", denying("networks: [prod]"), 5, "takes one of production, staging"],
    ["an empty list of tools", denying("tools: []"), 5, "at least one item"],
    ["a text for a list", denying("tools: purge"), 5, "takes a list"],
    ["a window that is none", denying("during: [fri 4pm]"), 5, "takes a window: 2026-"],
    ["an approval of reads", oneRule("effect: approve", "tiers: [read]"), 5, "no read if the effect is approve"],
    ["the id read-only", withId("read-only"), 3, "an id other than read-only, default"],
    ["the id default", withId("default"), 3, "an id other than read-only, default"],
    ["the id egress", withId("egress"), 3, "an id other than read-only, default"],
    ["an id in capitals", withId("No"), 3, "lower-case letters"],
    ["an id with a space", withId("a b"), 3, "lower-case letters"],
    ["an id of 65 characters", withId("a".repeat(65)), 3, "lower-case letters"],
    ["an id that is no text", withId("5"), 3, "takes an id."],
    ["an id twice", `${oneRule("effect: deny")}\n  - id: a\n    effect: allow\n`, 3, "takes rules whose ids differ"],
    ["an unknown tool", denying("tools: [dns_*, purge_submitt]"), 5, '(did you mean "purge_submit"?)'],
    ["an unknown tool of a quota", quota({ tools: ["x_*"] }), 3, "matches no tool"],
    ["an unknown service", denying("services: [purges]"), 5, 'matches no service (did you mean "purge"?)'],
    ["a quota of nothing", quota({ max: 0 }), 3, "at least 1"],
    ["a key twice", "version: 1\nversion: 1\n", 2, "a key that is repeated"],
    ["no YAML", "version: 1\nrules: [\n", 3, "this is not YAML"],
    ["a type of its own", "version: !number 1\n", 1, "this is not YAML, or not of the plain kind"],
    ["an alias", "version: 1\nrules: &r []\nquotas: *r\n", undefined, "cannot be used: it has an alias (*name)"],
    ["an empty file", "", undefined, "cannot be used: the file was given as null, and takes keys with values"],
    ["a pattern that is no text", denying("objects: [5]"), 5, "takes a pattern in quotes."],
    ["an empty pattern", denying("profiles: ['']"), 5, "takes a pattern, in which * matches"],
    ["an empty reason", denying("because: ''"), 5, "takes a sentence."],
    ["a reason of 301 characters", denying(`because: ${"x".repeat(301)}`), 5, "takes at most 300 characters."],
    ["quotas that are no list", "version: 1\nquotas: 5\n", 2, "takes a list."],
    ["a quota that is no mapping", "version: 1\nquotas: [5]\n", 2, "takes keys with values."],
    ["the id of a quota twice", `${quota({})}  - ${JSON.stringify(calls)}\n`, 3, "takes quotas whose ids differ."],
    ["an unknown thing to count", quota({ counts: "x" }), 3, "takes one of objects, calls, requests"],
    ["an unknown time of a quota", quota({ per: "week" }), 3, "takes one of hour, day, parallel"],
    ["a part of a call", quota({ max: 1.5 }), 3, "takes a whole number."],
    ["requests in parallel", quota({ counts: "requests", per: "parallel" }), 3, "hour or day if requests are counted"],
    ["destinations that are no mapping", "version: 1\negress: 5\n", 2, "takes keys with values."],
    ["an empty host", egress("hosts: ['']"), 3, "takes a pattern, in which"],
    ["a merge", "<<: {version: 1}\n", 1, 'there is no key "<<"'],
    ["a key that is no text", "version: 1\n? [a]\n: 1\n", 2, "this is not YAML, or not of the plain kind"],
    ["a list", "- version\n", 1, "takes keys with values"],
  ])("refuses %s", async (_, text, line, said) => {
    const error = await errorIn(text);
    expect(error).toContain(line === undefined ? said : `line ${line}: `);
    expect(error).toContain(said);
  });

  it("in the failure of a configuration, which starts nothing", async () => {
    const { code, detail } = await failureFrom(() => readPolicy("version: 2", "policy.yaml", tools));
    expect(code).toBe("bad_configuration");
    expect(detail.next).toContain("docs/policy.md");
    expect(detail.why).toContain("nothing was started");
  });

  it("for each of them, up to ten", async () => {
    const keys = (length: number) =>
      errorIn(`version: 1\n${Array.from({ length }, (_, at) => `key${at}: 1\n`).join("")}`);
    expect(await keys(14)).toMatch(/line 2: .*; line 11: .*; and 4 more\.$/);
    expect(await keys(14)).not.toContain("line 12");
    expect(await keys(10)).toMatch(/line 11: [^;]*; known: [^;]*\.$/);
  });
});

it("a policy file's error names each pattern that matches nothing", async () => {
  const rules = [
    { id: "a", effect: "deny", tools: ["dns_*", "x_*"], services: ["dns", "mail"] },
    { id: "b", effect: "deny", services: ["post"] },
  ];
  const quotas = [{ id: "a", tools: ["purge_submit", "y_*"], counts: "calls", per: "day", max: 1 }];
  const message = await errorIn(JSON.stringify({ version: 1, rules, quotas }));
  const named = [...message.matchAll(/(\S+) was given as "(\S+)", which matches no/g)].map(([, at, what]) => [
    at,
    what,
  ]);
  expect(named.map(String)).toEqual([
    ...["rules[0].tools[1],x_*", "quotas[0].tools[1],y_*", "rules[0].services[1],mail", "rules[1].services[0],post"],
  ]);
});

describe("on the disk", () => {
  const path = join(folder, "policy.yaml");
  const text = "version: 1\nrules:\n  - {id: a, effect: deny}\n";

  it("is read with its hash", () => {
    writeFileSync(path, text, { mode: 0o644 });
    const { hash, rules } = loadPolicy(path, tools);
    expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
    expect(rules).toEqual([{ id: "a", effect: "deny" }]);
  });

  it(promise("policy-file-mode", "is refused when others can write it"), needs.modes, async () => {
    for (const mode of [0o664, 0o646]) {
      writeFileSync(path, text);
      chmodSync(path, mode);
      const { code, message, detail } = await failureFrom(() => loadPolicy(path, tools));
      expect([code, message]).toEqual(["bad_configuration", `Other users can write to the policy ${path}.`]);
      expect(detail.next).toContain("chmod go-w");
    }
    chmodSync(path, 0o600);
  });

  it("a policy that is missing, not a file or too large is refused", async () => {
    const missing = await failureFrom(() => loadPolicy(join(folder, "none.yaml"), tools));
    expect(missing.message).toMatch(/none\.yaml cannot be read\.$/);
    expect(missing.detail.next).toContain("Correct --policy");
    expect((await failureFrom(() => loadPolicy(folder, tools))).message).toContain("is not a file");
    const large = join(folder, "large.yaml");
    writeFileSync(large, `version: 1\n#${"x".repeat(1_048_576)}\n`, { mode: 0o600 });
    const tooLarge = await failureFrom(() => loadPolicy(large, tools));
    expect(tooLarge.message).toMatch(/is not a file of at most 1048576 bytes\.$/);
    expect(tooLarge.detail.next).toBe("Name the YAML file itself.");
    writeFileSync(large, `version: 1\n#${"x".repeat(1_048_576 - 12)}`);
    expect(loadPolicy(large, tools).rules).toEqual([]);
  });

  it("a policy file that is a pipe is refused without waiting", needs.modes, async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect((await failureFrom(() => loadPolicy(pipe, tools))).message).toContain("is not a file");
  });

  it("leaves no descriptor open, whether it was read or refused", needs.proc, async () => {
    writeFileSync(path, text, { mode: 0o600 });
    const openNow = () => readdirSync("/proc/self/fd").length;
    const before = openNow();
    for (let count = 0; count < 20; count += 1) {
      loadPolicy(path, tools);
      await failureFrom(() => loadPolicy(folder, tools));
    }
    expect(openNow()).toBeLessThan(before + 20);
  });

  it("may belong to somebody else, whom its reader cannot be", needs.modes, async () => {
    const given = join(folder, "given.yaml");
    writeFileSync(given, text);
    chmodSync(given, 0o644);
    const stranger = strangerTo(given);
    expect(loadPolicy(given, tools, stranger).rules).toHaveLength(1);
    chmodSync(given, 0o646);
    expect((await failureFrom(() => loadPolicy(given, tools, stranger))).detail.next).toMatch(/^Run chmod go-w /);
  });
});

it.each([
  ["", false],
  ["  - {id: a, effect: approve}", false],
  ["  - {id: a, effect: deny}", false],
  ["  - {id: a, effect: allow, tiers: [read, write]}", false],
  ["  - {id: a, effect: allow, tiers: [write, guarded]}", true],
  ["  - {id: a, effect: allow, tiers: [critical]}", true],
  ["  - {id: a, effect: allow, networks: [staging]}", true],
])("goes without approvals only where it allows something guarded: %j", (rule, expected) => {
  const rules = readPolicy(`version: 1\nrules:\n${rule === "" ? "  []" : rule}\n`, "x", tools);
  expect(allowsWithoutApproval({ ...rules, hash: undefined })).toBe(expected);
  expect(allowsWithoutApproval(noPolicy)).toBe(false);
});
