/** Every composed change of the catalogue: nothing leaves without a plan that was shown and approved, and then once. */
import { expect, it } from "vitest";
import { type CallOrigin, type Calls, createCalls } from "../../src/calls/index.js";
import { isChange } from "../../src/calls/workflow.js";
import { createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import type { WireRequest } from "../../src/language/wire.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";

const all = await allWorkflows();
const tools = catalogueOf(await allServices("documents"), all);
const changes = all.flatMap(([name, one]) => (isChange(one) ? [[name, one] as const] : []));

/** Calls on an emulator of their own, with the requests that were sent to it. */
function begin() {
  const emulator = createEmulator({ world: createWorld() });
  const sent: WireRequest[] = [];
  const calls = createCalls({
    ...onEmulator(tools, (request) => {
      sent.push(request);
      return emulator.send(request);
    }),
  });
  return { calls, changesSent: () => sent.filter(({ method }) => method !== "GET" && method !== "HEAD").length };
}

/** The arguments of a change: its example, or of the way back from a change that was made before. */
async function argumentsFor(name: string, example: Arguments, calls: Calls): Promise<Arguments> {
  if (name !== restoreTool) return example;
  const deletion = { definitionId: "s@2071" };
  const shown = await calls.call("alert_definition_delete", deletion, caller);
  if (shown.kind !== "preview") throw new Error("It was not previewed.");
  await calls.call("alert_definition_delete", { ...deletion, confirm: shown.plan.id }, caller);
  return { plan: shown.plan.id };
}

it("every composed change sends nothing without a plan, and once with it", () =>
  holdsForEach(changes, async (name, declared) => {
    const { calls, changesSent: allSent } = begin();
    const example = await argumentsFor(name, declared.example, calls);
    const before = allSent();
    const requests = name === batchTool ? 2 : 1;
    const changesSent = () => allSent() - before;
    const asking: CallOrigin = { ...caller, supportsElicitation: true };
    // A question would stand against the confirm below, so that another process asks it.
    const elsewhere = begin().calls;
    const forged = `plan_${"A".repeat(22)}`;
    const outcomes = [
      await calls.call(name, example, caller),
      await elsewhere.call(name, await argumentsFor(name, declared.example, elsewhere), asking),
      await calls.call(name, { ...example, confirm: forged }, caller),
      await calls.call(name, { ...example, confirm: "" }, caller),
      await calls.call(name, example, { ...asking, decision: { plan: forged, isApproved: true } }),
      await calls.call(name, example, { ...asking, decision: { plan: forged, isApproved: false } }),
    ];
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      "preview",
      "question",
      "failure",
      // No plan is named, so that it is another preview.
      "preview",
      "failure",
      "failure",
    ]);
    expect(changesSent()).toBe(0);
    const [shown] = outcomes;
    if (shown?.kind !== "preview") throw new Error("It was not previewed.");
    const confirmed = { ...example, confirm: shown.plan.id };
    const stranger = await calls.call(name, confirmed, { ...caller, owner: "stranger" });
    expect([stranger.kind, changesSent()]).toEqual(["failure", 0]);
    const raced = await Promise.all([0, 1, 2].map(() => calls.call(name, confirmed, caller)));
    expect(raced.filter(({ kind }) => kind === "answer" || kind === "workflow")).toHaveLength(1);
    expect(changesSent()).toBe(requests);
    // Composing it once more would lead to the same change a second time.
    const used = raced.flatMap((one) => (one.kind === "failure" ? [one.failure] : []));
    const advice = used
      .filter(({ message }) => message === "This plan has been used.")
      .map(({ detail }) => detail.next);
    expect(advice.length).toBeGreaterThan(0);
    for (const next of advice) expect(next).toMatch(/^(It is done: do not repeat it|Wait for the result)/);
  }));
