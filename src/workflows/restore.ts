/** The tool that takes a change back: it prepares the call that puts back what its plan kept. */
import type { AnyOperation } from "../api/define.js";
import { Failure } from "../api/failure.js";
import { holdsMask } from "../api/secret.js";
import { z } from "../api/z.js";
import type { Composition, Invoke, Series } from "../calls/context.js";
import { readPresent } from "../calls/state.js";
import { anyOperation, change, type Tools } from "../calls/workflow.js";
import { type Before, type PlanRecord, type WayBack, wayBackOf } from "../guard/index.js";
import { operation } from "../tools/index.js";
import { planId } from "./plan-id.js";

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

const operationOf =
  (tools: Tools) =>
  async (tool: string): Promise<{ readonly service: string; readonly declared: AnyOperation } | undefined> => {
    const { service = "" } = tools.get(tool) ?? {};
    const declared = await operation(service, tool);
    return declared && { service, declared };
  };

/** The call that takes one request back. */
async function backOf(before: Before, tools: Tools, invoke: Invoke): Promise<WayBack> {
  const find = operationOf(tools);
  const declared = (await find(before.tool))?.declared;
  if (!declared) throw none(`${before.tool} is not a tool of this server.`, byHand);
  const now = await readPresent({ operationOf: find }, declared, before.given, invoke);
  const back = wayBackOf(declared, before, now?.body);
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

  async compose({ plan: id }, { plan: find, tools, invoke }): Promise<Composition | Series> {
    const kept = keptOf(await find(id));
    const back: WayBack[] = [];
    // The last change is taken back first.
    for (const before of kept.toReversed()) back.push(await backOf(before, tools, invoke));
    const [first, ...rest] = back;
    if (first === undefined) throw none("Nothing was kept of it.", byHand);
    const said = { tool: first.tool, notes: [`Takes back what was changed under ${id}.`] };
    return rest.length > 0
      ? { ...said, each: back.map(({ args }) => args), isGiven: false }
      : { ...said, args: first.args };
  },
});
