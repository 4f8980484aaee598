/** `edgewise policy check` as a person types it: what would happen, by which rule, and with which code it leaves. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { needs } from "../../lab/needs.js";
import { typed } from "../typed.js";

const run = (...args: readonly string[]) => typed(args);
const file = join(folder(), "policy.yaml");
const written = (text: string, mode = 0o600): string => {
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const purge = JSON.stringify({
  queueName: "default",
  body: { objects: ["https://www.example.com/a"], action: "invalidate", domain: "staging" },
});

it("says what would become of a call without a policy", async () => {
  const { stdout, status } = await run("policy", "check", "purge_submit", purge);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "purge_submit: approve, by default: guarded",
    "Tier: guarded, because it replaces, removes or silences something.",
  ]);
  expect(status).toBe(0);
  expect((await run("policy", "check", "diagnosis_run", '{"url":"http://a.example/"}')).stdout).toContain(
    "allow, by default: read",
  );
});

it("says of a batch what would become of the gravest call that it holds", async () => {
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

it("says which rule of the file decides, and leaves with 1 when it denies", async () => {
  const policy = written(
    "version: 1\nrules:\n  - {id: no-purge, effect: deny, tools: ['purge_*'], tiers: [guarded]}\n",
  );
  const denied = await run("policy", "check", "purge_submit", purge, "--policy", policy, "--json");
  expect(JSON.parse(denied.stdout)).toMatchObject({ effect: "deny", rule: "no-purge", tier: "guarded" });
  expect(denied.status).toBe(1);
  expect((await run("policy", "check", "purge_queue_get", '{"queueName":"default"}', "--policy", policy)).status).toBe(
    0,
  );
});

it("lets --read-only beat a file that allows", async () => {
  const policy = written("version: 1\nrules:\n  - {id: all, effect: allow}\n");
  expect((await run("policy", "check", "purge_submit", purge, "--policy", policy)).stdout).toContain("allow, by all");
  const { stdout, status } = await run("policy", "check", "purge_submit", purge, "--policy", policy, "--read-only");
  expect(stdout).toContain("deny, by read-only");
  expect(status).toBe(1);
});

it("denies what is left out, by what leaves it out, and a composed change of which that is the operation", async () => {
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

it("leaves with 78 for a file that others can write by its mode", needs.modes, async () => {
  const { stderr, stdout, status } = await run(
    "policy",
    "check",
    "purge_submit",
    purge,
    "--policy",
    written("{}", 0o666),
  );
  expect(stderr).toMatch(/^edgewise: Other users can write to the policy /);
  expect([stdout, status]).toEqual(["", 78]);
});

it.each<[string, () => readonly string[], RegExp]>([
  ["a mistyped key", () => ["--policy", written("version: 1\nrule: []\n")], /line 2: .*did you mean "rules"/],
  ["a file that does not exist", () => ["--policy", `${file}.none`], /cannot be read/],
])("leaves with 78 for %s", async (_, flags, expected) => {
  const { stderr, stdout, status } = await run("policy", "check", "purge_submit", purge, ...flags());
  expect(stderr).toMatch(expected);
  expect([stdout, status]).toEqual(["", 78]);
});

it.each([
  [["policy"], /policy takes one of check/],
  [["policy", "chek", "purge_submit"], /policy has no action "chek" \(did you mean "check"\?\)/],
  [["policy", "check"], /policy check takes a tool/],
  [["policy", "check", "purge_submitt"], /did you mean "purge_submit"/],
  [["policy", "check", "purge_submit", "[]"], /not a JSON object/],
  [["policy", "check", "purge_submit", "{}"], /queueName: takes one of/],
  [["policy", "check", "purge_submit", "{}", "more"], /does not take "more"/],
])("leaves with 78 for %j", async (words, expected) => {
  const { stderr, status } = await run(...words);
  expect(stderr).toMatch(expected);
  expect(status).toBe(78);
});

it("says what would become of a call of someone who is named, and how many have to approve it", async () => {
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
