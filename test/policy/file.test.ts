/** The policy file: everything unknown is an error with its line, and a file that others can write is refused. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/api/failure.js";
import { loadPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, decide, noPolicy } from "../../src/policy/index.js";
import { readPolicy } from "../../src/policy/read.js";
import { allServices } from "../../src/tools/index.js";
import { factsWith } from "./made-up.js";

const services = await allServices();
const tools = new Map(
  services.flatMap(({ name, operations }) => Object.keys(operations).map((tool) => [tool, { service: name }] as const)),
);
const folder = mkdtempSync(join(tmpdir(), "edgewise-policy-"));
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

describe("the example of the documentation", () => {
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/policy.md", "utf8")) ?? [];
  const policy = { ...readPolicy(example, "docs/policy.md", tools), hash: undefined };
  const by = (facts: Parameters<typeof factsWith>[0], at = "2026-07-01T12:00:00Z") => {
    const { effect, rule } = decide(policy, factsWith(facts), Date.parse(at));
    return `${effect} by ${rule}`;
  };

  it("does what it says", () => {
    expect(by({})).toBe("allow by staging-purges");
    expect(by({ objects: ["https://www.example.com/a", "https://other.example/"] })).toBe(
      "approve by default: guarded",
    );
    expect(by({}, "2026-07-03T14:00:00Z")).toBe("deny by quiet-weekends");
    expect(by({}, "2026-11-27T12:00:00Z")).toBe("deny by quiet-weekends");
    expect(by({ tool: "event_update", service: "events", tier: "write" })).toBe("approve by events-are-approved");
    expect(by({ tool: "credential_create", service: "credentials", tier: "critical" })).toBe("deny by no-credentials");
    expect(allowsWithoutApproval(policy)).toBe(true);
    expect(policy.quotas.map(({ id }) => id)).toEqual(["purged-objects", "one-zone-at-a-time"]);
    expect(policy.egress.emails).toEqual(["*@example.com"]);
  });
});

it("may say nothing but its version, and holds as no policy does then", () => {
  expect(readPolicy("version: 1\n", "x", tools)).toMatchObject({ rules: [], quotas: [], egress: {} });
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
      /line 5: there is no key rules\[0\]\.tool \(did you mean "tools"\?\)/,
    ],
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
    ["a missing version", "rules: []\n", /version is required and takes 1/],
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
      /line 5: rules\[0\]\.tiers .* no read where the effect is approve/,
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
    ["a key twice", "version: 1\nversion: 1\n", /line 2: a key that is there twice/],
    ["no YAML", "version: 1\nrules: [\n", /line \d: this is not YAML/],
    ["a type of its own", "version: !number 1\n", /line 1: this is not YAML, or not of the plain kind/],
    ["an alias", "version: 1\nrules: &r []\nquotas: *r\n", /has an alias/],
    ["an empty file", "", /the file was given as null, and takes keys with values/],
    ["a list", "- version\n", /line 1: the file .* takes keys with values/],
  ])("%s", (_, text, expected) => {
    expect(errorIn(text)).toMatch(expected);
  });

  it("in the failure of a configuration, which starts nothing", () => {
    const { code, detail } = failureOf(() => readPolicy("version: 2", "policy.yaml", tools));
    expect(code).toBe("bad_configuration");
    expect(detail.next).toContain("docs/policy.md");
  });

  it("for each of them, up to ten", () => {
    const text = `version: 1\n${Array.from({ length: 14 }, (_, at) => `key${at}: 1\n`).join("")}`;
    expect(errorIn(text)).toMatch(/line 2: .*; line 11: .*; and 4 more\.$/);
  });
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

  it.each([0o664, 0o646, 0o622, 0o666])("is refused when others can write it, mode %o", (mode) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    const failure = failureOf(() => loadPolicy(path, tools));
    expect([failure.code, failure.message]).toEqual([
      "bad_configuration",
      expect.stringContaining("others than its owner"),
    ]);
    expect(failure.detail.next).toContain("chmod go-w");
  });

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
    expect(failureOf(() => loadPolicy(folder, tools)).message).toContain("no file");
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(failureOf(() => loadPolicy(pipe, tools)).message).toContain("no file");
    const large = join(folder, "large.yaml");
    writeFileSync(large, `version: 1\n#${"x".repeat(1_048_576)}\n`, { mode: 0o600 });
    expect(failureOf(() => loadPolicy(large, tools)).message).toContain("no file of at most");
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
