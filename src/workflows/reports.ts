/** Traffic reports: their list, and a chart of one or of a stored result, described in words. */
import { chartKinds, units } from "../answers/charts/figures.js";
import { type WorkflowContext, workflow } from "../calls/workflow.js";
import type { AnswerDisplay, Arguments } from "../language/conduct.js";
import { Failure, quoteValue } from "../language/failure.js";
import { isRecord, memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { rowsIn } from "../rows/index.js";
import { dayMs, hourMs } from "../time/durations.js";
import { hasOffset, isInstant, readInstant } from "../time/instant.js";
import { TimeZone } from "../time/period.js";
import { Names } from "../tools/fields.js";
import { type ReportType, reportTypes } from "../tools/reporting/catalogue.js";
import { bareHandle } from "./kept-results.js";

const noInterval = "no interval";

const inBrief = ({ name, version, description, intervals }: ReportType) => ({
  name,
  version,
  measures: description,
  intervals: intervals?.join(" ") ?? noInterval,
});

export const reportTypeList = workflow({
  title: "Traffic report types",
  does: "Lists the traffic reports for report_data_get and report_data_find: name, version, what each measures, and its intervals; with report, the metrics and filters of one.",
  input: z.strictObject({
    report: z
      .enum(reportTypes.map(({ name }) => name))
      .optional()
      .describe("Show this report in full"),
  }),
  example: { report: "endpoint-usage-by-time" },

  async run({ report: wanted }) {
    const report = reportTypes.find(({ name }) => name === wanted);
    if (report) return { report: { ...report, intervals: report.intervals ?? noInterval } };
    return { reports: reportTypes.map(inBrief) };
  },
});

const reportTool = "report_data_get";

const input = z.strictObject({
  report: z.record(z.string(), z.unknown()).optional().describe(`Arguments of ${reportTool}`),
  result: z.string().optional().describe("Or a stored result's handle"),
  kind: z.enum(chartKinds).optional().describe("heatmap: hour by day"),
  metrics: Names.optional(),
  by: z.string().optional(),
  timeZone: TimeZone.optional(),
  title: z.string().max(120).optional(),
});
type Input = z.output<typeof input>;

/** The data to draw, and what came with it. */
interface Source {
  readonly value: unknown;
  readonly shows?: AnswerDisplay | undefined;
  readonly notes: readonly string[];
  readonly details: readonly string[];
}

const refused = (field: string, takes: string, given?: string): Failure =>
  new Failure("invalid_input", `The chart was not drawn: ${field} does not fit.`, {
    fields: [{ field, ...(given === undefined ? {} : { given: quoteValue(given) }), takes }],
    next: `Give report with the arguments of ${reportTool}, or result with a handle.`,
  });

/** A stored result, by its handle or its URI. */
async function storedSource(handle: string, { results }: WorkflowContext): Promise<Source> {
  const stored = await results.get(bareHandle(handle));
  if (stored === undefined)
    throw refused("result", "the handle of a result that is still stored, for this client", handle);
  const { content, shows } = stored;
  return { value: await results.whole(content), shows, notes: [], details: [] };
}

/** The problem of an argument of the report, named as the caller gave it. */
function withinReport(error: unknown): unknown {
  if (!(error instanceof Failure) || error.detail.fields === undefined) return error;
  const fields = error.detail.fields.map((one) => ({ ...one, field: `report.${one.field}` }));
  return new Failure(error.code, error.message, { ...error.detail, fields });
}

const listText = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value));

/** Whether the zone affects the report's period; the tool accepts none otherwise. */
const needsZone = ({ period, start, end }: Arguments): boolean =>
  period !== undefined || [start, end].some((time) => typeof time === "string" && !hasOffset(time));

/** A report, run like its own tool. */
async function reportSource(request: Input, report: Arguments, { invoke }: WorkflowContext): Promise<Source> {
  const { metrics, timeZone } = request;
  const { body, notes } = await invoke(reportTool, {
    ...(metrics === undefined ? {} : { metrics }),
    ...(timeZone !== undefined && needsZone(report) ? { timeZone } : {}),
    ...report,
  }).catch((error: unknown) => {
    throw withinReport(error);
  });
  const { objectIds, filters, interval, period, start, end } = report;
  // Values over time determine their period themselves.
  const span = interval === undefined ? [String(period ?? `${start} – ${end}`)] : [];
  const objects = objectIds === undefined ? [] : [listText(objectIds)];
  const filtered = isRecord(filters)
    ? Object.entries(filters).map(([name, values]) => `${name} ${listText(values)}`)
    : [];
  return { value: body, notes, details: [...span, ...objects, ...filtered] };
}

type Metric = ReportType["metrics"][number];
const unitOf = ({ unit }: Metric) => (unit === "STRING" ? units.number : units[unit]);

/** What is declared of a column of a report. */
function declaredIn(type: ReportType | undefined) {
  const metrics = new Map(type?.metrics.map((metric) => [metric.name, metric]));
  return (column: string) => {
    const metric = metrics.get(column);
    return metric && { label: metric.label, unit: unitOf(metric) };
  };
}

const lengths: Readonly<Record<string, number>> = {
  FIVE_MINUTES: 300_000,
  HOUR: hourMs,
  DAY: dayMs,
  WEEK: 7 * dayMs,
  MONTH: 30 * dayMs,
};

/** The period for which a report has all data, and the length of its steps. */
function periodOf(report: unknown) {
  const at = (name: string) => {
    const time = memberAt(report, `metadata.${name}`);
    return typeof time === "string" && isInstant(time) ? [readInstant(time)] : [];
  };
  const until = [...at("end"), ...at("availableDataEnds")];
  return {
    measured: { from: at("start")[0], until: until.length === 0 ? undefined : Math.min(...until) },
    stepMs: lengths[String(memberAt(report, "metadata.interval"))],
  };
}

const missingEngine =
  "There is no image, because the library for images (@resvg/resvg-js, an optional dependency) is not installed for this platform; the sentences, and the SVG if it is stored, have all of its content.";

export const reportChart = workflow({
  title: "Chart of a report",
  does: "Draws a graph of a report or stored result, with its extremes in words.",
  input,
  argumentsOf: { report: reportTool },
  steps: [
    `Run the report with ${reportTool}, or read the stored result.`,
    "Find the column of times and the columns of numbers; if a column is named, group by it, with the largest groups separate and the rest summed.",
    "Draw it with ticks at midnights in the time zone and a mark at the maximum, and describe it in words.",
  ],
  draws: true,
  example: {
    report: { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "HOUR" },
    metrics: ["edgeHits"],
  },

  async run(request, context) {
    const { report, result, kind = "line", metrics, by, timeZone = "UTC", title } = request;
    if ((report === undefined) === (result === undefined))
      throw refused(report === undefined ? "report" : "result", "one of report and result, and not both");
    const { value, shows, notes, details } =
      result === undefined ? await reportSource(request, report ?? {}, context) : await storedSource(result, context);
    const name = memberAt(value, "metadata.name");
    const type = reportTypes.find((one) => one.name === name);
    const [{ chartOf }, { pngOf }] = await Promise.all([
      import("../answers/charts/index.js"),
      import("../answers/charts/png.js"),
    ]);
    const drawn = chartOf(rowsIn(value, shows)?.rows ?? value, {
      kind,
      metrics,
      by,
      zone: timeZone,
      title: title ?? type?.description.replace(/\.$/, ""),
      details,
      declared: declaredIn(type),
      ...(type === undefined ? {} : periodOf(value)),
      sanitize: context.shown,
    });
    const png = await pngOf(drawn.svg);
    context.show({ what: "chart", svg: drawn.svg, png, inBlocks: drawn.inBlocks });
    const said = [...notes, ...drawn.notes, ...(png === undefined ? [missingEngine] : [])];
    return { shows: drawn.says, timeZone, ...(said.length === 0 ? {} : { notes: said }) };
  },
});
