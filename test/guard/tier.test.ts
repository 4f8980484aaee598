/** The tier of a call follows from its declaration, its arguments and what is known of the state; the unknown raises it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Guard } from "../../src/language/conduct.js";
import { empty, json, op } from "../../src/language/define.js";
import { z } from "../../src/language/z.js";
import { countedObjects, networkOf, type TierFacts, tierOf } from "../../src/policy/tier.js";
import { holdsForEach } from "../lab/laws.js";
import { writing } from "../lab/previewed.js";

const Body = z.object({ list: z.array(z.string()), network: z.string(), mode: z.string() }).partial();
const guarded = (guard: Guard) => writing(Body, guard);
const tierFor = (guard: Guard, body: object = {}, facts: TierFacts = {}) =>
  tierOf(guarded(guard), { id: "1", body }, facts);
const many = (count: number) => Array.from({ length: count }, (_, at) => `thing ${at}`);
const onList: Guard = { kind: "purge", counts: "body.list" };

it("a call without approval is read or write, with no network or count", () => {
  const rest = { does: "x", body: json({}), returns: { 204: empty }, example: { body: {} } };
  const read = op("POST /a", { ...rest, effect: "read" });
  expect(tierOf(read, {})).toEqual({ tier: "read", because: ["it changes nothing"] });
  expect(tierOf(op("POST /a", { ...rest, effect: "create", shownBy: "a_get" }), {})).toEqual({
    tier: "write",
    because: ["it makes a change that is not declared as destructive"],
  });
  expect([networkOf(read, {}), countedObjects(read, {})]).toEqual([undefined, undefined]);
});

describe("a guarded call", () => {
  const rows = readFileSync(join(import.meta.dirname, "tiers.tsv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1);
  it("is guarded, or critical for a reason, as in the list of tiers", () =>
    holdsForEach(
      rows.map((row) => row.split("\t")),
      (_ = "", guard = "", body = "", because = "", facts = "") => {
        const { tier, because: given } = tierFor(JSON.parse(guard), JSON.parse(body), JSON.parse(facts));
        expect(tier).toBe(because === "guarded" ? "guarded" : "critical");
        expect(given.join("; ")).toContain(because === "guarded" ? "it replaces" : because);
      },
    ));

  it("is guarded up to 100 objects, or where a whole undo is declared", () => {
    const undo: Guard["undo"] = { tool: "thing_create", args: () => ({}), isWhole: true };
    expect(tierFor({ kind: "delete", undo }).tier).toBe("guarded");
    expect(tierFor(onList, { list: many(100) }).tier).toBe("guarded");
    expect(tierFor(onList, { list: many(101) })).toEqual({
      tier: "critical",
      because: ["it affects 101 objects, which is more than 100"],
    });
  });

  it.each<[string, unknown, readonly object[], readonly object[]]>([
    ["mode", "soft", [{ mode: "soft" }], [{ mode: "hard" }, { mode: "Soft" }, {}]],
    ["force", false, [{ force: false }, { force: null }, {}], [{ force: true }, { force: "false" }, { force: 0 }]],
  ])("is critical by its %s unless that is %j", (name, unless, harmless, grave) => {
    const critical = [{ argument: `body.${name}`, unless, because: "it is hard" }] as never;
    const guard: Guard = { kind: "overwrite", critical };
    for (const body of harmless) expect(tierFor(guard, body).tier).toBe("guarded");
    for (const body of grave) expect(tierFor(guard, body)).toEqual({ tier: "critical", because: ["it is hard"] });
  });

  it("a tier comes with every reason", () => {
    expect(tierFor({ kind: "delete", network: "PRODUCTION" }, {}, { isStateShown: false }).because).toHaveLength(3);
  });
});

it("a call has no network if its declaration has none", () => {
  expect(networkOf(guarded({ kind: "overwrite" }), { body: { network: "production" } })).toBeUndefined();
});

it("only the list that a declaration names is counted", () => {
  expect(countedObjects(guarded(onList), { body: { list: ["a", "b"] } })).toEqual(["a", "b"]);
  expect(countedObjects(guarded(onList), { body: { list: { a: 1 } } })).toEqual([]);
  expect(countedObjects(guarded({ kind: "overwrite" }), { body: { list: ["a", "b"] } })).toBeUndefined();
});

it("the tier guarded comes with its reason", () => {
  const becauseOf = (guard: Guard) => tierFor(guard).because;
  expect(becauseOf({ kind: "overwrite" })).toEqual(["it replaces, removes or silences something"]);
  expect(becauseOf({ kind: "create" })).toEqual(["it adds something that needs a review"]);
  expect(becauseOf({ kind: "create", when: "sending" })).toEqual(["it sends data to a destination"]);
});

it("a call guarded for destinations but sending nowhere has tier write", () => {
  const about: Guard = { kind: "activate", when: "sending" };
  expect(tierFor(about, {}, { isToNobody: true })).toEqual({ tier: "write", because: ["it sends data nowhere"] });
  expect(tierFor(about, {}, { isToNobody: false }).tier).toBe("critical");
});
