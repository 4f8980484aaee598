/** Undoing changes: what a plan records for it, the call that undoes a change, or why there is none. */
import type { ApprovedChange, Arguments, ManualUndo, PastChange, Undo, UpstreamAnswer } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { changesBetween } from "../language/difference.js";
import { guardOf } from "../language/effect.js";
import { fieldOf, memberAt, withMember } from "../language/member.js";
import { NextCall, type WholeCall } from "../language/next-call.js";
import { callsIn, type NamedCall, type Sentence, sentenceText } from "../language/sentence.js";
import { restoreTool } from "../language/server-tools.js";
import { formsAt, formsOf } from "../language/shape.js";
import { argumentsSchema } from "../schema/arguments.js";
import { unknownNames } from "../schema/unknown-members.js";
import { holdsMask } from "../secrets/masking.js";
import { writablePart } from "./state.js";

/** The record of one request for its undo. */
export interface UndoRecord {
  /** The tool of the operation. */
  readonly tool: string;
  readonly given: Arguments;
  readonly state: unknown;
  /** How it is undone by hand, under its name in stored plans; the state behind it is not stored. */
  readonly wayBack?: Sentence;
  /** The call that undoes it, if there is a single one. */
  readonly returnsBy?: WholeCall;
  /** The fields of the response that name a created object, which are only known after the plan was written. */
  readonly made?: Arguments;
}

/** A call that undoes a change, still to be previewed and approved like any other. */
export interface UndoCall {
  readonly tool: string;
  readonly args: Arguments;
}

/** Why there is no such call, as a sentence. */
export interface NoUndo {
  readonly because: string;
}

/** How a change is undone by hand; undefined if it is undone in another way. */
export function manualUndoOf(operation: AnyOperation, past: ApprovedChange): ManualUndo | undefined {
  const undo = guardOf(operation)?.undo;
  if (typeof undo !== "object" || !("by" in undo)) return undefined;
  const by = typeof undo.by === "string" ? undo.by : undo.by(past);
  return typeof by === "object" && "says" in by ? by : { says: by };
}

/** The same from a plan, which has the text unless an older version of this program stored it. */
const manualUndoInWords = (operation: AnyOperation, { given, state, wayBack }: UndoRecord): Sentence =>
  wayBack ?? manualUndoOf(operation, { given, before: state, related: {} })?.says ?? "";

/** The calls that the sentences on the undo by hand name, except for those with masked values, which cannot be sent. */
export const manualUndoCalls = (before: readonly UndoRecord[] = []): readonly NamedCall[] =>
  before.flatMap(({ wayBack = "" }) => callsIn(wayBack)).filter(({ call }) => !holdsMask(call.arguments));

/** The former values of the fields that a merge named; it leaves all others unchanged. */
const sameMembersOf = (given: unknown, former: unknown): unknown =>
  Object.fromEntries(Object.keys(given as Arguments).map((key) => [key, memberAt(former, [key])]));

/** The same call with the former value in place of the written one, and the present version stamp. */
function rewritingArguments({ spec, ...operation }: AnyOperation, past: PastChange): Arguments | undefined {
  const { given, before, now } = past;
  const declared = { spec, ...operation };
  const { replaces, write, undo } = guardOf(declared) ?? { kind: "overwrite" };
  if (replaces === undefined) return undefined;
  const path = replaces.split(".");
  const former = memberAt(before, path[0] === "body" ? path.slice(1) : path);
  if (former === undefined) return undefined;
  const schema = argumentsSchema(declared);
  const writable = writablePart(path.reduce(formsAt, formsOf(schema)), former, unknownNames(schema, given));
  const around = typeof undo === "object" && "rewrite" in undo ? undo.rewrite(past) : given;
  const back = withMember(around, path, write === "merge" ? sameMembersOf(memberAt(given, path), writable) : writable);
  if (spec.lock === undefined) return back as Arguments;
  const { field, at = field } = spec.lock;
  return withMember(back, field.split("."), memberAt({ body: now }, at)) as Arguments;
}

/**
 * The call that undoes one request.
 * @param before The arguments and the former state of the request, from its plan.
 * @param now The present state; undefined if there is none.
 */
export function undoCallOf(operation: AnyOperation, before: UndoRecord, now: unknown): UndoCall | NoUndo {
  const { tool, given, state } = before;
  const undo: Undo | undefined = guardOf(operation)?.undo;
  if (undo === undefined) return { because: "No undo is declared for this change." };
  if (typeof undo === "object" && "never" in undo) return { because: undo.never };
  if (typeof undo === "object" && "by" in undo) return { because: sentenceText(manualUndoInWords(operation, before)) };
  if (typeof undo === "object" && "made" in undo)
    return before.made === undefined
      ? { because: "The response did not name the created object, so it is not known what to remove." }
      : { tool: undo.tool, args: before.made };
  const past: PastChange = { given, before: state, now };
  const isRewritten = undo === "rewrite" || "rewrite" in undo;
  const args = isRewritten ? rewritingArguments(operation, past) : undo.args(past);
  if (args === undefined) return { because: "There is nothing to restore: there was no state before the change." };
  return { tool: isRewritten ? tool : undo.tool, args };
}

const maxOther = 3;

/**
 * A sentence in which a call that repeats the present one with a few other values names only these.
 * @param tool The tool of the present call.
 */
function inShort(sentence: Sentence, tool: string, callArguments: Arguments): string {
  const parts = [sentence].flat().map((part) => {
    if (typeof part === "string" || part.call.tool !== tool || !part.words.startsWith("call ")) return part;
    const changes = changesBetween(callArguments, part.call.arguments);
    const others = changes.flatMap((one) => ("to" in one && one.to !== undefined ? [[one.path, one.to] as const] : []));
    if (others.length < changes.length || others.length > maxOther) return part;
    return `make this call again with ${others.map(([path, to]) => `${fieldOf(path)} ${JSON.stringify(to)}`).join(", ")}`;
  });
  return sentenceText(parts);
}

/**
 * How a change would be undone, for its preview: one or more sentences.
 * @param tool The tool of the call, for sentences that do not repeat its arguments.
 */
export function undoInWords(operation: AnyOperation, past: ApprovedChange, tool?: string): string {
  const undo = guardOf(operation)?.undo;
  if (undo === undefined) return "no call is known that undoes this.";
  if (typeof undo === "object" && "never" in undo) return `not possible. ${undo.never}`;
  if (typeof undo === "object" && "by" in undo) {
    const says = manualUndoOf(operation, past)?.says ?? "";
    return tool === undefined ? sentenceText(says) : inShort(says, tool, past.given);
  }
  const isRewritten = undo === "rewrite" || "rewrite" in undo;
  const hasNothing = () => isRewritten || ("args" in undo && undo.args({ ...past, now: undefined }) === undefined);
  if (past.before === undefined && hasNothing()) return "there is no present state that could be restored.";
  const prepares = isRewritten ? "the call" : `a call of ${undo.tool}`;
  return `${restoreTool} prepares ${prepares}, which is approved like this one.`;
}

/** The fields of a response that name a created object, if the undo needs them; undefined if it does not. */
export function createdObjectOf(operation: AnyOperation, answer: UpstreamAnswer): Arguments | null | undefined {
  const undo = guardOf(operation)?.undo;
  return typeof undo === "object" && "made" in undo ? (undo.made(answer) ?? null) : undefined;
}

/** The undo of a change that was made, as its result has it. */
interface UndoNote {
  readonly note: string;
  /** The calls that the note names. */
  readonly names?: readonly NamedCall[];
  /** The call that prepares the undo, or the calls that make it, in order. */
  readonly undoWith?: NextCall | readonly NextCall[];
}

/**
 * The note on the undo in the result of a guarded call, if an undo is declared.
 * @param before The arguments, former states and created objects of its requests.
 * @param isKept Whether the plan stores them.
 */
export function undoNote(
  operation: AnyOperation,
  planId: string,
  before: readonly UndoRecord[],
  isKept: boolean,
): UndoNote | undefined {
  const undo = guardOf(operation)?.undo;
  if (undo === undefined) return undefined;
  if (typeof undo === "object" && "never" in undo) return { note: `This cannot be undone. ${undo.never}` };
  if (typeof undo === "object" && "by" in undo) {
    const ways = before.map((one) => sentenceText(manualUndoInWords(operation, one)));
    const calls = new Map(
      before.flatMap(({ returnsBy }) => (returnsBy ? [[JSON.stringify(returnsBy), returnsBy]] : [])),
    );
    const undoWith = [...calls.values()].map((one) => new NextCall(one.tool, one.arguments));
    const [only] = undoWith;
    return {
      note: `To undo this: ${[...new Set(ways)].join(" ")}`,
      names: manualUndoCalls(before),
      ...(only === undefined ? {} : { undoWith: undoWith.length === 1 ? only : undoWith }),
    };
  }
  if (!isKept) return { note: "No undo call is prepared: the former state is too large to be stored." };
  const [none] = before.flatMap((one) => {
    // The present state is read when the undo is requested. Until then the former state determines whether it can be
    // undone.
    const back = undoCallOf(operation, one, one.state);
    return "because" in back ? [back.because] : [];
  });
  if (none !== undefined) return { note: `No undo call is prepared. ${none}` };
  const undoWith = new NextCall(restoreTool, { plan: planId });
  const restore = { call: undoWith, words: `call ${restoreTool} with plan ${JSON.stringify(planId)}` };
  return {
    note: `To undo this, ${restore.words}; it is previewed and approved like any other change.`,
    names: [restore],
    undoWith,
  };
}
