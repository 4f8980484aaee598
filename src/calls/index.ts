/** Calls between the protocol and the wire: every tool is called here and returns an outcome. */
import type { Picture } from "../answers/picture.js";
import { scrubbed } from "../answers/secret-forms.js";
import { visibleText } from "../answers/visible.js";
import { accountText, whoseOf } from "../api/account.js";
import { checkValues } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import { deadlineIn } from "../api/deadline.js";
import { withZone } from "../api/defaults.js";
import { asFailure, Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import type { PlanRecord } from "../guard/index.js";
import { factsOfReading } from "../policy/index.js";
import type { Search } from "../search/index.js";
import { createAccountLookup } from "./account.js";
import { type Caller, operatorsCheck, type Reading } from "./caller.js";
import type { Context } from "./context.js";
import { callUnguarded, createInvoke, onlyReads, remembering } from "./invoke.js";
import { masking } from "./mask.js";
import { refusalOf } from "./offer.js";
import type { Outcome } from "./outcome.js";
import { permitFacts, whoseCall } from "./permit.js";
import { refuseChange } from "./prepare.js";
import type { ResultsOf } from "./results.js";
import type { Run } from "./run.js";
import { callSeries } from "./series.js";
import { callOperation } from "./single.js";
import { createStandingNotes } from "./standing-note.js";
import { readPresent } from "./state.js";
import { startTrail } from "./trail.js";
import { anyOperation, type Change, isChange, type Tools, type Workflow, type Workflows } from "./workflow.js";

export type { Caller, Decision, Reader, Reading } from "./caller.js";
export type { Context, Invoke } from "./context.js";
export type { Outcome } from "./outcome.js";
export type { Tools } from "./workflow.js";

export interface CallsOptions extends Context {
  readonly tools: Tools;
  readonly workflows: Workflows;
  readonly results: ResultsOf;
  readonly search: () => Promise<Search>;
  /** The timeout of one call and all that is done for it, in milliseconds; the user's time to approve is not counted. */
  readonly callTimeoutMs: number;
  /** Called with an error that is not a Failure, which is a bug in this program. */
  readonly onFault: (error: unknown, tool: string, requestId: Caller["requestId"]) => void;
}

export interface Calls {
  /** Calls a tool of the catalogue. Never throws: a failure is an outcome. */
  call(tool: string, args: Arguments, caller: Caller): Promise<Outcome>;
  /**
   * Calls an unguarded operation for what is no call of a tool, with a deadline and a record of its own.
   * @param by For whom and what for; where it is left out, for a check that the operator makes.
   * @throws Failure, always with what to do next.
   */
  invoke(tool: string, args: Arguments, by?: Reading): Promise<Reply>;
}

/**
 * A plan of the caller's own on this account; undefined where there is none.
 * @throws Failure `not_allowed` for one that the same caller had made for another account, which it names.
 */
async function ownPlan({ plans, account }: Context, { owner }: Caller, id: string): Promise<PlanRecord | undefined> {
  const whose = whoseOf(owner, account);
  const found = await plans.findOwn(id, whose);
  const elsewhere = found === undefined ? await plans.madeElsewhere(id, whose) : undefined;
  if (elsewhere === undefined) return found;
  throw new Failure("not_allowed", "This plan belongs to another account than this call.", {
    why: `It was made for ${elsewhere}, and this call acts on ${accountText(account)}. Nothing was sent.`,
    next: "Make the call where the plan was made: in its profile, or by the server that acts on its account.",
  });
}

/** Makes the calls of a process. */
export function createCalls({
  callTimeoutMs,
  onFault,
  tools,
  workflows,
  results,
  search,
  ...context
}: CallsOptions): Calls {
  const planOf = (caller: Caller) => (id: string) => ownPlan(context, caller, id);
  const nameOfAccount = createAccountLookup(context.accountReadings);
  const withStanding = createStandingNotes();

  const runWorkflow = async (
    run: Run,
    tool: string,
    { input, run: work, texts, steps, draws }: Workflow,
    args: Arguments,
  ): Promise<Outcome> => {
    const { caller, trail, invoke } = run;
    const given = checkValues(tool, input, withZone(input.shape, args, context.profile?.defaults));
    const facts = factsOfReading(tool, tools.get(tool)?.service ?? "", whoseCall(context, caller));
    const { decision } = await permitFacts(context, facts, trail);
    // What answers from the declarations alone sends nothing that could be counted.
    await trail.sending(steps === undefined ? { ...facts, calls: 0, count: 0 } : facts, decision.rule);
    const pictures: Picture[] = [];
    const result = await work(given, {
      invoke: masking(context, invoke("step")),
      progress: caller.progress,
      tools: caller.offer?.tools ?? tools,
      workflows,
      results: results(caller),
      search,
      plan: planOf(caller),
      shown: (text) => scrubbed(visibleText(text), context.secrets),
      show: (picture) => {
        if (draws !== true) throw new Error("A workflow that is not declared to draw showed a picture.");
        pictures.push(picture);
      },
    });
    await trail.ended({});
    return { kind: "workflow", result, texts, ...(pictures.length > 0 ? { pictures } : {}) };
  };

  const callChange = async (run: Run, tool: string, declared: Change, args: Arguments): Promise<Outcome> => {
    const { caller } = run;
    // What it holds is refused by itself.
    if (!declared.holdsCalls) refuseChange(context, tool, caller);
    const { confirm, ...given } = checkValues(tool, declared.input, args, true);
    // What cannot be sent is not prepared either.
    const refusal = declared.makes === anyOperation ? undefined : refusalOf(caller.offer, declared.makes, tool);
    if (refusal) throw refusal;
    const composition = await declared.compose(given, {
      invoke: onlyReads(context, run.read("step")),
      present: async (made, values) => {
        const found = await context.operationOf(made);
        return found && (await readPresent(context, found.declared, values, run.read("state")))?.body;
      },
      progress: caller.progress,
      tools,
      plan: planOf(caller),
      isConfirmed: confirm !== undefined,
    });
    if ("unchanged" in composition) {
      const { unchanged: why, ...more } = composition;
      return { kind: "workflow", result: { done: "Nothing was changed.", why, ...more } };
    }
    const asked = { tool, given, confirm: confirm as string | undefined };
    if ("each" in composition) return callSeries(run, composition, { ...asked, notes: [], warnings: [] });
    const { args: prepared, says, notes = [], warnings = [] } = composition;
    const made = declared.makes === anyOperation ? composition.tool : declared.makes;
    if (made === undefined) throw new Error("A composition lacks the operation that its declaration leaves open.");
    return callOperation(run, made, prepared, { ...asked, says, notes, warnings });
  };

  const callTool = async (run: Run, tool: string, args: Arguments): Promise<Outcome> => {
    const declared = Object.hasOwn(workflows, tool) ? await workflows[tool]?.() : undefined;
    const made = !declared
      ? callOperation(run, tool, args)
      : isChange(declared)
        ? callChange(run, tool, declared, args)
        : runWorkflow(run, tool, declared, args);
    try {
      return await made;
    } catch (error) {
      if (!(error instanceof Failure) || error.detail.mends === undefined) throw error;
      throw await (await import("./corrected.js")).withCorrected(error, run, tool, declared, args);
    }
  };

  return {
    async call(tool, args, caller) {
      const trail = startTrail(context, tool, args, caller);
      const deadline = deadlineIn(callTimeoutMs, caller.signal);
      const invoke = createInvoke({ context, caller, trail, deadline });
      const run: Run = {
        context,
        caller,
        trail,
        deadline,
        invoke,
        read: remembering(invoke, caller.offer),
        accountName: () => nameOfAccount({ context, caller, trail }),
        withStanding,
        keep: (whole, told) => results(caller).keep(whole, told),
        onFault: (error) => onFault(error, tool, caller.requestId),
      };
      try {
        if (caller.refused) throw caller.refused;
        return await callTool(run, tool, args);
      } catch (error) {
        if (!(error instanceof Failure)) run.onFault(error);
        const failure = asFailure(error);
        await trail.ended({ failure });
        return { kind: "failure", failure };
      }
    },
    async invoke(tool, args, by = operatorsCheck) {
      const { purpose, ...caller } = by;
      const trail = startTrail(context, tool, args, caller, { purpose });
      const made = { context, caller, trail, deadline: deadlineIn(callTimeoutMs, caller.signal) };
      return masking(context, (one, given) => callUnguarded(made, one, given, purpose))(tool, args);
    },
  };
}
