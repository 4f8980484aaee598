/** Plans and undos belong to the setting of the server under which they were made. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { createPlans } from "../../src/guard/index.js";
import { restoreTool } from "../../src/language/server-tools.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";

const world = createWorld();
const plans = createPlans({ ttlMs: 600_000 });
const today = callsIn(world, { plans });
const documents = callsIn(world, {
  plans,
  tools: catalogueOf(await allServices(), await allWorkflows()),
  apis: undefined,
});
// An operation that both settings have, so that nothing but the setting differs.
const tool = "alert_definition_replace";
const { operations } = (await allServices()).find(({ name }) => name === "alerts-v2") ?? {};
const args = operations?.[tool]?.spec.example as Args;

it.each([
  ["documents", documents, "today", today],
  ["today", today, "documents", documents],
])("plans made with --apis %s confirm and undo nothing elsewhere", async (own, here, _, elsewhere) => {
  const { plan } = await here.previewed(tool, args);
  const refused = await elsewhere.call(tool, { ...args, confirm: plan.id });
  expect(refused).toMatchObject({
    kind: "failure",
    failure: { code: "approval_refused", message: `This plan was made on a server with --apis ${own}.` },
  });
  expect((await here.call(tool, { ...args, confirm: plan.id })).kind).toBe("answer");
  const undone = await elsewhere.call(restoreTool, { plan: plan.id });
  expect(undone).toMatchObject({ kind: "failure", failure: { message: "This plan has no undo." } });
  expect(JSON.stringify(undone)).toContain(`It was made on a server with --apis ${own}`);
  expect((await here.call(restoreTool, { plan: plan.id })).kind).toBe("preview");
});
