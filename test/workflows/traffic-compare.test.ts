/** The comparison of two periods, with the figures of finer reports of the same traffic, summed here. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type Args, callsAt } from "../lab/calls.js";

const now = Date.UTC(2026, 4, 20, 12, 10);
const here = callsAt(now);

interface Changed {
  readonly before: number;
  readonly now: number;
  readonly change: number;
  readonly changePct: number | null;
}
interface Hour {
  readonly hour: string;
  readonly value: number;
}
interface Compared {
  readonly now: string;
  readonly before: string;
  readonly findings: readonly string[];
  readonly total: Changed;
  readonly explainedBy: readonly (Changed & { readonly cpCode: string; readonly responseClass: string })[];
  readonly byCpCode: readonly (Changed & { readonly cpCode: string })[];
  readonly byResponseClass: readonly (Changed & { readonly responseClass: string })[];
  readonly hours: Readonly<Record<string, { highest: Hour; lowest: Hour; highestBefore: Hour; mostChanged: unknown }>>;
  readonly steps: { readonly notDone?: readonly object[]; readonly done: object };
}
const compare = (args: Args) => here.calls.worked<Compared>("traffic_compare", args);
/** The requests of a period from the report by five minutes, which the comparison never reads. */
async function slots(start: string, end: string, more: Args = { allObjectIds: true }) {
  const args = { reportName: "endpoint-usage-by-time", start, end, interval: "FIVE_MINUTES", metrics: ["edgeHits"] };
  const { body } = await here.calls.answer("report_data_get", { ...args, ...more });
  return (body as { data: Record<string, string>[] }).data.map((row) => ({
    at: String(row["startdatetime"]),
    hits: Number(row["edgeHits"]),
  }));
}
const hitsOf = async (start: string, end: string, more?: Args) =>
  (await slots(start, end, more)).reduce((sum, { hits }) => sum + hits, 0);
/** Each five minutes are rounded to a whole request by themselves. */
const isNear = (value: number | undefined, expected: number) =>
  expect(Math.abs((value ?? Number.NaN) - expected) / expected).toBeLessThan(2e-3);

const day19 = ["2026-05-19T00:00:00Z", "2026-05-20T00:00:00Z"] as const;
const day18 = ["2026-05-18T00:00:00Z", "2026-05-19T00:00:00Z"] as const;

describe("the traffic of yesterday and of the day before", () => {
  it("yesterday's traffic is totalled as in the five-minute report", async () => {
    const { total, now: last, before } = await compare({ period: "yesterday" });
    expect([last, before]).toEqual([day19.join(" to "), day18.join(" to ")]);
    const [earlier, later] = [await hitsOf(...day18), await hitsOf(...day19)];
    isNear(total.before, earlier);
    isNear(total.now, later);
    expect(total.change).toBe(total.now - total.before);
    expect(total.changePct).toBe(Math.round((total.change / total.before) * 1_000) / 10);
  });

  it("yesterday's traffic is explained by the shop's two hours of errors", async () => {
    const { explainedBy, byCpCode, byResponseClass, total } = await compare({ period: "yesterday" });
    const shopErrors = { objectIds: ["12345"], filters: { response_class: ["5xx"] } };
    const found = explainedBy.find(({ cpCode, responseClass }) => cpCode === "12345" && responseClass === "5xx");
    isNear(found?.before, await hitsOf(...day18, shopErrors));
    isNear(found?.now, await hitsOf(...day19, shopErrors));
    for (const group of [byCpCode, byResponseClass]) {
      const change = group.reduce((sum, one) => sum + one.change, 0);
      expect(Math.abs(change - total.change)).toBeLessThan(100);
    }
    const sizes = explainedBy.map(({ change }) => Math.abs(change));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes).toHaveLength(5);
  });

  it("has its peaks at the hours that the five minutes add up to", async () => {
    const { hours, findings } = await compare({ period: "yesterday" });
    for (const [name, more] of [
      ["all", { allObjectIds: true }],
      ["5xx", { allObjectIds: true, filters: { response_class: ["5xx"] } }],
    ] as const) {
      const byHour = new Map<string, number>();
      for (const { at, hits } of await slots(...day19, more)) {
        const hour = `${at.slice(0, 13)}:00:00Z`;
        byHour.set(hour, (byHour.get(hour) ?? 0) + hits);
      }
      const sorted = [...byHour].sort(([, a], [, b]) => b - a);
      expect(hours[name]?.highest.hour).toBe(sorted[0]?.[0]);
      isNear(hours[name]?.highest.value, sorted[0]?.[1] ?? 0);
      expect(hours[name]?.lowest.hour).toBe(sorted.at(-1)?.[0]);
    }
    expect(hours["5xx"]?.highest.hour).toMatch(/^2026-05-19T1[34]:/);
    expect(findings.join()).toContain(`Most server errors: hour ${hours["5xx"]?.highest.hour}`);
  });
});

describe("the periods", () => {
  it.each<[Args, string, string]>([
    [
      { start: "2026-05-10", end: "2026-05-12" },
      "2026-05-10T00:00:00Z to 2026-05-12T00:00:00Z",
      "2026-05-08T00:00:00Z",
    ],
    [{ period: "last_month" }, "2026-04-01T00:00:00Z to 2026-05-01T00:00:00Z", "2026-03-01T00:00:00Z"],
    [
      { start: "2026-05-10T09:00", end: "2026-05-10T12:00", timeZone: "Asia/Tokyo" },
      "2026-05-10T00:00:00Z to 2026-05-10T03:00:00Z",
      "2026-05-09T21:00:00Z",
    ],
  ])("of %j are named in the result", async (args, period, startBefore) => {
    const compared = await compare({ ...args, cpCodes: ["67890"] });
    expect([compared.now, compared.before]).toEqual([period, `${startBefore} to ${period.slice(0, 20)}`]);
  });

  it("today compares with yesterday's same hours, cut to complete data", async () => {
    const compared = await compare({ period: "today", cpCodes: ["67890"] });
    expect(compared.now).toBe("2026-05-20T00:00:00Z to 2026-05-20T11:00:00Z");
    expect(compared.before).toBe("2026-05-19T00:00:00Z to 2026-05-19T11:00:00Z");
    expect(compared.findings.join()).toContain("Data is complete until 2026-05-20T11:40:00Z");
    isNear(compared.total.now, await hitsOf("2026-05-20T00:00Z", "2026-05-20T11:00Z", { objectIds: ["67890"] }));
  });
});

it("a traffic comparison of all CP codes is small, and lists its calls", async () => {
  const compared = await compare({});
  expect(encode(JSON.stringify(compared)).length).toBeLessThan(1_500);
  expect(compared.steps).toEqual({ done: { report_data_get: 6 + 2 * compared.byCpCode.length } });
});

it("a traffic comparison says that the period before is not kept", async () => {
  const compared = await compare({ start: "2026-02-19", end: "2026-02-20" });
  expect(compared.total).toBeUndefined();
  expect(compared.hours["all"]).toBeNull();
  expect(compared.steps.notDone).toHaveLength(3);
  expect(compared.findings[0]).toMatch(/^Reports reach back 90 days, /);
});
