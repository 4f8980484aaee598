/** The preview of what is approved as one: of a call as it was composed, or of several calls of one operation. */
import { onOneLine } from "../../api/marks.js";
import type { Preview } from "../preview.js";
import { digestOfValue } from "./digest.js";
import { type BriefLine, single, together } from "./entry.js";
import { countOf } from "./text.js";

/** What whoever composed a call has to say of it. */
interface Remarks {
  /** What it changes in its caller's own terms, without its full stop. */
  readonly says?: string | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** The preview of a call with the remarks of its composition behind the sentence that leads it. */
function remarked(preview: Preview, { says, notes, warnings }: Remarks): Preview {
  const first = says === undefined ? [] : [single(`${says}.`)];
  const said = together([
    ...warnings.map((warning) => single(`Warning: ${warning}`, "warning")),
    ...notes.map((note) => single(`Note: ${note}`)),
  ]);
  const behindFirst = <T>(all: readonly T[], more: readonly T[]): T[] => [...all.slice(0, 1), ...more, ...all.slice(1)];
  return {
    ...preview,
    ...(says === undefined ? {} : { summary: onOneLine(`${says}.`) }),
    warnings: [...warnings.map(onOneLine), ...preview.warnings],
    lines: [...together(first).lines, ...behindFirst(preview.lines, said.lines)],
    brief: [...together(first).brief, ...behindFirst(preview.brief, said.brief)],
  };
}

const sumOf = (counts: readonly (number | undefined)[]): number | undefined =>
  counts.every((count) => count === undefined) ? undefined : counts.reduce<number>((sum, one = 0) => sum + one, 0);

/** The warnings of several calls for a question, each text once, with the calls that it is about. */
function warned(previews: readonly Preview[]): BriefLine[] {
  const about = new Map<string, number[]>();
  for (const [at, { warnings }] of previews.entries())
    for (const text of warnings) about.set(text, [...(about.get(text) ?? []), at + 1]);
  return [...about].flatMap(([text, calls]) =>
    single(`Warning: ${calls.length === 1 ? "Call" : "Calls"} ${calls.join(", ")}: ${text}`, "warning").brief.map(
      (line) => ({ ...line, whole: line.whole * calls.length }),
    ),
  );
}

/**
 * Several calls: what each of them would do first, then all that is to be said of each. In a question the warnings come
 * before all of that, because the calls alone may be more than it has room for.
 */
function joined(tool: string, previews: readonly Preview[], first: Preview): Preview {
  const total = countOf(previews.length, "call");
  const summary = `${total} of ${tool}, approved as one. The first: ${first.summary}`;
  const titles = previews.map(({ summary: own }, at) => single(`Call ${at + 1} of ${previews.length}: ${own}`));
  const digest = digestOfValue(previews.map((one) => one.digest));
  const rest = (one: Preview): readonly BriefLine[] => one.brief.slice(1).filter(({ is }) => is !== "warning");
  const networks = new Set(previews.flatMap(({ network }) => network ?? []));
  const [network] = networks;
  const count = sumOf(previews.map((one) => one.count));
  const changes = sumOf(previews.map((one) => one.changes));
  return {
    summary,
    kind: first.kind,
    account: first.account,
    ...(networks.size === 1 && network !== undefined ? { network } : {}),
    ...(count === undefined ? {} : { count }),
    request: first.request,
    target: total,
    warnings: previews.flatMap(({ warnings }, at) => warnings.map((warning) => `Call ${at + 1}: ${warning}`)),
    ...(changes === undefined ? {} : { changes }),
    lines: [
      summary,
      ...previews.flatMap(({ lines }, at) => [...(titles[at]?.lines ?? []), ...lines.slice(1)]),
      `Digest of all requests, secrets included: ${digest}`,
    ],
    brief: [
      ...single(summary).brief,
      ...warned(previews),
      ...titles.flatMap(({ brief }) => brief),
      ...previews.flatMap(rest),
    ],
    digest,
  };
}

/**
 * Describes what is approved as one.
 * @param tool The operation's tool.
 * @param previews Of each request, at least one.
 * @param composed What is said of them besides, where they were composed.
 */
export function describeAll(tool: string, previews: readonly Preview[], composed?: Remarks): Preview {
  const [first] = previews;
  if (first === undefined) throw new Error("There is nothing to describe.");
  const preview = previews.length === 1 ? first : joined(tool, previews, first);
  return composed ? remarked(preview, composed) : preview;
}
