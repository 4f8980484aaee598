/** Every prompt run to its end on the emulator by a client that takes the tools, their order and the stops from its text. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { type LiveValues, personDecides, personSaysGo } from "../../src/language/reading.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { completePrompt, fillPrompt } from "../../src/prompts/index.js";
import { liveValues } from "../../src/resources/live-values.js";
import { secretFiles } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { folder } from "../lab/files.js";
import { catalogueOfProject } from "../lab/project.js";

const catalogue = await catalogueOfProject();
const { prompts } = await readingsOf(await allServices("documents"), await allWorkflows());
const now = Date.UTC(2026, 4, 20, 12, 30);
const secrets = folder();
let world: ControlledWorld;
let calls: ReturnType<typeof callsIn>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  world = createWorld({ frozenAt: now });
  calls = callsIn(world, { callTimeoutMs: 60_000, secretFiles: secretFiles(secrets) });
});
afterEach(() => {
  vi.useRealTimers();
  world.reset();
});

const body = (outcome: Outcome | undefined): Record<string, unknown> => {
  if (outcome?.kind === "answer") return outcome.reply.body as Record<string, unknown>;
  if (outcome?.kind === "workflow") return outcome.result;
  throw new Error(JSON.stringify(outcome)?.slice(0, 800));
};
const stop = "Wait for the user's yes";
const marks = (text: string): string[] =>
  [...text.matchAll(new RegExp(`\\b[a-z]+(?:_[a-z0-9]+)+\\b|${stop}`, "gi"))]
    .map(([word]) => (word.toLowerCase() === stop.toLowerCase() ? stop : word))
    .filter((word) => word === stop || catalogue.has(word));

/** The first words of tools' names, by which a tool is known that is not there. */
const families = new Set([...catalogue.keys()].map((tool) => tool.split("_")[0]));
const followed = new Set<string>();

/** What a person adds to the text: the arguments of a tool's calls in order, given what was heard until then. */
type Said = Readonly<Record<string, readonly (Args | ((heard: readonly Outcome[]) => Args))[]>>;

/**
 * Runs a prompt: each tool in its text is called there, each change waits for a stop of the text.
 * @returns what each call came to, with the previews that the person read.
 */
async function follow(name: string, args: Readonly<Record<string, string>>, said: Said) {
  const { text } = await fillPrompt(prompts, name, args);
  followed.add(name);
  for (const value of Object.values(args)) expect(text).toContain(value);
  const ofTools = (text.match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? []).filter((word) => families.has(word.split("_")[0]));
  expect(ofTools.filter((word) => !catalogue.has(word))).toEqual([]);
  const heard: Outcome[] = [];
  const previews: string[] = [];
  const left = Object.fromEntries(Object.entries(said).map(([tool, all]) => [tool, [...all]]));
  let pending: { readonly tool: string; readonly args: Args; readonly plan: string } | undefined;
  let mayGo = false;
  for (const mark of marks(text)) {
    if (mark === stop) {
      if (pending) heard.push(await calls.call(pending.tool, { ...pending.args, confirm: pending.plan }));
      mayGo = pending === undefined;
      pending = undefined;
      continue;
    }
    if (pending) throw new Error(`${name} goes to ${mark} before the person has decided on ${pending.tool}.`);
    const next = left[mark]?.shift();
    if (next === undefined) throw new Error(`Nobody said with what ${mark} is called in ${name}.`);
    const given = typeof next === "function" ? next(heard) : next;
    const outcome = await calls.call(mark, given);
    if (outcome.kind === "preview") {
      pending = { tool: mark, args: given, plan: outcome.plan.id };
      previews.push([outcome.preview.summary, ...outcome.preview.lines].join("\n"));
    } else {
      body(outcome);
      if (catalogue.get(mark)?.effect !== "read" && outcome.kind === "answer")
        expect(mayGo, `${mark} stops`).toBe(true);
      heard.push(outcome);
    }
  }
  expect(pending, "a change is left undecided").toBeUndefined();
  expect(Object.entries(left).filter(([, all]) => all.length > 0)).toEqual([]);
  for (const one of heard) body(one);
  return { text, heard, previews, last: heard.at(-1) };
}
const later =
  (ms: number, args: Args | ((heard: readonly Outcome[]) => Args)) =>
  (heard: readonly Outcome[]): Args => {
    world.advance(ms);
    return typeof args === "function" ? args(heard) : args;
  };
const read = async (tool: string, args: Args) => (await calls.answer(tool, args)).body as never;

it.each(["production", "staging"])("purge_safely: purges from %s, and sees it done", async (network) => {
  const objects = ["https://www.shop.example/spring/hero.jpg"];
  const { text, last, previews } = await follow(
    "purge_safely",
    { what: "the spring campaign", network },
    {
      purge_queue_get: [{ queueName: "default" }],
      purge_submit: [{ queueName: "default", body: { objects, action: "invalidate", domain: network } }],
      purge_status: [later(10_000, (heard) => ({ purgeId: body(heard.at(-1))["purgeId"] }))],
    },
  );
  expect(text).toContain(`body.domain ${network}`);
  expect(previews.join()).toContain(network);
  expect(body(last)).toMatchObject({ purgeStatus: "Done" });
});

it("outage_investigate: finds the failing origin, changes nothing", async () => {
  const url = "http://api.shop.example/cart";
  const { heard } = await follow(
    "outage_investigate",
    { url, since: "last_7d" },
    {
      diagnosis_run: [{ url }],
      alert_active_firings_list: [{}],
      change_timeline: [{ period: "last_7d" }],
      diag_url_debug_get: [{ url }],
    },
  );
  expect(JSON.stringify(body(heard[0])["findings"])).toMatch(/origin/i);
});

it("usage_explain: a month by usage, traffic, events, changes", async () => {
  const contractId = "C-1FRYVV3";
  const [start, end] = ["2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z"];
  const { heard } = await follow(
    "usage_explain",
    { contractId, month: "2026-04" },
    {
      contract_product_summary_get: [{ contractId }],
      usage_summary: [{ contractId, month: "2026-04" }],
      traffic_compare: [{ start, end }],
      events_list: [{ startRange: Date.parse(start), endRange: Date.parse(end) }],
      change_timeline: [{ start, end }],
    },
  );
  expect(body(heard[1])).toMatchObject({ month: "2026-04", usage: expect.arrayContaining([expect.anything()]) });
});

it("certificate_renew: production gets a later expiry", async () => {
  const at = { enrollmentId: 10_003 };
  const change = { ...at, changeId: 20_003 };
  const { heard, last } = await follow(
    "certificate_renew",
    { enrollmentId: "10003" },
    {
      cert_production_deployment_get: [at, at],
      cert_enrollment_status: [at, later(86_400_000, at)],
      cert_change_input_get: [{ ...change, allowedInputTypeParam: "change-management-info" }],
      cert_change_input_submit: [
        { ...change, allowedInputTypeParam: "change-management-ack", body: { acknowledgement: "acknowledge" } },
      ],
    },
  );
  const certificate = (outcome: Outcome | undefined) => JSON.stringify(body(outcome)["primaryCertificate"]);
  expect(certificate(last)).not.toBe(certificate(heard[0]));
  const expiry = (outcome: Outcome | undefined) =>
    Date.parse((body(outcome)["primaryCertificate"] as { expiry: string }).expiry);
  expect(expiry(last)).toBeGreaterThan(expiry(heard[0]));
});

it("credentials_rotate: the new one is active, the old one gone", async () => {
  const client = { openIdentityId: "oi-7421" };
  const old = { ...client, credentialId: 4101 };
  const expiresOn = new Date(now + 300 * 86_400_000).toISOString();
  const { last } = await follow(
    "credentials_rotate",
    { openIdentityId: "oi-7421", credentialId: "4101" },
    {
      credentials_list: [client, client],
      credential_create: [client],
      credential_update: [{ ...old, body: { status: "INACTIVE", expiresOn } }],
      credential_delete: [old],
    },
  );
  const all = body(last) as unknown as readonly { credentialId: number; status: string }[];
  expect(all.map(({ credentialId }) => credentialId)).not.toContain(4101);
  expect(all.filter(({ credentialId, status }) => credentialId > 4103 && status === "ACTIVE")).toHaveLength(1);
  expect(readdirSync(secrets)).toHaveLength(1);
});

it("property_go_live: the newest version on both networks", async () => {
  const args = { propertyId: "prp_175780", notifyEmails: ["operations@shop.example"] };
  const { propertyId } = args;
  const { last, previews } = await follow(
    "property_go_live",
    { propertyId, notifyEmail: "operations@shop.example" },
    {
      property_versions_list: [{ propertyId }],
      property_change_run: [args, args],
      property_activations_list: [later(20_000, { propertyId }), later(600_000, { propertyId })],
    },
  );
  expect(previews.map((text) => /STAGING|PRODUCTION/.exec(text)?.[0])).toEqual(["STAGING", "PRODUCTION"]);
  expect(JSON.stringify(body(last))).toMatch(/"propertyVersion":3,"network":"PRODUCTION".*?"status":"ACTIVE"/);
});

it("zone_record_move: the edge answers the new value", async () => {
  const zone = "example.com";
  const record = { zone, name: "www", type: "A" };
  const { body: before } = await calls.answer("dns_zone_get", { zone });
  const { ttl, target } = (before as { zone: { a: { name: string; ttl: number; target: string }[] } }).zone.a.find(
    ({ name }) => name === "www",
  ) ?? { ttl: 0, target: "" };
  const { last, heard } = await follow(
    "zone_record_move",
    { zone, name: "www", value: "203.0.113.99" },
    {
      dns_zone_get: [{ zone }],
      dns_record_set: [
        { ...record, values: [target], ttl: 60 },
        later(ttl * 1_000, { ...record, values: ["203.0.113.99"], ttl: 60 }),
        { ...record, values: ["203.0.113.99"], ttl },
      ],
      diag_locations_list: [{}],
      diag_location_dig_run: [
        (all) => ({
          locationId: (body(all.at(-1))["locations"] as { id: string }[])[0]?.id,
          hostName: "www.example.com",
          queryType: "A",
        }),
      ],
    },
  );
  const dug = heard.at(-2);
  expect(JSON.stringify(body(dug))).toContain("203.0.113.99");
  expect(last?.kind).toBe("answer");
  const after = (await read("dns_zone_get", { zone })) as { zone: { a: object[] } };
  expect(after.zone.a.filter((one) => "name" in one && one.name === "www")).toMatchObject([
    { target: "203.0.113.99", ttl },
  ]);
});

it("event_plan: events are read before one is created", async () => {
  const times = { start: "2026-06-27T00:00:00Z", end: "2026-06-28T00:00:00Z" };
  const { last } = await follow(
    "event_plan",
    { name: "Summer sale", ...times },
    {
      events_list: [{ startRange: Date.parse(times.start), endRange: Date.parse(times.end) }],
      expiry_report: [{ days: 40 }],
      event_create: [{ body: { name: "Summer sale", ...times, audienceSize: 250_000 } }],
      event_get: [(heard) => ({ eventId: String(body(heard.at(-1))["id"]) })],
    },
  );
  expect(body(last)).toMatchObject({ name: "Summer sale", start: Date.parse(times.start), audienceSize: 250_000 });
});

it("logs_deliver: a source without delivery gets one", async () => {
  const known = { logSource: "12346", deliveryDetails: { type: "email", emailAddress: "logs@shop.example" } };
  const chosen = { logFormat: "combined", encoding: "2", deliveryFrequency: "1", messageSize: "3", contact: "1-C30O" };
  const { last, heard } = await follow(
    "logs_deliver",
    { logSource: "12346", email: "logs@shop.example" },
    {
      log_sources_list: [{}],
      log_delivery_create: [known, { ...known, ...chosen, startDate: "2099-01-01" }],
      log_source_configurations_list: [
        (all) => {
          const sources = body(all[0]) as unknown as { id: string; type: string; cpCode?: string }[];
          const source = sources.find(({ id, cpCode }) => `${id} ${cpCode}`.includes("12346"));
          return { logSourceType: source?.type, logSourceId: source?.id };
        },
      ],
    },
  );
  expect(body(heard[1])["choices"]).toMatchObject({ logFormat: expect.anything(), contact: expect.anything() });
  expect(body(last)).toMatchObject([{ status: "active", deliveryDetails: { emailAddress: "logs@shop.example" } }]);
});

it("domain_block: blocked and live, and the list is kept", async () => {
  const configId = 1100;
  const lists = (await read("threat_emergency_lists_list", { configId })) as { listType: string; items: object[] }[];
  const items = lists.find(({ listType }) => listType === "blacklist")?.items ?? [];
  const { last, previews } = await follow(
    "domain_block",
    { domain: "evil.example" },
    {
      threat_configs_list: [{}],
      threat_undeployed_changes_list: [{ configId }, { configId }],
      threat_emergency_lists_list: [{ configId }],
      threat_emergency_list_replace: [
        {
          configId,
          listType: "blacklist",
          body: { items: [...items, { type: "LIST_TYPE_DOMAIN", value: "evil.example" }] },
        },
      ],
      threat_deployment_launch: [
        (heard) => {
          const [one] = body(heard.at(-1))["configurations"] as { deployWith: { arguments: Args }[] }[];
          return one?.deployWith[0]?.arguments ?? {};
        },
      ],
      threat_deployments_list: [later(60_000, { configId })],
    },
  );
  expect(previews[0]).toMatch(/1 added/);
  const [newest] = (body(last) as unknown as { configDeploymentId: number; status: string }[]).sort(
    (a, b) => b.configDeploymentId - a.configDeploymentId,
  );
  expect(JSON.stringify(newest)).toContain("COMPLETED");
  const after = await read("threat_emergency_list_get", { configId, listType: "blacklist" });
  expect((after as { items: object[] }).items).toHaveLength(items.length + 1);
});

it("stream_watch: a live stream by its viewers", async () => {
  const domain = "live.shop.example";
  const { heard } = await follow(
    "stream_watch",
    { domain, stream: "shop-show" },
    {
      live_streams_list: [{ domain }],
      live_events_list: [
        (all) => ({
          domain,
          streamId: (body(all[0])["stream"] as Record<string, string>[]).find(
            (one) => one["stream-name"] === "shop-show",
          )?.["stream-id"],
        }),
      ],
      media_report_packs_list: [{ family: "audience-analytics" }],
      media_data_get: [
        {
          family: "audience-analytics",
          reportPackId: 6831,
          startDate: "2026-05-20T00:00:00Z",
          endDate: "2026-05-20T12:00:00Z",
          aggregation: 3_600,
          dimensions: ["Time", "Stream"],
          metrics: ["Plays"],
        },
      ],
      alert_active_firings_list: [{}],
    },
  );
  const rows = (body(heard[3])["rows"] as string[][]).filter(([, stream]) => stream === "shop-show");
  expect(rows.length).toBeGreaterThan(3);
});

it("prompts: each was run above", () => {
  expect([...followed].sort()).toEqual(prompts.map(({ name }) => name).sort());
});

it.each([
  ["outage_investigate", { url: "shop.example" }, "url"],
  ["usage_explain", { contractId: "C-1", month: "April" }, "month"],
  ["event_plan", { name: "x", start: "tomorrow", end: "2026-06-28T00:00:00Z" }, "start"],
  ["zone_record_move", { zone: "example.com", name: "www", value: "x", type: "SOA" }, "type"],
])("%s refuses an argument of another form", async (name, args, argument) => {
  await expect(fillPrompt(prompts, name, args)).rejects.toThrow(`${argument} takes`);
});

it("stops of prompts are in words that the client above knows", () => {
  for (const words of [personDecides, personSaysGo]) expect(marks(words)).toEqual([stop]);
});

it.each([
  ["usage_explain", "contractId", "3-", "3-EXPIRED"],
  ["certificate_renew", "enrollmentId", "1000", "10003"],
  ["property_go_live", "propertyId", "prp_", "prp_175780"],
  ["logs_deliver", "logSource", "", "12345-1"],
  ["stream_watch", "domain", "live", "live.shop.example"],
  ["zone_record_move", "type", "AA", "AAAA"],
])("%s completes %s from what the account has", async (name, argument, typed, value) => {
  const source = { api: async () => ({ invoke: calls.calls.invoke }) };
  const valuesOf = (wanted: LiveValues) => liveValues(source, wanted);
  expect(await completePrompt(valuesOf, prompts, name, argument, typed)).toContain(value);
  expect(await completePrompt(valuesOf, prompts, name, argument, "no such value")).toEqual([]);
});
