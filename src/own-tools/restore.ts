/** The tool that takes a change back: it prepares the call that puts back what its plan kept. */
import type { Composition, Series } from "../calls/context.js";
import { anyOperation, type Change, change, type Tools } from "../calls/workflow.js";
import { type Before, type PlanRecord, type WayBack, wayBackOf } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { z } from "../language/z.js";
import { holdsMask } from "../secrets/masking.js";
import { operation } from "../tools/index.js";
import { planId } from "./plan-description.js";

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
