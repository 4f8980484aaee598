/** The tools for changes by any tool: batches, whole previews of plans, and undoing changes. */
import { estimateTokens } from "../answers/tokens.js";
import type { CallSeries, Composition } from "../calls/context.js";
import { anyOperation, type ComposedChange, composedChange, type Tools, workflow } from "../calls/workflow.js";
import { apisSettingOf, type PlanRecord, type UndoCall, type UndoRecord, undoCallOf } from "../guard/index.js";
import { Failure, quoteValue } from "../language/failure.js";
import { batchTool, restoreTool } from "../language/server-tools.js";
import { z } from "../language/z.js";
import { invalidInput, ViewArgument } from "../schema/arguments.js";
import { holdsMask } from "../secrets/masking.js";
import { didYouMean } from "../text/nearest.js";
import { operation } from "../tools/index.js";

const maxCalls = 50;

export const batch = composedChange({
  title: "Batch of calls",
  servesAllTools: true,
  does: "Makes up to 50 calls of one tool in order, with one preview and approval if needed; view combines all their rows. Stops at the first unknown outcome.",
  input: z.strictObject({
    tool: z.string().describe("Of one API operation"),
    arguments: z.array(z.record(z.string(), z.unknown())).min(1).max(maxCalls).describe("Of each call"),
    view: ViewArgument.optional(),
  }),
  steps: [
    "Check every call before the first is sent; if some are invalid, list the problems of each and send none.",
    "If the tool needs an approval, preview all calls as one plan; reads need none, even on a read-only server.",
    "Make the calls one after the other, until one has an unknown outcome.",
  ],
  example: {
    tool: "alert_definition_delete",
    arguments: [{ definitionId: "s@2071" }, { definitionId: "s@1623" }],
  },
  makes: anyOperation,
  holdsCalls: true,

  async compose({ tool, arguments: each, view }, { tools }) {
    const known = tools.get(tool);
    if (known === undefined || known.service === "workflows")
      throw invalidInput(batchTool, [
        {
          field: "tool",
          given: quoteValue(tool),
          takes: `the name of a tool that is one API operation${didYouMean(tool, tools.keys())}`,
        },
      ]);
    return { tool, each, view, isGiven: true };
  },
});

const planId = z
  .string()
  .regex(/^plan_[\w-]{1,64}$/, "a plan id (plan_ and 22 characters) from a preview or a result")
  .describe("Plan id, from a preview or a result");

/** As many lines from an offset on as fit into a number of tokens, at least one. */
function pageOf(lines: readonly string[], from: number, maxTokens: number): readonly string[] {
  let room = maxTokens;
  let end = from;
  for (; end < lines.length; end += 1) {
    room -= estimateTokens(`${JSON.stringify(lines[end])},`);
    if (room < 0 && end > from) break;
  }
  return lines.slice(from, end);
}

export const planPreview = workflow({
  title: "Whole preview of a plan",
  servesAllTools: true,
  does: "Reads every line of a plan's preview, and the plan's status.",
  input: z.strictObject({
    plan: planId,
    from: z.int().min(1).default(1).describe("First line"),
  }),
  example: { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA" },

  async run({ plan: id, from }, { plan: find, results }) {
    const record = await find(id);
    if (!record)
      throw new Failure("not_found", "There is no such plan.", {
        why: "A preview creates a plan, which belongs to its client and is kept for a few days at most.",
        next: "Call the tool without confirm to get a new preview.",
        atShell: { next: "Run the line of the change again: it previews the present state, and asks again." },
      });
    const { plan, status, approvals, refusal, outcome } = record;
    const { lines } = plan.preview;
    const pageLines = pageOf(lines, from - 1, results.maxTokens);
    const next = from + pageLines.length;
    const { approvers = 1 } = plan;
    const last = approvals.at(approvers - 1);
    return {
      plan: id,
      tool: plan.tool,
      tier: plan.tier,
      status,
      awaits: plan.awaits,
      expiresAt: new Date(plan.expiresAtMs).toISOString(),
      ...(approvers === 1 ? {} : { approvals: `${approvals.length} of ${approvers}` }),
      ...(last === undefined ? {} : { approved: { by: last.channel, at: new Date(last.atMs).toISOString() } }),
      ...(plan.breaks === undefined
        ? {}
        : { breaks: plan.breaks, reasons: approvals.flatMap(({ reason }) => reason ?? []) }),
      ...(refusal?.reason === undefined ? {} : { refusedBecause: refusal.reason }),
      ...(outcome === undefined ? {} : { outcome }),
      total: lines.length,
      lines: pageLines,
      ...(next <= lines.length ? { nextFrom: next } : {}),
    };
  },
});

type ReadPresent = Parameters<ComposedChange["compose"]>[1]["present"];

const noUndo = (why: string, next: string): Failure =>
  new Failure("not_found", "This plan has no undo.", { why, next });
const byHand = "Read the present state, and make the change that the user wants with its own tool.";

/** The plan's record of each request that may have changed something. */
function changesUnder(record: PlanRecord | undefined, apis: PlanRecord["plan"]["apis"]): readonly UndoRecord[] {
  if (!record)
    throw noUndo(
      "None of your plans has this id.",
      "Take the plan's id from the result of the change; plans are kept for a few days at most.",
    );
  const { plan, status, unmade = [], made = [] } = record;
  if (plan.apis !== apis)
    throw noUndo(
      `It was made on ${apisSettingOf(plan)}, and this server offers other APIs.`,
      `Undo it on ${apisSettingOf(plan)}, or make the change that the user wants here with its own tool.`,
    );
  if (!["done", "failed", "unknown"].includes(status))
    throw noUndo(`Nothing was sent under it (${status}), so there is nothing to undo.`, "Nothing has to be done.");
  if (plan.before === undefined) throw noUndo("The state before it was too large to be stored.", byHand);
  const changes = plan.before
    .map((before, at) => ({ ...before, ...(made[at] ? { made: made[at] } : {}) }))
    .filter((_, at) => !unmade.includes(at));
  if (changes.length === 0)
    throw noUndo("All of its calls were refused, so there is nothing to undo.", "Nothing has to be done.");
  return changes;
}

/** The call that undoes one request. */
async function backOf(
  before: UndoRecord,
  { tools, present }: { readonly tools: Tools; readonly present: ReadPresent },
): Promise<UndoCall> {
  const declared = await operation(before.tool, tools.get(before.tool));
  if (!declared) throw noUndo(`${before.tool} is not a tool of this server.`, byHand);
  const undoCall = undoCallOf(declared, before, await present(before.tool, before.given));
  if ("because" in undoCall) throw noUndo(undoCall.because, byHand);
  if (holdsMask(undoCall.args) || JSON.stringify(undoCall.args).includes("[secret]"))
    throw noUndo(
      "The earlier state contains secrets, which are not stored.",
      "Ask the user for them, and write them by hand.",
    );
  return undoCall;
}

export const restore = composedChange({
  title: "Undo a change",
  servesAllTools: true,
  does: "Undoes a change that was made under a plan: prepares the call that restores the earlier state, or explains why there is none.",
  input: z.strictObject({ plan: planId }),
  steps: [
    "Look up what the plan's change replaced or removed.",
    "Read the present state.",
    "Prepare the call that restores the earlier state; it is previewed and approved like any other.",
  ],
  example: { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA" },
  makes: anyOperation,

  async compose({ plan: id }, { plan: find, tools, present }): Promise<Composition | CallSeries> {
    const changes = changesUnder(await find(id), tools.get(restoreTool)?.isOfToday && "today");
    const undoCalls: UndoCall[] = [];
    // The last change is undone first.
    for (const before of changes.toReversed()) undoCalls.push(await backOf(before, { tools, present }));
    const [first, ...rest] = undoCalls;
    if (first === undefined) throw noUndo("Its earlier state was not stored.", byHand);
    const common = { tool: first.tool, notes: [`Undoes the change made under ${id}.`] };
    return rest.length > 0
      ? { ...common, each: undoCalls.map(({ args }) => args), isGiven: false }
      : { ...common, args: first.args };
  },
});
