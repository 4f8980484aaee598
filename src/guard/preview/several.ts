/**
 * The preview of everything that is approved together: one call as it was composed, or several calls of one operation,
 * preceded by the profile.
 */
import type { Account, AccountName } from "../../language/account.js";
import { countOf } from "../../language/value-text.js";
import { plainOrQuoted } from "../../language/words.js";
import { onOneLine } from "../../text/marks.js";
import { digestOfValue } from "../difference.js";
import type { CallDescription, Preview } from "../preview.js";
import { domainGroupOf, unusualFirst } from "./leaves.js";
import {
  lineInForms,
  lineOrClipped,
  lineRunsOf,
  linesOfForm,
  onlyInForms,
  type PreviewLine,
  type PreviewLineKind,
} from "./lines.js";
import { sentenceParts } from "./sentence.js";

/** What the author of a composed call adds to its preview. */
export interface PreviewRemarks {
  /** The change in the caller's terms, without the full stop. */
  readonly says?: string | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

const warningLines = (text: string) => lineOrClipped(`Warning: ${text}`, "warning");
const noteLines = (text: string) => lineOrClipped(`Note: ${text}`, "note");

/**
 * A preview from its lines, most important first.
 * @param unknown A sentence about undocumented fields. It precedes the summary, so that it is read even if that is
 * shown without the rest, and does not count towards its length.
 */
function previewOf(
  facts: Omit<Preview, "lines" | "outline" | "actsOn" | "ranked">,
  unknown: readonly string[],
  networks: readonly string[],
  lines: readonly PreviewLine[],
  digestLine: string,
): Preview {
  const lead = unknown.map((text) => `${text} `).join("");
  const summary = lead + facts.summary;
  const network = networks.length === 0 ? "" : `; network: ${networks.join(" and ").toUpperCase()}`;
  const all = [
    ...lineOrClipped(summary, "summary", lead.length + 600),
    ...lineOrClipped(`Account: ${facts.account}${network}`, "account"),
    ...lines,
    lineInForms(["whole"], digestLine, "digest"),
  ];
  const whole = linesOfForm("whole", all);
  return {
    ...facts,
    summary,
    lines: whole.map(({ text }) => text),
    outline: lineRunsOf(whole),
    actsOn: networks,
    ranked: all.filter(({ in: forms }) => forms.some((form) => form !== "whole")),
  };
}

/** The preview of one call; the sentence of a composed call replaces that of its operation. */
function previewOfOne(
  { facts, parts, unknown, actsOn, digest }: CallDescription,
  { says, notes, warnings }: PreviewRemarks,
): Preview {
  const all = [...warnings.map(onOneLine), ...facts.warnings];
  return previewOf(
    { ...facts, ...(says === undefined ? {} : { summary: onOneLine(`${says}.`) }), warnings: all, digest },
    unknown === undefined ? [] : [unknown],
    actsOn === undefined ? [] : [actsOn],
    [
      ...parts.undo,
      ...all.flatMap(warningLines),
      ...parts.difference,
      ...notes.flatMap(noteLines),
      ...parts.route,
      ...onlyInForms(["whole"], parts.inRoute),
      ...parts.request,
      ...parts.state,
    ],
    `Digest of the request: ${digest}`,
  );
}

const sumOf = (counts: readonly (number | undefined)[]): number | undefined =>
  counts.every((count) => count === undefined) ? undefined : counts.reduce<number>((sum, one = 0) => sum + one, 0);

/** Numbers in words: 1, 2, 3 and 7 are `1 to 3, 7`. */
function placesText(places: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && place === last[1] + 1) last[1] = place;
    else runs.push([place, place]);
  }
  const texts = runs.map(([from, to]) => (from === to ? `${from}` : `${from}${to === from + 1 ? ", " : " to "}${to}`));
  return `${places.length === 1 ? "Call" : "Calls"} ${texts.join(", ")}`;
}

/** Texts of several calls, and how they are written for these calls. */
type TextsWithCalls = ReadonlyMap<string, string>;

/**
 * The distinct texts of several calls, each with the numbers of its calls unless it applies to all.
 * @param least The number of calls that share a text.
 */
function textsWithCalls(
  all: readonly CallDescription[],
  textsFor: (one: CallDescription) => readonly string[],
  least = 1,
): TextsWithCalls {
  const calls = new Map<string, number[]>();
  for (const [at, one] of all.entries())
    for (const text of new Set(textsFor(one))) calls.set(text, [...(calls.get(text) ?? []), at + 1]);
  const shared = [...calls].filter(([, places]) => places.length >= least);
  return new Map(
    shared.map(([text, places]) => [
      text,
      places.length === all.length ? text : `${placesText(places)}: ${text.trim()}`,
    ]),
  );
}

/** The results of a call, which many calls share; empty if its sentence states none. */
const resultsOf = ({ sentence }: CallDescription): readonly string[] => [sentenceParts(sentence)[1]].filter(Boolean);

/** All arguments of a call, for lines that do not show its route. */
const argumentsOf = ({ parts }: CallDescription): readonly PreviewLine[] => [...parts.inRoute, ...parts.request];

const textsOf = (lines: readonly PreviewLine[]): readonly string[] =>
  linesOfForm("brief", lines).map(({ text }) => text);

/**
 * The index of the gravest call: the one with the most reasons for being critical, and of several the most unusual one.
 */
function gravestOf(all: readonly CallDescription[]): number {
  const most = Math.max(...all.map(({ gravity }) => gravity));
  const features = all.map((call) => [
    ["verb", call.sentence.verb] as const,
    ...textsOf(argumentsOf(call)).map((text) => {
      const [place = "", value = ""] = text.split(": ", 2);
      return [place, domainGroupOf(value) ?? value] as const;
    }),
  ]);
  return unusualFirst(features).find((at) => all[at]?.gravity === most) ?? 0;
}

/** The number of each verb, most frequent first: `13 INVALIDATE, 1 REMOVE`. */
function sumOfVerbs(all: readonly CallDescription[]): string {
  const counts = new Map<string, number>();
  for (const { sentence } of all) counts.set(sentence.verb, (counts.get(sentence.verb) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([verb, count]) => `${count} ${verb}`)
    .join(", ");
}

/**
 * The texts that are written once for several calls, by kind, so that lines of different kinds with the same text are
 * not merged.
 */
interface SharedTexts {
  /** What all calls send. */
  readonly sent: TextsWithCalls;
  /** Results and changes of more than one call. */
  readonly results: TextsWithCalls;
  readonly differences: TextsWithCalls;
}

const sharedBy = (all: readonly CallDescription[]): SharedTexts => ({
  sent: textsWithCalls(all, (one) => textsOf(argumentsOf(one)), all.length),
  results: textsWithCalls(all, resultsOf, 2),
  differences: textsWithCalls(all, ({ parts }) => textsOf(parts.difference), 2),
});

/** One call on one line after its number, without the shared texts, and its own changes below it. */
function callLines(call: CallDescription, at: number, total: number, shared: SharedTexts): readonly PreviewLine[] {
  const { facts, parts } = call;
  const [head, results] = sentenceParts(call.sentence);
  const argumentLines = argumentsOf(call);
  const request = linesOfForm("brief", argumentLines).filter(({ text }) => !shared.sent.has(text));
  const title = `Call ${at + 1}: ${head}${results === "" || shared.results.has(results) ? "" : `: ${results}`}`;
  // If everything is written, the title and the route are separate lines.
  const count = 2 + request.reduce((sum, { whole }) => sum + whole, 0);
  return [
    lineInForms(["whole"], `Call ${at + 1} of ${total}: ${facts.summary}`, "call"),
    ...onlyInForms(["whole"], [...parts.difference, ...parts.route, ...argumentLines, ...parts.state]),
    ...onlyInForms(
      ["brief", "short"],
      lineOrClipped([title, ...request.map(({ text }) => text.trim())].join("; "), "call", undefined, count),
    ),
    ...onlyInForms(["brief", "short"], parts.difference).filter(({ text }) => !shared.differences.has(text)),
    // A question shows the requests of all calls before the present state of any, and there is no room for both.
    ...onlyInForms(["brief"], parts.state),
  ];
}

/**
 * The lines that are written once, before those of each call; they represent the same lines of every call that has
 * them.
 */
function sharedLines(
  all: readonly CallDescription[],
  { sent, results, differences }: SharedTexts,
): readonly PreviewLine[] {
  const forms = ["brief", "short"] as const;
  const linesFor = (
    shared: TextsWithCalls,
    partOf: (one: CallDescription) => readonly PreviewLine[],
    before = "",
  ): readonly PreviewLine[] => {
    const sums = new Map<string, Pick<PreviewLine, "is" | "whole">>();
    for (const { text, is, whole } of linesOfForm("brief", all.flatMap(partOf)))
      sums.set(text, { is, whole: (sums.get(text)?.whole ?? 0) + whole });
    return [...shared].map(([text, said]) =>
      lineInForms(forms, before + said, sums.get(text)?.is, sums.get(text)?.whole),
    );
  };
  return [
    ...[...results.values()].map((said) => lineInForms(forms, `${said}.`, "call", 0)),
    ...linesFor(differences, ({ parts }) => parts.difference),
    ...linesFor(sent, argumentsOf, "In all calls: "),
  ];
}

const maxUnknown = 3;

/** Sentences about undocumented fields: the first in full, and the number of the others. */
function unknownIn(all: readonly CallDescription[]): readonly string[] {
  const texts = [...textsWithCalls(all, ({ unknown }) => (unknown === undefined ? [] : [unknown])).values()];
  const more = texts.length - maxUnknown;
  if (more <= 0) return texts;
  return [...texts.slice(0, maxUnknown), `${countOf(more, "more group")} of calls have undocumented fields.`];
}

/**
 * Several calls: the gravest one and the totals first, then shared lines, then a line for each call. The complete lines
 * have everything.
 */
function joinPreviews(
  tool: string,
  all: readonly CallDescription[],
  first: CallDescription,
  remarks: PreviewRemarks,
): Preview {
  const total = all.length;
  const gravest = gravestOf(all);
  const gravestSummary = all[gravest]?.facts.summary ?? "";
  const summary = `${countOf(total, "call")} of ${tool}, approved together: ${sumOfVerbs(all)}. The gravest is call ${gravest + 1}: ${gravestSummary}`;
  const networks = [...new Set(all.flatMap(({ facts }) => facts.network ?? []))];
  const [network] = networks;
  const count = sumOf(all.map(({ facts }) => facts.count));
  const changes = sumOf(all.map(({ facts }) => facts.changes));
  const digest = digestOfValue(all.map((one) => one.digest));
  const shared = sharedBy(all);
  const warnings = [
    ...remarks.warnings.map(onOneLine),
    ...all.flatMap(({ facts }, at) => facts.warnings.map((warning) => `Call ${at + 1}: ${warning}`)),
  ];
  return previewOf(
    {
      summary,
      kind: first.facts.kind,
      account: first.facts.account,
      ...(networks.length === 1 && network !== undefined ? { network } : {}),
      ...(count === undefined ? {} : { count }),
      request: first.facts.request,
      target: countOf(total, "call"),
      warnings,
      ...(changes === undefined ? {} : { changes }),
      digest,
    },
    unknownIn(all),
    [...new Set(all.flatMap(({ actsOn }) => actsOn ?? []))],
    [
      ...[...textsWithCalls(all, ({ parts }) => textsOf(parts.undo)).values()].flatMap((said) =>
        lineOrClipped(said, "undo"),
      ),
      ...remarks.warnings.flatMap(warningLines),
      ...[...textsWithCalls(all, ({ facts }) => facts.warnings).values()].flatMap(warningLines),
      ...remarks.notes.flatMap(noteLines),
      ...sharedLines(all, shared),
      ...all.flatMap((one, at) => callLines(one, at, total, shared)),
    ],
    `Digest of all requests: ${digest}`,
  );
}

/**
 * Describes everything that is approved together.
 * @param tool The tool of the operation.
 * @param descriptions One for each request, at least one.
 * @param composed The sentences of a composed change.
 */
export function describeAll(
  tool: string,
  descriptions: readonly CallDescription[],
  composed: PreviewRemarks = { notes: [], warnings: [] },
): Preview {
  const [first] = descriptions;
  if (first === undefined) throw new Error("There is nothing to describe.");
  return descriptions.length === 1 ? previewOfOne(first, composed) : joinPreviews(tool, descriptions, first, composed);
}

/**
 * A preview with lines about the policy, after that of the account: the ticket, and each freeze that the call breaks.
 * @param texts One for each line, without line breaks.
 */
export function withPolicyLines(preview: Preview, texts: readonly string[]): Preview {
  const added = texts.flatMap((text) => lineOrClipped(text, "policy"));
  return withLinesAfter(preview, ["summary", "account"], added);
}

/** A preview with lines that stand after its first ones of some kinds. */
export function withLinesAfter(
  preview: Preview,
  leading: readonly PreviewLineKind[],
  added: readonly PreviewLine[],
): Preview {
  if (added.length === 0) return preview;
  const behind = (kinds: readonly PreviewLineKind[]): number => {
    const end = kinds.findIndex((kind) => !leading.includes(kind));
    return end === -1 ? kinds.length : end;
  };
  const inWhole = behind(preview.outline.flatMap(({ is, count }) => Array<PreviewLineKind>(count).fill(is)));
  const inRanked = behind(preview.ranked.map(({ is }) => is));
  const inOutline = behind(preview.outline.map(({ is }) => is));
  const whole = linesOfForm("whole", added);
  return {
    ...preview,
    lines: preview.lines.toSpliced(inWhole, 0, ...whole.map(({ text }) => text)),
    outline: preview.outline.toSpliced(inOutline, 0, ...lineRunsOf(whole)),
    ranked: preview.ranked.toSpliced(inRanked, 0, ...added),
  };
}

/**
 * A preview that begins with the name of its profile, if there are several, and of the account that it switches to.
 * @param known The account's name, if the API reports it.
 */
export function withAccountLead(
  preview: Preview,
  { profile, switchKey }: Pick<Account, "profile" | "switchKey">,
  known?: AccountName,
): Preview {
  const name = known === undefined ? `of the switch key ${switchKey}` : plainOrQuoted(known.name);
  const [first, ...others] = [
    ...(profile === undefined ? [] : [`In profile ${profile}`]),
    ...(switchKey === undefined ? [] : [`In the account ${name}`]),
  ];
  if (first === undefined) return preview;
  const lead = `${[first, ...others.map((one) => one.replace("In", "in"))].join(", ")}: `;
  return {
    ...preview,
    summary: lead + preview.summary,
    lines: preview.lines.map((line, at) => (at === 0 ? lead + line : line)),
    ranked: preview.ranked.map((line) => (line.is === "summary" ? { ...line, text: lead + line.text } : line)),
  };
}
