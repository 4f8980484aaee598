/** Compares the traffic of two periods: totals, the groups that changed most, and unusual hours. */
import { workflow } from "../calls/workflow.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";
import { hourMs } from "../time/durations.js";
import { isoText, readInstant } from "../time/instant.js";
import { Names } from "../tools/fields.js";
import { incompleteNotes, type Steps, startSteps, stepsInBrief } from "./steps.js";
import { type PastPeriod, pastPeriod, type Span, spanBefore, spanOf, spanText } from "./two-periods.js";

const Report = z.looseObject({
  metadata: z.looseObject({ availableDataEnds: z.string().nullish(), objectIds: z.array(z.string()) }),
  data: z.array(z.record(z.string(), z.string())),
});
type Answer = z.output<typeof Report>;
type Row = Readonly<Record<string, string>>;

/** Report data is kept for 90 days (document A, "Reporting"). */
const keptMs = 90 * 24 * hourMs;
const maxCpCodes = 10;
const maxGroups = 5;
const defaultPeriod = "last_7d";
const serverErrors = "5xx";

const classOf = (row: Row): string => `${(row["response_code"] ?? "?")[0]}xx`;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Two figures with their difference; without a percentage if the earlier one is zero. */
function figureChange(before: number, now: number) {
  return { before, now, change: now - before, changePct: before === 0 ? null : round(((now - before) / before) * 100) };
}
type FigureChange = ReturnType<typeof figureChange>;

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toLocaleString("en-US")}`;
const inWords = ({ before, now, change, changePct }: FigureChange): string =>
  `${before.toLocaleString("en-US")} before, ${now.toLocaleString("en-US")} now: ${signed(change)}${changePct === null ? "" : ` (${signed(changePct)}%)`}`;

/** Figures added up by key. */
function sumByKey(figures: readonly (readonly [key: string, value: number])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, value] of figures) found.set(key, (found.get(key) ?? 0) + value);
  return found;
}
/** The figures of rows by class. */
const byClass = (rows: readonly Row[], metric: string): Map<string, number> =>
  sumByKey(rows.map((row) => [classOf(row), Number(row[metric] ?? 0)]));
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

type Sides = readonly [before: Map<string, number>, now: Map<string, number>];
/** The change of each group on either side, largest first. */
const changesByGroup = ([before, now]: Sides): readonly (readonly [string, FigureChange])[] =>
  [...new Set([...before.keys(), ...now.keys()])]
    .map((key) => [key, figureChange(before.get(key) ?? 0, now.get(key) ?? 0)] as const)
    .sort(([, a], [, b]) => Math.abs(b.change) - Math.abs(a.change));

interface TrafficQuery {
  readonly steps: Steps;
  readonly metric: string;
  readonly cpCodes: readonly string[] | undefined;
}

function readReport(
  { steps, metric, cpCodes }: TrafficQuery,
  step: string,
  reportName: string,
  span: Span,
  more: object,
) {
  const objects = cpCodes === undefined ? { allObjectIds: true } : { objectIds: cpCodes };
  const [start, end] = [isoText(span.start), isoText(span.end)];
  const args = { reportName, version: 1, start, end, metrics: [metric], ...objects, ...more };
  return steps.call(step, "report_data_get", args, Report);
}
const byCode = (asked: TrafficQuery, step: string, span: Span) =>
  readReport(asked, step, "endpoint-usage-by-response-code", span, {});
const byHour = (asked: TrafficQuery, step: string, span: Span, filters?: object) =>
  readReport(asked, step, "endpoint-usage-by-time", span, { interval: "HOUR", ...(filters ? { filters } : {}) });

/** The hours of a report that are entirely within a period, each by its first instant. */
function hoursIn(rows: readonly Row[], metric: string, { start, end }: Span): Map<number, number> {
  const hours = rows.map((row) => [readInstant(row["startdatetime"]), Number(row[metric] ?? 0)] as const);
  return new Map(hours.filter(([at]) => at >= start && at + hourMs <= end));
}

/** The first hour with the highest value, or with the lowest one if `sign` is -1. */
const extreme = (hours: Map<number, number>, sign: 1 | -1) => {
  const [found] = [...hours].sort(([, a], [, b]) => sign * (b - a));
  return found && { hour: isoText(found[0]), value: found[1] };
};

/** The unusual hours, and the one that differs most from its counterpart in the other period. */
function unusualHours(before: Map<number, number>, now: Map<number, number>, laterBy: number) {
  const pairs = [...now].flatMap(([at, value]) => {
    const earlier = before.get(at - laterBy);
    return earlier === undefined ? [] : [{ hour: isoText(at), ...figureChange(earlier, value) }];
  });
  pairs.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return {
    highest: extreme(now, 1) ?? null,
    lowest: extreme(now, -1) ?? null,
    highestBefore: extreme(before, 1) ?? null,
    mostChanged: pairs[0] ?? null,
  };
}

/** The traffic of each CP code by class, and the remainder of the total for those that were not read one by one. */
async function byCpCode(query: TrafficQuery, ids: readonly string[], spans: readonly [Span, Span], total: Sides) {
  const cells: Sides = [new Map(), new Map()];
  const left: Sides = [new Map(total[0]), new Map(total[1])];
  let isWhole = true;
  for (const id of ids) {
    const codeQuery = { ...query, cpCodes: [id] };
    const sides = await Promise.all(
      spans.map((span, at) => byCode(codeQuery, `CP code ${id}, ${at === 0 ? "before" : "now"}`, span)),
    );
    if (sides.includes(undefined)) isWhole = false;
    else
      for (const [at, side] of sides.entries())
        for (const [name, value] of byClass(side?.data ?? [], query.metric)) {
          cells[at]?.set(`${id} ${name}`, value);
          left[at]?.set(name, (left[at].get(name) ?? 0) - value);
        }
  }
  return { cells, left, isWhole };
}

const cpCodeOf = (cell: string): string => cell.split(" ")[0] ?? "";
const foldCells = (cells: Sides, keyOf: (cell: string) => string): Sides => {
  const fold = (side: Map<string, number>) => sumByKey([...side].map(([cell, value]) => [keyOf(cell), value]));
  return [fold(cells[0]), fold(cells[1])];
};

/** Both periods, limited to the full hours with complete data. */
function completePeriods(completeUntil: number, whole: Span, period: PastPeriod, nowMs: number) {
  const now = { ...whole, end: Math.min(whole.end, Math.floor(completeUntil / hourMs) * hourMs) };
  if (now.end <= now.start) now.end = whole.end;
  const isCut = now.end < whole.end;
  const earlier = spanBefore(period, whole, nowMs);
  const before = isCut ? { ...earlier, end: Math.min(earlier.end, earlier.start + now.end - now.start) } : earlier;
  return { now, before, isCut };
}

/** The changes in total and by group, and the findings among them. */
async function changesOf(query: TrafficQuery, spans: readonly [Span, Span], before: Answer, now: Answer) {
  const { metric } = query;
  const classes: Sides = [byClass(before.data, metric), byClass(now.data, metric)];
  const total = figureChange(sum(classes[0].values()), sum(classes[1].values()));
  const ids = now.metadata.objectIds;
  const { cells, left, isWhole } = await byCpCode(query, ids.slice(0, maxCpCodes), spans, classes);
  if (!isWhole || ids.length > maxCpCodes)
    for (const [at, side] of left.entries()) for (const [name, value] of side) cells[at]?.set(`others ${name}`, value);
  const groups = changesByGroup(cells).slice(0, maxGroups);
  const greatest = groups.slice(0, 2).filter(([, { change }]) => change !== 0);
  return {
    findings: [
      `${metric}: ${inWords(total)}.`,
      ...greatest.map(([cell, change]) => `CP code ${cell}: ${inWords(change)}.`),
    ],
    figures: {
      total,
      explainedBy: groups.map(([cell, change]) => ({
        cpCode: cpCodeOf(cell),
        responseClass: cell.split(" ")[1],
        ...change,
      })),
      byCpCode: changesByGroup(foldCells(cells, cpCodeOf)).map(([cpCode, change]) => ({ cpCode, ...change })),
      byResponseClass: changesByGroup(classes).map(([responseClass, change]) => ({ responseClass, ...change })),
    },
  };
}

type UnusualHours = ReturnType<typeof unusualHours>;

function* hourFindings(all: UnusualHours | undefined, errors: UnusualHours | undefined): Generator<string> {
  if (all?.highest) yield `Busiest hour: ${all.highest.hour}, ${all.highest.value.toLocaleString("en-US")}.`;
  if (errors?.highest)
    yield `Most server errors: hour ${errors.highest.hour}, ${errors.highest.value.toLocaleString("en-US")}.`;
}

export const trafficCompare = workflow({
  title: "Comparison of the traffic of two periods",
  does: "Reports what changed in traffic since the previous period, by CP code, response class and hour.",
  input: z.strictObject({
    ...pastPeriod(defaultPeriod),
    cpCodes: Names.optional(),
    metric: z.enum(["edgeHits", "edgeBytes"]).optional(),
  }),
  steps: [
    "Read the traffic of the period by hour, and the time up to which its data is complete; both periods are limited to that.",
    "Read the traffic of both periods by response code, and by hour for all requests and for server errors.",
    `Read each of the first ${maxCpCodes} CP codes by response code in both periods; the others are the remainder of the total.`,
  ],
  example: { period: "last_7d" },
  // One line for all tools that answer a question in one call, because the instructions are read with every connection.
  introduction: introduction`In one call: ${"diagnosis_run"} of a URL, ${"traffic_compare"}, ${"usage_summary"}, ${"change_timeline"}, ${"expiry_report"}, ${"report_chart"}.`,

  async run({ cpCodes, metric = "edgeHits", ...periodInput }, context) {
    const nowMs = Date.now();
    const whole = spanOf("traffic_compare", periodInput, defaultPeriod, nowMs);
    const steps = startSteps(context);
    const query: TrafficQuery = { steps, metric, cpCodes: cpCodes && [...new Set(cpCodes)] };
    const first = await byHour(query, "by hour, now", whole);
    const completeUntil = readInstant(first?.metadata.availableDataEnds ?? isoText(whole.end));
    const { now, before, isCut } = completePeriods(completeUntil, whole, periodInput, nowMs);
    const filters = { response_class: [serverErrors] };
    const [codesBefore, codesNow, hoursBefore, errorsBefore, errorsNow] = await Promise.all([
      byCode(query, "by response code, before", before),
      byCode(query, "by response code, now", now),
      byHour(query, "by hour, before", before),
      byHour(query, "server errors by hour, before", before, filters),
      byHour(query, "server errors by hour, now", now, filters),
    ]);
    const changes = codesBefore && codesNow ? await changesOf(query, [before, now], codesBefore, codesNow) : undefined;
    const standOut = (a: Answer | undefined, b: Answer | undefined) =>
      a && b && unusualHours(hoursIn(a.data, metric, before), hoursIn(b.data, metric, now), now.start - before.start);
    const [hours, errors] = [standOut(hoursBefore, first), standOut(errorsBefore, errorsNow)];
    const findings = [...(changes?.findings ?? []), ...hourFindings(hours, errors)];
    if (isCut)
      findings.push(`Data is complete until ${isoText(completeUntil)}, so both periods are limited to its full hours.`);
    if (before.start < nowMs - keptMs)
      findings.push(`Reports reach back 90 days, which is later than ${isoText(before.start)}.`);
    findings.push(...incompleteNotes(steps, "the comparison is incomplete"));
    return {
      metric,
      now: spanText(now),
      before: spanText(before),
      findings,
      ...changes?.figures,
      hours: { all: hours ?? null, [serverErrors]: errors ?? null },
      steps: stepsInBrief(steps),
    };
  },
});
