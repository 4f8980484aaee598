/** A preview tells the person what would change, all of it, and a question what it leaves out of that. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { question } from "../../src/guard/preview/question.js";
import type { AnyOperation } from "../../src/language/define.js";
import { z } from "../../src/language/z.js";
import { secret } from "../../src/schema/marks.js";
import { credentials } from "../../src/tools/credentials/index.js";
import { dns } from "../../src/tools/dns/index.js";
import { purge } from "../../src/tools/purge/index.js";
import { saasRegistration } from "../../src/tools/saas-registration/index.js";
import { holdsForEach } from "../lab/laws.js";
import { previewFor, writing } from "../lab/previewed.js";

const own = { ...dns.operations, ...purge.operations, ...credentials.operations, ...saasRegistration.operations };
const shownFor = (tool: string, operation: AnyOperation, args: object, current?: unknown, schemas: z.ZodType[] = []) =>
  previewFor(tool, operation, args, current === undefined ? undefined : { body: current, schemas });
const shownOf = (tool: keyof typeof own, args: object, current?: unknown) => shownFor(tool, own[tool], args, current);
const changesIn = ({ lines }: { lines: readonly string[] }) =>
  lines.filter((line) => line.startsWith("  ")).map((line) => line.trim());

const soa = { serial: 2, ttl: 300, originserver: "a.example.", contact: "b.example.", active: true };
const bounds = { refresh: 3_600, retry: 600, expire: 604_800, minimum: 300 };
const zone = { name: "example.com", soa: { ...soa, ...bounds } };
const record = (name: string | null, target: string, ttl = 300) => ({ name, ttl, active: true, target });
const writeZone = (written: object, stored?: object, token = "t") =>
  shownOf(
    "dns_zone_write",
    { zone: "example.com", body: { token, zone: { ...zone, ...written } } },
    stored && { token: "t", zone: { ...zone, ...stored } },
  );
const submit = (body: object, queueName = "default") =>
  shownOf("purge_submit", { queueName, body }, { queueLength: 0 });

it("counts no member that a write may repeat and does not set", async () => {
  const repeated = {
    id: z.int().optional().meta({ readOnly: true }),
    in: z.object({ at: z.string().meta({ readOnly: true }), name: z.string() }).partial(),
  };
  const operation = writing(z.strictObject({ ...repeated, name: z.string() }), { replaces: "body" });
  const stored = { id: 7, name: "a", in: { at: "now", name: "x" } };
  for (const body of [
    { name: "b", in: { name: "x" } },
    { id: 8, name: "b", in: { at: "then", name: "x" } },
  ])
    expect(changesIn(await shownFor("thing_put", operation, { id: 1, body }, stored))).toEqual(["name: a → b"]);
});

describe("the preview of a purge", () => {
  const [url, other] = ["https://a.example/", "https://b.example/"];

  it("leads with what is lost, how much of it, where, and how fast", async () => {
    const { summary, target } = await submit({ objects: [1, 2, 3], type: "cpcode" }, "emergency");
    expect(summary).toMatch(
      /^REMOVE CP codes 1, 2, 3 on PRODUCTION through the emergency queue: the edge fetches everything under them from the origin again/,
    );
    expect(target).toBe("3 CP codes");
    const staged = await submit({ objects: [url], action: "invalidate", domain: "staging" });
    expect(staged.summary).toMatch(/^INVALIDATE URL "https:\/\/a\.example\/" on STAGING through the default queue/);
    const { lines } = await submit({ objects: [url], type: "arl", domain: "staging" });
    expect(lines).toEqual(expect.arrayContaining(["body.action: remove (default)", "body.domain: staging"]));
  });

  it.each([
    [{ objects: [url, url, other] }, ["1 object is listed more than once."]],
    [{ objects: [1], type: "cpcode" }, [expect.stringContaining("a whole site")]],
    [{ objects: [1], type: "cpcode", domain: "staging" }, []],
  ])("a purge of %j warns as it has to", async (body, warnings) => {
    expect((await submit(body)).warnings).toEqual(warnings);
  });
});

it("a sentence names what is deleted, what stops and what is final", async () => {
  const application = { contractId: "C-1", surrogateId: 7 };
  const deleted = await shownOf("saas_application_delete", application, { providerApplicationId: "crm" });
  expect(deleted.summary).toBe('DELETE application 7 ("crm"): its registration under the contract is removed.');
  const args = { openIdentityId: "oi", credentialId: 7 };
  const known = { status: "ACTIVE", description: "Night\nAccount: other", expiresOn: "2028-01-01T00:00:00Z" };
  const body = { status: "INACTIVE", expiresOn: "2027-01-01T00:00:00Z" };
  const update = await shownOf("credential_update", { ...args, body }, known);
  expect(update.summary).toBe(
    'DEACTIVATE credential 7 ("Night\\nAccount: other", ACTIVE) of API client "oi": every program that signs with it stops.',
  );
  expect(update.warnings).toEqual([expect.stringContaining("expire earlier")]);
  const remove = await shownOf("credential_delete", args, known);
  expect(remove.summary).toMatch(/^DELETE credential 7 .* cannot be undone\.$/);
});

describe("a preview of a written zone", () => {
  it("a zone preview writes differences as zone files do, the apex first", async () => {
    const stored = {
      ns: [record(null, "ns1.example.")],
      a: [record("www", "192.0.2.1"), record("old", "192.0.2.2"), record("api", "192.0.2.3")],
      txt: [record("t", "x y")],
    };
    const written = {
      ns: [record(null, "ns2.example.")],
      mx: [{ ...record(null, "m.example.", 60), priority: 10 }],
      a: [record("www", "192.0.2.1", 900), record("api", "192.0.2.4"), record("new", "192.0.2.5")],
      soa: { ...zone.soa, serial: 3 },
    };
    const made = await writeZone(written, stored);
    expect(changesIn(made)).toEqual([
      "@ NS: target ns1.example. → ns2.example.",
      "+ @ MX 10 m.example. TTL 60",
      "- old A 192.0.2.2 TTL 300",
      "www A: TTL 300 → 900",
      "api A: target 192.0.2.3 → 192.0.2.4",
      "+ new A 192.0.2.5 TTL 300",
      "soa.serial: 2 → 3",
      '- t TXT "x y" TTL 300',
    ]);
    expect(made.summary).toMatch(/loses @ NS ns1.example., old A 192.0.2.2, .*; it gains api A 192.0.2.4, new A/);
    expect(made.changes).toBe(8);
  });

  it("shows the whole body where there is no zone yet", async () => {
    const { lines, changes } = await writeZone({ a: [record("www", "192.0.2.1")] });
    const first = "body.zone.a[0]: {name: www, ttl: 300, active: true, target: 192.0.2.1}";
    expect([lines.includes(first), lines.includes("body.token: t"), changes]).toEqual([true, true, undefined]);
  });

  it("counts a duplicate, and says when only the order changes", async () => {
    const [a, b] = [record("a", "192.0.2.1"), record("b", "192.0.2.2")];
    expect(changesIn(await writeZone({ a: [a, b, b] }, { a: [a, b] }))).toEqual(["+ b A 192.0.2.2 TTL 300"]);
    expect(changesIn(await writeZone({ a: [b, a] }, { a: [a, b] }))).toEqual([
      "a: the same items in a different order",
    ]);
  });

  it("zone warnings: absolute-looking names, lost servers, many removals", async () => {
    const { warnings } = await writeZone(
      { a: [record("www.example.com", "192.0.2.1")], cname: [record("c", "www.example.com")] },
      { ns: [record(null, "ns1.example.")], a: [record("x", "192.0.2.9")] },
    );
    expect(warnings).toEqual([
      'The apex of "example.com" would lose 1 of its 1 name servers: "ns1.example.".',
      '2 of the 2 records of "example.com" would be removed.',
      expect.stringContaining('would become "www.example.com.example.com".'),
      expect.stringContaining('"www.example.com" lacks its final dot'),
    ]);
    const same = { ns: [record(null, "ns1.example.")], a: [record("www.example.com", "192.0.2.1")] };
    expect((await writeZone(same, same)).warnings).toEqual([]);
  });

  it("a zone write with a stale token is refused with what to read again", async () => {
    await expect(writeZone({}, {}, "old")).rejects.toMatchObject({
      code: "conflict",
      detail: { next: expect.stringMatching(/^Read it again with dns_zone_get/) },
    });
  });
});

describe("what a service checks before anything is shown", () => {
  const problems = async (tool: keyof typeof own, args: object, state: unknown) => {
    const operation: AnyOperation = own[tool];
    const { values } = checkArguments("x", operation, args);
    const call = { args: values, namesAt: () => [], present: async () => state, read: async () => undefined };
    const found = await Promise.all((operation.spec.checks ?? []).map((check) => check(call)));
    return found.flat().map(({ field, takes }) => `${field}: ${takes}`);
  };
  const stored = { token: "t", zone };

  it.each<[string, number, unknown, readonly unknown[]]>([
    ["new", 3, stored, [expect.stringMatching(/^body\.token: .* dns_zone_get/)]],
    ["t", 3, undefined, [expect.stringMatching(/^body\.token: "new"/)]],
    ["new", 3, undefined, []],
    ["t", 2, stored, ["body.zone.soa.serial: a serial greater than 2"]],
    ["t", 3, stored, []],
  ])("a zone takes the token %s and the serial %i only where it fits", async (token, serial, state, expected) => {
    const body = { token, zone: { ...zone, soa: { ...zone.soa, serial } } };
    expect(await problems("dns_zone_write", { zone: "example.com", body }, state)).toEqual(expected);
  });

  it("refuses to delete an active credential", async () => {
    const of = (status: string) => problems("credential_delete", { openIdentityId: "oi", credentialId: 7 }, { status });
    expect(await of("ACTIVE")).toEqual([expect.stringContaining("credential_update first")]);
    expect(await of("INACTIVE")).toEqual([]);
  });

  it.each([
    [{ objects: [12_345] }, 'did you mean type "cpcode"'],
    [{ objects: ["https://a.example/", "12345"] }, "body.objects[1]"],
    [{ objects: ["https://a.example/"], type: "cpcode" }, "a CP code, which is a number"],
  ])("refuses %j", async (body, text) => {
    const args = { queueName: "default", body };
    expect(await problems("purge_submit", args, {})).toEqual([expect.stringContaining(text)]);
  });
});

describe("a preview of a write over what is stored", () => {
  const Rule = z.strictObject({ name: z.string(), ttl: z.int(), note: z.string().optional() });
  const Thing = z.object({
    name: z.string(),
    note: z.string().optional(),
    rules: z.array(Rule).optional(),
    more: z.looseObject({}).optional(),
  });
  const stored = {
    id: 1,
    createdOn: "2026-01-01",
    name: "n",
    note: "kept by hand",
    rules: [
      { ruleId: 7, name: "a", ttl: 300 },
      { ruleId: 8, name: "b", ttl: 300 },
    ],
    more: { left: 1, out: 2 },
  };
  const rules = [
    { name: "a", ttl: 300 },
    { name: "b", ttl: 900 },
  ];
  const args = { id: 1, body: { name: "m", rules, more: { left: 1 } } };

  it("shows what is left out as removed, or as it is where it merges", async () => {
    const kept = ["- more.out: 2", "name: n → m", "rules (name b): ttl 300 → 900"];
    const replaced = await shownFor(
      "thing_update",
      writing(Thing, { write: "replace", replaces: "body" }),
      args,
      stored,
    );
    expect(changesIn(replaced)).toEqual(['- note: "kept by hand"', ...kept]);
    expect(replaced.summary).toBe("REPLACE thing 1: 2 removed, 2 changed.");
    expect(replaced.lines).toContain("Changes: 2 removed, 2 changed; fields that the call leaves out are removed");
    const merged = await shownFor("thing_update", writing(Thing, { write: "merge", replaces: "body" }), args, stored);
    expect(changesIn(merged)).toEqual(kept);
    expect(merged.summary).toMatch(/^CHANGE thing 1: .* changed\.$/);
  });
});

describe("a preview of a call with secrets", () => {
  const login = z.strictObject({ user: z.string(), key: secret(z.string()) });
  const logins = z.object({ main: z.union([login, z.null()]), all: z.array(login).default([]) });
  const headers = { "X-Key": { argument: "key", schema: secret(z.string()) } };
  const operation = writing(logins, { kind: "credential", replaces: "body", counts: "body.all" }, { headers });
  const main = { user: "u", key: "hunter2-new" };
  const args = { id: 1, key: "hunter2-key", body: { main, all: [{ user: "v", key: "hunter2-all" }] } };
  const stored = { main: { ...main, key: "hunter2-old" }, all: [], apiToken: "hunter2-undeclared" };
  const mask = "[secret, 11 characters]";

  it("masks them in the arguments, in the changes and in the state", async () => {
    const made = await shownFor("logins_update", operation, args, stored);
    expect(made.lines).toContain(`key: ${mask}`);
    expect(made.lines).toContain(`body.all[0]: {user: v, key: ${mask}}`);
    expect(changesIn(made)).toEqual([`main.key: ${mask} → ${mask} (a different value)`, `+ all (key ${mask}): user v`]);
    const deletion = { ...operation, spec: { ...operation.spec, guard: { kind: "delete" } as const } };
    const answered = z.looseObject({ main: z.looseObject({ key: secret(z.string()) }) });
    const seen = await shownFor("logins_delete", deletion, args, stored, [answered]);
    expect(seen.lines).toContain(`Now: main.key: ${mask}`);
    expect(seen.lines).toContain("Now: apiToken: [secret, 18 characters]");
    expect(JSON.stringify([made, seen])).not.toContain("hunter2");
  });
});

it("has no line that begins in a value, and nothing that cannot be seen", async () => {
  await holdsForEach(["\n", "\r", "\u2028", "\u2029", "\u0085", "\u202e", "\u200b"], async (end) => {
    const text = `x${end}Account: other`;
    const state = { description: text, [text]: 1, status: text };
    const made = await shownOf("credential_delete", { openIdentityId: "x", credentialId: 7 }, state);
    for (const text of [made.lines.join("\n"), question(made)]) {
      expect(text.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => line.startsWith("Account: "))).toHaveLength(1);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  });
});
