/** The guard: no destructive request leaves without a plan that was shown, approved, and is still valid. */
import { argumentsSchema, type CheckedArguments } from "../arguments/index.js";
import { type Account, type AccountName, accountKey, accountText } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isCreation, readerOf } from "../language/effect.js";
import { criticalByState } from "../language/tier.js";
import { holdsMask, masked } from "../secrets/masking.js";
import type { ResolvedRequest } from "../wire/index.js";
import { type Difference, differences, requestHash, stateHash } from "./difference.js";
import type { Approval, Binding, Plan, Plans, Through } from "./plan.js";
import { describeAll, ledByProfile, type Remarks } from "./preview/several.js";
import { besideOf, describe, type Preview } from "./preview.js";
import type { State } from "./state.js";
import type { Before } from "./undo.js";
import { wayBackByHand } from "./undo.js";

export type { Approval, KeptPreview, OperatorPlans, Plan, PlanRecord, Plans, Settlement, Through } from "./plan.js";
export { keptOf, planAddress } from "./plan.js";
export { createPlans } from "./plans/index.js";
export { type Folded, folded, isAskable, question, shownPreview } from "./preview/question.js";
export type { Preview } from "./preview.js";
export type { State } from "./state.js";
export { explainConflict } from "./state.js";
export type { Before } from "./undo.js";
export { madeBy, noteOnWayBack, type WayBack, wayBackOf } from "./undo.js";

/** A change that was composed from what is there, as its caller asked for it. */
export interface Composed extends Remarks {
  readonly tool: string;
  /** Its own arguments, without `confirm`. */
  readonly given: Arguments;
  readonly confirm: string | undefined;
  /** Whether it stands for calls whose arguments its caller gave, so that it reads nothing by itself. */
  readonly isGiven?: boolean;
}

/** One request of a guarded call. */
export interface GuardedItem {
  readonly args: CheckedArguments;
  readonly request: ResolvedRequest;
  /**
   * Reads the state that it would change; undefined when no operation can show it for these arguments.
   * @param how.isFresh Whether it has to be as it is at this moment, and not as this call has read it before.
   */
  readonly readState: (how: { readonly isFresh: boolean }) => Promise<State | undefined>;
}

/** A destructive call as it stands before it is made: one request, or several of one operation that are approved as one. */
export interface GuardedCall {
  /** The tool that was called: of the operation, or of the composed change. */
  readonly tool: string;
  /** The operation's own tool. */
  readonly operationTool: string;
  readonly operation: AnyOperation;
  readonly items: readonly GuardedItem[];
  readonly composed?: Composed | undefined;
  readonly account: Account;
  readonly accountName: () => Promise<AccountName | undefined>;
  /** The owner: no one else can use the plan. */
  readonly owner: string;
}

/** What a guarded call comes to, as things are now. */
export interface Proposal {
  readonly binding: Binding;
  readonly preview: Preview;
  /** Whether the state of every request could be shown. */
  readonly isStateShown: boolean;
  /** What was read that makes the call critical. */
  readonly criticalBy: readonly string[];
  /** What is there now and what was asked for each request, without secrets, for the way back. */
  readonly before: readonly Before[];
}

type States = readonly (State | undefined)[];

// Some state changes by itself, such as a queue's length; only what the call replaces or removes must stay as shown.
const isBoundToState = ({ operation }: GuardedCall): boolean => guardOf(operation)?.boundTo !== "request";

const readStates = async ({ items }: GuardedCall, isFresh: boolean): Promise<States> => {
  const states: (State | undefined)[] = [];
  // One after the other: fifty reads at once would be refused for their number.
  for (const item of items) states.push(await item.readState({ isFresh }));
  return states;
};

/** What an approval of a request is bound to beyond the request; undefined when there is nothing. */
function boundIn(operation: AnyOperation, state: State | undefined): unknown {
  if (isCreation(operation)) return state?.bound;
  if (state?.bound === undefined) return state?.body;
  return { state: state.body, beside: state.bound };
}

/** The arguments of a request, without what was filled in from the state. */
function askedIn({ args: { values, asked = values } }: GuardedItem): Arguments {
  const { confirm: _, ...given } = asked;
  return given;
}

function bindingOf(call: GuardedCall, states: States): Binding {
  const { tool, account, owner, items, composed, operation } = call;
  const requests = items.map(({ request }) => requestHash(request));
  const caller = { tool, account: accountKey(account), owner, requests };
  const bound = isBoundToState(call) ? states.map((state) => boundIn(operation, state)) : [];
  const isBound = bound.some((body) => body !== undefined);
  const isMadeFromState = composed !== undefined || items.some(({ args }) => args.asked !== undefined);
  if (!isMadeFromState)
    return { ...caller, requestHash: requests.join(), stateHash: isBound ? stateHash(bound) : undefined };
  // A request that is made from the state differs whenever that does, although the same was asked.
  // So it counts as part of the state: its refusal then says that the state has changed, and not the arguments.
  return {
    ...caller,
    requestHash: stateHash(composed?.given ?? items.map(askedIn)),
    stateHash: stateHash({ requests, state: isBound ? bound : undefined }),
  };
}

/** What the state and what was read beside it say of how much harm a request can do. */
function criticalIn(operation: AnyOperation, { args }: GuardedItem, state: State | undefined): readonly string[] {
  const { confirm: _, ...given } = args.values;
  const seen = masked([argumentsSchema(operation)], given) as Arguments;
  const guard = guardOf(operation);
  return guard ? criticalByState(guard, seen, state && masked(state.schemas, state.body), besideOf(state)) : [];
}

/** What a request was asked and what it would change, as far as both can be kept without their secrets. */
function beforeOf({ operation, operationTool }: GuardedCall, { args }: GuardedItem, state: State | undefined): Before {
  const { confirm: _, ...asked } = args.values;
  const given = masked([argumentsSchema(operation)], asked) as Arguments;
  const before = state && !isCreation(operation) ? masked(state.schemas, state.body) : undefined;
  const wayBack = wayBackByHand(operation, { given, before, beside: besideOf(state) });
  const { says, call } = wayBack ?? {};
  return {
    tool: operationTool,
    given,
    state: before,
    ...(says === undefined ? {} : { wayBack: says }),
    // What was masked cannot be sent.
    ...(call === undefined || holdsMask(call.arguments) ? {} : { returnsBy: call }),
  };
}

/** What the requests of a call were asked, where nothing is known of the state. */
export const beforeUnread = (call: GuardedCall): Before[] => call.items.map((item) => beforeOf(call, item, undefined));

/**
 * Reads the state that a call would change and describes what it would do. Nothing is changed.
 * @throws Failure when the state cannot be read, because a preview without it would hide what is lost.
 */
export async function propose(call: GuardedCall): Promise<Proposal> {
  const { operationTool, operation, items, composed, account } = call;
  const [states, known] = await Promise.all([readStates(call, false), call.accountName()]);
  const text = accountText(account, known);
  const previews = items.map(({ args, request }, at) =>
    describe(operationTool, operation, args, request, text, states[at]),
  );
  return {
    binding: bindingOf(call, states),
    preview: ledByProfile(describeAll(operationTool, previews, composed), account.profile),
    isStateShown: states.every((state) => state !== undefined),
    criticalBy: items.flatMap((item, at) => criticalIn(operation, item, states[at])),
    before: items.map((item, at) => beforeOf(call, item, states[at])),
  };
}

const maxDifferences = 12;

/** Where each request, or the state that it was shown with, differs from what a plan kept of it; secrets are masked in both. */
function differencesSince(
  { before = [] }: Plan,
  call: GuardedCall,
  states: States,
  of: "arguments" | "state",
): readonly Difference[] {
  const found = call.items.flatMap((item, index) => {
    const kept = before[index];
    const now = beforeOf(call, item, states[index]);
    if (kept === undefined) return [];
    const at = call.items.length === 1 ? [] : [`call ${index + 1}`];
    return of === "arguments"
      ? differences(kept.given, now.given, { at })
      : differences(kept.state, now.state, { at: [...at, "state"] });
  });
  return found.slice(0, maxDifferences);
}

/**
 * Uses up the plan of an approved call, after reading the state again where the plan is bound to it.
 * @returns Who approved it, and when.
 * @throws Failure `approval_refused` when the plan does not hold for this call as things are now.
 */
export async function redeem(plans: Plans, planId: string, call: GuardedCall, through: Through): Promise<Approval> {
  const states = isBoundToState(call) ? await readStates(call, true) : [];
  const { composed, operation } = call;
  return plans.redeem(planId, bindingOf(call, states), through, {
    reader: readerOf(operation)?.by,
    composedBy: composed?.isGiven === true ? undefined : composed?.tool,
    differences: (plan, of) => differencesSince(plan, call, states, of),
  });
}
