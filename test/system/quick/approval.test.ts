/** A process that is killed between the request of a change and its answer. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPlans } from "../../../src/guard/index.js";
import { directoryPlanStorage } from "../../../src/guard/plans/directory.js";
import { canaryVariables } from "../../lab/canary.js";
import { promise } from "../../lab/rules.js";
import { bareEnvironment } from "../../lab/session.js";
import { typed } from "../typed.js";
import { json, startUpstream } from "../upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };

it(promise("kill-never-repeats", "a call killed while waiting is not resent; its outcome is unknown"), async () => {
  const upstream = await startUpstream((response, { method }) =>
    method === "GET"
      ? json(response, 200, { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 })
      : undefined,
  );
  const env = bareEnvironment(canaryVariables);
  const storage = directoryPlanStorage(join(env["HOME"] ?? "", ".local/state/edgewise"));
  const plans = createPlans({ ttlMs: 600_000, storage });
  const call = ["call", "purge_submit", JSON.stringify(purge), "--upstream", upstream.url];
  const printed = async () => JSON.parse((await typed(call, env)).stdout);
  const { plan } = (await printed()) as { plan: string };
  await plans.approve(plan, "terminal", { name: "ann" });
  const child = spawn(process.execPath, ["dist/server.js", ...call], { env, stdio: "ignore" });
  const posts = () => upstream.received.filter(({ method }) => method === "POST").length;
  await expect.poll(posts).toBe(1);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  expect(await plans.find(plan)).toMatchObject({ status: "unknown" });
  const after = (await printed()) as { approval?: string; plan?: string };
  expect([after.approval, after.plan === plan]).toEqual(["required", false]);
  expect(posts()).toBe(1);
  expect((await typed(["audit", "verify"], env)).status).toBe(0);
  await upstream.close();
});
