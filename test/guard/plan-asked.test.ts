/** A question that was put and not answered with yes: against which confirmations it stands, in which process, and for how long. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Binding, ownerOfPlans, type Plan, principalOf } from "../../src/guard/plan.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { createOpenQuestions, memoryPlanStorage } from "../../src/guard/plans/storage.js";
import { promise } from "../lab/rules.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stateDirectory } from "./plan-stores.js";
import { redeemed } from "./redeemed.js";

afterAll(removeDirectories);

const client = (name: string, session?: string) => ownerOfPlans(`client:${name}`, session);
const purge: Binding = { ...binding, owner: client("ann"), requestHash: "asked", requests: ["one request"] };
const refusal = { code: "approval_refused", message: "The user was asked and has not said yes." };

/** Two processes with one place for their plans. */
function two(options: object = {}) {
  const storage = memoryPlanStorage();
  const start = (more: object = {}) => createPlans({ ttlMs: 600_000, storage, ...options, ...more });
  return { asking: start(), other: start(), start };
}
const awaitedOf = async (plans: ReturnType<typeof createPlans>, of: Binding) =>
  (await plans.open(of, shownTo("confirm"))).awaits;

it("an owner is a principal, in its session if it has one", () => {
  const sessions = ["1", "2", "", "undefined", "/session:", "a/session:b"];
  const owners = [undefined, ...sessions].map((session) => client("ann", session));
  expect(owners[0]).toBe("client:ann");
  expect(new Set(owners).size).toBe(sessions.length + 1);
  expect([...owners, "local"].map(principalOf)).toEqual([...owners.map(() => "client:ann"), "local"]);
  // It is nobody whose name begins alike.
  expect(principalOf(client("ann", "1"))).not.toBe(principalOf(client("anna", "1")));
  expect(client("ann", "a1")).not.toBe(client("anna", "1"));
});

describe("in the process that asked, a question", () => {
  const other = { ...purge, requestHash: "x", requests: [] };

  it(promise("asked-binds-confirm", "in its process, a question blocks exactly its principal's confirms"), async () => {
    const { asking } = two();
    const session = { ...purge, owner: client("ann", "1") };
    const unlike = { ...purge, tool: "u", account: "b", requestHash: "x", requests: ["y"] };
    const early = await asking.open({ ...unlike, owner: client("ann", "2") }, shownTo("confirm"));
    await asking.open(session, shownTo("question"));
    for (const owner of [client("ann"), client("ann", "1"), client("ann", "2")])
      expect([owner, await awaitedOf(asking, { ...unlike, owner })]).toEqual([owner, "person"]);
    for (const owner of [client("anna"), client("bob", "1"), "local"])
      expect([owner, await awaitedOf(asking, { ...purge, owner })]).toEqual([owner, "confirm"]);
    const confirmed = redeemed(asking, early.id, { ...unlike, owner: client("ann", "2") }, "confirm");
    await expect(confirmed).rejects.toMatchObject(refusal);
    expect(await asking.find(early.id)).toMatchObject({
      status: "void",
      voidBecause: "asked",
      outcome: expect.stringContaining("has not said yes"),
    });
  });

  it("in its process, a question stands until all are answered with yes", async () => {
    const { asking } = two();
    const put = [await asking.open(purge, shownTo("question")), await asking.open(purge, shownTo("question"))];
    for (const { id } of put) {
      expect(await awaitedOf(asking, other)).toBe("person");
      await redeemed(asking, id, purge, "elicitation");
      await asking.settle(id, { state: "done", says: "it answered 201" });
    }
    expect(await awaitedOf(asking, other)).toBe("confirm");
  });

  it.each(["refused", "expired"])("in its process, a question stands when it is %s", async (how) => {
    let now = 1_000;
    const { asking } = two({ now: () => now });
    const { id } = await asking.open(purge, shownTo("question"));
    if (how === "refused") await asking.refuse(id, "elicitation");
    else now += 60_000;
    expect(await awaitedOf(asking, other)).toBe("person");
  });

  // Beyond its bound, a process no longer knows which of the questions are answered.
  it.each([
    [999, false],
    [1_000, true],
    [1_001, true],
  ])("after yes to each of %i questions at once, one still stands: %s", (count, stands) => {
    const asked = createOpenQuestions();
    const plan: Plan = { ...purge, ...shownTo("question"), id: "", createdAtMs: 0, expiresAtMs: 1_000 };
    const put = Array.from({ length: count }, (_, at) => ({
      ...plan,
      id: `${at}`,
      owner: client("ann", `${at % 20}`),
    }));
    for (const one of put) asked.add(one);
    for (const one of put) asked.remove(one);
    expect(asked.holdBack(plan, [], false)).toBe(stands);
    expect(asked.holdBack({ ...plan, owner: client("bob") }, [], false)).toBe(false);
  });
});

describe("in another process, a question", () => {
  it.each<[string, Partial<Binding>, string]>([
    ["the same call", {}, "person"],
    ["the same call in another session", { owner: client("ann", "9") }, "person"],
    ["its request by another tool", { tool: "u", requestHash: "x" }, "person"],
    ["its request among others", { requestHash: "x", requests: ["another", "one request"] }, "person"],
    ["the same that was asked, where what is sent has changed", { requests: ["another"] }, "person"],
    ["another request", { requestHash: "x", requests: ["another"] }, "confirm"],
    ["the same call of another client", { owner: client("bob") }, "confirm"],
    ["the same call in another account", { account: "b" }, "confirm"],
  ])("in another process, a question bars the same request: %s", async (_, change, awaits) => {
    const { asking, other } = two();
    await asking.open(purge, shownTo("question"));
    expect(await awaitedOf(other, { ...purge, ...change })).toBe(awaits);
  });

  it("in another process, a question blocks earlier plans until a yes", async () => {
    const { asking, other } = two();
    const [early, late] = [await other.open(purge, shownTo("confirm")), await other.open(purge, shownTo("confirm"))];
    const { id } = await asking.open(purge, shownTo("question"));
    await expect(redeemed(other, early.id, purge, "confirm")).rejects.toMatchObject(refusal);
    await redeemed(asking, id, purge, "elicitation");
    await asking.sending(id);
    await expect(redeemed(other, late.id, purge, "confirm")).resolves.toMatchObject([{ channel: "confirm" }]);
  });

  it("in another process, a question ends once its yes is settled unsent", async () => {
    const { asking, other } = two();
    const { id } = await asking.open(purge, shownTo("question"));
    await redeemed(asking, id, purge, "elicitation");
    expect(await awaitedOf(other, purge)).toBe("person");
    await asking.settle(id, { state: "not_sent", says: "it was stopped before" });
    expect(await awaitedOf(other, purge)).toBe("confirm");
  });

  it(promise("asked-outlives-plans", "is on record still when a hundred newer plans have pushed it out"), async () => {
    const { asking, other } = two();
    const { id } = await asking.open(purge, shownTo("question"));
    // Each that is opened looks at all that are there.
    for (let at = 0; at < 100; at += 1) await asking.open({ ...purge, requestHash: `${at}` }, shownTo("person"));
    expect(await asking.find(id)).toMatchObject({ status: "void", voidBecause: "newer" });
    expect(await awaitedOf(other, purge)).toBe("person");
  });

  it("in another process, a question is no bar where confirm is enough", async () => {
    const { asking, start } = two();
    await asking.open(purge, shownTo("question"));
    const told = start({ isConfirmEnough: true });
    const plan = await told.open(purge, shownTo("confirm"));
    expect(plan.awaits).toBe("confirm");
    await expect(redeemed(told, plan.id, purge, "confirm")).resolves.toMatchObject([{ channel: "confirm" }]);
  });
});

describe("plans that an older version stored, with one hash for all requests", () => {
  const old: Binding = { ...binding, owner: "local", requestHash: "r" };
  const now = { ...old, requests: ["r"] };

  async function kept(awaits: "confirm" | "question") {
    const directory = stateDirectory();
    const plans = () => createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(directory) });
    return { plans, directory, plan: await plans().open(old, shownTo(awaits)) };
  }

  it("an older plan is redeemed if no question was asked", async () => {
    const { plans, plan } = await kept("confirm");
    expect(plan).not.toHaveProperty("requests");
    await expect(redeemed(plans(), plan.id, now, "confirm")).resolves.toBeDefined();
  });

  it("an older plan is void where its confirm stood in for an answer", async () => {
    const { plans, plan, directory } = await kept("question");
    await plans().refuse(plan.id, "elicitation");
    // As the version before wrote it, beside a question that had failed.
    const id = `plan_${"o".repeat(22)}`;
    const file = join(directory, "plans", `${id}.json`);
    writeFileSync(file, JSON.stringify({ ...plan, id, awaits: "confirm" }), { mode: 0o600 });
    await expect(redeemed(plans(), id, now, "confirm")).rejects.toMatchObject(refusal);
    expect(await plans().find(id)).toMatchObject({ status: "void", voidBecause: "asked" });
    await expect(redeemed(plans(), id, now, "confirm")).rejects.toMatchObject({
      message: "This plan is void.",
      detail: { why: expect.stringContaining("has not said yes") },
    });
  });
});
