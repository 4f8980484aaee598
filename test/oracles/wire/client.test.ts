/** Client and emulator held to the golden exchanges: the bytes that are sent, what is read from those that come, and what is answered in what form. */
import { expect, it } from "vitest";
import type { Apis } from "../../../src/language/service.js";
import type { WireRequest } from "../../../src/language/wire.js";
import { validateArguments } from "../../../src/schema/arguments.js";
import { allServices } from "../../../src/tools/index.js";
import { createClient } from "../../../src/wire/index.js";
import { treeOf } from "../../emulator/xml.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";
import { filled as withFiles } from "../../lab/secret-files.js";
import { sendingWithin } from "../../wire/sending.js";
import { type Golden, goldens, todayGoldens } from "./goldens.js";

const ofSetting = { documents: await allServices("documents"), today: await allServices("today") };
/** The goldens, each with the setting whose operation it is of. */
const everyGolden = [
  ...goldens.map((golden) => ({ ...golden, apis: "documents" as const })),
  ...todayGoldens.map((golden) => ({ ...golden, apis: "today" as const })),
];
const origin = "https://host.example";

/** Puts plain values in the place of the placeholders. */
const filled = (text: string): string =>
  text.replaceAll('"«int»"', "7").replaceAll('"«any»"', "{}").replaceAll("«text»", "text");

type Exchanged = Pick<Golden, "tool" | "args" | "answer"> & { readonly apis?: Apis };

async function exchange({ tool, args, answer, apis = "documents" }: Exchanged) {
  const service = ofSetting[apis].find(({ operations }) => operations[tool]);
  const operation = service?.operations[tool];
  if (!service || !operation) throw new Error(`no operation ${tool}`);
  const sent: WireRequest[] = [];
  const client = createClient({
    send: async (request) => {
      sent.push(request);
      return {
        status: answer.status,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, filled(value)])),
        body: (async function* () {
          if (answer.body !== undefined) yield new TextEncoder().encode(filled(answer.body));
        })(),
      };
    },
    target: { origin, vendor: "akamai" },
    authorize: () => ({}),
    maxResponseBytes: 1_000_000,
  });
  const request = await client.resolve(
    tool,
    operation,
    await withFiles(operation, validateArguments(tool, operation, args)),
  );
  const reply = await client.call(tool, service.name, operation, request, sendingWithin(5_000));
  return { sent, reply };
}

it.each(everyGolden)("$tool: sends and reads $name", async (golden) => {
  const { request, answer } = golden;
  const { sent, reply } = await exchange(golden);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ method: request.method, headers: request.headers });
  expect(sent[0]?.url.href).toBe(origin + request.target);
  expect(sent[0]?.headers["content-type"]).toBe(request.headers["content-type"]);
  expect(sent[0]?.body && new TextDecoder().decode(sent[0].body)).toBe(request.body);
  expect(reply.status).toBe(answer.status);
  if (answer.headers["location"]) expect(reply.location).toBe(filled(answer.headers["location"]));
  const isJson = /^[[{]/.test(answer.body ?? "");
  const data = golden.data ?? (isJson ? JSON.parse(filled(answer.body ?? "")) : undefined);
  if (typeof data === "object") expect(reply.body).toMatchObject(data);
  else expect(reply.body).toBe(data);
});

const answered = { status: 200, headers: { "content-type": "application/json" } };
const anyAnswer = { answer: { ...answered, body: "{}" } };
const golden = (tool: string, name = ""): Golden =>
  goldens.find((one) => one.tool === tool && one.name.includes(name)) ?? expect.fail(tool);

rule("report-csv-sections", "reads the report's CSV from its four sections as the JSON's value", async () => {
  const { reply } = await exchange(golden("report_data_get", "CSV"));
  expect(reply.notes).toEqual([]);
  expect((reply.body as { data: unknown[] }).data).toHaveLength(2);
});

rule("saas-odd-media-type", "customers and pairs use customer/x-www-form-urlencoded", async () => {
  const typeOf = async (tool: string) => (await exchange(golden(tool))).sent[0]?.headers["content-type"];
  expect(await typeOf("saas_customer_create")).toBe("customer/x-www-form-urlencoded");
  expect(await typeOf("saas_pair_update")).toBe("customer/x-www-form-urlencoded");
  expect(await typeOf("saas_application_create")).toBe("application/x-www-form-urlencoded");
});

it.each(["report_data_get", "report_data_find"])("tells of %s until when its data is complete", async (tool) => {
  const availableDataEnds = "2026-05-01T10:00:00Z";
  const body = JSON.stringify({
    metadata: { availableDataEnds, suggestedRetryTime: "2026-05-01T11:00:00.000Z" },
    data: [],
    summaryStatistics: {},
  });
  const { reply } = await exchange({ ...golden(tool), answer: { ...answered, body } });
  expect(reply.notes[0]).toContain(availableDataEnds);
  expect(reply.notes[0]).toContain("2026-05-01T11:00:00.000Z");
});

rule("dns-xml", "reads a zone from XML as the same value as from JSON", async () => {
  const { reply } = await exchange(golden("dns_zone_get"));
  expect(reply.body).toEqual(golden("dns_zone_get").data);
  expect(reply.notes).toEqual([]);
});

rule("purge-201-only", "takes any other 2xx than 201 for no acceptance of a purge", async () => {
  const refused = { ...golden("purge_submit"), answer: { ...answered, body: "{}" } };
  await expect(exchange(refused)).rejects.toMatchObject({ code: "outcome_unknown" });
});

rule("purge-defaults", "removes ARLs from production when nothing else is said", async () => {
  const { sent } = await exchange(golden("purge_submit"));
  expect(new TextDecoder().decode(sent[0]?.body)).toContain('"action":"remove","type":"arl","domain":"production"');
});

/** A code other than 0 in the envelope of a golden exchange is a failure with its message, and 0 is none. */
async function holdsEnvelope(tool: string): Promise<void> {
  const envelope = { response: null, i18nCode: 7, englishMessage: "It is immutable" };
  const failing = (responseCode: number) => {
    const body = JSON.stringify({ responseCode, ...envelope });
    return exchange({ ...golden(tool), answer: { ...answered, body } });
  };
  await expect(failing(1)).rejects.toMatchObject({ code: "rejected", detail: { upstream: "It is immutable" } });
  expect((await failing(0)).reply.body).toEqual({ responseCode: 0, ...envelope });
}
rule("visitor-envelope", "visitor queue: a response code other than 0 is a failure", () =>
  holdsEnvelope("visitor_policy_clone"),
);
rule("saasaccess-envelope", "SaaS access: a response code other than 0 is a failure", () =>
  holdsEnvelope("saasaccess_policy_activate"),
);

rule("property-prefixes", "Ids are taken with and without their prefixes and sent with them", async () => {
  const kinds = {
    property_cpcode_get: { cpcodeId: "cpc_12345", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
    property_edge_hostname_get: { edgeHostnameId: "ehn_1682", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
    property_activation_get: { propertyId: "prp_175780", activationId: "atv_5001" },
    property_rule_schema_get: { productId: "prd_Alta", ruleFormat: "latest" },
  };
  for (const [tool, args] of Object.entries(kinds)) {
    const bare = Object.fromEntries(Object.entries(args).map(([name, id]) => [name, id.replace(/^[a-z]{3}_/, "")]));
    const urls = [args, bare].map(async (given) => {
      const { sent } = await exchange({ ...anyAnswer, tool, args: given });
      return sent[0]?.url.href;
    });
    const [one, other] = await Promise.all(urls);
    expect(other).toBe(one);
    for (const id of Object.values(args)) expect(one).toContain(id);
  }
  for (const propertyId of ["grp_12345", "prp_", "prp_12a", "atv_1", "prp_prp_1"])
    await expect(exchange({ ...anyAnswer, tool: "property_get", args: { propertyId } })).rejects.toThrow("propertyId");
});

/** Whether a value fits a golden one, in which placeholders stand for what the emulator makes up. */
function fits(value: unknown, golden: unknown): boolean {
  if (golden === "«any»") return value !== undefined;
  if (golden === "«int»") return Number.isInteger(value);
  if (golden === "«text»") return typeof value === "string" && value !== "";
  if (Array.isArray(golden))
    return Array.isArray(value) && value.length === golden.length && golden.every((item, at) => fits(value[at], item));
  if (typeof golden !== "object" || golden === null) return value === golden;
  const [have, want] = [value as Record<string, unknown>, golden as Record<string, unknown>];
  return (
    Object.keys(have).sort().join() === Object.keys(want).sort().join() &&
    Object.keys(want).every((key) => fits(have[key], want[key]))
  );
}

it("has placeholders that can fail", () => {
  expect(fits({ a: 1 }, { a: "«int»" })).toBe(true);
  expect(fits({ a: "1" }, { a: "«int»" })).toBe(false);
  expect(fits({ a: 1, b: 2 }, { a: "«int»" })).toBe(false);
});

it.each(everyGolden.filter(({ isEmulated }) => isEmulated))(
  "$tool: the emulator takes and answers $name",
  async ({ request, answer }) => {
    const { ask } = startRaw();
    const { body, ...head } = request;
    const answered = await ask({ ...head, ...(body === undefined ? {} : { body }) });
    expect(answered.status, answered.text).toBe(answer.status);
    expect(answered.headers["content-type"]).toBe(answer.headers["content-type"]);
    if (answer.headers["location"]) expect(answered.headers["location"]).toMatch(/^\//);
    if (answer.body === undefined) expect(answered.text).toBe("");
    else if (answer.body.startsWith("<"))
      expect(fits(treeOf(answered.text), treeOf(answer.body)), answered.text).toBe(true);
    else expect(fits(answered.json(), JSON.parse(answer.body)), answered.text).toBe(true);
  },
);
