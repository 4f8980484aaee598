/** What forecasts make of answers that are odd, cut or large: what was not read is unknown, and never none. */
import { expect, it } from "vitest";
import type { Arguments } from "../../src/language/conduct.js";
import type { ChangeScope, Forecast } from "../../src/language/forecast.js";
import { memberAt } from "../../src/language/member.js";
import { accountHostnames } from "../../src/site/active-hostnames.js";
import { certificateCover } from "../../src/site/certificate.js";
import { forecastOf } from "../../src/site/forecast.js";
import type { SiteReads } from "../../src/site/reads.js";
import { trafficOfHostnames } from "../../src/site/traffic.js";

/** Reads that a function answers. */
const readsOf = (answer: (tool: string, args: Arguments) => unknown): SiteReads => ({
  nowMs: Date.parse("2026-06-10T14:00:00Z"),
  isToday: true,
  read: async (tool, args) => answer(tool, args),
  recall: async (tool, args, reduce) => reduce(answer(tool, args)),
});
async function forecastBy(scope: ChangeScope, answer: (tool: string, args: Arguments) => unknown): Promise<Forecast> {
  const forecast = await forecastOf([scope], readsOf(answer));
  if (forecast === undefined) throw new Error("The change has a forecast.");
  return forecast;
}
const isUnknown = { unknown: expect.any(String) };
const purgeOf = (kind: "url" | "cpcode", ...values: readonly string[]): ChangeScope => ({
  ...{ change: "purge", network: "production", isDeletion: false, objects: { kind, values } },
});
const row = { hostname: "a.example", edgeHitsSum: 3_600, originHitsSum: 360 };

it.each([
  ["no rows", {}],
  ["a text for a number", { data: [{ ...row, edgeHitsSum: "3600" }] }],
  ["null", { data: [{ ...row, originHitsSum: null }] }],
  ["a negative number", { data: [{ ...row, edgeHitsSum: -1 }] }],
  ["a number that is not finite", { data: [{ ...row, edgeHitsSum: Number.POSITIVE_INFINITY }] }],
])("a report with %s leaves the traffic unknown", async (_, body) => {
  const forecast = await forecastBy(purgeOf("cpcode", "1"), () => body);
  expect(forecast).toEqual({ hostnames: isUnknown, traffic: isUnknown, originLoad: isUnknown });
  const none = await forecastBy(purgeOf("cpcode", "1"), () => ({ data: [] }));
  expect(none.traffic).toMatchObject({ edgeRate: 0 });
});

it("an origin that gets nothing in an hour is not safe from a purge", async () => {
  const answer = (tool: string) => {
    if (tool === "report_traffic_find") return { data: [{ ...row, time5minutes: 0, originHitsSum: 0 }] };
    if (tool === "property_version_find")
      return { versions: { items: [{ propertyId: "prp_1", propertyVersion: 1, productionStatus: "ACTIVE" }] } };
    return { rules: { behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "7d" } }] } };
  };
  const { originLoad } = await forecastBy(purgeOf("cpcode", "1"), answer);
  expect(originLoad).toMatchObject({ from: 0.2, upTo: 0.8 });
});

it.each([
  ["http://a123.g.example.net/7/123/456/1d/www.a.example/a", isUnknown],
  ["https://user@WWW.a.example.:8443/7/a", { total: 1, names: ["www.a.example"] }],
  ["https://www.bücher.example/", { total: 1, names: ["www.xn--bcher-kva.example"] }],
])("the site of %s", async (object, hostnames) => {
  expect((await forecastBy(purgeOf("url", object), () => ({ data: [row] }))).hostnames).toEqual(hostnames);
});

const recordOf = (name: string): ChangeScope => ({
  ...{ change: "records", zone: "a.example", sets: [{ name, type: "A", isNew: false, ttlBefore: 60 }] },
});

it("a record of a name under a property's wildcard reaches it", async () => {
  const answer = (tool: string, { body }: Arguments) => {
    if (tool === "report_traffic_find") return { data: [row] };
    const isFound = memberAt(body, "hostname") === "*.a.example";
    const items = isFound ? [{ propertyId: "prp_1", propertyVersion: 1, productionStatus: "ACTIVE" }] : [];
    return { versions: { items } };
  };
  expect((await forecastBy(recordOf("www.a.example"), answer)).hostnames).toEqual({
    total: 1,
    names: ["www.a.example"],
  });
  expect((await forecastBy(recordOf("www.b.example"), answer)).hostnames).toMatchObject({ total: 0 });
});

it.each([
  ["no list of versions", {}],
  ["a version without numbers", { versions: { items: [{ propertyId: 1, productionStatus: "ACTIVE" }] } }],
])("a search that finds %s leaves hostnames unknown", async (_, body) => {
  expect((await forecastBy(recordOf("www.a.example"), () => body)).hostnames).toEqual(isUnknown);
});

it("the report does not have the traffic of a wildcard", async () => {
  const reads = readsOf(() => ({ data: [] }));
  expect(await trafficOfHostnames(reads, ["www.a.example", "*.a.example"])).toEqual(isUnknown);
  expect(await trafficOfHostnames(reads, ["www.a.example"])).toMatchObject({ edgeRate: 0 });
});

it.each([
  ["unknown without a status", {}, isUnknown],
  ["none in two that have ended", { productionActivationStatus: "ACTIVE", stagingActivationStatus: "INACTIVE" }, []],
  [
    "a deactivation",
    { productionActivationStatus: "PENDING_DEACTIVATION", stagingActivationStatus: "MODIFIED" },
    [{ what: "a deactivation", network: "PRODUCTION", status: "PENDING_DEACTIVATION" }],
  ],
])("what is pending on a network list is %s", async (_, statuses, pending) => {
  const scope = { change: "activation", of: "list", id: "1_A", network: "staging", isEnd: false } as const;
  expect((await forecastBy(scope, () => ({ list: [], ...statuses }))).pending).toEqual(pending);
});

it("a whole page of hostnames without a total is not all of them", async () => {
  const page = (count: number) => ({
    hostnames: { items: Array.from({ length: count }, (_, at) => ({ cnameFrom: `h${at}.a.example` })) },
  });
  const found = (count: number) =>
    accountHostnames(
      readsOf(() => page(count)),
      "production",
      () => true,
    );
  expect((await found(999)).names).toHaveLength(999);
  await expect(found(1_000)).rejects.toMatchObject({ code: "bad_reply" });
});

it("names of certificates are compared once each, not for each hostname", async () => {
  let compared = 0;
  class CountedText extends String {
    override toLowerCase(): string {
      compared += 1;
      return super.toLowerCase();
    }
  }
  const hostnames = Array.from({ length: 1_000 }, (_, at) => ({ cnameFrom: `h${at}.a.example` }));
  const names = Array.from({ length: 100 }, (_, at) => new CountedText(`n${at}.b.example`) as unknown as string);
  const reads: SiteReads = {
    ...readsOf(() => ({})),
    recall: async <T>() => [{ id: 1, names, isStable: true }] as T,
  };
  const cover = await certificateCover(reads, hostnames, "production", "ctr_1");
  expect(cover).toMatchObject({ covered: 0, contractId: "1" });
  expect(compared).toBe(100);
});

const activationOf = (of: "property" | "include" | "policy" | "list"): ChangeScope => ({
  ...{ change: "activation", of, id: "1", version: 2, network: "production", isEnd: false },
});
const scopes: Readonly<Record<string, ChangeScope>> = {
  "a CP code": purgeOf("cpcode", "1"),
  "a URL": purgeOf("url", "https://www.a.example/"),
  records: { ...{ change: "records", zone: "a.example" }, sets: [{ name: "www.a.example", type: "A", isNew: true }] },
  "a property": activationOf("property"),
  "an include": activationOf("include"),
  "a policy": activationOf("policy"),
  "a network list": activationOf("list"),
  "a certificate": { change: "certificate", network: "production", enrollmentId: "1" },
};
/** Bodies that have every list of the reads with the same content. */
const listsOf = (list: unknown) => ({
  ...{ data: list, content: list, list, enrollments: list, rdata: list, dnsNames: list, pendingChanges: list },
  ...Object.fromEntries(
    ["hostnames", "versions", "activations", "properties"].map((name) => [name, { items: list, totalItems: "9" }]),
  ),
  ...{ rules: list, production: list, staging: list, currentActivations: list, csr: list, metadata: list },
});
const oddBodies: readonly unknown[] = [
  ...[undefined, null, "", "<html>Sorry</html>", 0, [], {}, [null]],
  ...[null, "1", 1, {}, [null], ["1"], [1], [{}], [[]]].map(listsOf),
  "x".repeat(10_000_000),
];

it.each(Object.entries(scopes))("odd answers about %s leave its hostnames unknown", async (_, scope) => {
  for (const body of oddBodies) {
    const forecast = await forecastBy(scope, () => body);
    expect([forecast.hostnames, forecast.traffic], JSON.stringify(body)?.slice(0, 200)).toContainEqual(isUnknown);
  }
});
