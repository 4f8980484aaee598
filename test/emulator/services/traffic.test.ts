/** What the world's traffic adds up to, wherever a service shows it. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

const { get } = startRaw();
const read = async <T>(target: string) => (await get(target)).json() as T;
const logLines = async (query: string) => {
  const target = `/diagnostic-tools/v2/ghost-locations/frankfurt-germany/log-lines?cpCode=12345&${query}`;
  const { headers, logs } = (await read<{ logLines: { headers: string; logs: string[] } }>(target)).logLines;
  const names = headers.split("\t");
  return logs.map((line) => Object.fromEntries(line.split("\t").map((text, at) => [names[at], text])));
};
const usage = (query: string) =>
  read<{ value: number }[]>(`/billing-center-api/v2/${query}&month=4&year=2026&statisticName=Requests`);
const contract = "contracts/C-1FRYVV3/products/M-SITE-7/measures?";
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

it("log lines are in the order of their times", async () => {
  const times = (await logLines("maxLogLines=1000")).map((line) => Number(line["Epoch Time"]));
  expect(times.length).toBeGreaterThan(100);
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
});

it("log lines fail as often as the requests in reports", async () => {
  const failing = async (endTime: string) => {
    const lines = await logLines(`endTime=${endTime}&maxLogLines=1000&duration=55`);
    return lines.filter((line) => line["HTTP status code"]?.startsWith("5")).length / lines.length;
  };
  // The share of server errors that the reports have: 0.6 percent, and forty times that of fewer requests.
  expect(Math.abs((await failing("2026-05-19T14:00:00Z")) - 0.282)).toBeLessThan(0.06);
  expect(await failing("2026-05-19T16:00:00Z")).toBeLessThan(0.03);
});

it("a sparkline leaves its model only where something is unusual", async () => {
  type Point = Readonly<{ x: string; y: number; high: number; low: number }>;
  const target = "/alerts/v2/sparklines?definitionIds=a%40cp_12345_77&points=0&inclRange=true";
  const points = (await read<{ data: { points: Point[] }[] }>(target)).data.flatMap((line) => line.points);
  const isInIncident = ({ x }: Point) => x >= "2026-05-19T13:00:00Z" && x < "2026-05-19T15:00:00Z";
  const share = (some: readonly Point[]) => some.filter(({ y, high, low }) => y > high || y < low).length / some.length;
  expect(share(points.filter(isInIncident))).toBeGreaterThan(0.3);
  expect(share(points.filter((point) => !isInIncident(point)))).toBeLessThan(0.1);
});

it("usage cumulates a month as of its billing day", async () => {
  const [whole] = await usage(`${contract}billingDayOnly=true`);
  expect(whole?.value).toBeCloseTo(sum((await usage(contract)).map(({ value }) => value)), 1);
});

it("usage bills the requests in reports", async () => {
  const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
  const period = "start=2026-04-01T00:00:00Z&end=2026-04-02T00:00:00Z&interval=DAY&metrics=edgeHits";
  const codes = "objectIds=12345,67890,67891,67892";
  const { data } = await read<{ data: { edgeHits: string }[] }>(`${report}?${period}&${codes}`);
  const [day] = await usage(contract);
  expect(day?.value).toBeCloseTo(Number(data[0]?.edgeHits) / 1e6, 2);
});
