/** Plans: one approval for one request, whatever order things happen in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differences } from "../../src/guard/difference.js";
import { type Binding, createPlans, requestHash, stateHash } from "../../src/guard/plan.js";
import { noAnswers } from "../checked.js";

const binding: Binding = { tool: "t", account: "a", owner: "p", requestHash: "r", stateHash: "s" };
const refused = (what: string) => expect.objectContaining({ code: "approval_refused", message: what });

describe("a plan", () => {
  it("is used once", () => {
    const plans = createPlans({ ttlMs: 1_000 });
    const { id } = plans.open(binding);
    plans.redeem(id, binding);
    plans.settle(id, "it answered 201");
    expect(() => plans.redeem(id, binding)).toThrow(refused("This plan has been used."));
    expect(() => plans.redeem(id, binding)).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ why: expect.stringContaining("it answered 201") }) }),
    );
  });

  it("expires to the millisecond", () => {
    let now = 1_000_000;
    const plans = createPlans({ ttlMs: 1_000, now: () => now });
    const [one, two] = [plans.open(binding), plans.open(binding)];
    now += 999;
    plans.redeem(one.id, binding);
    now += 1;
    expect(() => plans.redeem(two.id, binding)).toThrow(refused("This plan has expired."));
  });

  it.each([
    [{ requestHash: "other" }, "These are not the arguments that were approved."],
    [{ tool: "other" }, "These are not the arguments that were approved."],
    [{ account: "other" }, "These are not the arguments that were approved."],
    [{ stateHash: "other" }, "The state has changed since the preview."],
    [{ stateHash: undefined }, "The state has changed since the preview."],
  ])("is void once it was tried with %j", (change, message) => {
    const plans = createPlans({ ttlMs: 1_000 });
    const { id } = plans.open(binding);
    expect(() => plans.redeem(id, { ...binding, ...change })).toThrow(refused(message));
    expect(() => plans.redeem(id, binding)).toThrow(refused("This plan was refused."));
  });

  it("belongs to its owner: another owner neither uses nor voids it", () => {
    const plans = createPlans({ ttlMs: 1_000 });
    const { id } = plans.open(binding);
    expect(() => plans.redeem(id, { ...binding, owner: "other" })).toThrow(refused("There is no such plan."));
    plans.redeem(id, binding);
  });

  it("stays used when it is declined afterwards", () => {
    const plans = createPlans({ ttlMs: 1_000 });
    const { id } = plans.open(binding);
    plans.redeem(id, binding);
    plans.refuse(id);
    expect(() => plans.redeem(id, binding)).toThrow(
      expect.objectContaining({
        message: "This plan has been used.",
        detail: expect.objectContaining({ why: expect.stringContaining("its outcome is not known yet") }),
      }),
    );
  });

  it("is known for an hour after its end, whatever else is opened meanwhile, and is then forgotten", () => {
    let now = 1_790_000_000_000;
    const plans = createPlans({ ttlMs: 1_000, now: () => now });
    const [used, open, late] = [plans.open(binding), plans.open(binding), plans.open(binding)];
    plans.redeem(used.id, binding);
    plans.open(binding);
    plans.redeem(open.id, binding);
    now += 3_600_000;
    plans.open(binding);
    expect(() => plans.redeem(used.id, binding)).toThrow(refused("This plan has been used."));
    expect(() => plans.redeem(late.id, binding)).toThrow(refused("This plan has expired."));
    now += 1_001;
    plans.open(binding);
    for (const { id } of [used, late])
      expect(() => plans.redeem(id, binding)).toThrow(refused("There is no such plan."));
  });

  it("is unknown when it was made up, and refused when it was declined", () => {
    const plans = createPlans({ ttlMs: 1_000 });
    expect(() => plans.redeem("plan_x", binding)).toThrow(refused("There is no such plan."));
    const { id } = plans.open(binding);
    plans.refuse(id);
    expect(() => plans.redeem(id, binding)).toThrow(refused("This plan was refused."));
  });

  it("never lets two requests through, nor one without an approval, in 2,000 made-up histories", () => {
    const step = fc.record({
      act: fc.constantFrom("open", "redeem", "redeem", "alter", "refuse", "wait"),
      which: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (history) => {
        let now = 0;
        const plans = createPlans({ ttlMs: 50, now: () => now });
        const opened: { id: string; at: number; isDead: boolean; uses: number }[] = [];
        for (const { act, which } of history) {
          const one = opened[which % Math.max(1, opened.length)];
          if (act === "open") opened.push({ id: plans.open(binding).id, at: now, isDead: false, uses: 0 });
          else if (act === "wait") now += 20;
          else if (one && act === "refuse") {
            plans.refuse(one.id);
            one.isDead = true;
          } else if (one) {
            const given = act === "alter" ? { ...binding, requestHash: "other" } : binding;
            let isThrough = true;
            try {
              plans.redeem(one.id, given);
            } catch {
              isThrough = false;
            }
            expect(isThrough).toBe(act === "redeem" && !one.isDead && one.uses === 0 && now - one.at < 50);
            if (isThrough) one.uses += 1;
            else if (act === "alter" && now - one.at < 50) one.isDead = true;
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps no more than a thousand", () => {
    const plans = createPlans({ ttlMs: 1_000 });
    const first = plans.open(binding);
    for (let count = 0; count < 1_000; count += 1) plans.open(binding);
    expect(() => plans.redeem(first.id, binding)).toThrow(refused("There is no such plan."));
  });
});

describe("hashes", () => {
  const request = {
    method: "POST",
    url: new URL("https://h.example/a?b=1"),
    headers: { accept: "x", "content-type": "y" },
    body: new TextEncoder().encode("body"),
    answers: noAnswers,
  };
  it("tell requests apart by everything that decides what they do", () => {
    const others = [
      { ...request, method: "PUT" },
      { ...request, url: new URL("https://h.example/a?b=2") },
      { ...request, url: new URL("https://other.example/a?b=1") },
      { ...request, headers: { ...request.headers, "content-type": "z" } },
      { ...request, headers: { ...request.headers, accept: "z" } },
      { ...request, headers: { ...request.headers, "if-match": '"1"' } },
      { ...request, headers: { ...request.headers, "if-match": '"2"' } },
      { ...request, body: new TextEncoder().encode("bodY") },
    ];
    expect(new Set([request, ...others].map(requestHash)).size).toBe(9);
    expect(requestHash({ ...request })).toBe(requestHash(request));
  });

  it("do not depend on the order of keys", () => {
    expect(stateHash({ a: 1, b: { c: 2, d: 3 } })).toBe(stateHash({ b: { d: 3, c: 2 }, a: 1 }));
    expect(stateHash({ a: [1, 2] })).not.toBe(stateHash({ a: [2, 1] }));
  });
});

it("reports what would change, record by record", () => {
  const now = {
    name: "z",
    soa: { serial: 1, ttl: 9 },
    a: [
      { name: "x", target: "1" },
      { name: "y", target: "2" },
    ],
    txt: [{ name: "t" }],
  };
  const then = {
    name: "z",
    soa: { serial: 2, ttl: 9 },
    a: [
      { target: "2", name: "y" },
      { name: "x", target: "3" },
    ],
    mx: [{ name: "m" }],
  };
  expect(differences(now, then)).toEqual([
    { at: "soa.serial", from: 1, to: 2 },
    {
      at: "a",
      addedCount: 1,
      removedCount: 1,
      added: [{ name: "x", target: "3" }],
      removed: [{ name: "x", target: "1" }],
    },
    { at: "txt", addedCount: 0, removedCount: 1, added: [], removed: [{ name: "t" }] },
    { at: "mx", addedCount: 1, removedCount: 0, added: [{ name: "m" }], removed: [] },
  ]);
  expect(differences(now, structuredClone(now))).toEqual([]);
});

it("counts all records that would come and go, and shows five of them", () => {
  const records = (name: string) => Array.from({ length: 1_000 }, (_, index) => `${name}${index}`);
  const [change] = differences({ a: records("old") }, { a: records("new") });
  expect(change).toEqual({
    at: "a",
    addedCount: 1_000,
    removedCount: 1_000,
    added: records("new").slice(0, 5),
    removed: records("old").slice(0, 5),
  });
});
