/** The lines of a preview about what the change does to the site. */
import { quoteValue } from "../../language/failure.js";
import {
  type CarriedTraffic,
  type Forecast,
  type Forecasted,
  isUnknown,
  type OldAnswers,
  type ReachedHostnames,
} from "../../language/forecast.js";
import { withoutFalse } from "../../language/words.js";
import type { Preview } from "../preview.js";
import { clipped, lineInForms, type PreviewForm } from "./lines.js";
import { isAskable } from "./question.js";
import { withLinesAfter } from "./several.js";
import { countOf } from "./text.js";

const maxNames = 2;
const maxName = 28;
const maxNamesLength = 44;

/** A name without the middle of a long one, whose beginning and end tell most. */
function nameText(name: string): string {
  const text = name.length <= maxName ? name : `${name.slice(0, maxName / 2)}…${name.slice(1 - maxName / 2)}`;
  return /^[\w.*…-]+$/.test(text) ? text : quoteValue(text);
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

function hostnamesText({ total, names, added, removed, changed }: ReachedHostnames): string {
  const effects = withoutFalse(
    added !== undefined && added > 0 && `${countOf(added, "appears", "appear")}`,
    removed !== undefined && removed > 0 && `${countOf(removed, "disappears", "disappear")}`,
    changed !== undefined && changed > 0 && `${countOf(changed, "is", "are")} served by other rules`,
  );
  const list = total === 0 ? "no hostname with traffic" : `${countOf(total, "hostname")}: ${namesText(names, total)}`;
  return `${list}${effects.length === 0 ? "" : `; ${effects.join(", ")}`}`;
}

function trafficText({ edgeRate, rateLastWeek, report, untilMs }: CarriedTraffic): string {
  const before = rateLastWeek === undefined ? "" : `, ${rateText(rateLastWeek)} a week ago`;
  return `traffic: ${rateText(edgeRate)} requests/s at the edge${before} (by ${report} until ${timeText(untilMs)})`;
}

function originText(load: Exclude<NonNullable<Forecast["originLoad"]>, { readonly unknown: string }>): string {
  const { from, upTo, atMost } = load;
  if (upTo === 0)
    return `origin load: nothing more, because ${atMost === 0 ? "there are no requests" : "every request reaches the origin now"}`;
  return `origin load: ${rateText(from)} to ${rateText(upTo)} requests/s more at the peak of the first hour, if 20 to 80% of what is cached is fetched again; at most ${rateText(atMost)}, the edge's rate`;
}

function oldAnswersText({ seconds, absentSeconds }: OldAnswers): string {
  const answers = withoutFalse(
    seconds !== undefined && `give the old answers for ${durationText(seconds)}`,
    absentSeconds !== undefined && `say for ${durationText(absentSeconds)} that new records do not exist`,
  );
  return `resolvers may ${answers.join(", and ")}`;
}

/** The facts in words, under what they are about. */
function factsIn({ hostnames, traffic, originLoad, oldAnswers, certificates, pending }: Forecast) {
  const fact = <T>(label: string, value: Forecasted<T> | undefined, textOf: (known: T) => string) =>
    value === undefined ? [] : [{ label, ...(isUnknown(value) ? value : { text: textOf(value) }) }];
  return [
    ...fact("hostnames", hostnames, hostnamesText),
    ...fact("traffic", traffic, trafficText),
    ...fact("old answers", oldAnswers, oldAnswersText),
    ...fact("certificates", certificates, ({ covered, uncovered, endsMs }) => {
      const missing =
        uncovered.length === 0 ? "" : `, none for ${uncovered.length}: ${namesText(uncovered, uncovered.length)}`;
      const end = endsMs === undefined ? "" : `, until ${dayText(endsMs)}`;
      return `certificates cover ${countOf(covered, "hostname")}${end}${missing}`;
    }),
    ...fact("pending", pending, (all) => {
      const [first] = all;
      if (first === undefined) return "nothing else is pending";
      const { what, network, status } = first;
      const where = network === undefined ? "" : ` on ${network}`;
      return `pending: ${clipped(what, maxName)}${where}, ${status}${all.length > 1 ? `, and ${all.length - 1} more` : ""}`;
    }),
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
      ? `; the origin gets at most ${rateText(atMost)} requests/s more, the edge's rate`
      : "";
  const sentences = [
    ...facts.flatMap((fact) => ("unknown" in fact ? [] : [fact.text])),
    ...[...unknown].map(([reason, labels]) => `unknown: ${allInWords(labels)}, because ${reason}${greatest(labels)}`),
    ...(leftOut === undefined ? [] : [`${countOf(leftOut, "more call")}: not forecast`]),
  ];
  const [first, ...others] = sentences.slice(0, maxLines);
  const rest = others.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return first === undefined ? [] : [`For context, ${first}.`, ...rest];
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
