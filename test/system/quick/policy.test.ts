/** `edgewise policy check` as a person types it: single calls, batches, what is left out, callers, and what it refuses. */
import { chmodSync } from "node:fs";
import { expect, it } from "vitest";
import { file } from "../../lab/files.js";
import { needs } from "../../lab/needs.js";
import { typed } from "../typed.js";

const written = (...lines: string[]): string => file(["version: 1", ...lines].join("\n"), { name: "policy.yaml" });
const check = (tool: string, args: unknown, ...flags: readonly string[]) =>
  typed(["policy", "check", tool, typeof args === "string" ? args : JSON.stringify(args), ...flags]);
const body = { objects: ["https://www.example.com/a"], action: "invalidate", domain: "staging" };
const purge = { queueName: "default", body };
const queue = { queueName: "default" };

it("policy check: a guarded call and a read without a policy", async () => {
  const { stdout, status } = await check("purge_submit", purge);
  expect(stdout).toMatch(/^purge_submit: approve, by default: guarded\nTier: guarded, /);
  expect(status).toBe(0);
  expect((await check("diagnosis_run", { url: "http://a.example/" })).stdout).toContain("allow, by default: read");
});

it("policy check: the rule that decides, and 1 where it denies", async () => {
  const policy = written("rules:", "  - {id: no-purge, effect: deny, tools: ['purge_*'], tiers: [guarded]}");
  const denied = await check("purge_submit", purge, "--policy", policy, "--json");
  expect(JSON.parse(denied.stdout)).toMatchObject({ effect: "deny", rule: "no-purge", tier: "guarded" });
  expect([denied.status, (await check("purge_queue_get", queue, "--policy", policy)).status]).toEqual([1, 0]);
});

it("policy check: a batch counts as the gravest of its calls", async () => {
  const batch = (tool: string, ...calls: object[]) => ({ tool, arguments: calls });
  const reads = await check("call_batch", batch("purge_queue_get", queue, queue), "--read-only");
  expect([reads.status, reads.stdout]).toEqual([0, expect.stringContaining("call_batch: allow, by default: read")]);
  const production = { ...purge, body: { ...body, domain: "production", action: "remove" } };
  const { stdout } = await check("purge_submit", production);
  const changes = await check("call_batch", batch("purge_submit", purge, production));
  expect(changes.stdout).toBe(stdout.replace("purge_submit: ", "call_batch: "));
  expect((await check("call_batch", batch("purge_submit", purge), "--read-only")).status).toBe(1);
});

it("policy check: what is left out is denied, and so is what calls it", async () => {
  const policy = written("rules:", "  - {id: all, effect: allow}");
  const left = await check("purge_submit", purge, "--policy", policy, "--exclude-tools", "purge_submit");
  expect([left.status, left.stdout]).toEqual([1, expect.stringContaining("purge_submit: deny, by --exclude-tools\n")]);
  const record = { zone: "example.com", name: "www", type: "A", ttl: 300, values: ["192.0.2.1"] };
  const { stdout, status } = await check("dns_record_set", record, "--exclude-tools", "dns_zone_write");
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^dns_record_set: deny, by --exclude-tools\n/m)]);
  expect(stdout).toContain("Why: It calls another tool, which is left out. ");
});

it("policy check: a caller who is named, and how many approve", async () => {
  const policy = written(
    "rules:",
    "  - {id: ops-only, effect: deny, tools: ['purge_*'], tiers: [guarded], unless: {groups: [ops]}}",
    "  - {id: not-by-app, effect: deny, tiers: [guarded], clients: [app]}",
    "  - {id: two, effect: approve, tiers: [guarded], approvers: 2}",
  );
  const checkAs = (...who: string[]) => check("purge_submit", purge, "--policy", policy, ...who);
  expect((await checkAs()).stdout).toContain("deny, by ops-only");
  expect((await checkAs("--as", "alice", "--groups", "staff")).stdout).toContain("deny, by ops-only");
  expect((await checkAs("--as", "alice", "--groups", "staff,ops")).stdout).toMatch(
    /approve, by two\n[\s\S]*Two persons have to approve it\./,
  );
  const denied = await checkAs("--as", "alice", "--groups", "ops", "--client", "app", "--json");
  expect(JSON.parse(denied.stdout)).toMatchObject({
    rule: "not-by-app",
    why: 'The policy\'s rule not-by-app matches this call. The rule is about the client "app".',
  });
  expect((await checkAs("--groups", "ops")).stderr).toContain("A caller needs a subject.");
});

it("policy check: 78 for a file that others can write", needs.modes, async () => {
  const policy = written();
  chmodSync(policy, 0o666);
  const { stderr, stdout, status } = await check("purge_submit", purge, "--policy", policy);
  expect([stdout, status, stderr]).toEqual([
    "",
    78,
    expect.stringMatching(/^edgewise: Other users can write to the p/),
  ]);
});

const given = JSON.stringify(purge);
it.each([
  [["check", "purge_submitt"], /did you mean "purge_submit"/],
  [["check", "purge_submit", "{}"], /queueName: takes one of/],
  [["check", "purge_submit", given, "--policy", "/none.yaml"], /cannot be read/],
  [["check", "purge_submit", given, "--policy", "."], /is not a file/],
  [["check", "purge_submit", given, "--policy", written("rule: []")], /line 2: .*did you mean "rules"/],
  [[], /policy takes one of check/],
  [["chek", "purge_submit"], /policy has no action "chek" \(did you mean "check"\?\)/],
  [["check"], /policy check takes a tool/],
  [["check", "purge_submit", "[]"], /not a JSON object/],
  [["check", "purge_submit", "{}", "more"], /does not take "more"/],
])("78 for policy %j", async (words, expected) => {
  const { stderr, stdout, status } = await typed(["policy", ...words]);
  expect([stdout, status, stderr]).toEqual(["", 78, expect.stringMatching(expected)]);
});
