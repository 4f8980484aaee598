/**
 * The guard: no destructive request leaves without a plan that was shown, approved, and is still valid. `propose` reads
 * the present state and describes the change, `prepareRedemption` checks the plan of an approved call; neither changes
 * anything upstream. How previews are worded, what a plan is bound to and where plans are stored stays in this room.
 */
import { type Account, type AccountName, accountKey, accountText } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isCreation, readerOf } from "../language/effect.js";
import type { ChangeScope } from "../language/forecast.js";
import { criticalByState } from "../policy/tier.js";
import { argumentsSchema, type ValidatedArguments } from "../schema/arguments.js";
import { holdsMask, maskSecrets } from "../secrets/masking.js";
import type { ResolvedRequest } from "../wire/index.js";
import {
  digestOfRequest,
  digestOfValue,
  type FieldDifference,
  fieldDifferences,
  requestHash,
  stateHash,
} from "./difference.js";
import type { ApprovalRoute, Binding, Plan, Plans, RedeemablePlan } from "./plan.js";
import { describeAll, type PreviewRemarks, withAccountLead } from "./preview/several.js";
import { describe, type Preview, relatedOf } from "./preview.js";
import type { PresentState } from "./state.js";
import { manualUndoOf, type UndoRecord } from "./undo.js";

export type {
  ApprovalRecord,
  ApprovalRoute,
  Approver,
  KeptPreview,
  OperatorPlans,
  Plan,
  PlanRecord,
  Plans,
  RedeemablePlan,
  Requester,
  Settlement,
} from "./plan.js";
export { keptPreviewOf, planAddress } from "./plan.js";
export { createPlans } from "./plans/index.js";
export { apisSettingOf } from "./plans/refusals.js";
export { withForecast } from "./preview/forecast.js";
export { type FoldedPreview, foldPreview, isAskable, question, shownPreview } from "./preview/question.js";
export { withPolicyLines } from "./preview/several.js";
export type { Preview } from "./preview.js";
export type { PresentState } from "./state.js";
export { explainConflict } from "./state.js";
export { storedDifference } from "./stored.js";
export type { UndoRecord } from "./undo.js";
export { createdObjectOf, manualUndoCalls, type UndoCall, undoCallOf, undoNote } from "./undo.js";

/** A change that was composed from the present state, and what its caller asked for. */
export interface ComposedCall extends PreviewRemarks {
  readonly tool: string;
  /** The arguments of the composed change, without `confirm`. */
  readonly given: Arguments;
  readonly confirm: string | undefined;
  /** Whether it only passes on calls whose arguments the caller gave, so that it does not read the state. */
  readonly isGiven?: boolean;
}

/** One request of a guarded call. */
export interface GuardedItem {
  readonly args: ValidatedArguments;
  readonly request: ResolvedRequest;
  /**
   * Reads the state that it would change; undefined if no operation can show it for these arguments.
   * @param how.isFresh Whether to read it again instead of using what this call has already read.
   */
  readonly readState: (how: { readonly isFresh: boolean }) => Promise<PresentState | undefined>;
}

/** A destructive call before it is made: one request, or several of one operation that are approved together. */
export interface GuardedCall {
  /** The tool that was called: of the operation or of the composed change. */
  readonly tool: string;
  /** The tool of the operation. */
  readonly operationTool: string;
  readonly operation: AnyOperation;
  readonly items: readonly GuardedItem[];
  readonly composed?: ComposedCall | undefined;
  /** The requests that write the draft that these put into effect, and the state that they were composed from. */
  readonly draft?: { readonly requests: readonly ResolvedRequest[]; readonly from: unknown };
  /** Set on a server with today's APIs. */
  readonly apis?: "today" | undefined;
  readonly account: Account;
  readonly accountName: () => Promise<AccountName | undefined>;
  /** The owner: other clients cannot use the plan. */
  readonly owner: string;
  /** Set if the policy asks for two persons. */
  readonly approvers?: 2 | undefined;
  /** The ticket that was given with the call. */
  readonly ticket?: string | undefined;
  /** The rules that deny the call to all but two persons, the gravest first; never empty. */
  readonly breaks?: readonly string[] | undefined;
}

/** The plan and preview of a guarded call, for the present state. */
export interface Proposal {
  readonly binding: Binding;
  readonly preview: Preview;
  /** Whether the state of every request could be shown. */
  readonly isStateShown: boolean;
  /** Reasons for the call to be critical that were found by reading. */
  readonly criticalBy: readonly string[];
  /** What the requests reach on the site, for a forecast. */
  readonly scopes: readonly ChangeScope[];
  /** The arguments and the present state of each request, without secrets, for its undo. */
  readonly before: readonly UndoRecord[];
}

type PresentStates = readonly (PresentState | undefined)[];

const readStates = async ({ items }: GuardedCall, isFresh: boolean): Promise<PresentStates> => {
  const states: (PresentState | undefined)[] = [];
  // Sequentially, because fifty parallel reads would hit the rate limit.
  for (const item of items) states.push(await item.readState({ isFresh }));
  return states;
};

// Some state changes by itself, such as the length of a queue; only state that the call replaces or removes must not
// change.
const isBoundToState = (operation: AnyOperation): boolean => readerOf(operation)?.isBound === true;
const isBoundToRelated = ({ spec: { relatedReads = {} } }: AnyOperation): boolean =>
  Object.values(relatedReads).some(({ isBound }) => isBound);

/** The state to which the approval of a request is bound; undefined if there is none. */
function boundStateOf(operation: AnyOperation, state: PresentState | undefined): unknown {
  if (isCreation(operation) || !isBoundToState(operation)) return state?.bound;
  if (state?.bound === undefined) return state?.body;
  // Stored plans have a hash of this, with these names.
  return { state: state.body, beside: state.bound };
}

/** The arguments of a request, without those that were completed from the state. */
function callerArgumentsOf({ args: { values, asked = values } }: GuardedItem): Arguments {
  const { confirm: _, ...given } = asked;
  return given;
}

function bindingOf(call: GuardedCall, states: PresentStates): Binding {
  const { tool, account, owner, items, composed, operation, draft } = call;
  const requests = items.map(({ request }) => requestHash(request));
  const setting = call.apis === undefined ? {} : { apis: call.apis };
  const approvers = call.approvers === undefined ? {} : { approvers: call.approvers };
  const ticket = call.ticket === undefined ? {} : { ticket: call.ticket };
  const breaks = call.breaks === undefined ? {} : { breaks: call.breaks };
  const caller = {
    tool,
    ...setting,
    ...approvers,
    ...ticket,
    ...breaks,
    account: accountKey(account),
    owner,
    requests,
  };
  const bound = states.map((state) => boundStateOf(operation, state));
  const isBound = bound.some((body) => body !== undefined);
  const isMadeFromState = composed !== undefined || items.some(({ args }) => args.asked !== undefined);
  if (!isMadeFromState)
    return { ...caller, requestHash: requests.join(), stateHash: isBound ? stateHash(bound) : undefined };
  // A request that was composed from the state changes with it, although the caller asked for the same. So it counts as
  // part of the state: the refusal then reports a changed state instead of changed arguments.
  return {
    ...caller,
    requestHash: stateHash(composed?.given ?? items.map(callerArgumentsOf)),
    stateHash: stateHash({
      requests,
      state: isBound ? bound : undefined,
      ...(draft === undefined ? {} : { draft: { from: draft.from, requests: draft.requests.map(requestHash) } }),
    }),
  };
}

/** Why a request is critical, and what it reaches, according to the state and its context. */
function findingsOf(operation: AnyOperation, { args }: GuardedItem, state: PresentState | undefined) {
  const { confirm: _, ...given } = args.values;
  const guard = guardOf(operation);
  if (!guard) return { criticalBy: [], scopes: [] };
  const seen = maskSecrets([argumentsSchema(operation)], given) as Arguments;
  const parameters = [seen, state && maskSecrets(state.schemas, state.body), relatedOf(state)] as const;
  return { criticalBy: criticalByState(guard, ...parameters), scopes: guard.forecasts?.(...parameters) ?? [] };
}

/** The arguments of a request and the state that it would change, without secrets. */
function undoRecordOf(
  { operation, operationTool }: GuardedCall,
  { args }: GuardedItem,
  state: PresentState | undefined,
): UndoRecord {
  const { confirm: _, ...unmaskedArguments } = args.values;
  const given = maskSecrets([argumentsSchema(operation)], unmaskedArguments) as Arguments;
  const before = state && !isCreation(operation) ? maskSecrets(state.schemas, state.body) : undefined;
  const manualUndo = manualUndoOf(operation, { given, before, related: relatedOf(state) });
  const { says, call } = manualUndo ?? {};
  return {
    tool: operationTool,
    given,
    state: before,
    ...(says === undefined ? {} : { wayBack: says }),
    // Masked values cannot be sent.
    ...(call === undefined || holdsMask(call.arguments) ? {} : { returnsBy: call }),
  };
}

/** The arguments of a call's requests, without any state. */
export const undoRecordsUnread = (call: GuardedCall): UndoRecord[] =>
  call.items.map((item) => undoRecordOf(call, item, undefined));

/**
 * Reads the state that a call would change and describes the change. Nothing is changed.
 * @throws Failure if the state cannot be read, because a preview without it would hide what is lost.
 */
export async function propose(call: GuardedCall): Promise<Proposal> {
  const { operationTool, operation, items, composed, account } = call;
  const [states, known] = await Promise.all([readStates(call, false), call.accountName()]);
  const text = accountText(account, known);
  const drafted = call.draft?.requests.map(digestOfRequest);
  const previews = items.map(({ args, request }, at) => {
    const described = describe(operationTool, operation, args, request, text, states[at]);
    return drafted === undefined ? described : { ...described, digest: digestOfValue([...drafted, described.digest]) };
  });
  const findings = items.map((item, at) => findingsOf(operation, item, states[at]));
  return {
    binding: bindingOf(call, states),
    preview: withAccountLead(describeAll(operationTool, previews, composed), account, known),
    isStateShown: states.every((state) => state !== undefined),
    criticalBy: findings.flatMap(({ criticalBy }) => criticalBy),
    scopes: findings.flatMap(({ scopes }) => scopes),
    before: items.map((item, at) => undoRecordOf(call, item, states[at])),
  };
}

const maxDifferences = 12;

/** The differences between each request, or its state, and those that the plan recorded; secrets are masked in both. */
function differencesSince(
  plan: Plan,
  call: GuardedCall,
  states: PresentStates,
  of: "arguments" | "state",
): readonly FieldDifference[] {
  const { before = [] } = plan;
  const differences = call.items.flatMap((item, index) => {
    const record = before[index];
    const now = undoRecordOf(call, item, states[index]);
    if (record === undefined) return [];
    const at = call.items.length === 1 ? [] : [`call ${index + 1}`];
    return of === "arguments"
      ? fieldDifferences(record.given, now.given, { at })
      : fieldDifferences(record.state, now.state, { at: [...at, "state"] });
  });
  const ticket = fieldDifferences({ ticket: plan.ticket }, { ticket: call.ticket });
  return [...(of === "arguments" ? ticket : []), ...differences].slice(0, maxDifferences);
}

/**
 * Checks the plan of an approved call, after reading the state again if the plan is bound to it.
 * @throws Failure `approval_refused` if the plan is not valid for this call in the present state.
 */
export async function prepareRedemption(
  plans: Plans,
  planId: string,
  call: GuardedCall,
  through: ApprovalRoute,
): Promise<RedeemablePlan> {
  const { composed, operation } = call;
  const isBound = isBoundToState(operation) || isBoundToRelated(operation);
  const states = isBound ? await readStates(call, true) : [];
  return plans.redeemable(planId, bindingOf(call, states), through, {
    reader: readerOf(operation)?.by,
    composedBy: composed?.isGiven === true ? undefined : composed?.tool,
    differences: (plan, of) => differencesSince(plan, call, states, of),
  });
}
