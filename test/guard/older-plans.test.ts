/** Plans that version 0.1.0 kept before questions were bound: each is redeemed, or is void with the reason. */
import { chmodSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { caller } from "../lab/made-up.js";
import { catalogueOfProject } from "../lab/project.js";
import { removeDirectories, stateDirectory } from "./plan-stores.js";

const tools = await catalogueOfProject();
const older = join(import.meta.dirname, "older");
const plans = readdirSync(older)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(older, name), "utf8")) as Record<string, unknown>);
const planOf = (tool: string) => plans.find((plan) => plan["tool"] === tool) ?? expect.fail(tool);

/** An engine over a copy of what was kept, which its owner alone can read; a checkout says nothing of modes. */
async function engineOver() {
  const directory = stateDirectory();
  cpSync(older, join(directory, "plans"), { recursive: true });
  chmodSync(join(directory, "plans"), 0o700);
  for (const name of readdirSync(older)) chmodSync(join(directory, "plans", name), 0o600);
  return createEngine(readConfig(["--emulator", "--state-dir", directory], {}), tools, () => undefined);
}

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/"] } };
beforeEach(
  () => void vi.useFakeTimers({ toFake: ["Date"], now: Number(planOf("purge_submit")["createdAtMs"]) + 1_000 }),
);
afterEach(() => void vi.useRealTimers());
afterAll(removeDirectories);

it("older plans approve the call that they were made for, once", async () => {
  const { calls, close } = await engineOver();
  const confirmed = { ...purge, confirm: String(planOf("purge_submit")["id"]) };
  expect(await calls.call("purge_submit", confirmed, caller)).toMatchObject({ kind: "answer", reply: { status: 201 } });
  expect(await calls.call("purge_submit", confirmed, caller)).toMatchObject({
    kind: "failure",
    failure: { code: "approval_refused", message: "This plan has been used." },
  });
  await close();
});

it("older plans end void, with the reason, where more is shown now", async () => {
  const { calls, plans: kept, close } = await engineOver();
  const tool = "edgelogic_policy_version_activate";
  const confirm = String(planOf(tool)["id"]);
  const args = { policyId: 1001, version: 2, body: { network: "staging" }, confirm };
  expect(await calls.call(tool, args, caller)).toMatchObject({
    kind: "failure",
    failure: { code: "approval_refused", message: "The state has changed since the preview." },
  });
  expect((await kept.find(confirm))?.status).toBe("void");
  await close();
});

it("older plans are shown as they were stored", async () => {
  const { calls, close } = await engineOver();
  const plan = planOf("purge_submit");
  const outcome = await calls.call("plan_get", { plan: plan["id"] }, caller);
  expect(outcome).toMatchObject({
    kind: "workflow",
    result: { status: "open", lines: (plan["preview"] as { lines: string[] }).lines },
  });
  await close();
});
