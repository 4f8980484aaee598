/** The lines of a preview about what the change does to the site. */
import { quoteValue } from "../../language/failure.js";
import {
  type CarriedTraffic,
  type CertificateCover,
  type Forecast,
  type Forecasted,
  isUnknown,
  type ListEntries,
  type OldAnswers,
  type PendingChange,
  type ReachedHostnames,
} from "../../language/forecast.js";
import { countOf } from "../../language/value-text.js";
import { withoutFalse } from "../../language/words.js";
import type { Preview } from "../preview.js";
import { clipped, lineInForms, type PreviewForm } from "./lines.js";
import { isAskable } from "./question.js";
import { withLinesAfter } from "./several.js";

const maxNames = 2;
const maxName = 26;
const maxNamesLength = 44;
const maxStatus = 60;

/** A name without the middle of a long one, whose beginning and end tell most. */
function nameText(name: string): string {
  const text = name.length <= maxName ? name : `${name.slice(0, maxName / 2)}…${name.slice(1 - maxName / 2)}`;
  return /^[\w.*@…-]+$/.test(text) ? text : quoteValue(text);
}

/** The first of some names, of which the total is known. */
function namesText(names: readonly string[], total: number): string {
  const texts = names.slice(0, maxNames).map(nameText);
  const shown = texts.join("").length > maxNamesLength ? texts.slice(0, 1) : texts;
  return [...shown, ...(total > shown.length ? ["…"] : [])].join(", ");
}

const rateText = (rate: number): string =>
  rate.toLocaleString("en-US", { maximumSignificantDigits: rate < 1_000 ? 3 : undefined, maximumFractionDigits: 0 });
const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
function durationText(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? ["second", 1];
  return countOf(seconds / length, unit);
}

function hostnamesText(reached: ReachedHostnames): string {
  const { total, names, isByTraffic = false, added = 0, removed = 0, changed, unread = 0 } = reached;
  if (total === 0) return isByTraffic ? "no hostname with traffic" : "no active hostname is reached";
  const effects = withoutFalse(
    added > 0 && `${countOf(added, "appears", "appear")}`,
    removed > 0 && `${countOf(removed, "disappears", "disappear")}`,
    changed === 0 &&
      (added + removed === 0 ? "no rule changes" : added + removed < total && "the others keep their rules"),
    typeof changed === "number" && changed > 0 && `the rules of ${changed.toLocaleString("en-US")} change`,
    unread > 0 && `${unread.toLocaleString("en-US")} of the account unread`,
  );
  const list = `${countOf(total, "hostname")}${isByTraffic ? " with traffic" : ""}: ${namesText(names, total)}`;
  return `${list}${effects.length === 0 ? "" : `; ${effects.join(", ")}`}`;
}

function certificatesText({ covered, uncovered, added, unclear, contractId, endsMs }: CertificateCover): string {
  const of = contractId === undefined ? "" : ` of contract ${nameText(contractId)}`;
  const when = added === undefined ? "" : "afterwards ";
  const [missing, ...others] = uncovered;
  const only = missing !== undefined && others.length === 0 ? nameText(missing) : undefined;
  if (missing !== undefined && covered === 0 && !unclear)
    return `${when}no certificate${of} covers ${only ?? "any of them"}`;
  return [
    `${when}certificates${of} cover ${countOf(covered, "hostname")}${endsMs === undefined ? "" : ` until ${dayText(endsMs)}`}`,
    ...withoutFalse(
      added !== undefined && added > 0 && `${added} more than now`,
      missing !== undefined && `not ${only ?? uncovered.length}`,
      unclear && `${unclear.count} unknown, because ${unclear.unknown}`,
    ),
  ].join(", ");
}

function pendingText([first, ...others]: readonly PendingChange[]): string {
  if (first === undefined) return "nothing else is under way at the API";
  const { what, network, status, by } = first;
  const where = network === undefined ? "" : ` on ${network}`;
  const beside = others.length > 0 ? `, and ${others.length} more` : by === undefined ? "" : ` (${nameText(by)})`;
  return `${clipped(what, maxName)}${where} is ${clipped(status, maxStatus)}${beside}`;
}

const entriesText = ({ added, removed }: ListEntries): string =>
  added + removed === 0
    ? "the entries stay the same"
    : `${countOf(added, "entry is", "entries are")} added, ${removed.toLocaleString("en-US")} removed`;

/** @param isOfRead Whether there are hostnames that were not read, whose traffic it lacks. */
function trafficText({ edgeRate, rateLastWeek, report, untilMs }: CarriedTraffic, isOfRead: boolean): string {
  const before = rateLastWeek === undefined ? "" : `, ${rateText(rateLastWeek)} a week ago`;
  const rate =
    edgeRate === 0
      ? "no requests at the edge, the only ones that are counted"
      : `${rateText(edgeRate)} requests/s at the edge`;
  return `traffic${isOfRead ? " of the hostnames read" : ""}: ${rate}${before} (by ${report} until ${timeText(untilMs)})`;
}

function originText(load: Exclude<NonNullable<Forecast["originLoad"]>, { readonly unknown: string }>): string {
  const { from, upTo, atMost } = load;
  if (upTo === 0)
    return `origin load: nothing more, because ${atMost === 0 ? "there are no requests" : "every request reaches the origin now"}`;
  return `origin load: ${rateText(from)} to ${rateText(upTo)} requests/s more at the peak of the first hour, an estimate: 20 to 80% of what the cache answers then; at most ${rateText(atMost)}, all requests then`;
}

function oldAnswersText({ seconds, absentSeconds }: OldAnswers): string {
  const answers = withoutFalse(
    seconds !== undefined && `give the old answers for ${durationText(seconds)}`,
    absentSeconds !== undefined && `say for ${durationText(absentSeconds)} that new records do not exist`,
  );
  return `resolvers may ${answers.join(", and ")}`;
}

/** The facts in words, under what they are about. */
function factsIn({ hostnames, traffic, originLoad, oldAnswers, certificates, pending, entries }: Forecast) {
  const fact = <T>(label: string, value: Forecasted<T> | undefined, textOf: (known: T) => string) =>
    value === undefined ? [] : [{ label, ...(isUnknown(value) ? value : { text: textOf(value) }) }];
  const reached = isUnknown(hostnames) ? undefined : hostnames;
  const { changed, unread = 0 } = reached ?? {};
  return [
    ...fact("hostnames", hostnames, hostnamesText),
    ...(isUnknown(changed) ? [{ label: "rule changes", ...changed }] : []),
    ...fact("traffic", traffic, (known) => trafficText(known, unread > 0)),
    ...fact("old answers", oldAnswers, oldAnswersText),
    ...fact("entries", entries, entriesText),
    ...fact("certificates", certificates, certificatesText),
    ...fact("pending changes", pending, pendingText),
    ...fact("origin load", originLoad, originText),
  ];
}

const maxLines = 5;
const allInWords = (labels: readonly string[]): string =>
  labels.length === 1 ? `${labels[0]}` : `${labels.slice(0, -1).join(", ")} and ${labels.at(-1)}`;

/** The sentences about a forecast, at most five; those that are unknown for the same reason are one. */
function forecastTexts(forecast: Forecast): readonly string[] {
  const facts = factsIn(forecast);
  const unknown = new Map<string, string[]>();
  for (const fact of facts)
    if ("unknown" in fact) unknown.set(fact.unknown, [...(unknown.get(fact.unknown) ?? []), fact.label]);
  const { originLoad, leftOut } = forecast;
  const atMost = originLoad && isUnknown(originLoad) ? originLoad.atMost : undefined;
  const greatest = (labels: readonly string[]): string =>
    atMost !== undefined && labels.includes("origin load")
      ? `; the origin gets at most ${rateText(atMost)} requests/s more, all requests at the peak`
      : "";
  const sentences = [
    ...facts.flatMap((fact) => ("unknown" in fact ? [] : [fact.text])),
    ...[...unknown].map(([reason, labels]) => `unknown: ${allInWords(labels)}, because ${reason}${greatest(labels)}`),
  ];
  const room = leftOut === undefined ? maxLines : maxLines - 1;
  const shown = sentences.length > room ? sentences.slice(0, maxLines - 1) : sentences;
  const rest = withoutFalse(
    leftOut !== undefined && `${countOf(leftOut, "more change")}: not forecast`,
    sentences.length > shown.length && `${countOf(sentences.length - shown.length, "more fact")}: not shown`,
  );
  const [first, ...others] = [...shown, ...(rest.length > 0 ? [rest.join("; ")] : [])];
  const lines = others.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return first === undefined ? [] : [`For context, ${first}.`, ...lines];
}

/**
 * A preview with what the change does to the site, directly above what is sent. If the lines would keep the user from being
 * asked, only the complete form has them.
 */
export function withForecast(preview: Preview, forecast: Forecast): Preview {
  const shownIn = (forms: readonly PreviewForm[]): Preview => ({
    ...withLinesAfter(
      preview,
      ["summary", "account", "policy", "undo", "warning"],
      forecastTexts(forecast).map((text) => lineInForms(forms, text, "forecast")),
    ),
    forecast,
  });
  const shown = shownIn(["whole", "brief", "short"]);
  return isAskable(preview) && !isAskable(shown) ? shownIn(["whole"]) : shown;
}
