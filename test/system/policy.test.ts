/** `edgewise policy check` of batches, of what is left out and of callers, and the files that it refuses. */
import { chmodSync } from "node:fs";
import { expect, it } from "vitest";
import { file } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { typed } from "./typed.js";

const run = (...args: readonly string[]) => typed(args);
const written = (text: string): string => file(text, { name: "policy.yaml" });
const purge = JSON.stringify({
  queueName: "default",
  body: { objects: ["https://www.example.com/a"], action: "invalidate", domain: "staging" },
});

it("policy check: a batch counts as the gravest of its calls", async () => {
  const batch = (tool: string, ...each: object[]) => JSON.stringify({ tool, arguments: each });
  const queue = { queueName: "default" };
  const reads = await run("policy", "check", "call_batch", batch("purge_queue_get", queue, queue), "--read-only");
  expect([reads.status, reads.stdout]).toEqual([0, expect.stringContaining("call_batch: allow, by default: read")]);
  const staging = JSON.parse(purge) as { body: object };
  const production = { ...staging, body: { ...staging.body, domain: "production", action: "remove" } };
  const changes = await run("policy", "check", "call_batch", batch("purge_submit", staging, production));
  const alone = await run("policy", "check", "purge_submit", JSON.stringify(production));
  expect(changes.stdout).toBe(alone.stdout.replace("purge_submit: ", "call_batch: "));
  expect((await run("policy", "check", "call_batch", batch("purge_submit", staging), "--read-only")).status).toBe(1);
});

it("policy check: what is left out is denied, and so is what calls it", async () => {
  const policy = written("version: 1\nrules:\n  - {id: all, effect: allow}\n");
  const left = await run(
    "policy",
    "check",
    "purge_submit",
    purge,
    "--policy",
    policy,
    "--exclude-tools",
    "purge_submit",
  );
  expect([left.status, left.stdout]).toEqual([1, expect.stringContaining("purge_submit: deny, by --exclude-tools\n")]);
  const record = JSON.stringify({ zone: "example.com", name: "www", type: "A", ttl: 300, values: ["192.0.2.1"] });
  const composed = await run("policy", "check", "dns_record_set", record, "--exclude-tools", "dns_zone_write");
  expect([composed.status, composed.stdout]).toEqual([
    1,
    expect.stringMatching(
      /dns_record_set: deny, by --exclude-tools\n(.*\n)*Why: It calls another tool, which is left out\. /,
    ),
  ]);
});

it("policy check: 78 for a file that others can write", needs.modes, async () => {
  const policy = written("{}");
  chmodSync(policy, 0o666);
  const { stderr, stdout, status } = await run("policy", "check", "purge_submit", purge, "--policy", policy);
  expect(stderr).toMatch(/^edgewise: Other users can write to the policy /);
  expect([stdout, status]).toEqual(["", 78]);
});

it.each<[string, () => readonly string[], RegExp]>([
  ["a mistyped key", () => ["--policy", written("version: 1\nrule: []\n")], /line 2: .*did you mean "rules"/],
  ["a directory", () => ["--policy", "."], /is not a file/],
])("policy check: 78 for %s", async (_, flags, expected) => {
  const { stderr, stdout, status } = await run("policy", "check", "purge_submit", purge, ...flags());
  expect(stderr).toMatch(expected);
  expect([stdout, status]).toEqual(["", 78]);
});

it.each([
  [["policy"], /policy takes one of check/],
  [["policy", "chek", "purge_submit"], /policy has no action "chek" \(did you mean "check"\?\)/],
  [["policy", "check"], /policy check takes a tool/],
  [["policy", "check", "purge_submit", "[]"], /not a JSON object/],
  [["policy", "check", "purge_submit", "{}", "more"], /does not take "more"/],
])("78 for %j", async (words, expected) => {
  const { stderr, status } = await run(...words);
  expect(stderr).toMatch(expected);
  expect(status).toBe(78);
});

it("policy check: a caller who is named, and how many approve", async () => {
  const policy = written(
    [
      "version: 1",
      "rules:",
      "  - {id: ops-only, effect: deny, tools: ['purge_*'], tiers: [guarded], unless: {groups: [ops]}}",
      "  - {id: not-by-app, effect: deny, tiers: [guarded], clients: [app]}",
      "  - {id: two, effect: approve, tiers: [guarded], approvers: 2}",
    ].join("\n"),
  );
  const check = (...who: string[]) => run("policy", "check", "purge_submit", purge, "--policy", policy, ...who);
  expect((await check()).stdout).toContain("deny, by ops-only");
  expect((await check("--as", "alice", "--groups", "staff")).stdout).toContain("deny, by ops-only");
  const { stdout } = await check("--as", "alice", "--groups", "staff,ops");
  expect(stdout).toContain("approve, by two");
  expect(stdout).toContain("Two persons have to approve it.");
  const denied = await check("--as", "alice", "--groups", "ops", "--client", "app", "--json");
  expect(JSON.parse(denied.stdout)).toMatchObject({
    rule: "not-by-app",
    why: 'The policy\'s rule not-by-app matches this call. The rule is about the client "app".',
  });
  expect((await check("--groups", "ops")).stderr).toContain("A caller needs a subject.");
});
