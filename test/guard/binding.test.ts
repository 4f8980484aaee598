/** What a plan is bound to: one account, one owner, the bytes of one request, and the state unless the declaration says not. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { requestHash } from "../../src/guard/difference.js";
import {
  beforeUnread,
  createPlans,
  type GuardedCall,
  type GuardedItem,
  keptOf,
  propose,
} from "../../src/guard/index.js";
import type { Account } from "../../src/language/account.js";
import type { Guard } from "../../src/language/conduct.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { secret } from "../../src/schema/marks.js";
import { resolveRequest } from "../../src/wire/request.js";
import { redeemedFor } from "./redeemed.js";

const writing = (shownBy: AnyOperation["spec"]["shownBy"] & {} = "login_get", relatedReads: Related = {}) =>
  op("PUT /logins/{id}", {
    does: "Writes a login.",
    path: { id: z.int() },
    body: json({ user: z.string(), pass: secret(z.string()) }),
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: { kind: "credential", replaces: "body" },
    shownBy,
    relatedReads,
    example: { id: 1, body: { user: "u", pass: "p" } },
  });
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
async function callOf(
  {
    body = login,
    id = 1,
    operation = writing(),
    readState = async () => ({ body: login, schemas: [Login] }),
  }: Made = {},
  other: Partial<GuardedCall> = {},
): Promise<GuardedCall> {
  const args = checkArguments("login_update", operation, { id, body });
  const request = await resolveRequest("login_update", operation, args, { origin: "https://a.example", vendor: "v" });
  return {
    tool: "login_update",
    operationTool: "login_update",
    operation,
    items: [{ args, request, readState }],
    account,
    accountName: async () => undefined,
    owner: "local",
    ...other,
  };
}

const opened = async (call: GuardedCall) => {
  const plans = createPlans({ ttlMs: 600_000 });
  const { binding, preview, before } = await propose(call);
  const plan = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview: keptOf(preview), before });
  return { plan, preview, approve: (later: GuardedCall) => redeemedFor(plans, plan.id, later, "confirm") };
};

describe("a plan", () => {
  it("approves the call that it was made for", async () => {
    const { approve: confirm } = await opened(await callOf());
    await expect(confirm(await callOf())).resolves.toMatchObject([{ channel: "confirm" }]);
  });

  it.each<[string, Partial<GuardedCall>]>([
    ["with an account switch key", { account: { ...account, switchKey: "1-ABC" } }],
    ["of another section", { account: { ...account, section: "other" } }],
    ["on another host", { account: { ...account, host: "b.example" } }],
    ["on the emulator", { account: { ...account, isEmulated: true } }],
    ["of another owner", { owner: "someone else" }],
    ["of another tool", { tool: "login_replace" }],
  ])("does not approve the same call %s", async (_, other) => {
    const { approve: confirm } = await opened(await callOf());
    await expect(confirm(await callOf({}, other))).rejects.toMatchObject({ code: "approval_refused" });
  });

  it("does not approve the call of one switch key for another", async () => {
    const switched = (switchKey: string) => callOf({}, { account: { ...account, switchKey } });
    const { approve: confirm } = await opened(await switched("1-ABC"));
    await expect(confirm(await switched("1-ABD"))).rejects.toMatchObject({ code: "approval_refused" });
  });

  it.each<[string, Made]>([
    ["a member", { body: { ...login, user: "w" } }],
    ["a secret, although its preview looks the same", { body: { ...login, pass: "hunter2-2" } }],
    ["a path value", { id: 2 }],
  ])("does not approve a call that differs in %s", async (_, made) => {
    const { approve: confirm } = await opened(await callOf());
    await expect(confirm(await callOf(made))).rejects.toMatchObject({
      message: "These are not the arguments that were approved.",
    });
  });

  it("is another plan for another secret, and holds neither", async () => {
    const [one, two] = await Promise.all(
      ["hunter2-1", "hunter2-2"].map(async (pass) => opened(await callOf({ body: { ...login, pass } }))),
    );
    expect(one?.plan.requestHash).not.toBe(two?.plan.requestHash);
    expect(JSON.stringify([one?.plan, one?.preview, two?.plan, two?.preview])).not.toContain("hunter2");
  });

  it.each<[string, unknown, unknown]>([
    ["changed", login, { ...login, user: "w" }],
    ["changed in a secret", login, { ...login, pass: "hunter2-9" }],
    ["gone", login, undefined],
    ["there now", undefined, login],
  ])("ends when the state is %s", async (_, before, after) => {
    const states = [before, after];
    const readState = async () => {
      const body = states.shift();
      return body === undefined ? undefined : { body, schemas: [] };
    };
    const { approve: confirm } = await opened(await callOf({ readState }));
    await expect(confirm(await callOf({ readState }))).rejects.toMatchObject({
      message: "The state has changed since the preview.",
    });
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
    let role = "editor";
    const operation = writing(unbound, { role: { by: "role_get", args: () => ({}), isBound: true } });
    const readState = async () => ({ body: { queueLength: Math.random() }, schemas: [], bound: { role } });
    const made: Made = { operation, readState };
    const first = await opened(await callOf(made));
    await expect(first.approve(await callOf(made))).resolves.toMatchObject([{ channel: "confirm" }]);
    const second = await opened(await callOf(made));
    role = "owner";
    await expect(second.approve(await callOf(made))).rejects.toThrow("The state has changed");
  });

  it("a plan for the request alone is bound to no state", async () => {
    const operation = writing(unbound);
    expect((await propose(await callOf({ operation }))).binding.stateHash).toBeUndefined();
    const { approve } = await opened(await callOf({ operation }));
    await expect(approve(await callOf({ operation, id: 2 }))).rejects.toMatchObject({
      detail: { changed: [{ at: "id", from: 1, to: 2 }] },
    });
  });

  it("is bound to its one request, and to no state where there was none", async () => {
    const call = await callOf({ readState: async () => undefined });
    const { binding } = await propose(call);
    expect(binding.requestHash).toBe(call.items.map(({ request }) => requestHash(request)).join());
    expect(binding.stateHash).toBeUndefined();
    expect((await propose(await callOf())).binding.stateHash).toEqual(expect.any(String));
  });

  it.each<[string, unknown, unknown, boolean]>([
    ["the same", { rules: 1 }, { rules: 1 }, true],
    ["another", { rules: 1 }, { rules: 2 }, false],
    ["no more there", { rules: 1 }, undefined, false],
    ["there now", undefined, { rules: 1 }, false],
  ])("is bound to what was read beside the state: %s", async (_, before, after, isApproved) => {
    const reading = (bound: unknown) => async () => ({
      body: login,
      schemas: [],
      ...(bound === undefined ? {} : { bound: bound as Record<string, unknown> }),
    });
    const { approve } = await opened(await callOf({ readState: reading(before) }));
    const outcome = await approve(await callOf({ readState: reading(after) })).then(
      () => "approved",
      (error: Error) => error.message,
    );
    expect(outcome).toBe(isApproved ? "approved" : "The state has changed since the preview.");
  });
});

describe("a plan of what is created", () => {
  const creating = op("POST /logins", {
    does: "Makes a login.",
    body: json({ user: z.string(), pass: secret(z.string()) }),
    returns: { 201: json(z.unknown()) },
    effect: "create",
    guard: { kind: "create" },
    shownBy: "login_get",
    example: { body: { user: "u", pass: "p" } },
  });
  const createdIn = async (body: object, bound?: Record<string, unknown>) => {
    const args = checkArguments("login_create", creating, { body: login });
    const request = await resolveRequest("login_create", creating, args, { origin: "https://a.example", vendor: "v" });
    const readState = async () => ({ body, schemas: [Login], ...(bound === undefined ? {} : { bound }) });
    return callOf({}, { operation: creating, items: [{ args, request, readState }] });
  };

  it("holds whatever else is there, and keeps nothing of it", async () => {
    const { plan, approve } = await opened(await createdIn({ others: 1 }));
    expect(plan.before).toEqual([{ tool: "login_update", given: { body: expect.anything() }, state: undefined }]);
    await expect(approve(await createdIn({ others: 2 }))).resolves.toMatchObject([{ channel: "confirm" }]);
  });

  it("holds where nothing could be read", async () => {
    const unread = async () => {
      const call = await createdIn({});
      return { ...call, items: call.items.map((item) => ({ ...item, readState: async () => undefined })) };
    };
    const { approve } = await opened(await unread());
    await expect(approve(await unread())).resolves.toMatchObject([{ channel: "confirm" }]);
  });

  it("is bound to what its declaration binds it to", async () => {
    const { approve } = await opened(await createdIn({ others: 1 }, { rules: 1 }));
    await expect(approve(await createdIn({ others: 1 }, { rules: 2 }))).rejects.toMatchObject({
      message: "The state has changed since the preview.",
    });
  });
});

describe("a proposal", () => {
  const guardedWith = (guard: Partial<Guard>): AnyOperation => {
    const operation = writing();
    return { ...operation, spec: { ...operation.spec, guard: { kind: "credential", ...guard } } } as AnyOperation;
  };
  const readState = async () => ({
    body: login,
    schemas: [Login],
    related: { login_list: { body: { pass: "hunter2-8", count: 2 }, schemas: [Login] }, login_rules: undefined },
  });

  it("criticality of a proposal is judged per request, without secrets", async () => {
    const seen: unknown[] = [];
    const operation = guardedWith({
      critical: [
        (...all) => {
          seen.push(all);
          return [`it is number ${all[0].id}`];
        },
      ],
    });
    const [call, other] = [await callOf({ operation, readState }), await callOf({ operation, readState, id: 2 })];
    const proposal = await propose({ ...call, items: [...call.items, ...other.items] });
    expect(proposal.criticalBy).toEqual(["it is number 1", "it is number 2"]);
    for (const all of seen) {
      expect(all).toMatchObject([{ body: { user: "u" } }, { user: "u" }, { login_list: { count: 2 } }]);
      expect(all).not.toHaveProperty("0.confirm");
    }
    expect(JSON.stringify(seen)).not.toContain("hunter2");
    expect((await propose(await callOf({ readState }))).criticalBy).toEqual([]);
  });

  it("keeps how it is taken back by hand, said from what is not kept itself", async () => {
    const operation = guardedWith({ undo: { by: ({ related }) => `Send ${JSON.stringify(related)}.` } });
    const call = await callOf({ operation, readState });
    const [before] = (await propose(call)).before;
    expect(before?.wayBack).toMatch(/^Send .*"count":2/);
    expect(before).not.toHaveProperty("related");
    const [unread] = beforeUnread(call);
    expect(unread).toMatchObject({ tool: "login_update", given: { id: 1, body: { user: "u" } }, wayBack: "Send {}." });
    expect(unread?.state).toBeUndefined();
    expect((await propose(await callOf())).before[0]).not.toHaveProperty("wayBack");
  });

  it("keeps the call that takes it back only if no value in it is masked", async () => {
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
      for (const text of [preview.summary, preview.lines[0], preview.brief[0]?.text, preview.short[0]?.text])
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

describe("a plan of a request that is filled in from the state", () => {
  /** What was asked, and what was filled in. */
  const filled = async (pass: string, user: string) => {
    const call = await callOf({ body: { pass, user } });
    const items = call.items.map((item) => ({ ...item, args: { ...item.args, asked: { id: 1, body: { pass } } } }));
    return { ...call, items };
  };

  it.each<[string, [string, string], string]>([
    ["the same was asked of the same state", ["p", "u"], "approved"],
    ["the same was asked of another state", ["p", "w"], "The state has changed since the preview."],
    ["something else was asked", ["q", "u"], "These are not the arguments that were approved."],
  ])("where %s", async (_, later, expected) => {
    const { approve } = await opened(await filled("p", "u"));
    const outcome = await approve(await filled(...later)).then(
      () => "approved",
      (error: Error) => error.message,
    );
    expect(outcome).toBe(expected);
  });
});

describe("a plan that is void", () => {
  const voided = async (call: GuardedCall, later: GuardedCall) => {
    const failure = (await opened(call).then(({ approve }) =>
      approve(later).catch((error: unknown) => error),
    )) as Failure;
    return failure.detail.changed;
  };
  const stateOf = (user: string) => async () => ({ body: { user, pass: "hunter2-1" }, schemas: [Login] });

  it("says what has changed in the state", async () => {
    const [before, now] = [await callOf({ readState: stateOf("u") }), await callOf({ readState: stateOf("v") })];
    expect(await voided(before, now)).toEqual([{ at: "state.user", from: "u", to: "v" }]);
  });

  it("says which arguments are others, and nothing of a secret", async () => {
    const other = await callOf({ body: { user: "w", pass: "hunter2-2" } });
    expect(await voided(await callOf(), other)).toEqual([{ at: "body.user", from: "u", to: "w" }]);
  });

  it("says nothing of what differs where it kept nothing to compare with", async () => {
    const plans = createPlans({ ttlMs: 600_000 });
    const { binding, preview } = await propose(await callOf());
    const { id } = await plans.open(binding, { awaits: "confirm", tier: "guarded", preview: keptOf(preview) });
    const failure = (await redeemedFor(plans, id, await callOf({ id: 2 }), "confirm").catch(
      (error) => error,
    )) as Failure;
    expect(failure.message).toBe("These are not the arguments that were approved.");
    expect(failure.detail).not.toHaveProperty("changed");
  });

  it("says in which of several calls the arguments are others", async () => {
    const [one, two, other] = [await callOf({ id: 1 }), await callOf({ id: 2 }), await callOf({ id: 3 })];
    const both = (second: GuardedCall) => ({ ...one, items: [...one.items, ...second.items] });
    expect(await voided(both(two), both(other))).toEqual([{ at: "call 2.id", from: 2, to: 3 }]);
  });

  it("says in which of several calls, and no more than twelve differences", async () => {
    const severalOf = async (users: readonly string[]) => {
      const calls = await Promise.all(users.map((user) => callOf({ readState: stateOf(user) })));
      return { ...(calls[0] as GuardedCall), items: calls.flatMap(({ items }) => items) };
    };
    expect(await voided(await severalOf(["a", "b"]), await severalOf(["a", "c"]))).toEqual([
      { at: "call 2.state.user", from: "b", to: "c" },
    ]);
    const many = (letter: string) => severalOf(Array.from({ length: 20 }, () => letter));
    expect(await voided(await many("a"), await many("b"))).toHaveLength(12);
  });
});
