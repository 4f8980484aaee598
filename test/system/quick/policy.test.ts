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

const asksForTicket = "  - {id: tickets, effect: deny, tiers: [guarded], unless: {tickets: ['OPS-#']}}";

it("policy check: what ticket a call needs, and which it was given", async () => {
  const policy = written("rules:", asksForTicket);
  const checkWith = (...flags: string[]) => check("purge_submit", purge, "--policy", policy, ...flags);
  const form = '"OPS-" followed by a number (such as OPS-1234)';
  const none = await checkWith();
  expect([none.status, none.stdout]).toEqual([1, expect.stringContaining(`Ticket: it needs ${form}; none was given.`)]);
  expect(none.stdout).toContain("purge_submit: deny, by tickets\n");
  expect((await checkWith("--ticket", "X-1")).stdout).toContain("X-1 was given, which is no such ticket.");
  const given = await checkWith("--ticket", "OPS-1");
  expect([given.status, given.stdout]).toEqual([0, expect.stringContaining("; OPS-1 was given.\n")]);
  const json = await check("purge_submit", { ...purge, ticket: "OPS-1" }, "--policy", policy, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ effect: "approve", ticket: "OPS-1", tickets: [["OPS-#"]] });
  expect((await checkWith("--ticket", "a b")).stderr).toContain("--ticket takes a ticket of at most 64");
  expect((await check("purge_queue_get", queue, "--policy", policy)).stdout).not.toContain("Ticket:");
});

it("policy check: when a freeze ends, and that two can break it", async () => {
  const [from, until] = ["2000-01-01T00:00Z", "2999-12-31T23:00Z"];
  const rule = (more: string) =>
    `  - {id: frozen, effect: deny, tiers: [guarded], during: ["${from}/${until}"]${more}}`;
  const checkIn = async (more: string, ...flags: string[]) =>
    check("purge_submit", purge, "--policy", written("timeZone: Asia/Tokyo", "rules:", rule(more)), ...flags);
  const end = "The freeze ends on Wed 3000-01-01 at 08:00 in Asia/Tokyo (2999-12-31T23:00:00Z).";
  const denied = await checkIn("");
  expect([denied.status, denied.stdout]).toEqual([1, expect.stringContaining(end)]);
  const broken = await checkIn(", unless: {approvers: 2}");
  expect([broken.status, broken.stdout]).toEqual([0, expect.stringContaining(end)]);
  expect(broken.stdout).toContain(
    `Frozen by the rule frozen: two persons have to approve it, each with a reason. ${end}\n`,
  );
  expect(JSON.parse((await checkIn(", unless: {approvers: 2}", "--json")).stdout)).toMatchObject({
    ...{ effect: "approve", breaks: ["frozen"], approvers: 2 },
    freezes: [{ rule: "frozen", until: "2999-12-31T23:00:00.000Z", timeZone: "Asia/Tokyo" }],
  });
});

it("call: --ticket is the ticket of the call, and its refusal names it", async () => {
  const policy = written("rules:", asksForTicket, "  - {id: all, effect: allow}");
  const call = (...flags: string[]) =>
    typed(["call", "purge_submit", JSON.stringify(purge), "--emulator", "--policy", policy, ...flags]);
  const denied = await call("--output", "table");
  expect([denied.status, denied.stderr]).toEqual([1, expect.stringContaining("Add --ticket ID to the line.")]);
  expect(await call("--ticket", "OPS-1")).toMatchObject({ status: 0 });
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
