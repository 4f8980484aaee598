/** The client held to the golden exchanges: the bytes it sends, and what it reads from the bytes that come. */
import { expect, it } from "vitest";
import { checkArguments } from "../../../src/arguments/index.js";
import type { Apis } from "../../../src/language/service.js";
import type { WireRequest } from "../../../src/language/wire.js";
import { allServices } from "../../../src/tools/index.js";
import { createClient } from "../../../src/wire/index.js";
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

async function exchange({ tool, args, answer, apis = "documents" }: Golden & { readonly apis?: Apis }) {
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
    await withFiles(operation, checkArguments(tool, operation, args)),
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
