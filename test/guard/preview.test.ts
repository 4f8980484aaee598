/** A preview tells the person what would change, all of it, and a question what it leaves out of that. */
import { describe, expect, it } from "vitest";
import { question } from "../../src/guard/preview/question.js";
import type { Guard } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { secret } from "../../src/language/marks.js";
import { openObject } from "../../src/language/open-object.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { credentials } from "../../src/tools/credentials/index.js";
import { dns } from "../../src/tools/dns/index.js";
import { purge } from "../../src/tools/purge/index.js";
import { saasRegistration } from "../../src/tools/saas-registration/index.js";
import { holdsForEach } from "../lab/laws.js";
import { previewFor, writing } from "../lab/previewed.js";
import { sectionsOf } from "../lab/tables.js";

const own = { ...dns.operations, ...purge.operations, ...credentials.operations, ...saasRegistration.operations };
type Shown = [tool: string, operation: AnyOperation, args: object, current?: unknown, schemas?: readonly z.ZodType[]];
const preview = (...[tool, operation, args, body, schemas = []]: Shown) =>
  previewFor(tool, operation, args, body === undefined ? undefined : { body, schemas });
const of = (tool: keyof typeof own, args: object, current?: unknown): Shown => [tool, own[tool], args, current];

const soa = { serial: 2, ttl: 300, originserver: "a.example.", contact: "b.example.", active: true };
const bounds = { refresh: 3_600, retry: 600, expire: 604_800, minimum: 300 };
const zone = { name: "example.com", soa: { ...soa, ...bounds } };
const record = (name: string | null, target: string, ttl = 300) => ({ name, ttl, active: true, target });
const writeZone = (written: object, stored?: object, token = "t") =>
  of(
    "dns_zone_write",
    { zone: "example.com", body: { token, zone: { ...zone, ...written } } },
    stored && { token: "t", zone: { ...zone, ...stored } },
  );
const purging = (body: object, queueName = "default") => of("purge_submit", { queueName, body }, { queueLength: 0 });
const [url, other] = ["https://a.example/", "https://b.example/"];
const [a, b] = [record("a", "192.0.2.1"), record("b", "192.0.2.2")];
const sameZone = { ns: [record(null, "ns1.example.")], a: [record("www.example.com", "192.0.2.1")] };
const credential = { openIdentityId: "oi", credentialId: 7 };
const known = { status: "ACTIVE", description: "Night\nAccount: other", expiresOn: "2028-01-01T00:00:00Z" };

const repeated = z.strictObject({
  id: z.int().optional().meta({ readOnly: true }),
  in: z.object({ at: z.string().meta({ readOnly: true }), name: z.string() }).partial(),
  name: z.string(),
});
const thingOf = (body: z.ZodType, guard: Partial<Guard>, given: object, stored: object): Shown => {
  const operation = writing(body, { replaces: "body", ...guard });
  return ["thing_update", operation, { id: 1, body: given }, stored];
};
const repeating = (body: object) => thingOf(repeated, {}, body, { id: 7, name: "a", in: { at: "now", name: "x" } });

const Rule = z.strictObject({ name: z.string(), ttl: z.int(), note: z.string().optional() });
const Thing = z.object({
  name: z.string(),
  note: z.string().optional(),
  rules: z.array(Rule).optional(),
  more: z.looseObject({}).optional(),
});
const [ruleA, ruleB] = [
  { name: "a", ttl: 300 },
  { name: "b", ttl: 300 },
];
const storedThing = {
  ...{ id: 1, createdOn: "2026-01-01", name: "n", note: "kept by hand", more: { left: 1, out: 2 } },
  rules: [
    { ruleId: 7, ...ruleA },
    { ruleId: 8, ...ruleB },
  ],
};
const newThing = { name: "m", rules: [ruleA, { ...ruleB, ttl: 900 }], more: { left: 1 } };

const Open = openObject({ name: z.string(), rules: z.array(openObject({ path: z.string() })).optional() });
const opened = (body: object, state: object) => thingOf(Open, { undo: "rewrite" }, body, state);
const weighed = { path: "/a", weight: 1 };

const login = z.strictObject({ user: z.string(), key: secret(z.string()) });
const logins = z.object({ main: z.union([login, z.null()]), all: z.array(login).default([]) });
const headers = { "X-Key": { argument: "key", schema: secret(z.string()) } };
const main = { user: "u", key: "hunter2-new" };
const withSecrets = { id: 1, key: "hunter2-key", body: { main, all: [{ user: "v", key: "hunter2-all" }] } };
const storedSecrets = { main: { ...main, key: "hunter2-old" }, all: [], apiToken: "hunter2-undeclared" };
const answered = z.looseObject({ main: z.looseObject({ key: secret(z.string()) }) });

/** Calls by what their previews show, which the text has in whole. */
const calls: Readonly<Record<string, Shown>> = {
  "a purge of CP codes on production": purging({ objects: [1, 2, 3], type: "cpcode" }, "emergency"),
  "an invalidation on staging": purging({ objects: [url], action: "invalidate", domain: "staging" }),
  "a purge whose action is the default": purging({ objects: [url], type: "arl", domain: "staging" }),
  "a purge of a URL that is listed twice": purging({ objects: [url, url, other] }),
  "a purge of a CP code on staging": purging({ objects: [1], type: "cpcode", domain: "staging" }),
  "a deletion by the name that people know": of(
    "saas_application_delete",
    { contractId: "C-1", surrogateId: 7 },
    { providerApplicationId: "crm" },
  ),
  "a credential that ends, with the name of a line of its own": of(
    "credential_update",
    { ...credential, body: { status: "INACTIVE", expiresOn: "2027-01-01T00:00:00Z" } },
    known,
  ),
  "a credential that is deleted": of("credential_delete", credential, known),
  "a zone whose records change, as zone files have them, the apex first": writeZone(
    {
      ns: [record(null, "ns2.example.")],
      mx: [{ ...record(null, "m.example.", 60), priority: 10 }],
      a: [record("www", "192.0.2.1", 900), record("api", "192.0.2.4"), record("new", "192.0.2.5")],
      soa: { ...zone.soa, serial: 3 },
    },
    {
      ns: [record(null, "ns1.example.")],
      a: [record("www", "192.0.2.1"), record("old", "192.0.2.2"), record("api", "192.0.2.3")],
      txt: [record("t", "x y")],
    },
  ),
  "a zone that is not there yet, in whole": writeZone({ a: [record("www", "192.0.2.1")] }),
  "a record that is there twice": writeZone({ a: [a, b, b] }, { a: [a, b] }),
  "records in another order": writeZone({ a: [b, a] }, { a: [a, b] }),
  "a zone with names that look absolute, that loses its server and most records": writeZone(
    { a: [record("www.example.com", "192.0.2.1")], cname: [record("c", "www.example.com")] },
    { ns: [record(null, "ns1.example.")], a: [record("x", "192.0.2.9")] },
  ),
  "a zone as it is, with a name that looks absolute": writeZone(sameZone, sameZone),
  "members that a write may repeat and does not set, left out": repeating({ name: "b", in: { name: "x" } }),
  "members that a write may repeat and does not set": repeating({ id: 8, name: "b", in: { at: "then", name: "x" } }),
  "a replacement that leaves members out, but for the API's own": thingOf(
    Thing,
    { write: "replace" },
    newThing,
    storedThing,
  ),
  "a merge that leaves members out": thingOf(Thing, { write: "merge" }, newThing, storedThing),
  "an undocumented member that is added": opened({ name: "n", colour: "red" }, { name: "n", id: 7 }),
  "an undocumented member that is changed": opened({ name: "n", colour: "red" }, { name: "n", colour: "blue", id: 7 }),
  "an undocumented member that stays": opened({ name: "n", colour: "red" }, { name: "n", colour: "red", id: 7 }),
  "an undocumented member that is the API's own, which only the state has": opened(
    { name: "n" },
    { name: "n", colour: "blue" },
  ),
  "an undocumented member taken from an item that others keep it in": opened(
    { name: "n", rules: [weighed, { path: "/b" }] },
    { name: "n", rules: [weighed, { path: "/b", weight: 2 }] },
  ),
  "an undocumented member whose name suggests a secret": opened({ name: "n", edgePassword: "hunter2" }, { name: "n" }),
  "secrets in arguments and changes": [
    "logins_update",
    writing(logins, { kind: "credential", replaces: "body", counts: "body.all" }, { headers }),
    withSecrets,
    storedSecrets,
  ],
  "secrets in the state": [
    "logins_delete",
    writing(logins, { kind: "delete" }, { headers }),
    withSecrets,
    storedSecrets,
    [answered],
  ],
};

it("previews of made-up and real calls are rendered as recorded", () => {
  const texts = sectionsOf("guard/calls.txt");
  return holdsForEach(Object.entries(calls), async (title, call) => {
    const made = await preview(...call);
    const { changes = "not compared", target, lines } = made;
    expect([`changes: ${changes}; target: ${target}`, ...lines.slice(0, -1)]).toEqual(texts.get(title));
    expect(JSON.stringify(made)).not.toContain("hunter2");
  });
});

it("a zone write with a stale token is refused with what to read again", async () => {
  await expect(preview(...writeZone({}, {}, "old"))).rejects.toMatchObject({
    code: "conflict",
    detail: { next: expect.stringMatching(/^Read it again with dns_zone_get/) },
  });
});

describe("what a service checks before anything is shown", () => {
  const problems = async (tool: keyof typeof own, args: object, state: unknown) => {
    const operation: AnyOperation = own[tool];
    const { values } = validateArguments("x", operation, args);
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

it("no value of a preview begins a line or hides characters", async () => {
  await holdsForEach(["\n", "\r", "\u2028", "\u2029", "\u0085", "\u202e", "\u200b"], async (end) => {
    const text = `x${end}Account: other`;
    const state = { description: text, [text]: 1, status: text };
    const made = await preview(...of("credential_delete", credential, state));
    for (const text of [made.lines.join("\n"), question(made)]) {
      expect(text.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => line.startsWith("Account: "))).toHaveLength(1);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  });
});
