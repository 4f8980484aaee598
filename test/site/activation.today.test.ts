/** What an activation does, as the API shows it: hostnames, certificates, and what else is under way. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { ActivationScope } from "../../src/language/forecast.js";
import { forecastOf } from "../../src/site/forecast.js";
import { type Args, callsIn } from "../lab/calls.js";
import { startRaw } from "../lab/raw.js";
import { type SiteAnswers, siteReads } from "../lab/site-reads.js";

/** A world with raw requests, and the forecasts of activations in it. */
function start() {
  const { world, send } = startRaw();
  const calls = callsIn(world);
  const { readsWith, read } = siteReads(world, calls.calls);
  const forecast = (
    of: ActivationScope["of"],
    id: string,
    more: Partial<Omit<ActivationScope, "of" | "id" | "change">> = {},
    answers: SiteAnswers = {},
  ) => forecastOf([{ change: "activation", of, id, network: "production", isEnd: false, ...more }], readsWith(answers));
  return { world, send, answer: calls.answer, forecast, read };
}

const shop = "prp_175780";
const versionsOf = `/papi/v0/properties/${shop}/versions/`;
const host = (cnameFrom: string, edge = "www.shop.example"): Args => ({
  cnameFrom,
  cnameTo: `${edge}.edgesuite.example`,
});

/** A copy of the active version of the shop, with the given hostnames. */
async function versionWith({ send }: ReturnType<typeof start>, ...hostnames: readonly Args[]): Promise<number> {
  expect((await send("POST", versionsOf, { createFromVersion: 2 })).status).toBe(201);
  expect((await send("PUT", `${versionsOf}4/hostnames/`, hostnames)).status).toBe(200);
  return 4;
}
const present = [host("www.shop.example"), host("www.example.com", "www.example.com")];

describe("a property", () => {
  it("has hostnames that get other rules only if the rules differ", async () => {
    const site = start();
    expect(await site.forecast("property", shop, { version: 3 })).toMatchObject({
      hostnames: { total: 2, added: 0, removed: 0, changed: 2 },
    });
    const version = await versionWith(site, ...present);
    expect(await site.forecast("property", shop, { version })).toMatchObject({ hostnames: { total: 2, changed: 0 } });
    const inOtherFormat: SiteAnswers = {
      property_rule_tree_get: async ({ propertyVersion }, body) => {
        return { ...((await body()) as object), ruleFormat: `v${propertyVersion}` };
      },
    };
    expect(await site.forecast("property", shop, { version }, inOtherFormat)).toMatchObject({
      hostnames: { total: 2, changed: 2 },
    });
  });

  it("serves a hostname otherwise if only its edge hostname differs", async () => {
    const site = start();
    const version = await versionWith(site, host("www.shop.example", "api.shop.example"), present[1] as Args);
    expect(await site.forecast("property", shop, { version })).toMatchObject({
      hostnames: { names: ["www.shop.example", "www.example.com"], added: 0, removed: 0, changed: 1 },
    });
  });

  it("names the hostnames that it loses first, then those that it gains", async () => {
    const site = start();
    const version = await versionWith(site, host("www.shop.example"), host("new.shop.example"));
    expect(await site.forecast("property", shop, { version })).toMatchObject({
      hostnames: {
        total: 3,
        names: ["www.example.com", "new.shop.example", "www.shop.example"],
        ...{ added: 1, removed: 1, changed: 0 },
      },
    });
  });

  it("loses all hostnames by a deactivation, and gets them as new ones", async () => {
    const site = start();
    const ended = await site.forecast("property", shop, { isEnd: true });
    expect(ended).toMatchObject({
      hostnames: { total: 2, added: 0, removed: 2 },
      traffic: { edgeRate: expect.any(Number) },
    });
    expect(ended).not.toHaveProperty("certificates");
    expect(ended).not.toHaveProperty("hostnames.changed");
    const end = {
      propertyVersion: 2,
      network: "PRODUCTION",
      activationType: "DEACTIVATE",
      notifyEmails: ["a@b.example"],
    };
    expect((await site.send("POST", `/papi/v0/properties/${shop}/activations/`, end)).status).toBe(201);
    site.world.advance(3_600_000);
    const begun = await site.forecast("property", shop, { version: 2 });
    expect(begun).toMatchObject({ hostnames: { total: 2, added: 2, removed: 0 } });
    expect(begun).not.toHaveProperty("hostnames.changed");
  });

  it("keeps the hostnames of its bucket, which are in none of its versions", async () => {
    const site = start();
    const scope = { version: 1, network: "staging" } as const;
    const bucket = { total: 1, names: ["draft.shop.example"] };
    expect(await site.forecast("property", "prp_175783", scope)).toMatchObject({ hostnames: { ...bucket, added: 1 } });
    expect(
      await site.forecast("property", "prp_175783", scope, { property_active_hostnames_list: "unknown_tool" }),
    ).toMatchObject({ hostnames: { total: 0 } });
  });

  it("has what is under way on both networks, with who is notified", async () => {
    const site = start();
    expect(await site.forecast("property", shop, { version: 3 })).toMatchObject({ pending: [] });
    const pending = [{ what: "version 2", network: "PRODUCTION", status: "PENDING", by: "operations@shop.example" }];
    expect(await site.forecast("property", "prp_175782", { version: 1, network: "staging" })).toMatchObject({
      pending,
    });
  });

  it("carries no traffic on staging that a report would count", async () => {
    const site = start();
    expect(await site.forecast("property", shop, { version: 3, network: "staging" })).not.toHaveProperty("traffic");
    expect(site.read).not.toContain("report_traffic_find");
    expect(await site.forecast("property", shop, { version: 3 })).toHaveProperty("traffic.edgeRate");
  });

  it("is forecast without what may not be read, which is unknown", async () => {
    const site = start();
    const refused = { unknown: expect.stringContaining("permissions do not include the rule tree") };
    expect(
      await site.forecast("property", shop, { version: 3 }, { property_rule_tree_get: "forbidden" }),
    ).toMatchObject({
      hostnames: { total: 2, changed: refused },
      certificates: { covered: 1 },
    });
    expect(await site.forecast("property", shop, { version: 3 }, { property_activations_list: "forbidden" })).toEqual({
      hostnames: { unknown: expect.stringContaining("the list of activations") },
      pending: { unknown: expect.stringContaining("the list of activations") },
    });
  });

  it("is unknown where a response has another form, and not empty", async () => {
    const site = start();
    const forms = {
      property_activations_list: { activations: { items: [{ status: "ACTIVE" }] } },
      property_hostnames_list: { hostnames: { items: [{ name: "www.shop.example" }] } },
    };
    for (const [tool, body] of Object.entries(forms))
      expect(await site.forecast("property", shop, { version: 3 }, { [tool]: () => body })).toMatchObject({
        hostnames: { unknown: expect.stringContaining("a form that is not documented") },
      });
    const changed = { unknown: expect.stringContaining("the rule tree has a form that is not documented") };
    expect(
      await site.forecast("property", shop, { version: 3 }, { property_rule_tree_get: () => ({ rules: [] }) }),
    ).toMatchObject({ hostnames: { total: 2, changed } });
    expect(
      await site.forecast("property", shop, { version: 3 }, { cert_enrollments_list: () => ({ items: [] }) }),
    ).toMatchObject({ certificates: { unknown: expect.any(String) } });
  });

  it("takes at most twelve requests", async () => {
    const site = start();
    await site.forecast("property", shop, { version: 3 });
    expect(site.read.length).toBeGreaterThan(6);
    expect(site.read.length).toBeLessThanOrEqual(12);
  });
});

describe("the certificates of a property", () => {
  const covered = (answers: SiteAnswers = {}, network: "production" | "staging" = "production") =>
    start().forecast("property", shop, { version: 3, network }, answers);

  it("name a hostname or do not, and end with the first that does", async () => {
    const { world, forecast } = start();
    const cover = await forecast("property", shop, { version: 3 });
    expect(cover).toMatchObject({
      certificates: { contractId: "C-1FRYVV3", covered: 1, uncovered: ["www.example.com"] },
    });
    const { endsMs } = (cover as { certificates: { endsMs: number } }).certificates;
    expect(endsMs - world.now()).toBeGreaterThan(0);
    expect(endsMs - world.now()).toBeLessThan(365 * 86_400_000);
  });

  it("are those on the network, whatever is enrolled", async () => {
    const none = { cert_deployments_list: () => ({ production: null, staging: null }) };
    expect(await covered(none)).toMatchObject({
      certificates: { covered: 0, uncovered: ["www.shop.example", "www.example.com"] },
    });
    const served = (dnsNames: string[]) => ({ networkConfiguration: { dnsNames } });
    const other = {
      cert_deployments_list: () => ({ production: served(["*.shop.example"]), staging: served(["*.com"]) }),
    };
    expect(await covered(other)).toMatchObject({ certificates: { covered: 1, uncovered: ["www.example.com"] } });
    expect(await covered(other, "staging")).toMatchObject({
      certificates: { covered: 0, uncovered: ["www.shop.example", "www.example.com"] },
    });
  });

  const enrolled = (id: number, ...changes: string[]) => ({
    id: String(id),
    csr: { cn: "www.shop.example", sans: [] },
    pendingChanges: changes.map((changeType) => ({ location: `/cps/v2/enrollments/${id}/changes/1`, changeType })),
  });
  const unreadable = { primaryCertificate: { certificate: "no PEM", expiry: "2027-05-20T00:00:00Z" } };
  const list = (...enrollments: object[]) => ({
    cert_enrollments_list: () => ({ enrollments }),
    cert_deployments_list: () => ({ production: unreadable }),
  });

  it("are unknown while a change of names that they may lack is under way", async () => {
    expect(await covered(list(enrolled(1, "renewal")))).toMatchObject({
      certificates: { covered: 1, uncovered: ["www.example.com"], endsMs: Date.UTC(2027, 4, 20) },
    });
    expect(await covered(list(enrolled(1, "modify-san")))).toMatchObject({
      certificates: { covered: 0, uncovered: [], unclear: { count: 2, unknown: "the API does not show theirs" } },
    });
  });

  it("end with those that name one of its hostnames", async () => {
    const certificate = (name: string, expiry: string) => ({
      production: { primaryCertificate: { certificate: "no PEM", expiry }, networkConfiguration: { dnsNames: [name] } },
    });
    const [used, other] = [enrolled(1), { ...enrolled(2, "modify-san"), csr: { cn: "other.example" } }];
    const answers: SiteAnswers = {
      cert_enrollments_list: () => ({ enrollments: [used, other] }),
      cert_deployments_list: ({ enrollmentId }) =>
        enrollmentId === 1
          ? certificate("www.shop.example", "2027-05-20T00:00:00Z")
          : certificate("other.example", "2026-05-21T00:00:00Z"),
    };
    expect(await covered(answers)).toMatchObject({ certificates: { covered: 1, endsMs: Date.UTC(2027, 4, 20) } });
  });

  it("are unknown where there are more than are read", async () => {
    const many = (count: number) => list(...Array.from({ length: count }, (_, at) => enrolled(at + 1)));
    expect(await covered(many(4))).toMatchObject({ certificates: { uncovered: ["www.example.com"] } });
    const unread = (unknown: string) => ({ certificates: { uncovered: [], unclear: { count: 1, unknown } } });
    expect(await covered(many(5))).toMatchObject(unread("1 more certificate was not read"));
    const unstable = list(...[1, 2, 3, 4, 5, 6].map((id) => enrolled(id, ...(id === 1 ? ["modify-san"] : []))));
    expect(await covered(unstable)).toMatchObject(
      unread("the API does not show theirs, and 2 more certificates were not read"),
    );
  });

  it("that the API deploys by itself are known by their status alone", async () => {
    const withStatus = (status?: string): SiteAnswers => ({
      property_hostnames_list: async (_, body) => {
        const { hostnames, ...rest } = (await body()) as { hostnames: { items: object[] } };
        const certStatus = status === undefined ? {} : { certStatus: { production: [{ status }] } };
        const items = hostnames.items.map((one) => ({ ...one, certProvisioningType: "DEFAULT", ...certStatus }));
        return { ...rest, hostnames: { items } };
      },
    });
    expect(await covered(withStatus("DEPLOYED"))).toMatchObject({ certificates: { covered: 2, uncovered: [] } });
    for (const status of ["PENDING", undefined])
      expect(await covered(withStatus(status))).toMatchObject({
        certificates: { covered: 0, uncovered: [], unclear: { count: 2 } },
      });
  });

  it("are unknown without the permission to read them", async () => {
    expect(await covered({ cert_enrollments_list: "forbidden" })).toMatchObject({
      hostnames: { total: 2 },
      certificates: { unknown: expect.stringContaining("the list of certificates") },
    });
  });
});

const include = "inc_310001";
const parent = (number: number, at: object) => ({
  ...{ propertyId: `prp_${number}`, propertyName: `site-${number}`, contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
  ...{ latestVersion: 1, ...at },
});

describe("an include", () => {
  it("reaches properties on the network, with or without other rules", async () => {
    const { answer, forecast } = start();
    expect(await forecast("include", include, { version: 2 })).toMatchObject({
      hostnames: { total: 1, names: ["api.shop.example"], changed: 1 },
      traffic: { edgeRate: expect.any(Number) },
    });
    await answer("include_version_create", { includeId: include, body: { createFromVersion: 1 } });
    expect(await forecast("include", include, { version: 3 })).toMatchObject({ hostnames: { total: 1, changed: 0 } });
    expect(await forecast("include", include, { isEnd: true })).toMatchObject({ hostnames: { changed: 1 } });
    const onStaging = {
      include_parents_list: () => ({ properties: { items: [parent(175_781, { stagingVersion: 1 })] } }),
    };
    expect(await forecast("include", include, { version: 2 }, onStaging)).toMatchObject({ hostnames: { total: 0 } });
  });

  it("with many properties finds their hostnames in the account's list", async () => {
    const { forecast, read } = start();
    const used = (count: number): SiteAnswers => ({
      include_parents_list: () => ({
        properties: { items: Array.from({ length: count }, (_, at) => parent(175_780 + at, { productionVersion: 1 })) },
      }),
      property_active_hostnames_list: ({ propertyId }) => ({
        hostnames: { items: [{ cnameFrom: `${propertyId}.example` }] },
      }),
      property_account_hostnames_list: ({ offset = 0 }) => ({
        hostnames: {
          totalItems: 7_000,
          items: Array.from({ length: 1_000 }, (_, at) => ({
            cnameFrom: `${offset}-${at}.example`,
            propertyId: `prp_${175_000 + at}`,
          })),
        },
      }),
    });
    const few = await forecast("include", include, { version: 2 }, used(5));
    expect(few).toMatchObject({ hostnames: { total: 5 } });
    expect(few).not.toHaveProperty("hostnames.unread");
    expect(read.filter((tool) => tool === "property_active_hostnames_list")).toHaveLength(5);
    read.length = 0;
    const many = await forecast("include", include, { version: 2 }, used(400));
    expect(many).toMatchObject({ hostnames: { total: 5 * 220, unread: 2_000 } });
    expect(read.length).toBeLessThanOrEqual(12);
  });
});

describe("a shared policy", () => {
  const root = "/cloudlets/v3/policies/3001";
  it("reaches the properties that use it, with or without other rules", async () => {
    const { send, forecast } = start();
    expect(await forecast("policy", "3001", { version: 2 })).toMatchObject({
      hostnames: { total: 2, names: expect.arrayContaining(["www.shop.example", "www.example.com"]), changed: 2 },
      pending: [],
    });
    const rule = { type: "erMatchRule", name: "News", matchURL: "/news", redirectURL: "/stories", statusCode: 301 };
    const same = { ...rule, useIncomingQueryString: true, useRelativeUrl: "relative_url" };
    expect((await send("POST", `${root}/versions`, { description: "Again", matchRules: [same] })).status).toBe(201);
    expect(await forecast("policy", "3001", { version: 3 })).toMatchObject({ hostnames: { total: 2, changed: 0 } });
    expect(await forecast("policy", "3001", { isEnd: true })).toMatchObject({ hostnames: { total: 2, changed: 2 } });
  });

  it("reaches those that use it on the network, whose ids have no prefix", async () => {
    const { forecast } = start();
    const user = (id: number, network: string) => ({ id, name: `site-${id}`, version: 1, network });
    const users = (network: string): SiteAnswers => ({
      sharedpolicy_properties_list: () => ({ content: Array.from({ length: 6 }, (_, at) => user(at + 1, network)) }),
      property_account_hostnames_list: () => ({
        hostnames: { items: [{ cnameFrom: "a.example", propertyId: "prp_6" }] },
      }),
    });
    expect(await forecast("policy", "3001", { version: 2 }, users("PRODUCTION"))).toMatchObject({
      hostnames: { names: ["a.example"] },
    });
    expect(await forecast("policy", "3001", { version: 2 }, users("STAGING"))).toMatchObject({
      hostnames: { total: 0 },
    });
  });

  it("has an operation in progress on either network until it ends", async () => {
    const { send, forecast, world } = start();
    const begun = { policyVersion: 2, network: "STAGING", operation: "ACTIVATION" };
    expect((await send("POST", `${root}/activations`, begun)).status).toBe(202);
    const pending = [
      { what: "version 2", network: "STAGING", status: "ACTIVATION IN_PROGRESS", by: expect.any(String) },
    ];
    expect(await forecast("policy", "3001", { version: 2 })).toMatchObject({ pending });
    world.advance(3_600_000);
    expect(await forecast("policy", "3001", { version: 2 })).toMatchObject({ pending: [] });
  });
});

describe("a network list", () => {
  const list = "25614_BLOCKED";
  const unknown = expect.stringContaining("which sites use a network list");
  it("changes entries on sites that no API names", async () => {
    const { forecast } = start();
    expect(await forecast("list", list)).toEqual({
      hostnames: { unknown },
      entries: { added: 2, removed: 1 },
      pending: [],
    });
    expect(await forecast("list", "25615_COUNTRIES")).toMatchObject({ entries: { added: 0, removed: 0 } });
    expect(await forecast("list", "25616_TRIAL")).toMatchObject({ entries: { added: 1, removed: 0 } });
  });

  it("has an activation under way on the other network", async () => {
    const { send, forecast } = start();
    const path = `/network-list/v2/network-lists/${list}/environments/STAGING/activate`;
    expect((await send("POST", path, { comments: "Scrapers" })).status).toBe(200);
    expect(await forecast("list", list)).toMatchObject({
      pending: [{ network: "STAGING", status: "PENDING_ACTIVATION" }],
    });
  });
});

describe("a job that activates several properties", () => {
  const job = (settings: Args) => ({
    body: {
      activatePropertyVersions: [
        { propertyId: shop, propertyVersion: 3, network: "STAGING" },
        { propertyId: "prp_175782", propertyVersion: 1, network: "STAGING" },
      ],
      defaultActivationSettings: { notifyEmails: ["operations@shop.example"], ...settings },
    },
  });
  it("is forecast for the first, and counts the others", async () => {
    const { previewed } = callsIn(createWorld({ frozenAt: Date.now() }));
    expect((await previewed("bulk_activation_launch", job({}))).forecast).toMatchObject({
      hostnames: { total: 2, changed: 2 },
      leftOut: 1,
    });
  });

  it("is not forecast where it returns to versions that it does not name", async () => {
    const { previewed } = callsIn(createWorld({ frozenAt: Date.now() }));
    expect(await previewed("bulk_activation_launch", job({ useFastFallback: true }))).not.toHaveProperty("forecast");
  });
});

it("the preview and the forecast read a version once", async () => {
  const { previewed, audited } = callsIn(createWorld({ frozenAt: Date.now() }));
  const body = { propertyVersion: 3, network: "PRODUCTION", notifyEmails: ["operations@shop.example"] };
  const { text } = await previewed("property_version_activate", { propertyId: shop, body });
  expect(text).toMatch(/For context, 2 hostnames: .*; the rules of 2 change\..*Request: POST/s);
  const intents = audited.map((line) => JSON.parse(line) as { event: string; tool: string });
  const reads = intents.filter(({ event, tool }) => event === "intent" && tool === "property_rule_tree_get");
  expect(reads).toHaveLength(2);
});
