/**
 * The preview of everything that is approved together: one call as it was composed, or several calls of one operation,
 * preceded by the profile.
 */
import type { Account, AccountName } from "../../language/account.js";
import { onOneLine } from "../../language/marks.js";
import { plain } from "../../language/words.js";
import { digestOfValue } from "../difference.js";
import type { Description, Preview } from "../preview.js";
import { type BriefLine, type Entry, ofKind, runsOf, single, together } from "./entry.js";
import { groupOf, unusualFirst } from "./leaves.js";
import { partsOf } from "./sentence.js";
import { countOf } from "./text.js";

/** What the author of a composed call adds to its preview. */
export interface Remarks {
  /** The change in the caller's terms, without the full stop. */
  readonly says?: string | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

const warningEntry = (text: string): Entry => single(`Warning: ${text}`, "warning");
const noteEntry = (text: string): Entry => ofKind("note", single(`Note: ${text}`));
const accountEntry = (account: string, networks: readonly string[]): Entry =>
  ofKind(
    "account",
    single(`Account: ${account}${networks.length === 0 ? "" : `; network: ${networks.join(" and ").toUpperCase()}`}`),
  );

/**
 * A preview from its parts, most important first.
 * @param unknown A sentence about undocumented fields. It precedes the summary, so that it is read even if that is
 * shown without the rest, and does not count towards its length.
 */
function previewOf(
  facts: Omit<Preview, "lines" | "outline" | "actsOn" | "brief" | "short">,
  unknown: readonly string[],
  networks: readonly string[],
  parts: readonly Entry[],
  digestLine: string,
): Preview {
  const lead = unknown.map((text) => `${text} `).join("");
  const summary = lead + facts.summary;
  const { lines, brief, short } = together([
    ofKind("summary", single(summary, undefined, lead.length + 600)),
    accountEntry(facts.account, networks),
    ...parts,
  ]);
  const whole = [...lines, { text: digestLine, is: "digest" } as const];
  return {
    ...facts,
    summary,
    lines: whole.map(({ text }) => text),
    outline: runsOf(whole),
    actsOn: networks,
    brief,
    short,
  };
}

/** The preview of one call; the sentence of a composed call replaces that of its operation. */
function previewOfOne(
  { facts, parts, unknown, actsOn, digest }: Description,
  { says, notes, warnings }: Remarks,
): Preview {
  const all = [...warnings.map(onOneLine), ...facts.warnings];
  return previewOf(
    { ...facts, ...(says === undefined ? {} : { summary: onOneLine(`${says}.`) }), warnings: all, digest },
    unknown === undefined ? [] : [unknown],
    actsOn === undefined ? [] : [actsOn],
    [
      parts.undo,
      ...all.map(warningEntry),
      parts.difference,
      ...notes.map(noteEntry),
      parts.route,
      { ...parts.inRoute, brief: [], short: [] },
      parts.request,
      parts.state,
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

/** The distinct texts of several calls, each with the numbers of its calls unless it applies to all. */
function about(texts: readonly (readonly string[])[]): readonly { readonly text: string; readonly said: string }[] {
  const calls = new Map<string, number[]>();
  for (const [at, own] of texts.entries())
    for (const text of new Set(own)) calls.set(text, [...(calls.get(text) ?? []), at + 1]);
  return [...calls].map(([text, places]) => ({
    text,
    said: places.length === texts.length ? text : `${placesText(places)}: ${text.trim()}`,
  }));
}

/** What comes of a call, which many calls share; nothing if its sentence does not say it. */
const resultsOf = ({ sentence }: Description): readonly string[] => [partsOf(sentence)[1]].filter(Boolean);

/** All arguments of a call, for lines that do not show its route. */
const argumentsOf = ({ parts }: Description): Entry => together([parts.inRoute, parts.request]);

const textsOf = ({ brief }: Entry): readonly string[] => brief.map(({ text }) => text);

/**
 * The index of the gravest call: the one with the most reasons for being critical, and of several the most unusual one.
 */
function gravestOf(all: readonly Description[]): number {
  const most = Math.max(...all.map(({ gravity }) => gravity));
  const features = all.map((one) => [
    ["verb", one.sentence.verb] as const,
    ...textsOf(argumentsOf(one)).map((text) => {
      const [place = "", value = ""] = text.split(": ", 2);
      return [place, groupOf(value) ?? value] as const;
    }),
  ]);
  return unusualFirst(features).find((at) => all[at]?.gravity === most) ?? 0;
}

/** The number of each verb, most frequent first: `13 INVALIDATE, 1 REMOVE`. */
function sumOfVerbs(all: readonly Description[]): string {
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
interface Shared {
  readonly sent: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
  readonly differences: ReadonlySet<string>;
}

/** One call on one line after its number, without the shared texts, and its own changes below it. */
function callEntry(one: Description, at: number, total: number, shared: Shared): Entry {
  const { facts, parts } = one;
  const [head, results] = partsOf(one.sentence);
  const given = argumentsOf(one);
  const others = together([parts.difference, parts.route, given, parts.state]);
  const without = (lines: readonly BriefLine[], once: ReadonlySet<string>) =>
    lines.filter(({ text }) => !once.has(text));
  const request = without(given.brief, shared.sent);
  const line: BriefLine = {
    text: [
      `Call ${at + 1}: ${head}${results === "" || shared.results.has(results) ? "" : `: ${results}`}`,
      ...request.map(({ text }) => text.trim()),
    ].join("; "),
    // If everything is written, the title and the route are separate lines.
    whole: 2 + request.reduce((sum, { whole }) => sum + whole, 0),
  };
  return {
    lines: [{ text: `Call ${at + 1} of ${total}: ${facts.summary}`, is: "call" }, ...others.lines],
    // A question shows the requests of all calls before the present state of any, and there is no room for both.
    brief: [line, ...without(parts.difference.brief, shared.differences), ...parts.state.brief],
    short: [...single(line.text).short, ...without(parts.difference.short, shared.differences)],
  };
}

function repeatedIn(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const list of lists) for (const text of new Set(list)) (seen.has(text) ? repeated : seen).add(text);
  return repeated;
}

/** The texts shared by several calls: those that all of them send, and results or changes of more than one. */
function sharedBy(all: readonly Description[]): Shared {
  const [first = [], ...others] = all.map((one) => textsOf(argumentsOf(one)));
  const sets = others.map((texts) => new Set(texts));
  return {
    sent: new Set(first.filter((text) => sets.every((set) => set.has(text)))),
    results: repeatedIn(all.map(resultsOf)),
    differences: repeatedIn(all.map(({ parts }) => textsOf(parts.difference))),
  };
}

/**
 * The lines that are written once, before those of each call; they represent the same lines of every call that has
 * them.
 */
function sharedEntry(all: readonly Description[], { sent, results, differences }: Shared): Entry {
  const wholeOf = (text: string, partOf: (one: Description) => Entry): number =>
    all.flatMap((one) => partOf(one).brief.filter((line) => line.text === text)).reduce((n, { whole }) => n + whole, 0);
  const repeated = all.map(({ parts }) => parts.difference.brief.filter(({ text }) => differences.has(text)));
  const lines: readonly BriefLine[] = [
    ...about(all.map((one) => resultsOf(one).filter((text) => results.has(text)))).map(({ said }) => ({
      text: `${said}.`,
      whole: 0,
    })),
    ...about(repeated.map((own) => own.map(({ text }) => text))).map(({ said, text }): BriefLine => {
      const { is } = repeated.flat().find((line) => line.text === text) ?? {};
      return { text: said, whole: wholeOf(text, ({ parts }) => parts.difference), ...(is === undefined ? {} : { is }) };
    }),
    ...[...sent].map((text) => ({ text: `In all calls: ${text}`, whole: wholeOf(text, argumentsOf) })),
  ];
  return { lines: [], brief: lines, short: lines };
}

const maxUnknown = 3;

/** Sentences about undocumented fields: the first in full, and the number of the others. */
function unknownIn(all: readonly Description[]): readonly string[] {
  const texts = about(all.map(({ unknown }) => (unknown === undefined ? [] : [unknown]))).map(({ said }) => said);
  const more = texts.length - maxUnknown;
  if (more <= 0) return texts;
  return [...texts.slice(0, maxUnknown), `${countOf(more, "more group")} of calls have undocumented fields.`];
}

/**
 * Several calls: the gravest one and the totals first, then shared lines, then a line for each call. The complete lines
 * have everything.
 */
function joined(tool: string, all: readonly Description[], first: Description, remarks: Remarks): Preview {
  const total = all.length;
  const gravest = gravestOf(all);
  const own = all[gravest]?.facts.summary ?? "";
  const summary = `${countOf(total, "call")} of ${tool}, approved together: ${sumOfVerbs(all)}. The gravest is call ${gravest + 1}: ${own}`;
  const networks = [...new Set(all.flatMap(({ facts }) => facts.network ?? []))];
  const [network] = networks;
  const count = sumOf(all.map(({ facts }) => facts.count));
  const changes = sumOf(all.map(({ facts }) => facts.changes));
  const digest = digestOfValue(all.map((one) => one.digest));
  const shared = sharedBy(all);
  const calls = all.map((one, at) => callEntry(one, at, total, shared));
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
      ...about(all.map(({ parts }) => textsOf(parts.undo))).map(({ said }) => ofKind("undo", single(said))),
      ...remarks.warnings.map(warningEntry),
      ...about(all.map(({ facts }) => facts.warnings)).map(({ said }) => warningEntry(said)),
      ...remarks.notes.map(noteEntry),
      sharedEntry(all, shared),
      ...calls,
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
  descriptions: readonly Description[],
  composed: Remarks = { notes: [], warnings: [] },
): Preview {
  const [first] = descriptions;
  if (first === undefined) throw new Error("There is nothing to describe.");
  return descriptions.length === 1 ? previewOfOne(first, composed) : joined(tool, descriptions, first, composed);
}

/**
 * A preview that begins with the name of its profile, if there are several, and of the account that it switches to.
 * @param known The account's name, if the API reports it.
 */
export function ledByAccount(
  preview: Preview,
  { profile, switchKey }: Pick<Account, "profile" | "switchKey">,
  known?: AccountName,
): Preview {
  const name = known === undefined ? `of the switch key ${switchKey}` : plain(known.name);
  const [first, ...others] = [
    ...(profile === undefined ? [] : [`In profile ${profile}`]),
    ...(switchKey === undefined ? [] : [`In the account ${name}`]),
  ];
  if (first === undefined) return preview;
  const lead = `${[first, ...others.map((one) => one.replace("In", "in"))].join(", ")}: `;
  const led = (lines: readonly BriefLine[]) =>
    lines.map((line, at) => (at === 0 ? { ...line, text: lead + line.text } : line));
  return {
    ...preview,
    summary: lead + preview.summary,
    lines: preview.lines.map((line, at) => (at === 0 ? lead + line : line)),
    brief: led(preview.brief),
    short: led(preview.short),
  };
}
