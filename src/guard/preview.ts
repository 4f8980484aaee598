/** The preview of a destructive call, derived from its declaration, its arguments and the present state. */
import { mediaArguments } from "../language/choice.js";
import type { DifferenceLine, Guard, GuardKind, ReviewForm } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { destinationsIn } from "../language/destination.js";
import type { ValuePath } from "../language/difference.js";
import { changeGroups, ignoredInWords } from "../language/difference-lines.js";
import { guardOrDefault, isCreation, readerOf } from "../language/effect.js";
import type { Forecast } from "../language/forecast.js";
import { fieldOf, isEmpty, isRecord, memberAt } from "../language/member.js";
import { isLeftOut, linesByRecord, review } from "../language/review.js";
import { declares, formsAt, formsOf, formsOfAll } from "../language/shape.js";
import { countOf, isLeaf, keyText, pathText, valueText, withMaskMarks } from "../language/value-text.js";
import { withoutFalse } from "../language/words.js";
import { criticalByState, networkArgument, networkOf, tierOf } from "../policy/tier.js";
import { argumentsSchema, headerArguments, type ValidatedArguments } from "../schema/arguments.js";
import { unknownNames } from "../schema/unknown-members.js";
import { returnsSecret } from "../secrets/files.js";
import { maskSecrets } from "../secrets/masking.js";
import { canonical } from "../text/canonical.js";
import { onOneLine } from "../text/marks.js";
import type { ResolvedRequest } from "../wire/index.js";
import { digestOfRequest } from "./difference.js";
import { itemLines, type LeafPlace, leafLines } from "./preview/leaves.js";
import {
  clipped,
  collapseTo,
  type LineRun,
  lineInForms,
  lineOrClipped,
  linesOfForm,
  onlyInForms,
  type PreviewLine,
  type PreviewLineKind,
  shortenTo,
} from "./preview/lines.js";
import {
  type Changes,
  changeCounts,
  type PreviewSentence,
  previewSentenceOf,
  previewSentenceText,
  previewTarget,
} from "./preview/sentence.js";
import { type PresentState, refuseStale, withoutLinkMembers, writablePart } from "./state.js";
import { undoInWords } from "./undo.js";

const maxUnsent = 3;

/**
 * A warning for each of the first fields that are not sent and differ.
 * @param seen The given arguments, without secrets.
 * @param present The state, without secrets.
 */
function unsentWarnings({ leftOut = [] }: ValidatedArguments, seen: unknown, present: unknown): string[] {
  const others = leftOut.filter(([, ...path]) => {
    const now = memberAt(present, path);
    return now !== undefined && canonical(now) !== canonical(memberAt(seen, ["body", ...path]));
  });
  const more = others.length - maxUnsent;
  return [
    ...others.slice(0, maxUnsent).map((path) => {
      const [given, now] = [memberAt(seen, path), memberAt(present, path.slice(1))].map((one) => valueText(one));
      return `${fieldOf(path)} is ${given} here and ${now} in the present state: the API sets it itself, so it is not sent and does not change.`;
    }),
    ...(more > 0 ? [`${more} more such fields differ.`] : []),
  ];
}

type Members = Readonly<Record<string, unknown>>;

/** The facts about a call, in addition to its lines. */
interface PreviewFacts {
  /** One sentence that begins with what is lost. */
  readonly summary: string;
  readonly kind: GuardKind;
  readonly account: string;
  readonly network?: string;
  readonly count?: number;
  readonly request: { readonly method: string; readonly path: string };
  /** The text to type to approve a critical call, such as the zone or `3 CP codes`. */
  readonly target: string;
  /** Likely problems, in words. */
  readonly warnings: readonly string[];
  /** How many of the lines are changes; absent if the state could not be compared. */
  readonly changes?: number;
  /** What the change does to the site, as far as it was read. */
  readonly forecast?: Forecast;
}

/** The description of one call, before it is combined with others that are approved together. */
export interface CallDescription {
  readonly facts: PreviewFacts;
  /** Its summary, as data. */
  readonly sentence: PreviewSentence;
  readonly parts: {
    /** How it is undone. */
    readonly undo: readonly PreviewLine[];
    /** The difference between the present and the resulting state. */
    readonly difference: readonly PreviewLine[];
    /** The request's method and URL, which follow from the tool and its arguments. */
    readonly route: readonly PreviewLine[];
    /** The arguments that the route shows. */
    readonly inRoute: readonly PreviewLine[];
    /** The other arguments. */
    readonly request: readonly PreviewLine[];
    /** The present state, if the difference does not cover it. */
    readonly state: readonly PreviewLine[];
  };
  /** A sentence about undocumented fields that are sent. */
  readonly unknown?: string | undefined;
  /** The network that it acts on, given or derived; absent if the operation has no networks. */
  readonly actsOn?: string | undefined;
  /** The number of reasons for it to be critical. */
  readonly gravity: number;
  readonly digest: string;
}

export interface Preview extends PreviewFacts {
  /** The complete preview as lines of plain text, without links in the present state, secrets masked. */
  readonly lines: readonly string[];
  /** The kinds of the lines, for readers who format them. */
  readonly outline: readonly LineRun[];
  /** The networks that it acts on, given or derived; empty if the operation has no networks. */
  readonly actsOn: readonly string[];
  /** The lines of the shorter forms, most important first. */
  readonly ranked: readonly PreviewLine[];
  /** A keyed digest of the whole resolved request, secrets included: different requests never share it. */
  readonly digest: string;
}

/** The paths of the replaced value in the state and in the arguments. */
export function placesOf(replaces: string) {
  const path = replaces.split(".");
  // The body replaces the whole state, and a member of the body the state's member of the same name.
  return { path, place: path[0] === "body" ? path.slice(1) : path };
}

/** A merge keeps the members that it does not name. */
const mergeMembers = (before: unknown, proposed: unknown): unknown =>
  isRecord(before) && isRecord(proposed) ? { ...before, ...proposed } : proposed;

/**
 * The arguments that a call sends in addition to the replaced value, as paths: a query parameter, a header, a part of a
 * media type, another member of the body. Those that the state was read with only locate it, and a stamp sets nothing.
 */
function fieldsBesideReplaced(
  operation: AnyOperation,
  replaces: string,
  sentMembers: Members,
  { asked: readArguments = {} }: PresentState,
): ValuePath[] {
  const { query = {}, lock } = operation.spec;
  const inHead = [query, mediaArguments(operation)].flatMap((one) => Object.keys(one));
  const headers = headerArguments(operation).map(([, { argument }]) => argument);
  const others = [...new Set([...inHead, ...headers])]
    .filter((name) => name !== replaces && name !== lock?.field && !Object.hasOwn(readArguments, name))
    .map((name) => [name]);
  const { body } = sentMembers;
  const members = replaces === "body" || !isRecord(body) ? [] : Object.keys(body).map((name) => ["body", name]);
  return [...others, ...members.filter((path) => ![replaces, lock?.field, lock?.at].includes(path.join(".")))].filter(
    (path) => memberAt(sentMembers, path) !== undefined,
  );
}

/** The changes of a write; undefined if there is nothing to compare. */
function changesOf(
  operation: AnyOperation,
  { replaces, write = "replace", review: form }: Guard,
  sentMembers: Members,
  state: PresentState | undefined,
): Changes | undefined {
  if (replaces === undefined || state === undefined) return undefined;
  const { path, place } = placesOf(replaces);
  const present = memberAt(state.body, place);
  const proposed = memberAt(sentMembers, path);
  if (present === undefined || proposed === undefined) return undefined;
  const schema = argumentsSchema(operation);
  const forms = path.reduce(formsAt, formsOf(schema));
  const undocumented = unknownNames(schema, sentMembers);
  const before = writablePart(forms, present, undocumented);
  const replacement = writablePart(forms, proposed, undocumented);
  const after = write === "merge" ? mergeMembers(before, replacement) : replacement;
  const whole = review(before, after, form, (value) =>
    withMaskMarks(value, maskSecrets(state.schemas, maskSecrets([schema], value, path), place)),
  );
  const stateForms = formsOfAll(state.schemas);
  const others = fieldsBesideReplaced(operation, replaces, sentMembers, state).map((at) => {
    const stored = memberAt(state.body, at.slice(-1));
    // A member of the body that the state could show and does not is none.
    const isShown = at.length > 1 && stateForms.some((form) => declares(form, String(at.at(-1))));
    return { at, stored, isCompared: stored !== undefined || isShown };
  });
  const beside = others
    .filter(({ isCompared }) => isCompared)
    .map(({ at, stored }) => {
      const [name] = at.slice(-1) as [string];
      return review({ [name]: stored }, { [name]: memberAt(sentMembers, at) }, {}, (value) =>
        withMaskMarks(
          value,
          maskSecrets(state.schemas, { [name]: maskSecrets([schema], memberAt(value, [name]), at) }),
        ),
      );
    });
  const uncompared = others.filter(({ isCompared }) => !isCompared).map(({ at }) => fieldOf(at));
  // Groups end with what is about nothing in particular.
  const all = form?.effects ? [whole, ...beside] : [...beside, whole];
  return {
    changes: all.flatMap(({ changes }) => changes),
    ignored: all.flatMap(({ ignored }) => ignored),
    uncompared,
  };
}

const maxUngrouped = 10;

/** The kind of a line of a difference. */
const kindOf = (verb: DifferenceLine["verb"]): PreviewLineKind =>
  verb === undefined || verb === "ignored" ? "difference" : verb;

/** The changes: each on a line, and in the compact form those of the same record on one. */
function changeEntries(found: Changes, form: ReviewForm | undefined): readonly PreviewLine[] {
  const { changes, ignored } = found;
  const counts = new Map<string, number>();
  for (const { list } of changes) counts.set(list, (counts.get(list) ?? 0) + 1);
  const lists =
    changes.length > maxUngrouped ? `; ${[...counts].map(([list, count]) => `${list} ${count}`).join(", ")}` : "";
  const removes = changes.some(isLeftOut) ? "; fields that the call leaves out are removed" : "";
  const head = `Changes: ${changeCounts(changes) || "none"}${removes}`;
  const count = ignoredInWords(ignored);
  return [
    ...shortenTo(lineOrClipped(`${head}${lists}`, "difference"), head, "difference"),
    ...changeGroups(changes, form).flatMap(({ heading, lines }) => [
      ...(heading === undefined ? [] : lineOrClipped(`  ${heading}`, "difference")),
      ...onlyInForms(
        ["whole", "short"],
        lines.flatMap(({ text, verb }) => lineOrClipped(`  ${text}`, kindOf(verb))),
      ),
      ...linesByRecord(lines).map(({ text, whole }) => lineInForms(["brief"], `  ${text}`, "changed", whole)),
    ]),
    ...(count === undefined ? [] : lineOrClipped(`  ${count}`, "difference")),
    ...onlyInForms(
      ["whole"],
      ignored.flatMap(({ text }) => lineOrClipped(`    ${text}`, "difference")),
    ),
  ];
}

// Longer arguments are not repeated below the changes, which show all of them together with the present state.
const maxRepeated = 2_000;

const scalarsIn = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + scalarsIn(inner), 0)
    : 1;

/** The names of the arguments that a URL shows as they are given: in a segment of its path, or by name in its query. */
function namesInRoute({ pathname, search }: URL, { path }: ValidatedArguments, seen: Members): ReadonlySet<string> {
  const segments = pathname.split("/");
  const pairs = search.slice(1).split("&");
  const isShown = ([name, value]: readonly [string, unknown]) =>
    typeof value !== "object" &&
    (Object.hasOwn(path, name) ? segments.includes(String(value)) : pairs.includes(`${name}=${value}`));
  return new Set(
    Object.entries(seen)
      .filter(isShown)
      .map(([name]) => name),
  );
}

const leastStaying = 3;
// Each set of names takes a pass over the present list.
const maxForms = 20;

/** The indexes of records that are in the present list as they are sent, as far as they name fields. */
function unchangedItemsIn(sentItems: readonly unknown[], present: readonly unknown[]): ReadonlySet<number> {
  const known = new Map<string, ReadonlySet<string>>();
  const isThere = (item: unknown): boolean => {
    if (!isRecord(item)) return false;
    const names = Object.keys(item);
    const key = canonical(names.toSorted());
    if (known.size === maxForms && !known.has(key)) return false;
    const found = known.get(key) ?? new Set(present.filter(isRecord).map((one) => canonical(pickMembers(one, names))));
    known.set(key, found);
    return found.has(canonical(item));
  };
  return new Set([...sentItems.keys()].filter((at) => isThere(sentItems[at])));
}

const pickMembers = (one: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(one, name) ? [[name, one[name]] as const] : [])));

/** The lines of a list, for which the shorter forms count the records that are in the present list. */
function withoutUnchangedItems(
  lines: readonly PreviewLine[],
  raw: unknown,
  shown: unknown,
  place: LeafPlace,
  present: unknown,
): readonly PreviewLine[] {
  if (!Array.isArray(raw) || !Array.isArray(shown) || !Array.isArray(present)) return lines;
  const staying = unchangedItemsIn(raw, present);
  if (staying.size < leastStaying) return lines;
  const head = `${pathText(place.path)}: ${countOf(raw.length, "item")}, ${staying.size.toLocaleString("en-US")} of them as now`;
  const others = [...raw.keys()].filter((at) => !staying.has(at)).flatMap(itemLines(raw, shown, place));
  // The head stands for itself and for the records that it counts.
  const count = linesOfForm("whole", lines).length - linesOfForm("whole", others).length;
  return [
    ...onlyInForms(["whole"], lines),
    lineInForms(["brief", "short"], head, "request", count),
    ...onlyInForms(["brief", "short"], others),
  ];
}

/**
 * The arguments; those that the changes cover are repeated in full, but only mentioned in the shorter forms.
 * @param present The state with which the guard compares them; undefined if it does not.
 */
function argumentEntries(
  schema: ReturnType<typeof argumentsSchema>,
  sentMembers: Members,
  seen: Members,
  covered: string | undefined,
  present: unknown,
): readonly PreviewLine[] {
  const shown = withMaskMarks(sentMembers, seen) as Members;
  const forms = formsOf(schema);
  const at = covered?.split(".") ?? [];
  const walk = (raw: unknown, seen: unknown, path: readonly string[]): readonly PreviewLine[] =>
    Object.entries(raw as Members).flatMap(([key, value]) => {
      const inner = [...path, key];
      const isOnTheWay = at.length > 0 && inner.every((step, index) => at[index] === step);
      const member = memberAt(seen, [key]);
      const isWhole = !isOnTheWay || inner.length === at.length;
      const isBody = inner.length === 1 && key === "body" && isRecord(value) && !isEmpty(value);
      if (!isWhole || (isBody && !isOnTheWay)) return walk(value, member, inner);
      const place = { before: "", path: inner, forms: inner.reduce(formsAt, forms) };
      const inWhole = () => leafLines(value, member, place);
      if (!isOnTheWay) return withoutUnchangedItems(inWhole(), value, member, place, memberAt(present, inner.slice(1)));
      const count = scalarsIn(value);
      const says = `${covered}: ${countOf(count, "value")}, compared above`;
      return count > maxRepeated ? lineOrClipped(says) : collapseTo(inWhole(), says);
    });
  return walk(sentMembers, shown, []);
}

const telling = /^(name|title|description|status|state|enabled|active|[a-z]+(Name|Status))$/i;
const maxTelling = 3;

/** The fields that tell what the object is, such as its name and its status. */
const tellingMembersIn = (shown: unknown): string[] =>
  isRecord(shown)
    ? Object.entries(shown)
        .filter(([name, value]) => telling.test(name) && isLeaf(value) && !isEmpty(value))
        .slice(0, maxTelling)
        .map(([name, value]) => `${keyText(name)} ${clipped(valueText(value), 80)}`)
    : [];

/** The present state: the compact form has only what the object is, if nothing else says what is lost. */
function stateEntries(state: PresentState | undefined, decides: boolean): readonly PreviewLine[] {
  if (state?.body === undefined) return lineOrClipped("Now: there is no present state to show.", "now");
  const body = withoutLinkMembers(state.schemas, state.body);
  const shown = withMaskMarks(body, maskSecrets(state.schemas, body));
  const tells = decides ? tellingMembersIn(shown) : [];
  return [
    ...onlyInForms(["whole"], leafLines(body, shown, { before: "Now: ", is: "now", path: [], forms: [] })),
    ...(tells.length === 0 ? [] : [lineInForms(["brief"], `Now: ${tells.join(", ")}`, "now", tells.length)]),
  ];
}

/** Kinds that need an existing object. */
const ends: ReadonlySet<GuardKind> = new Set(["delete", "cancel"]);

/** The arguments that were completed from the profile. */
const filledEntries = ({ filled }: ValidatedArguments): readonly PreviewLine[] =>
  filled === undefined
    ? []
    : lineOrClipped(
        `Filled in by the profile: ${Object.entries(filled)
          .map(([name, value]) => `${name} ${valueText(value)}`)
          .join(", ")}.`,
      );

/** Warnings that apply to every declaration. */
function generalWarnings(
  operation: AnyOperation,
  { replaces }: Guard,
  sentMembers: Members,
  state: PresentState | undefined,
): string[] {
  const { lock, unseen } = operation.spec;
  const shownBy = readerOf(operation)?.by;
  // A write may create the object, and its sentence then states that there is nothing to compare with.
  const needsIt = replaces === undefined || ends.has(guardOrDefault(operation).kind);
  const isMissing = state === undefined && shownBy !== undefined && needsIt;
  return [
    ...(unseen === undefined ? [] : [unseen]),
    ...(isMissing
      ? [`${shownBy} finds nothing: ${isCreation(operation) ? "" : "it no longer exists, or "}an id is wrong.`]
      : []),
    ...(lock === undefined || memberAt(sentMembers, lock.field) !== undefined
      ? []
      : [`${lock.field} is not given, so a change that someone else made in the meantime would be overwritten.`]),
    ...(state?.unread ?? []).map((tool) => `${tool} could not be read, so this preview is incomplete.`),
  ];
}

/** The arguments as they are sent: without read-only fields of the body. */
export function sentMembersOf({ values, body, leftOut }: ValidatedArguments): Members {
  const { confirm: _, ...given } = values;
  return leftOut === undefined ? given : { ...given, body };
}

/** The responses of `relatedReads`, without secrets. */
export const relatedOf = (state: PresentState | undefined): Members =>
  Object.fromEntries(
    Object.entries(state?.related ?? {}).map(([name, one]) => [name, one && maskSecrets(one.schemas, one.body)]),
  );

function countIn({ counts }: Guard, seen: Members): number | undefined {
  const counted = counts === undefined ? undefined : memberAt(seen, counts);
  return Array.isArray(counted) ? counted.length : undefined;
}

function networkIn(guard: Guard, seen: Members): string | undefined {
  const argument = networkArgument(guard);
  const named = argument === undefined ? undefined : memberAt(seen, argument);
  return named === undefined ? undefined : onOneLine(String(named));
}

/**
 * Describes a call before it is made, with its secrets masked.
 * @param state The response of the operation in `shownBy`, or undefined if it could not be called.
 * @throws Failure `conflict` if the call's version stamp is not the state's.
 */
export function describe(
  tool: string,
  operation: AnyOperation,
  args: ValidatedArguments,
  request: ResolvedRequest,
  account: string,
  state: PresentState | undefined,
): CallDescription {
  refuseStale(tool, operation, args.values, state);
  const guard = guardOrDefault(operation);
  const sentMembers = sentMembersOf(args);
  const schema = argumentsSchema(operation);
  const seen = maskSecrets([schema], sentMembers) as Members;
  const present = state && maskSecrets(state.schemas, state.body);
  const related = relatedOf(state);
  const count = countIn(guard, seen);
  const network = networkIn(guard, seen);
  const changes = changesOf(operation, guard, sentMembers, state);
  const sentence = previewSentenceOf({
    guard,
    tool,
    args: { ...args, values: seen },
    network,
    count,
    state: present,
    related,
    changes,
    destinations: guard.when === "sending" ? destinationsIn(schema, seen) : [],
  });
  const summary = previewSentenceText(sentence);
  const warnings = [
    ...generalWarnings(operation, guard, sentMembers, state),
    ...unsentWarnings(args, maskSecrets([schema], args.values), present),
    ...withoutFalse(...(guard.warns?.(seen, present, related) ?? [])),
  ].map(onOneLine);
  const path = onOneLine(request.url.pathname + request.url.search);
  const secretLine =
    "Secret: the response's secret goes to a new file in the server's secret directory, and is not shown.";
  const past = { given: seen, before: present, related };
  const inRoute = namesInRoute(request.url, args, seen);
  const argumentsOf = (isShown: boolean) => {
    const some = Object.fromEntries(Object.entries(sentMembers).filter(([name]) => inRoute.has(name) === isShown));
    return argumentEntries(schema, some, seen, changes && guard.replaces, guard.compares && state?.body);
  };
  const compared = guard.compares?.(seen, present, related) ?? [];
  return {
    facts: {
      summary,
      kind: guard.kind,
      account,
      ...(network === undefined ? {} : { network }),
      ...(count === undefined ? {} : { count }),
      request: { method: request.method, path },
      target: onOneLine(previewTarget(guard, tool, { ...args, values: seen }, present, related)),
      warnings,
      ...(changes ? { changes: changes.changes.length } : {}),
    },
    sentence,
    parts: {
      undo: shortenTo(
        lineOrClipped(`Undo: ${undoInWords(operation, past)}`, "undo"),
        `Undo: ${undoInWords(operation, past, tool)}`,
        "undo",
      ),
      difference: [
        ...compared.flatMap(({ text, verb }) => {
          const lines = lineOrClipped(text, kindOf(verb));
          return verb === "ignored" || sentence.shows?.includes(text) ? onlyInForms(["whole"], lines) : lines;
        }),
        ...(changes ? changeEntries(changes, guard.review) : []),
      ],
      route: lineOrClipped(`Request: ${request.method} ${path} (${tool})`),
      request: [
        ...filledEntries(args),
        ...(args.absent === undefined ? [] : lineOrClipped(args.absent)),
        ...(returnsSecret(operation, args.values) ? lineOrClipped(secretLine) : []),
        ...argumentsOf(false),
      ],
      inRoute: argumentsOf(true),
      state:
        changes || isCreation(operation)
          ? []
          : stateEntries(state, typeof guard.says !== "function" && compared.length === 0),
    },
    unknown: args.unknown === undefined ? undefined : onOneLine(args.unknown),
    actsOn: network ?? networkOf(operation, args.values),
    gravity: tierOf(operation, args.values, {
      isStateShown: state !== undefined,
      criticalBy: criticalByState(guard, seen, present, related),
    }).because.length,
    digest: digestOfRequest(request),
  };
}
