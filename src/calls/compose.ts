/**
 * Tools that are not one operation: a workflow is run, and a composed change is turned into the call of its operation.
 */
import type { PlanRecord } from "../guard/index.js";
import { accountOwner, accountText } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { withZone } from "../language/defaults.js";
import { Failure } from "../language/failure.js";
import type { Picture } from "../rows/result-store.js";
import { validateValues } from "../schema/arguments.js";
import type { Search } from "../search/index.js";
import { scrub, visibleText } from "../secrets/held-secrets.js";
import type { Background } from "./background.js";
import { invokeReadsOnly } from "./invoke.js";
import type { ToolCall } from "./locate.js";
import { withMaskedReplies } from "./mask.js";
import { refusalOfTool } from "./offer.js";
import type { Outcome } from "./outcome.js";
import { permitReading } from "./permit.js";
import type { ResultsLookup } from "./results.js";
import type { CallRun } from "./run.js";
import { readPresent } from "./state.js";
import { refuseIfReadOnly } from "./validate.js";
import { anyOperation, type ComposedChange, type Tools, type Workflow, type Workflows } from "./workflow.js";

/** The dependencies of workflows. */
export interface WorkflowDependencies {
  readonly tools: Tools;
  readonly workflows: Workflows;
  readonly results: ResultsLookup;
  readonly search: () => Promise<Search>;
}

/**
 * A plan of the caller on this account; undefined if there is none.
 * @throws Failure `not_allowed` for a plan of the same caller for another account, which it names.
 */
async function callerPlan(
  { context: { plans, account }, caller }: CallRun,
  id: string,
): Promise<PlanRecord | undefined> {
  const whose = accountOwner(caller.owner, account);
  const record = await plans.findOwn(id, whose);
  const elsewhere = record === undefined ? await plans.madeElsewhere(id, whose) : undefined;
  if (elsewhere === undefined) return record;
  throw new Failure("not_allowed", "This plan belongs to another account.", {
    why: `It was made for ${elsewhere}, and this call acts on ${accountText(account)}. Nothing was sent.`,
    next: "Make the call in the plan's profile, or with the server of its account.",
  });
}

/**
 * The same for a plan whose change is to be undone.
 * @throws Failure `not_found` if the change was made in the emulated world of another process, which ends with it.
 */
async function undoablePlan(run: CallRun, id: string): Promise<PlanRecord | undefined> {
  const record = await callerPlan(run, id);
  const hasRun = ["done", "failed", "unknown"].includes(record?.status ?? "");
  if (!run.context.account.isEmulated || !hasRun || record?.wasRedeemedHere !== false) return record;
  throw new Failure("not_found", "There is nothing to undo here.", {
    why: "The change was made in the emulated world of another process, and this one has a world of its own, which never saw it.",
    next: "Keep one world for several processes with `edgewise emulator`, and name it to each with --upstream.",
  });
}

/**
 * Runs a workflow, which only reads.
 * @throws Failure of its arguments, or `not_allowed`.
 */
export async function runWorkflow(
  run: CallRun,
  {
    tools,
    workflows,
    results,
    search,
    background,
  }: WorkflowDependencies & { readonly background: () => Promise<Background> },
  tool: string,
  { input, run: work, texts, steps, draws }: Workflow,
  args: Arguments,
): Promise<Outcome> {
  const { context, caller, trail, invoke } = run;
  const values = validateValues(tool, input, withZone(input.shape, args, context.profile?.defaults));
  const { facts, decision } = await permitReading(run, { tool, service: tools.get(tool)?.service ?? "" });
  // A workflow without steps answers from the declarations and sends nothing that could be counted.
  await trail.recordIntent(steps === undefined ? { ...facts, calls: 0, count: 0 } : facts, decision);
  const pictures: Picture[] = [];
  const result = await work(values, {
    invoke: withMaskedReplies(context, invoke("step")),
    progress: caller.progress,
    tools: caller.offer?.tools ?? tools,
    refusalOf: (name) => refusalOfTool(caller.offer, name),
    workflows,
    results: results(caller),
    search,
    plan: (id) => callerPlan(run, id),
    shown: (text) => scrub(visibleText(text), context.secrets),
    show: (picture) => {
      if (draws !== true) throw new Error("A workflow that is not declared to draw showed a picture.");
      pictures.push(picture);
    },
    changesSince: context.client.changesSince,
    inBackground: (name, backgroundWork) => void background().then(({ start }) => start(name, run, backgroundWork)),
  });
  await trail.recordEnd({});
  return { kind: "workflow", result, texts, ...(pictures.length > 0 ? { pictures } : {}) };
}

/**
 * The call that a composed change makes: of its operation, or those of a batch; or its outcome if there is nothing to
 * do.
 * @throws Failure
 */
export async function composeCall(
  run: CallRun,
  { tools }: WorkflowDependencies,
  tool: string,
  declared: ComposedChange,
  args: Arguments,
): Promise<ToolCall | Outcome> {
  const { context, caller } = run;
  // Each call that it holds is refused on its own.
  if (!declared.holdsCalls) refuseIfReadOnly(context, tool, caller);
  const { confirm, ...input } = validateValues(tool, declared.input, args, true);
  // A call that cannot be sent is not composed either.
  const refusal = declared.makes === anyOperation ? undefined : refusalOfTool(caller.offer, declared.makes, tool);
  if (refusal) throw refusal;
  const composition = await declared.compose(input, {
    invoke: invokeReadsOnly(context, run.read("step")),
    present: async (operationName, values) => {
      const found = await context.operationOf(operationName);
      return found && (await readPresent(context, found.declared, values, run.read("state")))?.body;
    },
    progress: caller.progress,
    tools,
    plan: (id) => undoablePlan(run, id),
    isConfirmed: confirm !== undefined,
  });
  if ("unchanged" in composition) {
    const { unchanged: why, ...more } = composition;
    return { kind: "workflow", result: { done: "Nothing was changed.", why, ...more } };
  }
  const changeCall = { tool, given: input, confirm: confirm as string | undefined };
  if ("each" in composition) {
    const { tool: operationName, each, view, isGiven, notes = [] } = composition;
    return {
      tool: operationName,
      itemArguments: each,
      view,
      isBatch: true,
      composed: { ...changeCall, notes, warnings: [], isGiven },
    };
  }
  const { args: prepared, draft, says, notes = [], warnings = [] } = composition;
  const operationName = declared.makes === anyOperation ? composition.tool : declared.makes;
  if (operationName === undefined)
    throw new Error("A composition lacks the operation that its declaration leaves open.");
  return { tool: operationName, itemArguments: [prepared], draft, composed: { ...changeCall, says, notes, warnings } };
}
