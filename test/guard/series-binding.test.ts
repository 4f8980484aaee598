/** What a plan is bound to that was composed, or that stands for several requests, and what it keeps for the way back. */
import { expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { createPlans, type GuardedCall, propose, type State } from "../../src/guard/index.js";
import { json, op } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { secret } from "../../src/schema/marks.js";
import { resolveRequest } from "../../src/wire/request.js";
import { redeemedFor } from "./redeemed.js";

const Login = z.strictObject({ user: z.string(), pass: secret(z.string()) });
const operation = op("PUT /logins/{id}", {
  does: "Writes a login.",
  path: { id: z.int() },
  body: json(Login),
  returns: { 200: json(Login) },
  effect: "destructive",
  guard: { kind: "credential", replaces: "body" },
  shownBy: "login_get",
  example: { id: 1, body: { user: "u", pass: "p" } },
});

/** A call for each user given, and the states that are there; undefined where there is none. */
async function callOf(users: readonly string[], states: readonly (string | undefined)[], given: object = { users: 2 }) {
  const reads: boolean[] = [];
  const items = await Promise.all(
    users.map(async (user, at) => {
      const args = checkArguments("login_update", operation, { id: at + 1, body: { user, pass: "hunter2" } });
      const request = await resolveRequest("login_update", operation, args, {
        origin: "https://a.example",
        vendor: "v",
      });
      const readState = async ({ isFresh }: { readonly isFresh: boolean }): Promise<State | undefined> => {
        reads.push(isFresh);
        const now = states[at];
        return now === undefined ? undefined : { body: { user: now, pass: "hunter3" }, schemas: [Login] };
      };
      return { args, request, readState };
    }),
  );
  const call: GuardedCall = {
    tool: "logins_write",
    operationTool: "login_update",
    operation,
    items,
    composed: { tool: "logins_write", given: given as never, confirm: undefined, notes: [], warnings: [] },
    account: { section: "default", host: "a.example", isEmulated: false },
    accountName: async () => undefined,
    owner: "local",
  };
  return { call, reads };
}

type Case = Parameters<typeof callOf>;

/** Shows one call and approves another. */
async function approved(shown: Case, later: Case) {
  const plans = createPlans({ ttlMs: 600_000 });
  const { binding, preview } = await propose((await callOf(...shown)).call);
  const { id } = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview });
  return redeemedFor(plans, id, (await callOf(...later)).call, "confirm");
}

/** A letter for each user and for each state; "-" for none. */
const caseOf = (users: string, states: string): Case => [
  [...users],
  [...states].map((state) => (state === "-" ? undefined : state)),
];
const shown = caseOf("ab", "xy");

it("approves the calls that were shown", async () => {
  await expect(approved(shown, shown)).resolves.toMatchObject([{ channel: "confirm" }]);
  await expect(approved(caseOf("a", "x"), caseOf("a", "x"))).resolves.toMatchObject([{ channel: "confirm" }]);
});

it.each<[string, Case]>([
  ["the first state", caseOf("ab", "zy")],
  ["the last state", caseOf("ab", "xz")],
  ["a state that is gone", caseOf("ab", "x-")],
  ["the first request", caseOf("cb", "xy")],
  ["the last request", caseOf("ac", "xy")],
  ["the number of requests", caseOf("a", "x")],
])("a series is refused for a change in %s, with the next step", async (_, later) => {
  await expect(approved(shown, later)).rejects.toMatchObject({
    message: "The state has changed since the preview.",
    detail: { next: expect.stringMatching(/^Call logins_write again without confirm: it reads the present state/) },
  });
});

it("tells a state that changed while another could not be shown", async () => {
  await expect(approved(caseOf("ab", "x-"), caseOf("ab", "x-"))).resolves.toMatchObject([{ channel: "confirm" }]);
  await expect(approved(caseOf("ab", "x-"), caseOf("ab", "z-"))).rejects.toMatchObject({
    message: "The state has changed since the preview.",
  });
});

it("says nothing of composing it again where the state has not changed", async () => {
  const plans = createPlans({ ttlMs: 600_000 });
  const { call } = await callOf(...shown);
  const { binding, preview } = await propose(call);
  const open = async () => (await plans.open(binding, { awaits: "confirm", tier: "guarded", preview })).id;
  const [done, refused, altered] = [await open(), await open(), await open()];
  await redeemedFor(plans, done, call, "confirm");
  await plans.settle(done, { state: "done", says: "it answered 200" });
  await plans.refuse(refused);
  const other = (await callOf(shown[0], shown[1], { users: 3 })).call;
  await expect(redeemedFor(plans, altered, other, "confirm")).rejects.toBeDefined();
  const next = async (id: string) => {
    const refusal = await redeemedFor(plans, id, call, "confirm").catch((error: unknown) => error);
    return (refusal as Failure).detail.next;
  };
  for (const id of [done, refused, altered]) expect(await next(id)).not.toContain("logins_write");
});

it("a series whose caller gave the calls says to read again", async () => {
  const plans = createPlans({ ttlMs: 600_000 });
  const given = async (...states: string[]) => {
    const { call } = await callOf(["a", "b"], states);
    return { ...call, composed: { ...call.composed, isGiven: true } as GuardedCall["composed"] };
  };
  const { binding, preview } = await propose(await given("x", "y"));
  const { id } = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview });
  await expect(redeemedFor(plans, id, await given("x", "z"), "confirm")).rejects.toMatchObject({
    detail: { next: "Read it again with login_get, and decide based on its present state." },
  });
});

it("a series with other arguments but the same requests is refused", async () => {
  await expect(approved(shown, [...shown, { users: 3 }] as never)).rejects.toMatchObject({
    message: "These are not the arguments that were approved.",
    detail: { why: expect.any(String) },
  });
});

it("is shown only where the state of every request is", async () => {
  const isShown = async (...states: (string | undefined)[]) =>
    (await propose((await callOf(["a", "b"], states)).call)).isStateShown;
  expect([await isShown("x", "y"), await isShown("x", undefined), await isShown()]).toEqual([true, false, false]);
});

it("reads what is remembered for its preview, and anew for its approval", async () => {
  const { call, reads } = await callOf(...shown);
  const plans = createPlans({ ttlMs: 600_000 });
  const { binding, preview } = await propose(call);
  const { id } = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview });
  await redeemedFor(plans, id, call, "confirm");
  expect(reads).toEqual([false, false, true, true]);
});

it("a series keeps what each request asked and found, without secrets", async () => {
  const { before } = await propose((await callOf(["a", "b"], ["x", undefined])).call);
  expect(before).toMatchObject([
    { tool: "login_update", given: { id: 1, body: { user: "a" } }, state: { user: "x" } },
    { tool: "login_update", given: { id: 2, body: { user: "b" } }, state: undefined },
  ]);
  expect(JSON.stringify(before)).not.toContain("hunter");
});
