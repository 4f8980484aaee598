/** One process of several that share a directory of plans: takes a step for each line that it reads, and says how it went. */
import { createInterface } from "node:readline";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { Failure } from "../../src/language/failure.js";
import { binding, shownTo } from "./plan-binding.js";
import { redeemed } from "./redeemed.js";

const plans = createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(process.argv[2] ?? "") });

const steps: Readonly<Record<string, (id: string, name: string) => Promise<unknown>>> = {
  open: async () => (await plans.open(binding, shownTo("person"))).id,
  approve: (id) => plans.approve(id, "terminal"),
  approveAs: (id, name) => plans.approve(id, "page", { name }),
  redeem: (id) => redeemed(plans, id, binding, "person"),
  sending: (id) => plans.sending(id),
  settle: (id) => plans.settle(id, { state: "done", says: "it answered 201" }),
  refuse: (id) => plans.refuse(id),
};

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [step = "", id = "", name = ""] = line.split(" ");
  let said = "ok";
  try {
    said = `ok ${JSON.stringify(await steps[step]?.(id, name)) ?? ""}`.trim();
  } catch (error) {
    said = `no ${error instanceof Failure ? error.message : String(error)}`;
  }
  process.stdout.write(`${said}\n`);
}
