/** A plan for two persons is used after two different persons have approved it, neither of whom asked for it. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { ApprovalRoute, Approver, Requester } from "../../src/guard/plan.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { isOfRequester, isSamePerson, missingApprovals } from "../../src/guard/plans/persons.js";
import type { PlanHistory, PlanStorage } from "../../src/guard/plans/storage.js";
import type { Failure } from "../../src/language/failure.js";
import { parseTokens } from "../../src/mcp/http/access.js";
import { damaged } from "../../src/system/private-directory.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stores } from "./plan-stores.js";
import { redeemed } from "./redeemed.js";

const issuer = "https://login.example.com";
const signedIn = (subject: string, at = issuer): Approver => ({ name: subject, subject: { subject, issuer: at } });
const requester: Requester = { subject: "carol", issuer, client: "app", software: "assistant 1.0" };
const forTwo = { ...binding, approvers: 2 } as const;
const refused = (message: string) => ({ code: "approval_refused", message });

const opened = async (storage: PlanStorage, who: Requester | null = requester) => {
  let now = 1_000;
  const plans = createPlans({ ttlMs: 1_000, storage, now: () => now });
  const tick = () => {
    now += 1;
  };
  const open = async () => (await plans.open(forTwo, { ...shownTo("person"), requester: who ?? undefined })).id;
  const id = await open();
  const approve = (...names: string[]) => Promise.all(names.map((name) => plans.approve(id, "page", signedIn(name))));
  return { plans, id, tick, open, approve, redeem: () => redeemed(plans, id, forTwo, "person") };
};

afterAll(removeDirectories);

describe.each(stores)("a plan for two persons %s", (_, storage) => {
  it("a plan for two persons waits for both, and redemption names both", async () => {
    const { plans, id, tick, redeem } = await opened(storage());
    await expect(redeem()).rejects.toMatchObject(refused("Two persons have to approve this plan, and no one has yet."));
    expect(await plans.approve(id, "page", { ...signedIn("ann"), reason: "planned" })).toBe(1);
    expect(await plans.find(id)).toMatchObject({ status: "open", plan: { approvers: 2, requester } });
    expect(await plans.approvedFor(forTwo)).toBeUndefined();
    expect(await plans.waitingForPerson(5)).toMatchObject({ count: 1, records: [{ plan: { id } }] });
    await expect(redeem()).rejects.toMatchObject(refused("Two persons have to approve this plan, and only one has."));
    tick();
    expect(await plans.approve(id, "terminal", { name: "bob", reason: "agreed" })).toBe(0);
    expect(await plans.find(id)).toMatchObject({ status: "approved" });
    expect(await plans.approvedFor(forTwo)).toBe(id);
    const approvals = [
      { channel: "page", atMs: 1_000, by: "ann", subject: { subject: "ann", issuer }, reason: "planned" },
      { channel: "terminal", atMs: 1_001, by: "bob", reason: "agreed" },
    ];
    expect(await redeem()).toStrictEqual(approvals);
    expect((await plans.find(id))?.approvals).toStrictEqual(approvals);
    await expect(redeem()).rejects.toMatchObject(refused("This plan has been used."));
  });

  it("a plan for two persons counts no third approval", async () => {
    const { plans, id, approve } = await opened(storage());
    for (const [name, missing] of [
      ["ann", 1],
      ["bob", 0],
      ["dan", 0],
    ] as const)
      expect(await approve(name)).toEqual([missing]);
    expect((await plans.find(id))?.approvals.map(({ by }) => by)).toEqual(["ann", "bob"]);
  });

  it(
    promise("one-person-counts-once", "counts one of two approvals at once by one person, and both of two"),
    async () => {
      for (const [other, status] of [
        ["ann", "open"],
        ["bob", "approved"],
      ] as const) {
        const { plans, id, approve } = await opened(storage());
        await Promise.allSettled([approve("ann"), approve(other)]);
        expect(await plans.find(id)).toMatchObject({ status });
      }
    },
  );

  it("a plan for two ends when one of them refuses, with their reason", async () => {
    const { plans, id, approve } = await opened(storage());
    await approve("ann");
    expect(await plans.refuse(id, "page", { ...signedIn("bob"), reason: "not now" })).toBe(true);
    const refusal = { channel: "page", atMs: 1_000, by: "bob", subject: { subject: "bob", issuer }, reason: "not now" };
    expect(await plans.find(id)).toMatchObject({ status: "refused", approvals: [{ by: "ann" }], refusal });
    await expect(approve("dan")).rejects.toMatchObject({
      detail: { why: "A refused plan cannot be approved. The reason given: not now. Nothing was sent." },
    });
  });

  it("a plan for two persons is redeemed by no other kind of approval", async () => {
    for (const [awaits, through] of [
      ["confirm", "confirm"],
      ["question", "elicitation"],
      ["policy", "policy"],
    ] as const satisfies readonly (readonly [string, ApprovalRoute])[]) {
      const plans = createPlans({ ttlMs: 1_000, storage: storage() });
      const { id } = await plans.open(forTwo, { ...shownTo(awaits), requester });
      await expect(redeemed(plans, id, forTwo, through)).rejects.toMatchObject({ code: "approval_refused" });
      expect(await plans.find(id)).toMatchObject({ status: "open" });
    }
  });

  it("a plan for one person is void once the policy asks for two", async () => {
    const plans = createPlans({ ttlMs: 1_000, storage: storage() });
    const { id } = await plans.open(binding, shownTo("confirm"));
    await expect(redeemed(plans, id, forTwo, "confirm")).rejects.toMatchObject(
      refused("Two persons have to approve this call."),
    );
    expect(await plans.find(id)).toMatchObject({ status: "void", voidBecause: "approvers" });
  });

  it("a plan stores the first 500 characters of a reason", async () => {
    const { plans, id } = await opened(storage());
    await plans.approve(id, "page", { ...signedIn("ann"), reason: `${"r".repeat(500)}s` });
    expect((await plans.find(id))?.approvals).toMatchObject([{ reason: "r".repeat(500) }]);
  });

  it("plans that persons decided are listed, newest decision first", async () => {
    const { plans, id, tick, open } = await opened(storage());
    const [half, both, { id: single }] = [await open(), await open(), await plans.open(binding, shownTo("person"))];
    await plans.open(binding, shownTo("confirm"));
    await plans.approve(half, "page", signedIn("ann"));
    await plans.approve(both, "page", signedIn("ann"));
    tick();
    await plans.approve(single, "page", signedIn("ann"));
    tick();
    await plans.approve(both, "page", signedIn("bob"));
    tick();
    await plans.refuse(id, "page", signedIn("bob"));
    expect((await plans.decidedLately(5)).map(({ plan }) => plan.id)).toEqual([id, both, single]);
    expect(await plans.decidedLately(1)).toHaveLength(1);
  });
});

describe("the two persons differ from each other and from the requester", () => {
  const [memory] = stores;
  const storage = () => memory?.[1]() ?? expect.fail();
  const [own, before] = [
    "Who asked for a change is none of the two persons who approve it.",
    "This person has approved the plan already.",
  ];
  const terminal = (name: string) => ["terminal", { name }] as const;
  const page = (name: string) => ["page", { name }] as const;
  const there = (subject: string, at?: string) => ["page", signedIn(subject, at)] as const;
  type Given = readonly ["terminal" | "page", Approver | undefined];
  const [stdio, file] = ["stdio", { subject: "ci" }] as const;

  it.each<[what: string, who: Requester | "stdio", message: string | undefined, ...given: Given[]]>([
    ["two who signed in", requester, undefined, there("ann"), there("bob")],
    ["two secrets of the file", requester, undefined, page("ann"), page("bob")],
    ["the operator and one who signed in", requester, undefined, terminal("root"), there("bob")],
    ["the same name of two issuers", requester, undefined, there("ann"), there("ann", "https://other.example.com")],
    ["one person with one name", requester, before, there("ann"), there("ann")],
    ["a name of the file that one signed in with", requester, before, page("ann"), there("ann")],
    ["two users of terminals", requester, before, terminal("ann"), terminal("bob")],
    ["an operator with the name of one who signed in", requester, before, terminal("ann"), there("ann")],
    ["nobody that is known", requester, own, ["page", undefined]],
    ["who asked", requester, own, there("carol")],
    ["a name of the file that asked", file, own, page("ci")],
    ["a name of one file that asked, written another way in the other", file, own, page("Ci")],
    ["one person with two spellings of a name", requester, before, page("ann"), page("ANN")],
    ["a spelling of the name that one signed in with", requester, before, there("Ann"), page("ann")],
    ["a spelling of the name of who asked", requester, own, page("Carol")],
    ["two subjects of one issuer that differ in case alone", requester, undefined, there("ann"), there("Ann")],
    ["who asked, at a terminal", { subject: "root" }, own, terminal("root")],
    ["the operator, who asked over stdio", stdio, own, terminal("root")],
    ["two others than the operator, who asked over stdio", stdio, undefined, there("ann"), page("bob")],
  ])("%s", async (_, who, message, ...attempts) => {
    const { plans, id } = await opened(storage(), who === "stdio" ? null : who);
    const approving = (async () => {
      for (const [channel, by] of attempts) await plans.approve(id, channel, by);
    })();
    if (message === undefined) await approving;
    else await expect(approving).rejects.toMatchObject(refused(message));
    expect((await plans.find(id))?.status).toBe(message === undefined ? "approved" : "open");
  });

  const of = (name: string) =>
    ({ id: "", channel: "page", atMs: 1, by: name, subject: signedIn(name).subject }) as const;
  it.each<[string, Partial<PlanHistory>]>([
    ["the first one cannot be read", { first: damaged }],
    ["the second one cannot be read", { approved: damaged }],
    ["the first one is missing", { first: undefined as never }],
    ["both are of one person", { approved: of("ann") as never }],
    ["one is of the requester", { approved: of("carol") as never }],
  ])("stored approvals are not those of two persons where %s", async (_, stored) => {
    const kept = storage();
    const spoiled: PlanStorage = {
      ...kept,
      read: async (one) => {
        const story = await kept.read(one);
        return story && (story.approved === undefined ? story : { ...story, ...stored });
      },
    };
    const { plans, id, approve, redeem } = await opened(spoiled);
    await approve("ann");
    await approve("bob");
    expect((await plans.find(id))?.status).toBe("open");
    await expect(redeem()).rejects.toMatchObject({ code: "approval_refused" });
  });
});

describe("a name without an issuer", () => {
  const letter = fc.constantFrom(..."aAbKkſéÉßẞİıΣσςﬁ１９._-");
  const name = fc.string({ unit: letter, minLength: 1, maxLength: 6 });
  /** Ways to write a name that a person reads as the same. */
  const spellings: readonly ((text: string) => string)[] = [
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize("NFD"),
    (text) => text.normalize("NFKC"),
    (text) => ` ${text}\u3000`,
    (text) => `${text.slice(0, 1)}\u200b${text.slice(1)}`,
    (text) => text,
  ];
  const pair = fc
    .tuple(name, fc.array(fc.constantFrom(...spellings), { maxLength: 3 }))
    .map(([text, ways]) => [text, ways.reduce((one, way) => way(one), text)] as const);
  const isOne = (one: string, other: string, at: string | undefined): boolean => {
    const [first, second] = [{ by: one }, { by: other, ...(at && { subject: { subject: other, issuer: at } }) }];
    const [a, b] = [{ channel: "page", ...first } as const, { channel: "terminal", ...second } as const];
    const asked = [a, b].map(({ by }) => ({ requester: { subject: by } }));
    const counts = [missingApprovals({ approvers: 2 }, [a, b]), missingApprovals({ approvers: 2 }, [b, a])];
    const ways = [
      ...[isSamePerson(a, b), isSamePerson(b, a)],
      ...[isOfRequester(b, asked[0] ?? {}), isOfRequester(a, asked[1] ?? {})],
    ];
    const isSame = ways.every(Boolean);
    expect([ways.some(Boolean), one, other]).toEqual([isSame, one, other]);
    if (isSame) expect(Math.min(...counts)).toBe(1);
    return isSame;
  };

  it("counts no approval without a reason where the plan needs one", () => {
    const [ann, bob] = ["ann", "bob"].map((by) => ({ channel: "page", by }) as const);
    const forReasons = { approvers: 2, breaks: ["frozen"] } as const;
    const missing = (...reasons: (string | undefined)[]) =>
      missingApprovals(
        forReasons,
        [ann, bob].map((one, at) => ({ ...one, channel: "page" as const, reason: reasons[at] })),
      );
    expect([missing("down", "agreed"), missing("down"), missing("down", " "), missing()]).toEqual([0, 1, 1, 2]);
    // Nobody can read an invisible one, or learn anything from a dot.
    expect([missing("down", "\u200b\u2060"), missing("down", "."), missing("down", "\u{1f44d} 1")]).toEqual([1, 1, 0]);
  });

  it(promise("person-in-any-spelling", "is that of one person however it is written"), () => {
    fc.assert(
      fc.property(pair, fc.constantFrom(undefined, issuer), ([one, other], at) => {
        expect([one, other, isOne(one, other, at)]).toEqual([one, other, true]);
      }),
      { numRuns: runs(100) },
    );
  });

  it(promise("person-in-token-files", "is that of one person wherever the token file refuses two as the same"), () => {
    const [first, second] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    const isRefused = (one: string, other: string): boolean => {
      try {
        parseTokens(`${one} ${first}\n${other} ${second}`, "--token-file", "client");
        return false;
      } catch (error) {
        return /repeats a name/.test(String((error as Failure).detail.why));
      }
    };
    const word = fc.stringMatching(/^[a-cA-C0-1][a-cA-C._-]{0,3}$/);
    fc.assert(
      fc.property(word, word, fc.boolean(), (one, chance, isUpper) => {
        const other = chance.length > 2 ? chance : isUpper ? one.toUpperCase() : one.toLowerCase();
        expect([one, other, isOne(one, other, undefined)]).toEqual([one, other, isRefused(one, other)]);
      }),
      { numRuns: runs(100) },
    );
  });
});
