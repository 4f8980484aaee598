/** The tools for changes by any tool: several calls as one, the whole preview of a plan, and the way back from a change. */
import { tokensOf } from "../answers/tokens.js";
import { invalidInput, ViewArgument } from "../arguments/index.js";
import type { Composition, Series } from "../calls/context.js";
import { anyOperation, type Change, change, type Tools, workflow } from "../calls/workflow.js";
import { type Before, type PlanRecord, type WayBack, wayBackOf } from "../guard/index.js";
import { Failure, shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { batchTool } from "../language/own-tools.js";
import { z } from "../language/z.js";
import { holdsMask } from "../secrets/masking.js";
import { operation } from "../tools/index.js";

const maxCalls = 50;

export const batch = change({
  title: "Batch of calls",
  servesAllTools: true,
  does: "Makes up to 50 calls of one tool in order, with one preview and approval where needed; view is of all their rows. Stops at the first unknown outcome.",
  input: z.strictObject({
    tool: z.string().describe("Of one API operation"),
    arguments: z.array(z.record(z.string(), z.unknown())).min(1).max(maxCalls).describe("Of each call"),
    view: ViewArgument.optional(),
  }),
  steps: [
    "Check every call before the first is sent; where some cannot be made, list what is wrong with each and send none.",
    "Where the tool needs an approval, preview all calls as one plan; calls that read need none, also on a read-only server.",
    "Make the calls one after the other, until one has an outcome that nobody knows.",
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
          given: shown(tool),
          takes: `the name of a tool that is one API operation${didYouMean(tool, tools.keys())}`,
        },
      ]);
    return { tool, each, view, isGiven: true };
  },
});

const planId = z
  .string()
  .regex(/^plan_[\w-]{1,64}$/, "a plan id, such as plan_ and 22 characters, from a preview or an answer")
  .describe("Plan id, from a preview or an answer");

/** As many of the lines from a place on as take no more than so many tokens, and at least one. */
function pageOf(lines: readonly string[], from: number, maxTokens: number): readonly string[] {
  let room = maxTokens;
  let end = from;
  for (; end < lines.length; end += 1) {
    room -= tokensOf(`${JSON.stringify(lines[end])},`);
    if (room < 0 && end > from) break;
  }
  return lines.slice(from, end);
}

export const planPage = workflow({
  title: "Whole preview of a plan",
  servesAllTools: true,
  does: "Reads every line of what a planned change would do, and what became of the plan.",
  input: z.strictObject({
    plan: planId,
    from: z.int().min(1).default(1).describe("First line"),
  }),
  example: { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA" },

  async run({ plan: id, from }, { plan: find, results }) {
    const found = await find(id);
    if (!found)
      throw new Failure("not_found", "There is no such plan.", {
        why: "A preview creates a plan, which belongs to whoever asked for it and is kept for some days at most.",
        next: "Call the tool without confirm to get a new preview.",
      });
    const { plan, status, approval, outcome } = found;
    const { lines } = plan.preview;
    const shown = pageOf(lines, from - 1, results.maxTokens);
    const next = from + shown.length;
    return {
      plan: id,
      tool: plan.tool,
      tier: plan.tier,
      status,
      awaits: plan.awaits,
      expiresAt: new Date(plan.expiresAtMs).toISOString(),
      ...(approval === undefined
        ? {}
        : { approved: { by: approval.channel, at: new Date(approval.atMs).toISOString() } }),
      ...(outcome === undefined ? {} : { outcome }),
      total: lines.length,
      lines: shown,
      ...(next <= lines.length ? { nextFrom: next } : {}),
    };
  },
});

type Present = Parameters<Change["compose"]>[1]["present"];

const none = (why: string, next: string): Failure =>
  new Failure("not_found", "There is no way back from this plan.", { why, next });
const byHand = "Read what is there now, and make the change that the user wants by its own tool.";

/** What a plan kept of each of its requests that may have changed something. */
function keptOf(record: PlanRecord | undefined): readonly Before[] {
  if (!record)
    throw none(
      "There is no such plan among your own.",
      "Take the plan's id from the answer of the change; plans are kept for some days at most.",
    );
  const { plan, status, unmade = [], made = [] } = record;
  if (!["done", "failed", "unknown"].includes(status))
    throw none(`Nothing was sent under it (${status}), so there is nothing to take back.`, "Nothing has to be done.");
  if (plan.before === undefined) throw none("The state before it was too large to be kept.", byHand);
  const kept = plan.before
    .map((before, at) => ({ ...before, ...(made[at] ? { made: made[at] } : {}) }))
    .filter((_, at) => !unmade.includes(at));
  if (kept.length === 0)
    throw none("All of its calls were refused, so there is nothing to take back.", "Nothing has to be done.");
  return kept;
}

/** The call that takes one request back. */
async function backOf(
  before: Before,
  { tools, present }: { readonly tools: Tools; readonly present: Present },
): Promise<WayBack> {
  const declared = await operation(tools.get(before.tool)?.service ?? "", before.tool);
  if (!declared) throw none(`${before.tool} is not a tool of this server.`, byHand);
  const back = wayBackOf(declared, before, await present(before.tool, before.given));
  if ("because" in back) throw none(back.because, byHand);
  if (holdsMask(back.args) || JSON.stringify(back.args).includes("[secret]"))
    throw none(
      "The earlier state holds secrets, which are not kept.",
      "Ask the user for them, and write them by hand.",
    );
  return back;
}

export const restore = change({
  title: "Way back from a change",
  servesAllTools: true,
  does: "Takes back a change that was made under a plan: prepares the call that puts the earlier state back, or says why there is none.",
  input: z.strictObject({ plan: planId }),
  steps: [
    "Look up what the plan's change replaced or removed.",
    "Read what is there now.",
    "Prepare the call that puts the earlier state back; it is previewed and approved like any other.",
  ],
  example: { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA" },
  makes: anyOperation,

  async compose({ plan: id }, { plan: find, tools, present }): Promise<Composition | Series> {
    const kept = keptOf(await find(id));
    const back: WayBack[] = [];
    // The last change is taken back first.
    for (const before of kept.toReversed()) back.push(await backOf(before, { tools, present }));
    const [first, ...rest] = back;
    if (first === undefined) throw none("Nothing was kept of it.", byHand);
    const said = { tool: first.tool, notes: [`Takes back what was changed under ${id}.`] };
    return rest.length > 0
      ? { ...said, each: back.map(({ args }) => args), isGiven: false }
      : { ...said, args: first.args };
  },
});
