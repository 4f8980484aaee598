/** The way back: what a plan keeps for it, the call that takes a change back, or why there is none. */
import { argumentsSchema } from "../arguments/index.js";
import { namesUnknown } from "../arguments/unknown-members.js";
import type { Answered, Approved, Arguments, ByHand, Past, Undo } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf } from "../language/effect.js";
import { memberAt, withMember } from "../language/member.js";
import { callInWords, NextCall, type WholeCall } from "../language/next-call.js";
import { restoreTool } from "../language/own-tools.js";
import { formsAt, formsOf } from "../schema/shape.js";
import { writablePart } from "./state.js";

/** One request's part of the way back. */
export interface Before {
  /** The operation's tool. */
  readonly tool: string;
  readonly given: Arguments;
  readonly state: unknown;
  /** How it is taken back by hand, in words: what that is said from is not kept itself. */
  readonly wayBack?: string;
  /** The call that does that, where it is one. */
  readonly returnsBy?: WholeCall;
  /** What its answer named of what it made: that is known after the plan was written, and stands with its outcome. */
  readonly made?: Arguments;
}

/** A call that would take a change back, still to be previewed and approved like any other. */
export interface WayBack {
  readonly tool: string;
  readonly args: Arguments;
}

/** Why there is no such call, as a sentence. */
export interface NoWayBack {
  readonly because: string;
}

/** How a change is taken back by hand; undefined where that is not how it is taken back. */
export function wayBackByHand(operation: AnyOperation, past: Approved): ByHand | undefined {
  const undo = guardOf(operation)?.undo;
  if (typeof undo !== "object" || !("by" in undo)) return undefined;
  const by = typeof undo.by === "string" ? undo.by : undo.by(past);
  return typeof by === "string" ? { says: by } : by;
}

/** The same from a plan, which has said it already unless an older version of this program kept it. */
const byHand = (operation: AnyOperation, { given, state, wayBack }: Before): string =>
  wayBack ?? wayBackByHand(operation, { given, before: state, beside: {} })?.says ?? "";

/** The members of the former value that a merge had named: it leaves all others as they are. */
const namedBy = (given: unknown, former: unknown): unknown =>
  Object.fromEntries(Object.keys(given as Arguments).map((key) => [key, memberAt(former, [key])]));

/** The same call with what was there before in the place of what it wrote, and the stamp that is there now. */
function rewritten({ spec, ...operation }: AnyOperation, past: Past): Arguments | undefined {
  const { given, before, now } = past;
  const declared = { spec, ...operation };
  const { replaces, write, undo } = guardOf(declared) ?? { kind: "overwrite" };
  if (replaces === undefined) return undefined;
  const path = replaces.split(".");
  const former = memberAt(before, path[0] === "body" ? path.slice(1) : path);
  if (former === undefined) return undefined;
  const schema = argumentsSchema(declared);
  const writable = writablePart(path.reduce(formsAt, formsOf(schema)), former, namesUnknown(schema, given));
  const around = typeof undo === "object" && "rewrite" in undo ? undo.rewrite(past) : given;
  const back = withMember(around, path, write === "merge" ? namedBy(memberAt(given, path), writable) : writable);
  if (spec.lock === undefined) return back as Arguments;
  const { field, at = field } = spec.lock;
  return withMember(back, field.split("."), memberAt({ body: now }, at)) as Arguments;
}

/**
 * The call that takes one request back.
 * @param before What the request was asked and what was there before it, from its plan.
 * @param now The state as it is now; undefined where there is none.
 */
export function wayBackOf(operation: AnyOperation, before: Before, now: unknown): WayBack | NoWayBack {
  const { tool, given, state } = before;
  const undo: Undo | undefined = guardOf(operation)?.undo;
  if (undo === undefined) return { because: "Nothing is declared that would take this change back." };
  if (typeof undo === "object" && "never" in undo) return { because: undo.never };
  if (typeof undo === "object" && "by" in undo) return { because: byHand(operation, before) };
  if (typeof undo === "object" && "made" in undo)
    return before.made === undefined
      ? { because: "Its answer did not name what it made, so nothing here knows what would have to be removed." }
      : { tool: undo.tool, args: before.made };
  const past: Past = { given, before: state, now };
  const isRewritten = undo === "rewrite" || "rewrite" in undo;
  const args = isRewritten ? rewritten(operation, past) : undo.args(past);
  if (args === undefined)
    return { because: "Nothing was kept that could be put back: there was no state before the change." };
  return { tool: isRewritten ? tool : undo.tool, args };
}

/** How a change would be taken back, as its preview says it: a sentence or more. */
export function waySaid(operation: AnyOperation, past: Approved): string {
  const undo = guardOf(operation)?.undo;
  if (undo === undefined) return "no call is known that takes this back.";
  if (typeof undo === "object" && "never" in undo) return `not possible. ${undo.never}`;
  if (typeof undo === "object" && "by" in undo) return wayBackByHand(operation, past)?.says ?? "";
  const isRewritten = undo === "rewrite" || "rewrite" in undo;
  const hasNothing = () => isRewritten || ("args" in undo && undo.args({ ...past, now: undefined }) === undefined);
  if (past.before === undefined && hasNothing()) return "nothing was found there that could be put back.";
  const prepares = isRewritten ? "the call" : `a call of ${undo.tool}`;
  return `${restoreTool} prepares ${prepares} that takes this back, to be approved like this one.`;
}

/** What an answer names of what its request made, where that is how it is taken back; undefined where it is not. */
export function madeBy(operation: AnyOperation, answer: Answered): Arguments | null | undefined {
  const undo = guardOf(operation)?.undo;
  return typeof undo === "object" && "made" in undo ? (undo.made(answer) ?? null) : undefined;
}

/** The way back from a change that was made, as its answer has it. */
interface Noted {
  readonly note: string;
  /** The call that prepares it, or those that make it, in their order. */
  readonly undoWith?: NextCall | readonly NextCall[];
}

/**
 * What the answer of a guarded call says of its way back, where that is declared.
 * @param before What its requests were asked, what was there before them and what they made.
 * @param isKept Whether the plan keeps that.
 */
export function noteOnWayBack(
  operation: AnyOperation,
  planId: string,
  before: readonly Before[],
  isKept: boolean,
): Noted | undefined {
  const undo = guardOf(operation)?.undo;
  if (undo === undefined) return undefined;
  if (typeof undo === "object" && "never" in undo) return { note: `This cannot be undone. ${undo.never}` };
  if (typeof undo === "object" && "by" in undo) {
    const ways = before.map((one) => byHand(operation, one));
    const calls = new Map(before.flatMap(({ returnsBy }) => (returnsBy ? [[callInWords(returnsBy), returnsBy]] : [])));
    const undoWith = [...calls.values()].map((one) => new NextCall(one.tool, one.arguments));
    const [only] = undoWith;
    return {
      note: `To take this back: ${[...new Set(ways)].join(" ")}`,
      ...(only === undefined ? {} : { undoWith: undoWith.length === 1 ? only : undoWith }),
    };
  }
  if (!isKept)
    return { note: "No call is prepared that takes this back: what was there before is too large to be kept." };
  const [none] = before.flatMap((one) => {
    // What is there now is read when it is asked for. Until then the earlier state tells whether anything can be put back.
    const back = wayBackOf(operation, one, one.state);
    return "because" in back ? [back.because] : [];
  });
  if (none !== undefined) return { note: `No call is prepared that takes this back. ${none}` };
  return {
    note: `To take this back, call ${restoreTool} with plan ${JSON.stringify(planId)}; it is previewed and approved like any other change.`,
    undoWith: new NextCall(restoreTool, { plan: planId }),
  };
}
