/** The policy file: everything unknown is an error with its line, and a file that others can write is refused. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadPolicy, readPolicy } from "../../src/policy/file.js";
import { allowsWithoutApproval, noPolicy } from "../../src/policy/index.js";
import { folder as newFolder } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
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

it("a policy with nothing but its version decides like no policy", () => {
  const empty = { rules: [], approvers: 1, quotas: [], egress: {} };
  expect(readPolicy("version: 1\n", "x", tools)).toEqual({ version: 1, ...empty });
  expect(noPolicy).toEqual({ ...empty, hash: undefined });
});

it("a policy may have every member, up to its bounds", () => {
  const rule = {
    ...{ id: `0${"a_-z".repeat(16)}`.slice(0, 64), effect: "deny", because: "x".repeat(300), tools: ["purge_*"] },
    ...{ services: ["dns"], tiers: ["read", "critical"], profiles: ["?"], networks: ["production", "staging"] },
    ...{ objects: ["*"], during: ["fri 16:00-24:00 Europe/Vienna"] },
    unless: { groups: ["*"], tickets: ["x".repeat(64), "A.b_c/d:e-#*?"], approvers: 2 },
  };
  const who = { subjects: ["alice@*"], issuers: ["https://*"], groups: ["a", "b"], clients: ["?"], scopes: ["*:dns"] };
  const approval = { id: "b", effect: "approve", tiers: ["write"], approvers: 2, ...who, unless: who };
  const quotas = [
    { id: "c", tools: ["*"], counts: "objects", per: "hour", max: 1 },
    { id: "d", tools: ["*"], counts: "calls", per: "parallel", max: 2 },
    { id: "e", tools: ["*"], counts: "requests", per: "day", max: 3 },
  ];
  const egress = { emails: [], hosts: ["*.example.com"] };
  const text = JSON.stringify({
    version: 1,
    approvers: 2,
    timeZone: "Asia/Tokyo",
    rules: [rule, approval],
    quotas,
    egress,
  });
  const rules = [{ ...rule, during: [{ endMs: expect.any(Function), zone: "Europe/Vienna" }] }, approval];
  expect(readPolicy(text, "x", tools)).toEqual({
    version: 1,
    rules,
    approvers: 2,
    timeZone: "Asia/Tokyo",
    quotas,
    egress,
  });
});

it("a faulty policy is refused with the line and what it takes", async () => {
  const [, ...blocks] = readFileSync(new URL("refused.txt", import.meta.url), "utf8").split(/\n\n# /);
  await holdsForEach(blocks, async (block) => {
    const [, line = "", said = "", text] = /^.*\n(.*)… (.*)\n([\s\S]*)$/.exec(block) ?? [];
    const error = await errorIn(`${text?.trim()}\n`);
    expect([error, error]).toEqual([expect.stringContaining(line), expect.stringContaining(said.trim())]);
  });
  expect(blocks).toHaveLength(59);
});

it("a faulty policy starts nothing, and its error names ten faults", async () => {
  const { code, detail } = await failureFrom(() => readPolicy("version: 2", "policy.yaml", tools));
  expect(code).toBe("bad_configuration");
  expect(detail.next).toContain("docs/policy.md");
  expect(detail.why).toContain("nothing was started");
  const keys = (length: number) =>
    errorIn(`version: 1\n${Array.from({ length }, (_, at) => `key${at}: 1\n`).join("")}`);
  expect(await keys(14)).toMatch(/line 2: .*; line 11: .*; and 4 more\.$/);
  expect(await keys(14)).not.toContain("line 12");
  expect(await keys(10)).toMatch(/line 11: [^;]*; known: [^;]*\.$/);
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

const path = join(folder, "policy.yaml");
const text = "version: 1\nrules:\n  - {id: a, effect: deny}\n";

it("a policy file is read with its hash", () => {
  writeFileSync(path, text, { mode: 0o644 });
  const { hash, rules } = loadPolicy(path, tools);
  expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
  expect(rules).toEqual([{ id: "a", effect: "deny" }]);
});

it(promise("policy-file-mode", "a policy file is refused when others can write it"), needs.modes, async () => {
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

it("a policy file leaves no descriptor open, read or refused", needs.proc, async () => {
  writeFileSync(path, text, { mode: 0o600 });
  const openNow = () => readdirSync("/proc/self/fd").length;
  const before = openNow();
  for (let count = 0; count < 20; count += 1) {
    loadPolicy(path, tools);
    await failureFrom(() => loadPolicy(folder, tools));
  }
  expect(openNow()).toBeLessThan(before + 20);
});

it("a policy file may belong to another user, whom its reader cannot be", needs.modes, async () => {
  const given = join(folder, "given.yaml");
  writeFileSync(given, text);
  chmodSync(given, 0o644);
  const stranger = strangerTo(given);
  expect(loadPolicy(given, tools, stranger).rules).toHaveLength(1);
  chmodSync(given, 0o646);
  expect((await failureFrom(() => loadPolicy(given, tools, stranger))).detail.next).toMatch(/^Run chmod go-w /);
});

it.each([
  ["", false],
  ["  - {id: a, effect: approve}", false],
  ["  - {id: a, effect: deny}", false],
  ["  - {id: a, effect: allow, tiers: [read, write]}", false],
  ["  - {id: a, effect: allow, tiers: [write, guarded]}", true],
  ["  - {id: a, effect: allow, tiers: [critical]}", true],
  ["  - {id: a, effect: allow, networks: [staging]}", true],
])("a policy counts as without approvals if it allows a guarded call: %j", (rule, expected) => {
  const rules = readPolicy(`version: 1\nrules:\n${rule === "" ? "  []" : rule}\n`, "x", tools);
  expect(allowsWithoutApproval({ ...rules, hash: undefined })).toBe(expected);
  expect(allowsWithoutApproval(noPolicy)).toBe(false);
});
