/** What a destructive call would do, derived from its declaration, its arguments and the state it would change. */
import { argumentsSchema, type CheckedArguments } from "../arguments/index.js";
import { namesUnknown } from "../arguments/unknown-members.js";
import type { Guard, GuardKind } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { describedBy, isCreation, readerOf } from "../language/effect.js";
import { changeIn } from "../language/line-difference.js";
import { onOneLine } from "../language/marks.js";
import { fieldOf, isRecord, memberAt } from "../language/member.js";
import { criticalByState, networkArgument, networkOf, tierOf } from "../language/tier.js";
import { destinationsIn } from "../schema/destination.js";
import { formsAt, formsOf } from "../schema/shape.js";
import { givesSecret } from "../secrets/files.js";
import { masked } from "../secrets/masking.js";
import { inPublishedPlaces, type ResolvedRequest } from "../wire/index.js";
import { canonical, digestOfRequest } from "./difference.js";
import { type ChangeLine, changeLines } from "./preview/changes.js";
import { type BriefLine, behind, type Entry, nothing, ofKind, type Run, single, together } from "./preview/entry.js";
import { leaves } from "./preview/leaves.js";
import { countsOf, sentenceOf, targetOf } from "./preview/sentence.js";
import { countOf, withMasks, written } from "./preview/text.js";
import { refuseStale, type State, withoutLinks, writablePart } from "./state.js";
import { waySaid } from "./undo.js";

const maxUnsent = 3;

/**
 * One warning for each of the first such members.
 * @param seen The arguments as they were given, without their secrets.
 * @param present The state, without its secrets.
 */
function unsentWarnings({ leftOut = [] }: CheckedArguments, seen: unknown, present: unknown): string[] {
  const others = leftOut.filter(([, ...path]) => {
    const now = memberAt(present, path);
    return now !== undefined && canonical(now) !== canonical(memberAt(seen, ["body", ...path]));
  });
  const more = others.length - maxUnsent;
  return [
    ...others.slice(0, maxUnsent).map((path) => {
      const [given, now] = [memberAt(seen, path), memberAt(present, path.slice(1))].map((one) => written(one));
      return `${fieldOf(path)} is ${given} here and ${now} there: the API sets it itself, so it is not sent and does not change.`;
    }),
    ...(more > 0 ? [`${more} more such members differ.`] : []),
  ];
}

type Members = Readonly<Record<string, unknown>>;

/** What is known of a call before it is made, beside its lines. */
interface Facts {
  /** One sentence that leads with what is lost. */
  readonly summary: string;
  readonly kind: GuardKind;
  readonly account: string;
  readonly network?: string;
  readonly count?: number;
  readonly request: { readonly method: string; readonly path: string };
  /** What a person has to type to approve a critical call, such as the zone or `3 CP codes`. */
  readonly target: string;
  /** What is likely to go wrong, in words. */
  readonly warnings: readonly string[];
  /** How many of the lines are changes; absent where the state could not be compared. */
  readonly changes?: number;
}

/** A call as it is described by itself, before it is put together with what else is approved as one. */
export interface Description {
  readonly facts: Facts;
  readonly parts: {
    /** How it is taken back. */
    readonly undo: Entry;
    /** How what would be there differs from what is there. */
    readonly difference: Entry;
    /** The request's method and address, which follow from the tool and its arguments. */
    readonly route: Entry;
    /** The arguments. */
    readonly request: Entry;
    /** What is there now, where the difference does not say it. */
    readonly state: Entry;
  };
  /** Which members of what is sent no source names, as a sentence. */
  readonly unknown?: string | undefined;
  /** The network that it acts on, as given or as follows from its declaration; absent where networks mean nothing to it. */
  readonly actsOn?: string | undefined;
  /** The number of reasons for which it is critical. */
  readonly gravity: number;
  readonly digest: string;
}

export interface Preview extends Facts {
  /** The complete preview as lines of plain text, nothing left out but links in the present state, secrets masked. */
  readonly lines: readonly string[];
  /** What the lines are, for whoever shows them as more than text. */
  readonly outline: readonly Run[];
  /** The networks that it acts on, as given or as follows from the declarations; none where networks mean nothing to it. */
  readonly actsOn: readonly string[];
  /** All of it in fewer lines, for a question. */
  readonly brief: readonly BriefLine[];
  /** The same in short, what matters most first, where not even that has room. */
  readonly short: readonly BriefLine[];
  /** A keyed digest of the whole resolved request, secrets included: two different requests never share it. */
  readonly digest: string;
}

/** Two parts of a path: where the state has what is replaced, and where the arguments have it. */
function placesOf(replaces: string) {
  const path = replaces.split(".");
  // The body stands for the whole state, and a member of it for the member of the same name.
  return { path, place: path[0] === "body" ? path.slice(1) : path };
}

/** A merge leaves the members that it does not name as they are. */
const merged = (before: unknown, proposed: unknown): unknown =>
  isRecord(before) && isRecord(proposed) ? { ...before, ...proposed } : proposed;

/** What a write would change in the state, both without their secrets; undefined when there is nothing to compare. */
function changesOf(
  operation: AnyOperation,
  { replaces, write = "replace", items }: Guard,
  given: Members,
  state: State | undefined,
): readonly ChangeLine[] | undefined {
  if (replaces === undefined || state === undefined) return undefined;
  const { path, place } = placesOf(replaces);
  const present = memberAt(state.body, place);
  const proposed = memberAt(given, path);
  if (present === undefined || proposed === undefined) return undefined;
  const schema = argumentsSchema(operation);
  const forms = path.reduce(formsAt, formsOf(schema));
  const besides = namesUnknown(schema, given);
  const before = writablePart(forms, present, besides);
  const sent = writablePart(forms, proposed, besides);
  const after = write === "merge" ? merged(before, sent) : sent;
  return changeLines(before, after, items, (value) =>
    withMasks(value, masked(state.schemas, masked([schema], value, path), place)),
  );
}

const maxUngrouped = 10;

/** What becomes of what a call leaves out of what it writes. */
const leftOut = {
  replace: "what the call leaves out is removed",
  merge: "what the call leaves out stays as it is",
} as const;

function changeEntries({ write = "replace" }: Guard, changes: readonly ChangeLine[]): Entry {
  const counts = new Map<string, number>();
  for (const { list } of changes) counts.set(list, (counts.get(list) ?? 0) + 1);
  const lists =
    changes.length > maxUngrouped ? `; ${[...counts].map(([list, count]) => `${list} ${count}`).join(", ")}` : "";
  return together([
    ofKind("difference", single(`Changes: ${countsOf(changes) || "none"}; ${leftOut[write]}${lists}`)),
    ...changes.map(({ text, verb }) => ofKind(verb === "emptied" ? "changed" : verb, single(`  ${text}`, "change"))),
  ]);
}

// Beyond this nobody reads it again below the changes, which together with the present state say all of it.
const maxRepeated = 2_000;

const scalarsIn = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + scalarsIn(inner), 0)
    : 1;

/** The arguments; what the changes show is repeated in whole, and in a question said to be there. */
function argumentEntries(
  schema: ReturnType<typeof argumentsSchema>,
  given: Members,
  seen: Members,
  covered: string | undefined,
): Entry {
  const shown = withMasks(given, seen) as Members;
  const forms = formsOf(schema);
  const at = covered?.split(".") ?? [];
  const walk = (raw: unknown, seen: unknown, path: readonly string[]): Entry[] =>
    Object.entries(raw as Members).map(([key, value]) => {
      const inner = [...path, key];
      const isOnTheWay = at.length > 0 && inner.every((step, index) => at[index] === step);
      const member = memberAt(seen, [key]);
      if (isOnTheWay && inner.length < at.length) return together(walk(value, member, inner));
      const inWhole = () => leaves(value, member, { before: "", path: inner, forms: inner.reduce(formsAt, forms) });
      if (!isOnTheWay) return inWhole();
      const count = scalarsIn(value);
      const says = `${covered} (${countOf(count, "value")}): how it differs from what is there now is shown above`;
      return count > maxRepeated ? single(says) : behind(inWhole(), says);
    });
  return together(walk(given, shown, []));
}

function stateEntries(state: State | undefined): Entry {
  if (state?.body === undefined) return single("Now: there is no present state to show.", "now");
  const body = withoutLinks(state.schemas, state.body);
  const shown = withMasks(body, masked(state.schemas, body));
  return leaves(body, shown, { before: "Now: ", is: "now", path: [], forms: [] });
}

/** What only something that is there can have done to it. */
const ends: ReadonlySet<GuardKind> = new Set(["delete", "cancel"]);

/** The arguments that nobody has given, because the profile has them. */
const filledEntries = ({ filled }: CheckedArguments): Entry[] =>
  filled === undefined
    ? []
    : [
        single(
          `Filled in by the profile: ${Object.entries(filled)
            .map(([name, value]) => `${name} ${written(value)}`)
            .join(", ")}.`,
        ),
      ];

/** What holds for every declaration and is worth a warning. */
function generalWarnings(
  operation: AnyOperation,
  { replaces }: Guard,
  given: Members,
  state: State | undefined,
): string[] {
  const { lock } = operation.spec;
  const shownBy = readerOf(operation)?.by;
  // A write may well be the first one, and its sentence says that there is nothing to compare with.
  const needsIt = replaces === undefined || ends.has(describedBy(operation).kind);
  const isMissing = state === undefined && shownBy !== undefined && needsIt;
  return [
    ...(isMissing
      ? [`${shownBy} finds nothing there: ${isCreation(operation) ? "" : "it is gone already, or "}an id is wrong.`]
      : []),
    ...(lock === undefined || memberAt(given, lock.field) !== undefined
      ? []
      : [`${lock.field} is not given, so a change that someone else has made meanwhile is overwritten unseen.`]),
    ...(state?.unread ?? []).map((tool) => `${tool} could not be read, so this preview does not tell what it shows.`),
  ];
}

/** The arguments as they are sent: without what the body repeats of an answer and does not set. */
function sentOf({ values, body, leftOut }: CheckedArguments): Members {
  const { confirm: _, ...given } = values;
  return leftOut === undefined ? given : { ...given, body };
}

/** What was read besides, without its secrets. */
export const besideOf = (state: State | undefined): Members =>
  Object.fromEntries(
    Object.entries(state?.beside ?? {}).map(([name, one]) => [name, one && masked(one.schemas, one.body)]),
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
 * @param state What the operation named by `shownBy` answered, or undefined when it could not be called.
 * @throws Failure `conflict` when the call carries another version stamp than the state has.
 */
export function describe(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  request: ResolvedRequest,
  account: string,
  state: State | undefined,
): Description {
  refuseStale(tool, operation, args.values, state);
  const guard = describedBy(operation);
  const given = sentOf(args);
  const schema = argumentsSchema(operation);
  const seen = masked([schema], given) as Members;
  const present = state && masked(state.schemas, state.body);
  const beside = besideOf(state);
  const count = countIn(guard, seen);
  const network = networkIn(guard, seen);
  const changes = changesOf(operation, guard, given, state);
  const summary = onOneLine(
    sentenceOf({
      guard,
      tool,
      args: { ...args, values: seen },
      network,
      count,
      state: present,
      beside,
      changes,
      destinations: guard.when === "sending" ? destinationsIn(schema, seen) : [],
    }),
  );
  const warnings = [
    ...generalWarnings(operation, guard, given, state),
    ...unsentWarnings(args, masked([schema], args.values), present),
    ...(guard.warns?.(seen, present, beside) ?? []),
  ].map(onOneLine);
  const path = onOneLine(request.url.pathname + request.url.search);
  const secretLine = "Secret: the answer's goes to a new file in the server's secret directory, and is not shown.";
  const asSent = (values: Members): Members =>
    request.published === undefined ? values : inPublishedPlaces(values, request.published);
  return {
    facts: {
      summary,
      kind: guard.kind,
      account,
      ...(network === undefined ? {} : { network }),
      ...(count === undefined ? {} : { count }),
      request: { method: request.method, path },
      target: onOneLine(targetOf(guard, tool, { ...args, values: seen }, present, beside)),
      warnings,
      ...(changes ? { changes: changes.length } : {}),
    },
    parts: {
      undo: ofKind("undo", single(`Undo: ${waySaid(operation, { given: seen, before: present, beside })}`)),
      difference: together([
        ...(guard.compares?.(seen, present, beside) ?? []).map((line) =>
          ofKind(changeIn(line) ?? "difference", single(line)),
        ),
        ...(changes ? [changeEntries(guard, changes)] : []),
      ]),
      route: single(`Request: ${request.method} ${path} (${tool})`),
      request: together([
        ...filledEntries(args),
        ...(givesSecret(operation, args.values) ? [single(secretLine)] : []),
        argumentEntries(schema, asSent(given), asSent(seen), changes && guard.replaces),
      ]),
      state: changes || isCreation(operation) ? nothing : stateEntries(state),
    },
    unknown: args.unknown === undefined ? undefined : onOneLine(args.unknown),
    actsOn: network ?? networkOf(operation, args.values),
    gravity: tierOf(operation, args.values, {
      isStateShown: state !== undefined,
      criticalBy: criticalByState(guard, seen, present, beside),
    }).because.length,
    digest: digestOfRequest(request),
  };
}
