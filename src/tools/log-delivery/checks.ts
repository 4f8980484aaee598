/** What log-delivery calls are checked for beyond their schemas: a free log source, and deliverable dates and hours. */
import { type Check, insistsOn, unlessInsisted } from "../../language/check.js";
import { type FieldProblem, fieldProblem, quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { plainOrQuoted } from "../../language/words.js";
import { dayMs } from "../../time/durations.js";

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The date checks go by this machine's clock, which may differ from the API's. */
const clockOverride = { clock: "the date does not fit this machine's clock" } as const;

/** A log source has at most one configuration (document C). */
export const isFree =
  (field: string): Check =>
  async ({ args, present }) => {
    const configurations = await present();
    if (!Array.isArray(configurations) || configurations.length === 0) return [];
    const [configuration] = configurations as readonly unknown[];
    const [id, status] = ["id", "status"].map((name) => quoteValue(memberAt(configuration, name)));
    const takes = `a log source without a configuration, because each has at most one; this one has ${id} (${status}), which log_configuration_replace changes`;
    return fieldProblem(field, memberAt(args, field), takes);
  };

/** An active configuration can be suspended, and a suspended one resumed (public facts C, 4). */
export const hasStatus =
  (wanted: string): Check =>
  async ({ args, present }) => {
    const status = memberAt(await present(), "status");
    if (status === undefined || status === wanted) return [];
    const takes = `a log configuration that is ${wanted}; this one is ${plainOrQuoted(status)}`;
    return fieldProblem("logConfigurationId", args["logConfigurationId"], takes);
  };

/** A start is at least a day ahead (public facts C, 4), unless it is the configuration's current one. */
export const startIsAhead = unlessInsisted(clockOverride, async ({ args, present }) => {
  const [start, end] = [memberAt(args, "body.startDate"), memberAt(args, "body.endDate")];
  const problems: FieldProblem[] = [];
  if (typeof start === "string" && typeof end === "string" && end < start)
    problems.push(...fieldProblem("body.endDate", end, `a date from startDate on, ${start}`));
  const earliest = day(Date.now() + dayMs);
  if (typeof start === "string" && start < earliest && !insistsOn(args, "clock")) {
    const now = memberAt(await present(), "startDate");
    const same = typeof now === "string" ? `, or ${quoteValue(now)}, its current value` : "";
    if (start !== now) problems.push(...fieldProblem("body.startDate", start, `a UTC date from ${earliest} on${same}`));
  }
  return problems;
});

type Body = Readonly<Record<string, unknown>>;

/** Problems with the hours of a redelivery: they have to be in order, and cover the whole day if logs are delivered by day. */
function hourProblems({ beginTime, endTime }: Body, isByDay: boolean): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (typeof beginTime === "number" && typeof endTime === "number" && endTime <= beginTime)
    problems.push(...fieldProblem("body.endTime", endTime, `an hour after beginTime, ${beginTime}`));
  if (isByDay && !((beginTime ?? 0) === 0 && (endTime ?? 24) === 24)) {
    const [name, given] = beginTime === undefined || beginTime === 0 ? ["endTime", endTime] : ["beginTime", beginTime];
    const takes = "no value, because this configuration aggregates by calendar day, so only whole days are redelivered";
    problems.push(...fieldProblem(`body.${String(name)}`, given, takes));
  }
  return problems;
}

/** Problems with the day of a redelivery; `kept` is the number of days for which logs are kept, if known. */
function dayProblems(redeliveryDate: string, isByDay: boolean, retentionDays: unknown): readonly FieldProblem[] {
  const today = day(Date.now());
  const first = typeof retentionDays === "number" ? day(Date.now() - retentionDays * dayMs) : undefined;
  const isTooLate = isByDay ? redeliveryDate >= today : redeliveryDate > today;
  if (!isTooLate && (first === undefined || redeliveryDate >= first)) return [];
  const since = first === undefined ? "" : `, and not before ${first}: logs are kept for ${String(retentionDays)} days`;
  return fieldProblem("body.redeliveryDate", redeliveryDate, `a UTC date whose delivery is complete${since}`);
}

/**
 * A redelivery needs an active configuration. It covers hours of a past day whose logs are still kept, or the whole day if
 * logs are aggregated by calendar day (document C; public facts C, 4).
 */
export const isRedeliverable = unlessInsisted(clockOverride, async ({ args, read }) => {
  const body = memberAt(args, "body") as Body;
  const { redeliveryDate } = body;
  const logConfigurationId = memberAt(body["logConfiguration"], "id");
  const configuration = await read("log_configuration_get", { logConfigurationId });
  const status = memberAt(configuration, "status");
  if (status !== undefined && status !== "active") {
    const takes = `an active log configuration, because only active ones deliver; this one is ${plainOrQuoted(status)}`;
    return fieldProblem("body.logConfiguration.id", logConfigurationId, takes);
  }
  const isByDay = memberAt(configuration, "aggregationDetails.type") === "byHitTime";
  const problems = hourProblems(body, isByDay);
  if (insistsOn(args, "clock") || typeof redeliveryDate !== "string") return problems;
  const [logSourceType, logSourceId] = ["type", "id"].map((name) => memberAt(configuration, ["logSource", name]));
  // If the response does not name the source, only the API knows which days are still kept.
  const isNamed = logSourceType !== undefined && logSourceId !== undefined;
  const source = isNamed ? await read("log_source_get", { logSourceType, logSourceId }) : undefined;
  return [...problems, ...dayProblems(redeliveryDate, isByDay, memberAt(source, "logRetentionDays"))];
});
