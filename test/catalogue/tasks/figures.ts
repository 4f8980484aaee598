/** The figures that answer the tasks, worked out here from what the upstream has and not from how it is shown. */
import type { Args } from "../../lab/calls.js";

/** What the upstream itself answers to a read, before anything is done with it. */
type Raw = (tool: string, args?: Args) => Promise<unknown>;
type Figures = (raw: Raw) => Promise<readonly (string | number)[]>;
type Row = Readonly<Record<string, unknown>>;

/** The rows at a path of a body. */
const rowsAt = (body: unknown, path = ""): readonly Row[] =>
  path
    .split(".")
    .filter((step) => step !== "")
    .reduce<unknown>((value, step) => (value as Row)[step], body) as readonly Row[];

const sumOf = (rows: readonly Row[], member: string): number => rows.reduce((sum, row) => sum + Number(row[member]), 0);

/** The row with the largest value, the first of several. */
const largestOf = (rows: readonly Row[], member: string): Row =>
  rows.reduce((most, row) => (Number(row[member]) > Number(most[member]) ? row : most));

/** The sums of a member by a key of each row. */
function sumsBy(rows: readonly Row[], keyOf: (row: Row) => string, member?: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, (sums.get(key) ?? 0) + (member === undefined ? 1 : Number(row[member])));
  }
  return sums;
}

/** An instant as a table writes it, and as an aggregate does. */
const toMinute = (instant: unknown): string => {
  const at = typeof instant === "number" ? new Date(instant * 1000).toISOString() : String(instant);
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
};
const asAggregate = (instant: unknown): string => `${toMinute(instant).replace(" ", "T")}Z`;

const week = { start: "2026-05-13T12:00:00Z", end: "2026-05-20T12:00:00Z", interval: "HOUR" };
const hitsOf = async (raw: Raw, objects: Args) =>
  rowsAt(
    await raw("report_data_get", { reportName: "endpoint-usage-by-time", metrics: ["edgeHits"], ...week, ...objects }),
    "data",
  );

const productionActivations: Figures = async (raw) => {
  const all = rowsAt(await raw("property_activations_list", { propertyId: "prp_175780" }), "activations.items");
  return all
    .filter(({ network }) => network === "PRODUCTION")
    .map(
      ({ activationId, propertyVersion, network, status, submitDate }) =>
        `${activationId},${propertyVersion},${network},${status},${toMinute(submitDate)}`,
    );
};

/** By the seed of a task; those of today where they differ. */
export const figures: Readonly<Record<number, { readonly documents: Figures; readonly today?: Figures }>> = {
  1: {
    documents: async (raw) => {
      const rows = await hitsOf(raw, { objectIds: ["12345"] });
      const peak = largestOf(rows, "edgeHits");
      return [Number(peak["edgeHits"]), asAggregate(peak["startdatetime"]), sumOf(rows, "edgeHits")];
    },
  },
  2: {
    documents: async (raw) => {
      const tokyoHourOf = ({ startdatetime }: Row) => String((new Date(String(startdatetime)).getUTCHours() + 9) % 24);
      const sums = sumsBy(await hitsOf(raw, { allObjectIds: true }), tokyoHourOf, "edgeHits");
      return [[...sums].reduce((most, one) => (one[1] > most[1] ? one : most)).join(",")];
    },
  },
  4: {
    documents: async (raw) => {
      const sums: [code: string, sum: number][] = [];
      for (const code of ["12345", "12346", "67890"])
        sums.push([code, sumOf(await hitsOf(raw, { objectIds: [code] }), "edgeHits")]);
      const all = sums.reduce((total, [, sum]) => total + sum, 0);
      return sums
        .sort(([, a], [, b]) => b - a)
        .map(([code, sum]) => `${code},${sum},${Number(((sum / all) * 100).toFixed(2))}`);
    },
  },
  6: {
    documents: async (raw) => {
      const asked = { endTime: "2026-05-19T14:30:00Z", cpCode: 12345, maxLogLines: 200 };
      const body = await raw("diag_location_logs_list", { locationId: "tokyo-japan", ...asked });
      const { headers, logs } = (body as { logLines: { headers: string; logs: readonly string[] } }).logLines;
      const at = headers.split("\t").indexOf("HTTP status code");
      const lines = logs.map((line) => ({ status: line.split("\t")[at] }));
      return [...sumsBy(lines, ({ status }) => String(status))].map((one) => one.join(","));
    },
  },
  14: {
    documents: async (raw) => {
      const body = await raw("dns_zone_get", { zone: "example.com" });
      const of = (type: string, name: string) =>
        rowsAt(body, `zone.${type}`).filter((row) => (row["name"] ?? "") === name);
      const [mail] = of("mx", "");
      return [...of("a", "www"), ...of("aaaa", "www")]
        .map(({ target }) => String(target))
        .concat(`"priority":${mail?.["priority"]},"target":"${mail?.["target"]}"`);
    },
    today: async (raw) => {
      const body = await raw("dns_recordsets_list", { zone: "example.com", showAll: true });
      const wanted = rowsAt(body, "recordsets").filter(
        ({ name, type }) => (name === "www.example.com" && /^A+$/.test(String(type))) || type === "MX",
      );
      return wanted.flatMap(({ rdata }) => rdata as string[]);
    },
  },
  15: { documents: productionActivations },
  19: {
    documents: async (raw) => {
      const { queueLength } = (await raw("purge_queue_get", { queueName: "default" })) as Row;
      return ["Nothing was changed", "HTTP 201", `queueLength: ${queueLength}`];
    },
    today: async () => ["Nothing was changed", "HTTP 201", "estimatedSeconds: 5"],
  },
  24: {
    documents: async (raw) => {
      const body = await raw("media_data_get", {
        ...{ family: "audience-analytics", reportPackId: 6831, aggregation: "3600" },
        ...{ startDate: "2026-05-19T00:00:00Z", endDate: "2026-05-20T00:00:00Z" },
        ...{ dimensions: ["1"], metrics: ["43"] },
      });
      const { rows } = body as { rows: readonly (readonly [string, string])[] };
      const peak = largestOf(
        rows.map(([at, viewers]) => ({ at: Number(at), viewers })),
        "viewers",
      );
      return [`"max(Concurrent Viewers)":${Number(peak["viewers"])}`, asAggregate(peak["at"])];
    },
  },
  29: {
    documents: async (raw) => {
      const args = { sourceGroupId: 33_333, destinationGroupId: 44_444 };
      return rowsAt(await raw("user_affected_users_list", args)).map((one) => String(one["email"]));
    },
  },
  34: {
    documents: async (raw) => {
      const coming = rowsAt(await raw("events_list")).filter(
        ({ start }) => Number(start) > Date.parse("2026-05-20T12:10:00Z"),
      );
      const [next] = [...coming].sort((a, b) => Number(a["start"]) - Number(b["start"]));
      const at = new Date(Number(next?.["start"])).toISOString().replace(".000", "");
      return [`${next?.["name"]}`, `${next?.["start"]} = ${at}`, Number(next?.["audienceSize"])];
    },
    today: async (raw) => {
      const { name, start, audienceSize } = (await raw("event_get", { eventId: 20_051 })) as Row;
      return [String(name), String(start), Number(audienceSize)];
    },
  },
};
