/**
 * Tool results: a reply, the result of a workflow, a preview or a failure, as structured content for programs and as text
 * for readers. This folder hides how that is fitted into a budget of tokens and where the whole is stored. Every result is
 * within its budget, marks what was left out, and contains none of the process's secrets.
 */
import type { AnswerDisplay } from "../language/conduct.js";
import { asFailure } from "../language/failure.js";
import type { Returns } from "../language/media.js";
import { defined, isEmpty } from "../language/member.js";
import { lazily } from "../language/once-for.js";
import { cheapRows, namedRows, timesOf } from "../rows/index.js";
import {
  type ImageContent,
  imagesOf,
  type KeepResult,
  notesOfPictures,
  type Picture,
  referenceTo,
} from "../rows/result-store.js";
import { createNamesOf } from "../rows/size.js";
import { isComputable, summarizeRows } from "../rows/summary.js";
import { unitsOf } from "../rows/units.js";
import { columnsIn } from "../rows/view/scope.js";
import { mayHoldHidden, scrub, showHidden } from "../secrets/held-secrets.js";
import { hasCutMark } from "../text/marks.js";
import { withoutAside } from "./aside.js";
import { type BoundedValue, type Truncation, truncateValue, truncatorOf } from "./budget.js";
import { monthlyTotals } from "./daily.js";
import { type ResultTarget, targetFields } from "./place.js";
import { presentRaw, type RawTruncation } from "./raw.js";
import { answerText, approvalAdvice, failureText, type PreviewedPlan, previewText } from "./text.js";
import { estimateTokens } from "./tokens.js";

type TextContent = { type: "text"; text: string };

/** A tool result in the protocol's form. */
export type ToolResult = {
  content: [TextContent, ...(TextContent | ImageContent)[]];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
};

/** The context of results: the target, the size limit, and the secrets to remove. */
export interface Presentation extends ResultTarget {
  /** The time zone for times that are shown next to numbers; UTC by default. */
  readonly timeZone?: string;
  /** The encoded forms of the process's own secrets, from `secretForms`. */
  readonly secrets: readonly string[];
  /** The maximum size of the text of a result, and that of its structured content. */
  readonly maxTokens: number;
  /** Whether results have only text, for clients that show both to the model. */
  readonly isTextOnly?: boolean;
}

type Content = Readonly<Record<string, unknown>>;

const notesOf = ({ notes }: Content): readonly unknown[] => (Array.isArray(notes) ? notes : []);

/** The content with invisible characters shown as marks, and a note on their number. */
function visibleContent(content: Content): Content {
  const { value, count } = showHidden(content);
  const shown = value as Content;
  if (count === 0) return shown;
  const note = `${count === 1 ? "1 invisible character is" : `${count} invisible characters are`} shown as marks such as [U+200B].`;
  return { ...shown, notes: [...notesOf(shown), note] };
}

/** The content for all readers: with visible characters, and with a flag if it was truncated. */
function readableContent(content: Content): { readonly content: Content; readonly json: string } {
  const json = JSON.stringify(content);
  const shown = mayHoldHidden(json) ? visibleContent(content) : content;
  const marked = hasCutMark(json) ? { ...shown, cut: true } : shown;
  return { content: marked, json: marked === content ? json : JSON.stringify(marked) };
}

/**
 * Every result goes through here, so that it contains no secret.
 * @param structured The content for programs.
 * @param text The text for readers.
 */
function sanitizedResult(
  structured: { readonly content: Content; readonly json: string },
  text: string,
  { secrets }: Presentation,
): ToolResult {
  const { content, json } = structured;
  const clean = scrub(json, secrets);
  return {
    content: [{ type: "text", text: scrub(text, secrets) }],
    structuredContent: clean === json ? content : (JSON.parse(clean) as Content),
  };
}

// JSON of an API has three to five bytes per token, text with few words more.
const mostBytesPerToken = 8;
const leastBytes = 64;
// Monthly totals precede their days, and take at most about half of the budget.
const bytesOfMonths = 1.5;

/**
 * The result of a function of a byte limit that has at most the given number of tokens. Few attempts are needed,
 * because parts of the same value have about as many bytes per token.
 */
function fitToTokens<T>(maxTokens: number, make: (maxBytes: number) => T, textOf: (result: T) => string): T {
  for (let maxBytes = maxTokens * mostBytesPerToken; ; ) {
    const result = make(maxBytes);
    const text = textOf(result);
    // No token is shorter than a character.
    const tokens = text.length <= maxTokens ? 0 : estimateTokens(text);
    if (tokens <= maxTokens || maxBytes <= leastBytes) return result;
    maxBytes = Math.max(leastBytes, Math.floor((0.95 * Math.min(maxBytes, text.length) * maxTokens) / tokens));
  }
}

/** Memoizes a function for repeated calls with the same number. */
function memoizeLast<T>(compute: (argument: number) => T): (argument: number) => T {
  let last: { readonly given: number; readonly value: T } | undefined;
  return (argument) => {
    if (last?.given !== argument) last = { given: argument, value: compute(argument) };
    return last.value;
  };
}

/** A result whose structured content and text are each within the budget. */
export function budgetedResult(
  presentation: Presentation,
  structured: (maxBytes: number) => Content,
  readable: (maxBytes: number) => Content,
  textOf: (content: Content) => string,
): ToolResult {
  const { maxTokens } = presentation;
  const forPrograms = memoizeLast((maxBytes) => readableContent(structured(maxBytes)));
  const program = fitToTokens(maxTokens, forPrograms, ({ json }) => json);
  // Usually both readers get the same content, in the first attempt.
  const forReaders = readable === structured ? forPrograms : (maxBytes: number) => readableContent(readable(maxBytes));
  const text = fitToTokens(
    maxTokens,
    (maxBytes) => textOf(forReaders(maxBytes).content),
    (made) => made,
  );
  return sanitizedResult(program, text, presentation);
}

// A reader needs only the first few to understand the result; every truncation is also marked in place.
const maxCutNotes = 8;

function cutNotes(cuts: readonly Truncation[], advice = ""): string[] {
  const notes = cuts
    .slice(0, maxCutNotes)
    .map(({ at, kept, total }) => `${at}: ${kept} of ${total} are shown${advice}.`);
  const rest = cuts.length - notes.length;
  return rest > 0 ? [...notes, `${rest} more places are truncated; each ends with a mark.`] : notes;
}

const askForLess = "; ask for less (a filter, a page, fewer fields) to see the rest";

// The upstream's message on a failure is seldom long, and a longer one would only hide what to do next.
const maxQuotedBytes = 8_000;

/** The parts of a declaration that affect results. */
interface ResultDeclaration {
  readonly shows?: AnswerDisplay | undefined;
  readonly returns?: Returns;
}

/** A successful result: its status, its data within the budget, and notes. */
export function successResult(
  reply: {
    readonly status: number;
    readonly body: unknown;
    readonly whole?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly location?: string;
    readonly offers?: Readonly<Record<string, unknown>>;
    readonly notes: readonly string[];
  },
  presentation: Presentation,
  { shows = {}, returns = {} }: ResultDeclaration = {},
  keep?: KeepResult,
): ToolResult {
  const { body, cuts: rawCuts } = presentRaw(reply.body, shows);
  const named = namedRows(reply.body, shows);
  const reference = referenceTo(reply.whole ?? reply.body, keep);
  const namesOf = createNamesOf();
  const isKept = lazily(() => keep !== undefined && isComputable(reply.body, shows, namesOf));
  const summary = lazily(() => summarizeRows(reply.body, shows, namesOf));
  const rows = lazily(() => cheapRows(reply.body, shows, namesOf));
  const units = unitsOf(reply.whole ?? reply.body, shows, shows.units || shows.columns ? rows() : []);
  const columns = lazily(() => (reply.whole === undefined ? columnsIn(rows()) : []));
  const months = lazily(() => {
    const all = reply.whole === undefined ? monthlyTotals(reply.body, shows) : undefined;
    return all && truncateValue(all, presentation.maxTokens * bytesOfMonths).value;
  });
  const contentWith = ({ value, cuts }: BoundedValue, earlier: readonly RawTruncation[]): Content => {
    const { times, notes: timeNotes } = timesOf({ returns }, reply.status, value, presentation.timeZone);
    const rawNotes = earlier
      .filter((raw) => !cuts.some(({ at }) => at === raw.at))
      .map(({ at, kept, total, unit }) => `${at}: ${kept} of ${total} ${unit} of raw text are shown.`);
    const isPart = cuts.length > 0 || earlier.length > 0 || reply.whole !== undefined;
    const cut = [...rawNotes, ...cutNotes(cuts, askForLess), ...(isPart ? reference.note(columns()) : [])];
    const notes = [...reply.notes, ...timeNotes, ...cut];
    return defined({
      status: reply.status,
      ...(!isPart && isKept() ? reference.handle() : {}),
      months: months(),
      data: value,
      summary: cuts.length > 0 && months() === undefined ? summary() : undefined,
      times,
      units,
      headers: isEmpty(reply.headers) ? undefined : reply.headers,
      location: reply.location,
      ...reply.offers,
      notes: isEmpty(notes) ? undefined : notes,
      ...targetFields(presentation),
    });
  };
  const mostBytes = presentation.maxTokens * mostBytesPerToken;
  const data = truncatorOf(body, mostBytes, rawCuts, namesOf);
  // Rows are shown once to each reader: to programs as the API sent them, in the text under their columns' names.
  const cutsOfText = named === undefined ? rawCuts : [];
  // A view shows everything that it names.
  const shortened = reply.whole === undefined ? withoutAside(named ?? body, shows) : undefined;
  const aside = shortened?.names ?? [];
  const left = cutsOfText.filter(({ at }) => !aside.includes(at));
  const isOther = named !== undefined || shortened !== undefined;
  const readable = isOther ? truncatorOf(shortened?.body ?? named, mostBytes, left) : data;
  const structured = (maxBytes: number) => contentWith(data(maxBytes), rawCuts);
  const forReaders = (maxBytes: number) => ({
    ...contentWith(readable(maxBytes), left),
    ...(aside.length === 0 ? {} : { aside }),
  });
  return budgetedResult(presentation, structured, isOther ? forReaders : structured, answerText);
}

/**
 * The result of a workflow, within the budget.
 * @param ending.notes Notes that are shown even if the result is truncated.
 * @param ending.hasFailed Whether a part of it failed.
 * @param ending.texts The texts of the result, if they are not its JSON.
 * @param ending.pictures Pictures shown with it; the budget only applies to text, because images are counted by their
 * pixels.
 */
export function workflowResult(
  output: Content,
  presentation: Presentation,
  keep?: KeepResult,
  ending: {
    readonly notes?: readonly string[];
    readonly hasFailed?: boolean;
    readonly texts?: ((content: Content) => readonly string[] | undefined) | undefined;
    readonly pictures?: readonly Picture[];
  } = {},
): ToolResult {
  const reference = referenceTo(output, keep);
  const { pictures = [], notes: always = [] } = ending;
  const drawings = notesOfPictures(pictures, keep);
  const within = truncatorOf(output, presentation.maxTokens * mostBytesPerToken);
  const content = (maxBytes: number): Content => {
    const { value: cutOutput, cuts } = within(maxBytes);
    const value = cutOutput as Content;
    const ofCuts = [...cutNotes(cuts, askForLess), ...(cuts.length > 0 ? reference.note() : [])];
    const notes = [...always, ...notesOf(value), ...ofCuts, ...drawings];
    return { ...value, ...(notes.length === 0 ? {} : { notes }), ...targetFields(presentation) };
  };
  const result = budgetedResult(presentation, content, content, answerText);
  const texts = ending.texts?.(result.structuredContent)?.map((text): TextContent => ({ type: "text", text }));
  const [text = result.content[0], ...others] = texts ?? [];
  return {
    ...result,
    content: [text, ...others, ...imagesOf(pictures)],
    ...(ending.hasFailed ? { isError: true } : {}),
  };
}

/**
 * The preview of a destructive call that is not approved yet: nothing was changed.
 * @param shown The preview within a number of characters.
 */
export function previewResult(
  shown: (maxChars: number) => { readonly lines: readonly string[] },
  plan: PreviewedPlan & {
    readonly expiresAtMs: number;
    readonly why?: string | undefined;
    readonly notes?: readonly string[] | undefined;
  },
  presentation: Presentation,
): ToolResult {
  const content = (maxBytes: number): Content => ({
    approval: "required",
    done: "Nothing was changed.",
    preview: truncateValue(shown(maxBytes), maxBytes).value,
    ...(plan.awaits === "person" ? { plan: plan.id } : { confirm: plan.id }),
    expiresAt: new Date(plan.expiresAtMs).toISOString(),
    ...(plan.why === undefined ? {} : { why: plan.why }),
    ...(plan.notes === undefined ? {} : { notes: plan.notes }),
    next: approvalAdvice(plan),
    ...targetFields(presentation),
  });
  return budgetedResult(presentation, content, content, previewText);
}

/** A failure, in a form that an assistant can act on. Internal errors reveal no details. */
export function failureResult(error: unknown, presentation: Presentation): ToolResult {
  const failure = asFailure(error);
  const { why, next, fields, corrected, status, upstream, changed, retryAfterSeconds, attempts } = failure.detail;
  // A part of a call could not be sent, so it is complete or left out.
  const correctedLength = JSON.stringify(corrected ?? null).length;
  const within = (value: unknown, maxBytes: number): unknown =>
    value === undefined ? undefined : truncateValue(value, maxBytes).value;
  const content = (byteLimit: number): Content => {
    const maxBytes = Math.min(byteLimit, maxQuotedBytes);
    return defined({
      error: failure.code,
      message: failure.message,
      why,
      next,
      fields,
      corrected: 2 * correctedLength > maxBytes ? undefined : corrected,
      changed: within(changed, maxBytes),
      status,
      retryAfterSeconds,
      attempts,
      upstreamSaid: within(upstream, maxBytes),
      ...targetFields(presentation),
    });
  };
  return { ...budgetedResult(presentation, content, content, failureText), isError: true };
}
