/** Everything about one hostname, for the search that is given a whole one, and the sweep that is filled after it. */
import type { WorkflowContext } from "../calls/workflow.js";
import { Failure } from "../language/failure.js";
import { type KeptReadings, openKnowledge } from "../site/known.js";
import { currentSweep, type FindingGeneration, type SweepCalls, sweepName } from "./properties-sweep.js";
import { parseShape } from "./steps.js";

const sitesName = "sites of the account";
const [maxRequests, ownersShown] = [30, 3];

const overBudget = (tool: string): Failure =>
  new Failure("failed", `It was not read: at most ${maxRequests} requests are made for a hostname.`, {
    next: `Call ${tool} directly.`,
  });

/** Completes the sweep of hostnames after the call, so that a search for a part of one finds them read. */
function fillSweep(context: WorkflowContext, generation: FindingGeneration): void {
  context.inBackground(sweepName, async (invoke) => {
    const calls: SweepCalls = {
      call: async (_, tool, args, shape) => parseShape(tool, shape, (await invoke(tool, args)).body),
    };
    await currentSweep(context, calls, generation, new Set(["hostname"]), false, 1);
  });
}

/** Everything about a whole hostname, or why its property could not be looked up; undefined if no property has it. */
export async function cardOfHostname(
  hostname: string,
  context: WorkflowContext,
  generation: FindingGeneration,
  isRefreshed: boolean,
): Promise<{ readonly card: Readonly<Record<string, unknown>> } | { readonly unknown: string } | undefined> {
  const { invoke, progress, results, changesSince, tools, refusalOf } = context;
  const [site, { cardOf }] = await Promise.all([generation.site(), import("../site/card.js")]);
  let [begun, done] = [0, 0];
  const knowledge = openKnowledge({
    async read(tool, args) {
      begun += 1;
      if (begun > maxRequests) throw overBudget(tool);
      const { body } = await invoke(tool, args);
      done += 1;
      await progress(done, tool);
      return body;
    },
    kept: ((await results.recall(sitesName)) ?? {}) as KeptReadings,
    isRefreshed,
    changesSince,
  });
  const keep = async () => {
    const kept = knowledge.toKeep();
    if (kept) await results.remember(sitesName, kept);
  };
  const owners = await knowledge.known(site.owners(hostname));
  if (owners.unknown !== undefined) {
    await keep();
    return { unknown: owners.unknown };
  }
  const [owner, ...others] = owners.value;
  if (owner === undefined) {
    await keep();
    return undefined;
  }
  const isOffered = (name: string) => tools.has(name) && refusalOf(name) === undefined;
  const of = { hostname, owner, ownerAtMs: owners.atMs, generation: site, knowledge, isOffered };
  const { card, isSettled } = await cardOf(of, Date.now());
  if (isSettled) await keep();
  fillSweep(context, generation);
  const alsoIn = others.slice(0, ownersShown).map(({ propertyId, propertyName }) => ({ propertyId, propertyName }));
  return { card: { ...card, ...(alsoIn.length > 0 ? { alsoIn } : {}) } };
}
