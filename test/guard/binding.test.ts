/** What a plan is bound to: one account, one owner, the bytes of each request, and the state unless the declaration says not. */
import { describe, expect, it } from "vitest";
import { requestHash } from "../../src/guard/difference.js";
import {
  createPlans,
  type GuardedCall,
  type GuardedItem,
  keptPreviewOf,
  type PresentState,
  propose,
  undoRecordsUnread,
} from "../../src/guard/index.js";
import { linesOfForm } from "../../src/guard/preview/lines.js";
import type { Account } from "../../src/language/account.js";
import type { Guard } from "../../src/language/conduct.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { resolveRequest } from "../../src/wire/request.js";
import { failureFrom } from "../lab/outcome.js";
import { target, writing as written } from "../lab/previewed.js";
import { redeemedFor } from "./redeemed.js";

const Written = z.object({ user: z.string(), pass: secret(z.string()) });
const writing = (shownBy: AnyOperation["spec"]["shownBy"] & {} = "login_get", relatedReads: Related = {}) =>
  written(Written, { kind: "credential", replaces: "body" }, { shownBy, relatedReads });
type Related = AnyOperation["spec"]["relatedReads"] & {};
const unbound = { by: "login_get", isBound: false } as const;
const login = { user: "u", pass: "hunter2-1" };
const Login = z.looseObject({ pass: secret(z.string()) });
const account: Account = { section: "default", host: "a.example", isEmulated: false };

interface Made {
  readonly body?: object;
  readonly id?: number;
  readonly operation?: AnyOperation;
  readonly readState?: GuardedItem["readState"];
}
const stateOf = (body: object | undefined, more: Partial<PresentState> = {}) =>
  (async () => body && { body, schemas: [Login], ...more }) as Made["readState"] & {};
async function callOf(
  { body = login, id = 1, operation = writing(), readState = stateOf(login) }: Made = {},
  other: Partial<GuardedCall> = {},
): Promise<GuardedCall> {
  const args = validateArguments("login_update", operation, { id, body });
  const request = await resolveRequest("login_update", operation, args, target);
  return {
    ...{ tool: "login_update", operationTool: "login_update", operation, account, owner: "local" },
    items: [{ args, request, readState }],
    accountName: async () => undefined,
    ...other,
  };
}
/** The first of some calls, with the requests of all. */
const together = (calls: readonly GuardedCall[]) =>
  ({ ...calls[0], items: calls.flatMap(({ items }) => items) }) as GuardedCall;

const opened = async (call: GuardedCall) => {
  const plans = createPlans({ ttlMs: 600_000 });
  const { binding, preview, before } = await propose(call);
  const plan = await plans.open(binding, {
    awaits: "confirm",
    tier: "guarded",
    preview: keptPreviewOf(preview),
    before,
  });
  return { plans, plan, preview, approve: (later: GuardedCall) => redeemedFor(plans, plan.id, later, "confirm") };
};
/** What becomes of one call after the preview of another: "approved", or the message of its refusal. */
const outcomeOf = async (shown: GuardedCall, later: GuardedCall): Promise<string> => {
  const { approve } = await opened(shown);
  return approve(later).then(
    ([approval]) => (approval?.channel === "confirm" ? "approved" : "approved in another way"),
    ({ message }: Error) => message,
  );
};
const changedState = "The state has changed since the preview.";
const otherArguments = "These are not the arguments that were approved.";

describe("a plan", () => {
  it.each<[string, Partial<GuardedCall>, string]>([
    ["itself", {}, "approved"],
    ["with an account switch key", { account: { ...account, switchKey: "1-ABC" } }, otherArguments],
    ["of another section", { account: { ...account, section: "other" } }, otherArguments],
    ["on another host", { account: { ...account, host: "b.example" } }, otherArguments],
    ["on the emulator", { account: { ...account, isEmulated: true } }, otherArguments],
    ["of another owner", { owner: "someone else" }, "There is no such plan."],
    ["of another tool", { tool: "login_replace" }, otherArguments],
  ])("a plan approves only the call that was previewed: %s", async (_, other, expected) => {
    expect(await outcomeOf(await callOf(), await callOf({}, other))).toBe(expected);
  });

  it("a plan for one account switch key approves no call with another", async () => {
    const switched = (switchKey: string) => callOf({}, { account: { ...account, switchKey } });
    expect(await outcomeOf(await switched("1-ABC"), await switched("1-ABD"))).toBe(otherArguments);
  });

  it.each<[string, Made]>([
    ["a member", { body: { ...login, user: "w" } }],
    ["a secret, although its preview looks the same", { body: { ...login, pass: "hunter2-2" } }],
    ["a path value", { id: 2 }],
  ])("does not approve a call that differs in %s", async (_, made) => {
    expect(await outcomeOf(await callOf(), await callOf(made))).toBe(otherArguments);
  });

  it("calls with different secrets get different plans without a secret", async () => {
    const [one, two] = await Promise.all(
      ["hunter2-1", "hunter2-2"].map(async (pass) => opened(await callOf({ body: { ...login, pass } }))),
    );
    expect(one?.plan.requestHash).not.toBe(two?.plan.requestHash);
    expect(JSON.stringify([one?.plan, one?.preview, two?.plan, two?.preview])).not.toContain("hunter2");
  });

  const bound = (rules?: number) => (rules === undefined ? {} : { bound: { rules } });
  it.each<[string, ReturnType<typeof stateOf>, ReturnType<typeof stateOf>, string]>([
    ["changed", stateOf(login), stateOf({ ...login, user: "w" }), changedState],
    ["changed in a secret", stateOf(login), stateOf({ ...login, pass: "hunter2-9" }), changedState],
    ["gone", stateOf(login), stateOf(undefined), changedState],
    ["there now", stateOf(undefined), stateOf(login), changedState],
    ["its bound context is the same", stateOf(login, bound(1)), stateOf(login, bound(1)), "approved"],
    ["its bound context changed", stateOf(login, bound(1)), stateOf(login, bound(2)), changedState],
    ["its bound context is gone", stateOf(login, bound(1)), stateOf(login), changedState],
    ["its bound context is new", stateOf(login), stateOf(login, bound(1)), changedState],
  ])("a plan is bound to the state: %s", async (_, before, after, expected) => {
    expect(await outcomeOf(await callOf({ readState: before }), await callOf({ readState: after }))).toBe(expected);
  });

  it("a plan for the request alone outlives a changed state", async () => {
    let reads = 0;
    const readState = async () => {
      reads += 1;
      return { body: { queueLength: reads }, schemas: [] };
    };
    const made: Made = { operation: writing(unbound), readState };
    const { approve: confirm, preview } = await opened(await callOf(made));
    expect(preview).toMatchObject({ changes: expect.anything() });
    await expect(confirm(await callOf(made))).resolves.toMatchObject([{ channel: "confirm" }]);
    expect(reads).toBe(1);
  });

  it("a plan not bound to the state still ends when its context changes", async () => {
    const operation = writing(unbound, { role: { by: "role_get", args: () => ({}), isBound: true } });
    const made = (role: string) =>
      callOf({ operation, readState: stateOf({ queueLength: Math.random() }, { bound: { role } }) });
    expect(await outcomeOf(await made("editor"), await made("editor"))).toBe("approved");
    expect(await outcomeOf(await made("editor"), await made("owner"))).toBe(changedState);
  });

  it("a plan for the request alone is bound to no state", async () => {
    const operation = writing(unbound);
    expect((await propose(await callOf({ operation }))).binding.stateHash).toBeUndefined();
    const { approve } = await opened(await callOf({ operation }));
    await expect(approve(await callOf({ operation, id: 2 }))).rejects.toMatchObject({
      detail: { changed: [{ at: "id", from: 1, to: 2 }] },
    });
  });

  it("without a prior state, a plan is bound to its request alone", async () => {
    const call = await callOf({ readState: async () => undefined });
    const { binding } = await propose(call);
    expect(binding.requestHash).toBe(call.items.map(({ request }) => requestHash(request)).join());
    expect(binding.stateHash).toBeUndefined();
    expect((await propose(await callOf())).binding.stateHash).toEqual(expect.any(String));
  });
});

describe("a plan for a creation", () => {
  const creating = op("POST /logins", {
    does: "Makes a login.",
    body: json({ user: z.string(), pass: secret(z.string()) }),
    returns: { 201: json(z.unknown()) },
    effect: "create",
    guard: { kind: "create" },
    shownBy: "login_get",
    example: { body: { user: "u", pass: "p" } },
  });
  const createdIn = async (body: object | undefined, bound?: Record<string, unknown>) => {
    const args = validateArguments("login_create", creating, { body: login });
    const request = await resolveRequest("login_create", creating, args, target);
    const readState = stateOf(body, bound === undefined ? {} : { bound });
    return callOf({}, { operation: creating, items: [{ args, request, readState }] });
  };

  it("a plan for a creation ignores what is there, and stores none of it", async () => {
    const { plan } = await opened(await createdIn({ others: 1 }));
    expect(plan.before).toEqual([{ tool: "login_update", given: { body: expect.anything() }, state: undefined }]);
    expect(await outcomeOf(await createdIn({ others: 1 }), await createdIn({ others: 2 }))).toBe("approved");
    expect(await outcomeOf(await createdIn(undefined), await createdIn(undefined))).toBe("approved");
    const [one, other] = [await createdIn({}, { rules: 1 }), await createdIn({}, { rules: 2 })];
    // It is bound to what its declaration binds it to.
    expect(await outcomeOf(one, other)).toBe(changedState);
  });
});

describe("a proposal", () => {
  const guardedWith = (guard: Partial<Guard>): AnyOperation => {
    const operation = writing();
    return { ...operation, spec: { ...operation.spec, guard: { kind: "credential", ...guard } } } as AnyOperation;
  };
  const list = { body: { pass: "hunter2-8", count: 2 }, schemas: [Login] };
  const readState = stateOf(login, { related: { login_list: list, login_rules: undefined } });

  it("criticality of a proposal is judged per request, without secrets", async () => {
    const seen: unknown[] = [];
    const criticalBy = (...all: readonly [{ readonly id?: unknown }, ...unknown[]]) => {
      seen.push(all);
      return [`it is number ${all[0].id}`];
    };
    const operation = guardedWith({ critical: [criticalBy] });
    const [call, other] = [await callOf({ operation, readState }), await callOf({ operation, readState, id: 2 })];
    const proposal = await propose(together([call, other]));
    expect(proposal.criticalBy).toEqual(["it is number 1", "it is number 2"]);
    for (const all of seen) {
      expect(all).toMatchObject([{ body: { user: "u" } }, { user: "u" }, { login_list: { count: 2 } }]);
      expect(all).not.toHaveProperty("0.confirm");
    }
    expect(JSON.stringify(seen)).not.toContain("hunter2");
    expect((await propose(await callOf({ readState }))).criticalBy).toEqual([]);
  });

  it("a proposal stores the words of a manual undo, not what they rest on", async () => {
    const operation = guardedWith({ undo: { by: ({ related }) => `Send ${JSON.stringify(related)}.` } });
    const call = await callOf({ operation, readState });
    const [before] = (await propose(call)).before;
    expect(before?.wayBack).toMatch(/^Send .*"count":2/);
    expect(before).not.toHaveProperty("related");
    const [unread] = undoRecordsUnread(call);
    expect(unread).toMatchObject({ tool: "login_update", given: { id: 1, body: { user: "u" } }, wayBack: "Send {}." });
    expect(unread?.state).toBeUndefined();
    expect((await propose(await callOf())).before[0]).not.toHaveProperty("wayBack");
  });

  it("a proposal stores the undo call only if none of its values is masked", async () => {
    // The undo is given the arguments without their secrets.
    const undoWith = (member: "user" | "pass") =>
      guardedWith({
        undo: {
          by: ({ given }) => ({
            says: "Send it.",
            call: { tool: "login_reset", arguments: { [member]: (given["body"] as typeof login)[member] } },
          }),
        },
      });
    const callKept = async (member: "user" | "pass") =>
      (await propose(await callOf({ operation: undoWith(member), readState }))).before[0]?.returnsBy;
    expect(await callKept("user")).toEqual({ tool: "login_reset", arguments: { user: "u" } });
    expect(await callKept("pass")).toBeUndefined();
  });

  it("a preview names the profile of the call where there are several", async () => {
    const summaryIn = async (profile: string | undefined) =>
      (await propose(await callOf({}, { account: { ...account, ...(profile === undefined ? {} : { profile }) } })))
        .preview.summary;
    const summary = await summaryIn(undefined);
    expect(await summaryIn("work")).toBe(`In profile work: ${summary}`);
  });

  it("a proposal begins with the switched account, by name if reported", async () => {
    const ledIn = async (other: Partial<GuardedCall>) => {
      const { preview } = await propose(await callOf({}, other));
      const leads = (["brief", "short"] as const).map((form) => linesOfForm(form, preview.ranked)[0]?.text);
      for (const text of [preview.summary, preview.lines[0], ...leads])
        expect(text).toMatch(/^In (the account|profile) /);
      return preview.summary.split(": ")[0];
    };
    const switched = { ...account, switchKey: "1-9NORD:1-8BYUX" };
    const accountName = async () => ({ id: "1-9NORD", name: "Example Shops Nordic" });
    expect(await ledIn({ account: switched })).toBe("In the account of the switch key 1-9NORD:1-8BYUX");
    expect(await ledIn({ account: switched, accountName })).toBe('In the account "Example Shops Nordic"');
    expect(await ledIn({ account: { ...switched, profile: "work" }, accountName })).toBe(
      'In profile work, in the account "Example Shops Nordic"',
    );
  });
});

describe("a plan for a request that is completed from the state", () => {
  /** A call whose arguments are the caller's, completed from the state. */
  const filled = async (pass: string, user: string) => {
    const call = await callOf({ body: { pass, user } });
    const items = call.items.map((item) => ({ ...item, args: { ...item.args, asked: { id: 1, body: { pass } } } }));
    return { ...call, items };
  };

  it.each<[string, [string, string], string]>([
    ["arguments and state are the same", ["p", "u"], "approved"],
    ["the state differs", ["p", "w"], changedState],
    ["the arguments differ", ["q", "u"], otherArguments],
  ])("a completed request is bound to both: %s", async (_, later, expected) => {
    expect(await outcomeOf(await filled("p", "u"), await filled(...later))).toBe(expected);
  });
});

describe("a plan that is void", () => {
  const voided = async (call: GuardedCall, later: GuardedCall) => {
    const { approve } = await opened(call);
    return (await failureFrom(() => approve(later))).detail.changed;
  };
  const there = (user: string) => callOf({ readState: stateOf({ user, pass: "hunter2-1" }) });
  const severalOf = async (users: readonly string[]) => together(await Promise.all(users.map(there)));

  it("a void plan names what differs in the state or the arguments", async () => {
    expect(await voided(await there("u"), await there("v"))).toEqual([{ at: "state.user", from: "u", to: "v" }]);
    const other = await callOf({ body: { user: "w", pass: "hunter2-2" } });
    expect(await voided(await callOf(), other)).toEqual([{ at: "body.user", from: "u", to: "w" }]);
  });

  it("a void plan that stored nothing to compare names no difference", async () => {
    const plans = createPlans({ ttlMs: 600_000 });
    const { binding, preview } = await propose(await callOf());
    const { id } = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview: keptPreviewOf(preview) });
    const later = await callOf({ id: 2 });
    const failure = await failureFrom(() => redeemedFor(plans, id, later, "confirm"));
    expect(failure.message).toBe(otherArguments);
    expect(failure.detail).not.toHaveProperty("changed");
  });

  it("a void plan names the call of a difference, and at most twelve", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map((id) => callOf({ id })));
    if (!one || !two || !three) throw new Error("There are three.");
    expect(await voided(together([one, two]), together([one, three]))).toEqual([{ at: "call 2.id", from: 2, to: 3 }]);
    expect(await voided(await severalOf(["a", "b"]), await severalOf(["a", "c"]))).toEqual([
      { at: "call 2.state.user", from: "b", to: "c" },
    ]);
    const many = (letter: string) => severalOf(Array.from({ length: 20 }, () => letter));
    expect(await voided(await many("a"), await many("b"))).toHaveLength(12);
  });
});

describe("a composed call", () => {
  /** A request for each letter of the users, and the state of each; "-" for none. */
  async function series(users: string, states: string, given: object = { users: 2 }) {
    const reads: boolean[] = [];
    const calls = [...users].map((user, at) => {
      const readState = async ({ isFresh }: { readonly isFresh: boolean }) => {
        reads.push(isFresh);
        const [now = "-"] = states.slice(at);
        return now === "-" ? undefined : { body: { user: now, pass: "hunter3" }, schemas: [Login] };
      };
      return callOf({ id: at + 1, body: { user, pass: "hunter2" }, readState });
    });
    const composed = { tool: "logins_write", given: given as never, confirm: undefined, notes: [], warnings: [] };
    const call: GuardedCall = { ...together(await Promise.all(calls)), tool: "logins_write", composed };
    return { call, reads };
  }
  const shown = async () => (await series("ab", "xy")).call;

  it.each<[string, Parameters<typeof series>]>([
    ["the first state", ["ab", "zy"]],
    ["the last state", ["ab", "xz"]],
    ["a state that is gone", ["ab", "x-"]],
    ["the first request", ["cb", "xy"]],
    ["the last request", ["ac", "xy"]],
    ["the number of requests", ["a", "x"]],
  ])("a series is refused for a change in %s, with the next step", async (_, later) => {
    const { approve } = await opened(await shown());
    const { call } = await series(...later);
    const { message, detail } = await failureFrom(() => approve(call));
    expect(message).toBe(changedState);
    expect(detail.next).toMatch(/^Call logins_write again without confirm: it reads the present state/);
  });

  it.each<[string, string, string, object?]>([
    ["approved", "xy", "xy"],
    ["approved", "x-", "x-"],
    // The change is reported although another state could not be shown.
    [changedState, "x-", "z-"],
    [otherArguments, "xy", "xy", { users: 3 }],
  ])("a composed change is %s if state %s has become %s", async (expected, before, after, given) => {
    const [one, other] = [await series("ab", before), await series("ab", after, given)];
    expect(await outcomeOf(one.call, other.call)).toBe(expected);
  });

  it("a refusal advises no new composition if the state is unchanged", async () => {
    const call = await shown();
    const ways: readonly ((made: Awaited<ReturnType<typeof opened>>) => Promise<unknown>)[] = [
      async ({ plans, plan, approve }) => {
        await approve(call);
        await plans.settle(plan.id, { state: "done", says: "it answered 200" });
      },
      async ({ plans, plan }) => plans.refuse(plan.id),
      async ({ approve }) => {
        const other = (await series("ab", "xy", { users: 3 })).call;
        return failureFrom(() => approve(other));
      },
    ];
    for (const way of ways) {
      const made = await opened(call);
      await way(made);
      expect((await failureFrom(() => made.approve(call))).detail.next).not.toContain("logins_write");
    }
  });

  it("a series of the caller's own calls is refused with what to read again", async () => {
    const given = async (states: string) => {
      const { call } = await series("ab", states);
      return { ...call, composed: { ...call.composed, isGiven: true } as GuardedCall["composed"] };
    };
    const [{ approve }, later] = [await opened(await given("xy")), await given("xz")];
    const { detail } = await failureFrom(() => approve(later));
    expect(detail.next).toBe("Read it again with login_get, and decide based on its present state.");
  });

  it("the state of a series is shown only if that of every request is", async () => {
    for (const [states, isShown] of [
      ["xy", true],
      ["x-", false],
      ["--", false],
    ] as const)
      expect((await propose((await series("ab", states)).call)).isStateShown).toBe(isShown);
  });

  it("a preview may use remembered reads, and its approval reads again", async () => {
    const { call, reads } = await series("ab", "xy");
    await (await opened(call)).approve(call);
    expect(reads).toEqual([false, false, true, true]);
  });

  it("a series stores each request's arguments and state, but no secret", async () => {
    const { before } = await propose((await series("ab", "x-")).call);
    expect(before).toMatchObject([
      { tool: "login_update", given: { id: 1, body: { user: "a" } }, state: { user: "x" } },
      { tool: "login_update", given: { id: 2, body: { user: "b" } }, state: undefined },
    ]);
    expect(JSON.stringify(before)).not.toContain("hunter");
  });
});
