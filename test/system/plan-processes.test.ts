/** Plans of several processes: exactly one gets through, and one that is killed leaves not sent or unknown. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlanStatus } from "../../src/guard/plan.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { binding, shownTo } from "../guard/plan-binding.js";
import { removeDirectories, stateDirectory } from "../guard/plan-stores.js";
import { redeemed } from "../guard/redeemed.js";
import { promise } from "../lab/rules.js";
import { until } from "../lab/time.js";
import { bundled } from "./bundled.js";

interface Child {
  /** Takes a step and resolves with what the process says of it. */
  step(line: string): Promise<string>;
  /** Ends it at once, as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
}

const children: ChildProcess[] = [];
// Once for all of them: that each is bundled anew takes longer than what it does.
const program = await bundled({ entry: "test/guard/plan-child.ts" });

async function startChild(directory: string): Promise<Child> {
  const child = spawn(process.execPath, [program, directory], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  // A line for a process that was just killed fails with EPIPE, in an event; the missing answer shows it as well.
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<string> => String((await lines.next()).value);
  expect(await read()).toBe("ready");
  return {
    step: (line) => {
      child.stdin.write(`${line}\n`);
      return read();
    },
    kill: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

const plansIn = (directory: string) => createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(directory) });

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  removeDirectories();
});

describe("four processes", () => {
  const directory = stateDirectory();
  let processes: readonly Child[] = [];
  beforeAll(async () => {
    processes = await Promise.all(Array.from({ length: 4 }, () => startChild(directory)));
  });

  it(promise("race-of-processes", "bring one of them through in each of fifty races for one plan"), async () => {
    const plans = plansIn(directory);
    for (let race = 0; race < 50; race += 1) {
      const { id } = await plans.open(binding, shownTo("person"));
      await plans.approve(id, "terminal");
      const said = await Promise.all(processes.map((one) => one.step(`redeem ${id}`)));
      expect(said.filter((line) => line.startsWith("ok"))).toHaveLength(1);
      expect(said.filter((line) => line === "no This plan has been used.")).toHaveLength(3);
      expect(await plans.find(id)).toMatchObject({ status: "redeemed" });
    }
  });

  it("two approvers at once count as two, one on several pages as one", async () => {
    const plans = plansIn(directory);
    for (let race = 0; race < 20; race += 1) {
      const names = race % 2 === 0 ? ["ann", "bob", "ann", "bob"] : ["ann", "ann", "ann", "carol"];
      const shown = { ...shownTo("person"), requester: { subject: "carol" } };
      const { id } = await plans.open({ ...binding, approvers: 2 }, shown);
      await Promise.all(processes.map((one, place) => one.step(`approveAs ${id} ${names[place]}`)));
      const { status, approvals } = (await plans.find(id)) ?? expect.fail();
      expect([status, approvals.map(({ by }) => by).sort()]).toEqual(
        race % 2 === 0 ? ["approved", ["ann", "bob"]] : ["open", ["ann"]],
      );
      const said = await Promise.all(processes.map((one) => one.step(`redeem ${id}`)));
      expect(said.filter((line) => line.startsWith("ok"))).toHaveLength(race % 2 === 0 ? 1 : 0);
    }
  });

  it("never both redeem and refuse a plan", async () => {
    const plans = plansIn(directory);
    const seen = new Set<PlanStatus | undefined>();
    for (let race = 0; race < 20; race += 1) {
      const { id } = await plans.open(binding, shownTo("person"));
      await plans.approve(id, "terminal");
      const both = race % 2 === 0 ? ["redeem", "refuse"] : ["refuse", "redeem"];
      const steps = [...both, ...both];
      const said = await Promise.all(processes.map((one, place) => one.step(`${steps[place]} ${id}`)));
      const redeemed = said.filter((line, place) => steps[place] === "redeem" && line.startsWith("ok"));
      const refused = said.filter((line, place) => steps[place] === "refuse" && line === "ok true");
      expect([redeemed.length, refused.length]).toSatisfy(
        ([through, no]: [number, number]) => (through === 1 && no === 0) || (through === 0 && no === 2),
      );
      seen.add((await plans.find(id))?.status);
    }
    expect([...seen].every((status) => status === "redeemed" || status === "refused")).toBe(true);
  });
});

describe("a process that is killed", () => {
  it.each<[steps: string, alive: PlanStatus, dead: PlanStatus]>([
    ["", "approved", "approved"],
    ["redeem", "redeemed", "not_sent"],
    ["redeem sending", "sending", "unknown"],
    ["redeem sending settle", "done", "done"],
    ["refuse", "refused", "refused"],
  ])("a process killed after %j leaves a record, resends nothing", async (steps, alive, dead) => {
    const directory = stateDirectory();
    const plans = plansIn(directory);
    const child = await startChild(directory);
    const id = (JSON.parse((await child.step("open")).slice("ok ".length)) as string) ?? "";
    await plans.approve(id, "terminal");
    for (const step of steps.split(" ").filter(Boolean)) expect(await child.step(`${step} ${id}`)).toMatch(/^ok/);
    expect(await plans.find(id)).toMatchObject({ status: alive });
    await child.kill();
    const after = plansIn(directory);
    expect(await after.find(id)).toMatchObject({ status: dead });
    const again = redeemed(after, id, binding, "person", { reader: "thing_get" });
    if (dead === "approved") await expect(again).resolves.toMatchObject([{ channel: "terminal" }]);
    else await expect(again).rejects.toMatchObject({ code: "approval_refused" });
    if (dead === "unknown")
      await expect(again).rejects.toMatchObject({
        detail: { next: expect.stringContaining("Find out with thing_get") },
      });
    if (dead !== "approved") expect(await after.approvedFor(binding)).toBeUndefined();
  });

  it(
    promise("kill-leaves-whole-files", "a process killed at any moment leaves whole files and known plans"),
    async () => {
      const directory = stateDirectory();
      const operator = plansIn(directory);
      for (let round = 0; round < 6; round += 1) {
        const child = await startChild(directory);
        const sent: string[] = [];
        let isKilled = false;
        const work = (async () => {
          while (!isKilled) {
            const id = JSON.parse((await child.step("open")).slice("ok ".length)) as string;
            for (const step of ["approve", "redeem", "sending"])
              if (!(await child.step(`${step} ${id}`)).startsWith("ok")) return;
            sent.push(id);
            await child.step(`settle ${id}`);
          }
        })().catch(() => undefined);
        await until(() => sent.length > 0);
        await new Promise((resolve) => setTimeout(resolve, round * 7));
        isKilled = true;
        await child.kill();
        await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 200))]);
        for (const id of sent) {
          expect((await operator.find(id))?.status).toSatisfy((status) => status === "done" || status === "unknown");
          await expect(redeemed(operator, id, binding, "person")).rejects.toMatchObject({ code: "approval_refused" });
        }
      }
    },
  );
});
