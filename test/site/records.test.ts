/** What a change of DNS records does to a site: which names are looked up, and how long what resolvers have stays. */
import { expect, it } from "vitest";
import type { Arguments } from "../../src/language/conduct.js";
import { Failure } from "../../src/language/failure.js";
import type { ChangedRecordSet } from "../../src/language/forecast.js";
import { memberAt } from "../../src/language/member.js";
import { forecastRecords } from "../../src/site/records.js";
import { callsAt } from "../lab/calls.js";

const setOf = (name: string, type = "A", more: Partial<ChangedRecordSet> = { ttlBefore: 300 }): ChangedRecordSet => ({
  ...{ name, type, isNew: false },
  ...more,
});
const isNew = { isNew: true };

/** A forecast of changed sets, and the arguments of all reads; www.a.example is the only hostname of a property. */
async function forecastOfSets(sets: readonly ChangedRecordSet[], absentSeconds?: number, soa: unknown = undefined) {
  const asked: Arguments[] = [];
  const answer = (tool: string, args: Arguments): unknown => {
    if (tool === "dns_recordset_get") return soa;
    if (tool === "report_traffic_find")
      return { data: [{ hostname: "www.a.example", edgeHitsSum: 7_200, originHitsSum: 0 }] };
    const { hostname } = args["body"] as { readonly hostname: string };
    if (hostname === "gone.a.example") throw new Failure("not_found", "There is none.", { next: "Look elsewhere." });
    const items = [{ propertyId: "prp_1", propertyVersion: 1, productionStatus: "ACTIVE" }];
    return { versions: { items: hostname === "www.a.example" ? items : [] } };
  };
  const read = async (tool: string, args: Arguments): Promise<unknown> => {
    asked.push({ tool, ...args });
    return answer(tool, args);
  };
  const scope = {
    change: "records",
    zone: "a.example",
    sets,
    ...(absentSeconds !== undefined && { absentSeconds }),
  } as const;
  const forecast = await forecastRecords(scope, {
    nowMs: 0,
    isToday: true,
    read,
    recall: async (tool, args, reduce) => reduce(await read(tool, args)),
  });
  const searched = asked.flatMap(({ tool, body }) =>
    tool === "property_version_find" ? memberAt(body, "hostname") : [],
  );
  const hostnames = searched.filter((name) => !String(name).startsWith("*"));
  return { forecast, hostnames, tools: asked.map(({ tool }) => tool) };
}

it("old answers live as long as the longest of the changed sets", async () => {
  const { forecast } = await forecastOfSets([setOf("www.a.example"), setOf("a.example", "MX", { ttlBefore: 3_600 })]);
  expect(forecast.oldAnswers).toEqual({ seconds: 3_600 });
  const unread = await forecastOfSets([setOf("www.a.example"), setOf("a.example", "MX", {})]);
  expect(unread.forecast.oldAnswers).toEqual({ unknown: "the present times to live were not read" });
});

it.each([
  ["the minimum of the SOA record", { ttl: 900, rdata: ["ns. host. 1 2 3 4 180"] }, { absentSeconds: 180 }],
  ["its own time to live, if that is shorter", { ttl: 60, rdata: ["ns. host. 1 2 3 4 180"] }, { absentSeconds: 60 }],
  ["nothing, if it cannot be understood", { ttl: 60, rdata: ["ns. host."] }, { unknown: expect.any(String) }],
])("the absence of a new set is kept for %s", async (_, soa, oldAnswers) => {
  const { forecast } = await forecastOfSets([setOf("new.a.example", "TXT", isNew)], undefined, soa);
  expect(forecast).toEqual({ oldAnswers });
});

it("the SOA record is read only for new sets and where it is unknown", async () => {
  expect((await forecastOfSets([setOf("b.a.example", "TXT")])).tools).toEqual([]);
  const { forecast, tools } = await forecastOfSets(
    [setOf("b.a.example", "TXT", isNew), setOf("c.a.example", "TXT")],
    120,
  );
  expect(tools).toEqual([]);
  expect(forecast.oldAnswers).toEqual({ seconds: 300, absentSeconds: 120 });
});

it("names that a property serves are hostnames, with their traffic", async () => {
  const { forecast } = await forecastOfSets([
    setOf("www.a.example"),
    setOf("www.a.example", "AAAA"),
    setOf("b.a.example"),
  ]);
  expect(forecast).toMatchObject({ hostnames: { total: 1, names: ["www.a.example"] }, traffic: { edgeRate: 2 } });
  const other = await forecastOfSets([setOf("b.a.example"), setOf("gone.a.example")]);
  expect(other.forecast).toEqual({ hostnames: { total: 0, names: [] }, oldAnswers: { seconds: 300 } });
  expect(other.tools).not.toContain("report_traffic_find");
  const wildcard = await forecastOfSets([setOf("*.a.example")]);
  expect(wildcard.forecast.hostnames).toEqual({ unknown: "a wildcard answers for names that are not listed" });
});

it("over five names are looked for in the report, and over 500 nowhere", async () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => setOf(`h${at}.a.example`));
  const five = await forecastOfSets(names(5));
  expect(five.hostnames).toEqual(["h0.a.example", "h1.a.example", "h2.a.example", "h3.a.example", "h4.a.example"]);
  const six = await forecastOfSets(names(6));
  expect(new Set(six.tools)).toEqual(new Set(["report_traffic_find"]));
  expect(six.forecast.hostnames).toEqual({ total: 1, names: ["www.a.example"], isByTraffic: true });
  expect((await forecastOfSets(names(500))).tools).not.toEqual([]);
  const many = await forecastOfSets(names(501));
  expect(many.tools).toEqual([]);
  expect(many.forecast.hostnames).toEqual({ unknown: "the change is of more than 500 names" });
});

const held = callsAt(Date.parse("2026-06-10T14:00:00Z"));

it("the write of a whole zone is forecast by what changes in it", async () => {
  const { forecast, lines } = await held.calls.previewed("dns_record_set", {
    ...{ zone: "example.com", name: "www", type: "A", values: ["203.0.113.9"] },
  });
  expect(forecast).toEqual({
    hostnames: { total: 1, names: ["www.example.com"] },
    traffic: { unknown: "the APIs in use have no traffic report" },
    oldAnswers: { seconds: 300 },
  });
  expect(lines).toContain("Resolvers may give the old answers for 5 minutes.");
  const added = await held.calls.previewed("dns_record_set", {
    ...{ zone: "example.com", name: "new", type: "TXT", values: ["a"] },
  });
  expect(added.lines).toContain("For context, resolvers may say for 3 minutes that new records do not exist.");
});

it("a zone that is new, and one that stays the same, have no forecast", async () => {
  const soa = {
    contact: "a.new.example.",
    expire: 1,
    minimum: 1,
    originserver: "ns1.new.example.",
    refresh: 1,
    retry: 1,
  };
  const zone = {
    name: "new.example",
    soa: { ...soa, serial: 1, ttl: 1 },
    a: [{ name: "www", ttl: 60, active: true, target: "192.0.2.1" }],
  };
  const first = await held.calls.previewed("dns_zone_write", { zone: "new.example", body: { token: "new", zone } });
  expect(first.forecast).toBeUndefined();
  const present = (await held.calls.calls.invoke("dns_zone_get", { zone: "example.com" })).body as {
    readonly token: string;
    readonly zone: { readonly soa: { readonly serial: number } };
  };
  const raised = { ...present.zone, soa: { ...present.zone.soa, serial: present.zone.soa.serial + 1 } };
  const same = await held.calls.previewed("dns_zone_write", {
    zone: "example.com",
    body: { ...present, zone: raised },
  });
  expect(same.forecast).toBeUndefined();
  expect(same.outline.map(({ is }) => is)).not.toContain("forecast");
});
