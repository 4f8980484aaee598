/** The policy file: everything unknown is an error with its line, and a file that others can write is refused. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { loadPolicy, readPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, noPolicy } from "../../src/policy/index.js";
import { folder as newFolder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { promise } from "../lab/rules.js";
import { onWindows, strangerTo } from "../lab/users.js";

const tools = new Map([
  ["purge_submit", { service: "purge" }],
  ["dns_zone_get", { service: "dns" }],
]);
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

function failureOf(read: () => unknown): Failure {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return expect.fail("it was read");
}
const errorIn = (text: string): string => failureOf(() => readPolicy(text, "policy.yaml", tools)).message;
const oneRule = (...lines: string[]) =>
  ["version: 1", "rules:", "  - id: a", ...lines.map((line) => `    ${line}`)].join("\n");

it("may say nothing but its version, and holds as no policy does then", () => {
  expect(readPolicy("version: 1\n", "x", tools)).toEqual({
    version: 1,
    rules: [],
    approvers: 1,
    quotas: [],
    egress: {},
  });
  expect(noPolicy).toEqual({ rules: [], approvers: 1, quotas: [], egress: {}, hash: undefined });
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
  expect(readPolicy(text, "x", tools)).toEqual({
    rules: [{ ...rule, during: [expect.any(Function)] }, approval],
    approvers: 2,
    quotas,
    egress,
    version: 1,
  });
});

describe("an error names the line and what is wrong", () => {
  it.each<[string, string, RegExp]>([
    [
      "an unknown key",
      "version: 1\nrule: []\n",
      /line 2: there is no key rule \(did you mean "rules"\?\); known: version, /,
    ],
    [
      "an unknown key of a rule",
      oneRule("effect: deny", "tool: [purge_*]"),
      /line 5: there is no key rules\[0\]\.tool \(did you mean "tools"\?\); known: .*, subjects, issuers, groups, clients, scopes, unless, approvers\./,
    ],
    [
      "an unknown key of who is left out",
      oneRule("effect: deny", "unless: {group: [a]}"),
      /line 5: there is no key rules\[0\]\.unless\.group \(did you mean "groups"\?\); known: subjects, issuers, groups, clients, scopes/,
    ],
    ["nobody who is left out", oneRule("effect: deny", "unless: {}"), /line 5: .* takes at least one of subjects, /],
    ["an empty list of groups", oneRule("effect: deny", "groups: []"), /line 5: .* at least one item/],
    [
      "approvers of what needs none",
      oneRule("effect: deny", "approvers: 2"),
      /line 5: rules\[0\]\.approvers .* nothing unless the effect is approve/,
    ],
    ["three approvers", oneRule("effect: approve", "approvers: 3"), /line 5: .* takes 1 or 2/],
    ["three approvers of critical calls", "version: 1\napprovers: 3\n", /line 2: approvers .* takes 1 or 2/],
    [
      "an unknown key of a quota",
      "version: 1\nquotas:\n  - id: a\n    tools: ['*']\n    counts: calls\n    per: hour\n    maxx: 3\n    max: 3\n",
      /line 7: there is no key quotas\[0\]\.maxx \(did you mean "max"\?\)/,
    ],
    [
      "an unknown key under egress",
      "version: 1\negress:\n  email: []\n",
      /line 3: there is no key egress\.email \(did you mean "emails"\?\)/,
    ],
    [
      "a missing version",
      "rules: []\n",
      /cannot be used: line 1: version is required and takes 1, the only version there is\.$/,
    ],
    ["another version", "version: 2\n", /line 1: version was given as 2, and takes 1/],
    [
      "an unknown effect",
      oneRule("effect: forbid"),
      /line 4: rules\[0\]\.effect was given as "forbid", and takes one of allow, deny, approve/,
    ],
    ["a missing effect", oneRule("tools: ['*']"), /line 3: rules\[0\]\.effect is required/],
    [
      "an unknown tier",
      oneRule("effect: deny", "tiers: [red]"),
      /line 5: rules\[0\]\.tiers\[0\] was given as "red", and takes one of read, write/,
    ],
    ["an unknown network", oneRule("effect: deny", "networks: [prod]"), /line 5: .* takes one of production, staging/],
    ["an empty list", oneRule("effect: deny", "tools: []"), /line 5: rules\[0\]\.tools .* at least one item/],
    ["a text for a list", oneRule("effect: deny", "tools: purge"), /line 5: .*takes a list/],
    ["a window that is none", oneRule("effect: deny", "during: [fri 4pm]"), /line 5: .*takes a window: 2026-/],
    [
      "an approval of reads",
      oneRule("effect: approve", "tiers: [read]"),
      /line 5: rules\[0\]\.tiers .* no read if the effect is approve/,
    ],
    ["a reserved id", "version: 1\nrules:\n  - id: read-only\n    effect: deny\n", /line 3: .*an id other than/],
    ["an id that is none", "version: 1\nrules:\n  - id: No Purge\n    effect: deny\n", /line 3: .*lower-case letters/],
    [
      "an id twice",
      `${oneRule("effect: deny")}\n  - id: a\n    effect: allow\n`,
      /line 3: rules .* takes rules whose ids differ/,
    ],
    [
      "a tool that does not exist",
      oneRule("effect: deny", "tools:", "  - dns_*", "  - purge_submitt"),
      /line 7: rules\[0\]\.tools\[1\] was given as "purge_submitt", which matches no tool \(did you mean "purge_submit"\?\)/,
    ],
    [
      "a quota's tool that does not exist",
      "version: 1\nquotas:\n  - {id: a, tools: [x_*], counts: calls, per: day, max: 1}\n",
      /line 3: quotas\[0\]\.tools\[0\] .* matches no tool/,
    ],
    [
      "a service that does not exist",
      oneRule("effect: deny", "services: [purges]"),
      /line 5: .* matches no service \(did you mean "purge"\?\)/,
    ],
    [
      "a quota of nothing",
      "version: 1\nquotas:\n  - {id: a, tools: ['*'], counts: calls, per: day, max: 0}\n",
      /line 3: quotas\[0\]\.max .* at least 1/,
    ],
    ["a key twice", "version: 1\nversion: 1\n", /line 2: a key that is repeated/],
    ["no YAML", "version: 1\nrules: [\n", /line \d: this is not YAML/],
    ["a type of its own", "version: !number 1\n", /line 1: this is not YAML, or not of the plain kind/],
    ["an alias", "version: 1\nrules: &r []\nquotas: *r\n", /cannot be used: it has an alias \(\*name\)/],
    ["an empty file", "", /cannot be used: the file was given as null, and takes keys with values/],
    ["a pattern that is no text", oneRule("effect: deny", "objects: [5]"), /line 5: .* takes a pattern in quotes\.$/],
    ["an empty pattern", oneRule("effect: deny", "profiles: ['']"), /line 5: .*takes a pattern, in which \* matches/],
    ["an id that is no text", "version: 1\nrules:\n  - id: 5\n    effect: deny\n", /line 3: .* takes an id\.$/],
    ["an id with a space", "version: 1\nrules:\n  - id: a b\n    effect: deny\n", /line 3: .*an id of lower-case/],
    ["the id of the defaults", "version: 1\nrules: [{id: default, effect: deny}]\n", /an id other than read-only, /],
    [
      "the id of destinations",
      "version: 1\nrules: [{id: egress, effect: deny}]\n",
      /an id other than read-only, default/,
    ],
    ["a long id", `version: 1\nrules: [{id: ${"a".repeat(65)}, effect: deny}]\n`, /an id of lower-case letters/],
    ["an empty reason", oneRule("effect: deny", "because: ''"), /line 5: .*takes a sentence\.$/],
    ["a reason that is no text", oneRule("effect: deny", "because: 5"), /line 5: .*takes a sentence\.$/],
    [
      "a long reason",
      oneRule("effect: deny", `because: ${"x".repeat(301)}`),
      /line 5: .*takes at most 300 characters\.$/,
    ],
    ["a service that is no text", oneRule("effect: deny", "services: [5]"), /line 5: .*takes the name of a service\.$/],
    ["a window that is no text", oneRule("effect: deny", "during: [5]"), /line 5: .*takes a window: 2026-/],
    ["rules that are no list", "version: 1\nrules: 5\n", /line 2: rules .*takes a list\.$/],
    ["a rule that is no mapping", "version: 1\nrules: [5]\n", /line 2: rules\[0\] .*takes keys with values\.$/],
    ["quotas that are no list", "version: 1\nquotas: 5\n", /line 2: quotas .*takes a list\.$/],
    ["a quota that is no mapping", "version: 1\nquotas: [5]\n", /line 2: quotas\[0\] .*takes keys with values\.$/],
    [
      "a quota's id twice",
      `version: 1\nquotas:${"\n  - {id: a, tools: ['*'], counts: calls, per: day, max: 1}".repeat(2)}\n`,
      /line 3: quotas .* takes quotas whose ids differ\.$/,
    ],
    [
      "a quota of what is not counted, for no time, of a part",
      "version: 1\nquotas:\n  - {id: a, tools: ['*'], counts: x, per: week, max: 1.5}\n",
      /takes one of objects, calls, requests; .*takes one of hour, day, parallel; .*takes a whole number\.$/,
    ],
    [
      "a quota of requests at the same time",
      "version: 1\nquotas:\n  - {id: a, tools: ['*'], counts: requests, per: parallel, max: 1}\n",
      /line 3: quotas\[0\]\.per was given as "parallel", and takes hour or day if requests are counted/,
    ],
    ["destinations that are no mapping", "version: 1\negress: 5\n", /line 2: egress .*takes keys with values\.$/],
    ["addresses that are no list", "version: 1\negress:\n  emails: x\n", /line 3: egress\.emails .*takes a list\.$/],
    ["hosts that are no list", "version: 1\negress:\n  hosts: x\n", /line 3: egress\.hosts .*takes a list\.$/],
    ["an empty host", "version: 1\negress:\n  hosts: ['']\n", /line 3: egress\.hosts\[0\] .*takes a pattern, in which/],
    ["a merge", "<<: {version: 1}\n", /line 1: there is no key "<<"/],
    ["a key that is no text", "version: 1\n? [a]\n: 1\n", /line 2: this is not YAML, or not of the plain kind/],
    ["a list", "- version\n", /line 1: the file .* takes keys with values/],
  ])("%s", (_, text, expected) => {
    expect(errorIn(text)).toMatch(expected);
  });

  it("in the failure of a configuration, which starts nothing", () => {
    const { code, detail } = failureOf(() => readPolicy("version: 2", "policy.yaml", tools));
    expect(code).toBe("bad_configuration");
    expect(detail.next).toContain("docs/policy.md");
    expect(detail.why).toContain("nothing was started");
  });

  it("for each of them, up to ten", () => {
    const keys = (length: number) =>
      errorIn(`version: 1\n${Array.from({ length }, (_, at) => `key${at}: 1\n`).join("")}`);
    expect(keys(14)).toMatch(/line 2: .*; line 11: .*; and 4 more\.$/);
    expect(keys(14)).not.toContain("line 12");
    expect(keys(10)).toMatch(/line 11: [^;]*; known: [^;]*\.$/);
  });
});

it("names each pattern that matches nothing, in rules and quotas, and none that matches", () => {
  const message = errorIn(
    [
      "version: 1",
      "rules:",
      "  - {id: a, effect: deny, tools: [dns_*, x_*], services: [dns, mail]}",
      "  - {id: b, effect: deny, services: [post]}",
      "quotas:",
      "  - {id: a, tools: [purge_submit, y_*], counts: calls, per: day, max: 1}",
    ].join("\n"),
  );
  expect(
    [...message.matchAll(/line (\d): (\S+) was given as "(\S+)", which matches no (\w+)/g)].map((found) =>
      found.slice(1),
    ),
  ).toEqual([
    ["3", "rules[0].tools[1]", "x_*", "tool"],
    ["6", "quotas[0].tools[1]", "y_*", "tool"],
    ["3", "rules[0].services[1]", "mail", "service"],
    ["4", "rules[1].services[0]", "post", "service"],
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

  it.each([0o664, 0o646, 0o622, 0o666])(
    promise("policy-file-mode", "is refused when others can write it, mode %o"),
    needs.modes,
    (mode) => {
      writeFileSync(path, text);
      chmodSync(path, mode);
      const failure = failureOf(() => loadPolicy(path, tools));
      expect([failure.code, failure.message]).toEqual([
        "bad_configuration",
        `Other users can write to the policy ${path}.`,
      ]);
      expect(failure.detail.next).toContain("chmod go-w");
    },
  );

  it.each([0o600, 0o644, 0o400, 0o755])("is read when its owner alone can write it, mode %o", (mode) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect(loadPolicy(path, tools).rules).toHaveLength(1);
    chmodSync(path, 0o600);
  });

  it("is refused when it is not there, no file, or too large, without a runtime's words", () => {
    expect(failureOf(() => loadPolicy(join(folder, "none.yaml"), tools)).message).toMatch(
      /none\.yaml cannot be read\.$/,
    );
    expect(failureOf(() => loadPolicy(folder, tools)).message).toContain("is not a file");
    const large = join(folder, "large.yaml");
    writeFileSync(large, `version: 1\n#${"x".repeat(1_048_576)}\n`, { mode: 0o600 });
    const tooLarge = failureOf(() => loadPolicy(large, tools));
    expect(tooLarge.message).toMatch(/is not a file of at most 1048576 bytes\.$/);
    expect(tooLarge.detail.next).toBe("Name the YAML file itself.");
    expect(failureOf(() => loadPolicy(join(folder, "none.yaml"), tools)).detail.next).toContain("Correct --policy");
    writeFileSync(large, `version: 1\n#${"x".repeat(1_048_576 - 12)}`);
    expect(loadPolicy(large, tools).rules).toEqual([]);
  });

  it("is refused when it is a pipe, which Windows has none of, and nobody waits for a writer", needs.modes, () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(failureOf(() => loadPolicy(pipe, tools)).message).toContain("is not a file");
  });

  it("leaves no descriptor open, whether it was read or refused", needs.proc, () => {
    writeFileSync(path, text, { mode: 0o600 });
    const openNow = () => readdirSync("/proc/self/fd").length;
    const before = openNow();
    for (let count = 0; count < 20; count += 1) {
      loadPolicy(path, tools);
      failureOf(() => loadPolicy(folder, tools));
    }
    expect(openNow()).toBeLessThan(before + 20);
  });

  it("is read whatever its mode on Windows, where every file looks as if all could write to it", () => {
    writeFileSync(path, text);
    chmodSync(path, 0o666);
    expect(loadPolicy(path, tools, onWindows).rules).toHaveLength(1);
    chmodSync(path, 0o600);
  });

  it("may belong to somebody else, whom its reader cannot be", needs.modes, () => {
    const given = join(folder, "given.yaml");
    writeFileSync(given, text);
    chmodSync(given, 0o644);
    const stranger = strangerTo(given);
    expect(loadPolicy(given, tools, stranger).rules).toHaveLength(1);
    chmodSync(given, 0o646);
    expect(failureOf(() => loadPolicy(given, tools, stranger)).detail.next).toMatch(/^Run chmod go-w /);
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
