/** The documents' rules for billing usage, contracts and the portal's alerts, asked of the emulator in raw HTTP. */
import { expect, it } from "vitest";
import { startRaw } from "../lab/raw.js";
import { rule } from "../lab/rules.js";

interface Usage {
  readonly date: string;
  readonly value: number;
  readonly final: boolean;
  readonly statistic: { readonly name: string; readonly unit: string };
}
const { get, ask, send } = startRaw();
const measures = "/billing-center-api/v2/contracts/C-1FRYVV3/products/M-SITE-7/measures";
const usage = async (query: string) => (await get(`${measures}?${query}`)).json() as Usage[];

rule("usage-daily-value", "usage has one value per day and statistic, up to today", async () => {
  const april = await usage("month=4&year=2026");
  const keys = april.map(({ date, statistic }) => `${date} ${statistic.name}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(30 * 2);
  expect(keys[0]).toBe("2026-04-01 Bytes Delivered");
  expect((await usage("month=5&year=2026&statisticName=Requests")).map(({ date }) => date).at(-1)).toBe("2026-05-20");
  expect(await usage("month=6&year=2026")).toEqual([]);
});

rule("usage-all-statistics", "usage has all statistics by default, and an unknown one is refused", async () => {
  const names = new Set((await usage("month=4&year=2026")).map(({ statistic }) => statistic.name));
  const listed = (await get(measures.replace("measures", "statistics"))).json() as { name: string; unit: string }[];
  expect([...names].sort()).toEqual(listed.map(({ name }) => name).sort());
  expect((await get(`${measures}?statisticName=Nonsense`)).status).toBe(400);
});

rule("usage-final", "is final for days long past and not for the last ones", async () => {
  const may = await usage("month=5&year=2026&statisticName=Requests");
  expect(may[0]).toMatchObject({ date: "2026-05-01", final: true });
  expect(may.at(-1)).toMatchObject({ date: "2026-05-20", final: false });
  expect(await usage("month=5&year=2026&statisticName=Requests")).toEqual(may);
});

rule("usage-billing-day", "cumulates a month as of its end when only the billing day is wanted", async () => {
  const days = await usage("month=4&year=2026&statisticName=Requests");
  const [only, ...rest] = await usage("month=4&year=2026&statisticName=Requests&billingDayOnly=true");
  expect(rest).toEqual([]);
  expect(only?.date).toBe("2026-04-30");
  const sum = days.reduce((total, { value }) => total + value, 0);
  expect(only?.value).toBeCloseTo(sum, 1);
});

rule("usage-forms-exclusive", "refuses a mixture of both forms, and either in part", async () => {
  for (const query of ["month=4", "fromMonth=3&fromYear=2026", "month=4&year=2026&fromMonth=3&fromYear=2026"])
    expect([query, (await get(`${measures}?${query}`)).status]).toEqual([query, 400]);
  const range = await usage("fromMonth=3&fromYear=2026&toMonth=4&toYear=2026&statisticName=Requests");
  expect(range).toHaveLength(61);
  expect((await get(`${measures}?fromMonth=4&fromYear=2026&toMonth=3&toYear=2026`)).json()).toMatchObject({
    code: "billing.period.invalid",
    details: [{ field: "toMonth" }],
  });
});

const contracts = "/contract-api/v1/contracts";

rule("contract-depth", "lists parents alone, and children with ALL", async () => {
  const top = (await get(`${contracts}/identifiers?depth=TOP`)).json();
  expect(top).toEqual(["C-1FRYVV3", "3-MADEUP", "3-EXPIRED"]);
  expect((await get(`${contracts}/identifiers`)).json()).toEqual(top);
  const all = (await get(`${contracts}/identifiers?depth=ALL`)).json();
  expect(all).toEqual(["C-1FRYVV3", "3-MADEUP", "C-1FRYVV4", "3-EXPIRED"]);
});

rule("contract-group-300", "products: 200 for a one-contract group, 300 with links for several", async () => {
  const groups = "/contract-api/v1/reportingGroups";
  expect((await get(`${groups}/11111/products/summaries`)).json()).toMatchObject({
    products: { contractId: "C-1FRYVV3" },
  });
  const several = await get(`${groups}/22222/products/summaries`);
  expect(several.status).toBe(300);
  for (const { href } of (several.json() as { contracts: { href: string }[] }).contracts)
    expect((await get(href)).status).toBe(200);
  expect((await get(`${groups}/99999/products/summaries`)).status).toBe(404);
  const listed = (await get(`${groups}/`)).json() as { id: number }[];
  expect((await get(`${groups}/identifiers`)).json()).toEqual(listed.map(({ id }) => id));
});

const products = (contract: string, query: string) => get(`${contracts}/${contract}/products/summaries?${query}`);

rule("contract-dates-default", "takes 30 days ago and today for dates that are left out", async () => {
  expect((await get(`${contracts}/C-1FRYVV3/products/summaries`)).status).toBe(200);
  expect((await get(`${contracts}/3-EXPIRED/products/summaries`)).status).toBe(200);
  expect((await products("C-1FRYVV3", "to=2026-05-21")).json()).toMatchObject({
    status: "400",
    errors: [{ title: "to", detail: "To date must be on or before the current date" }],
  });
});

rule("contract-dates-whole-days", "takes one day as a whole, today too, and no day that there is not", async () => {
  expect((await products("C-1FRYVV3", "from=2026-05-20&to=2026-05-20")).status).toBe(200);
  expect((await products("C-1FRYVV3", "from=2026-05-20&to=2026-05-19")).status).toBe(400);
  for (const from of ["2026-02-30", "2026-04-31", "2026-5-1"])
    expect((await products("C-1FRYVV3", `from=${from}`)).json()).toMatchObject({ errors: [{ title: "from" }] });
});

rule("contract-dates-window", "takes a current contract's dates 15 months back, and not one day more", async () => {
  expect((await products("C-1FRYVV3", "from=2025-02-20")).status).toBe(200);
  expect((await products("C-1FRYVV3", "from=2025-02-19")).json()).toMatchObject({
    errors: [{ title: "from", detail: "From date must be within 15 months in past from the current date" }],
  });
});

rule("contract-dates-expired", "takes 30 days of an expired contract, inside the 15 months", async () => {
  expect((await products("3-EXPIRED", "from=2025-06-01&to=2025-07-01")).status).toBe(200);
  expect((await products("3-EXPIRED", "from=2025-06-01&to=2025-07-02")).status).toBe(400);
  expect((await products("C-1FRYVV3", "from=2025-06-01&to=2025-07-02")).status).toBe(200);
});

const alerts = "/alerts/v1/portal-user";
interface List {
  readonly alertList: {
    readonly alerts: { readonly id: number; readonly startDate: string }[];
    readonly errorString: null;
  };
}

rule("portalalert-active-only", "needs the status active", async () => {
  expect((await get(alerts)).status).toBe(400);
  expect((await get(`${alerts}?status=closed`)).status).toBe(400);
  expect(((await get(`${alerts}?status=active`)).json() as List).alertList.alerts.map(({ id }) => id)).toEqual([2072]);
});

const ids = (answer: { json(): unknown }) => (answer.json() as List).alertList.alerts.map(({ id }) => id);

rule("portalalert-cp-codes", "limits the list to CP codes, by query and by body", async () => {
  expect(ids(await get(`${alerts}?status=active&cpCodes=12346,99`))).toEqual([2072]);
  expect(ids(await get(`${alerts}?status=active&cpCodes=67890`))).toEqual([]);
  const found = (cpCodes: string) => send("POST", `${alerts}?status=active`, { status: "active", cpCodes });
  expect([ids(await found("12345,12346")), ids(await found("12345"))]).toEqual([[2072], []]);
  expect((await ask({ method: "POST", target: `${alerts}?status=active` })).status).toBe(400);
});

it("lists exactly what alerts v2 says is firing, at any time", async () => {
  const raw = startRaw();
  const both = async () => {
    const v1 = (await raw.get(`${alerts}?status=active`)).json() as List;
    const v2 = (await raw.get("/alerts/v2/alert-firings/active")).json() as { data: { definitionId: string }[] };
    return [v1.alertList.alerts.map(({ id }) => id), v2.data.map(({ definitionId }) => Number(definitionId.slice(2)))];
  };
  const fields = { templateId: "s@1", name: "Any traffic", aca_cpcode: ["67890"], param: 0.1 };
  expect((await raw.send("POST", "/alerts/v2/alert-definitions", { fields })).status).toBe(201);
  expect(await both()).toEqual([[2072], [2072]]);
  raw.world.advance(300_000);
  expect(await both()).toEqual(Array(2).fill([2072, 3000]));
  await raw.ask({ method: "DELETE", target: "/alerts/v2/alert-definitions/s%402072" });
  expect(await both()).toEqual([[3000], [3000]]);
});

rule("portalalert-start-date", "calls the first hours of a day's halves 12, AM before PM", async () => {
  for (const [hour, text] of [
    [0, "12:05 AM"],
    [11, "11:05 AM"],
    [12, "12:05 PM"],
  ] as const) {
    const raw = startRaw();
    const fields = { templateId: "s@1", name: "Any traffic", aca_cpcode: ["12345"], param: 0.1 };
    raw.world.advance(Date.UTC(2026, 4, 21, hour) - raw.world.now());
    await raw.send("POST", "/alerts/v2/alert-definitions", { fields });
    raw.world.advance(300_000);
    const { alertList } = (await raw.get(`${alerts}?status=active&cpCodes=12345`)).json() as List;
    expect(alertList.alerts[0]?.startDate).toBe(`May 21, 2026 ${text}`);
  }
});

rule("portalalert-details-active", "gives details of an active alert, and none of another", async () => {
  const alertDetails = { id: 2072, threshold: "5", attributes: { cpCode: "12346" }, network: "both" };
  expect((await get(`${alerts}/alert/2072`)).json()).toMatchObject({ alertDetails });
  // It fired in the incident, and does not now.
  expect((await get(`${alerts}/alert/1623`)).status).toBe(404);
  expect((await get(`${alerts}/alert/9999`)).status).toBe(404);
});

it("usage bills the requests in reports, and nothing without traffic", async () => {
  const [day] = await usage("month=4&year=2026&statisticName=Requests");
  const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
  const period = "start=2026-04-01T00:00:00Z&end=2026-04-02T00:00:00Z&interval=DAY&metrics=edgeHits";
  const { data } = (await get(`${report}?${period}&objectIds=12345,67890,67891,67892`)).json() as {
    data: { edgeHits: string }[];
  };
  expect(day?.value).toBeCloseTo(Number(data[0]?.edgeHits) / 1e6, 2);
  const group = "/billing-center-api/v2/reporting-groups/22222/products/M-SITE-7/measures";
  const grouped = (await get(`${group}?month=4&year=2026&statisticName=Requests`)).json() as Usage[];
  expect(grouped[0]?.value).toBe(day?.value);
  const unused = (await get(measures.replace("C-1FRYVV3", "3-MADEUP"))).json() as Usage[];
  expect(new Set(unused.map(({ value }) => value))).toEqual(new Set([0]));
  expect((await get(measures.replace("C-1FRYVV3", "3-MADEUP").replace("M-SITE-7", "M-API-2"))).status).toBe(404);
});
