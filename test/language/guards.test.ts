/** The notation of statements, and the templates of guards: each fact that a template is given is in what it renders. */
import { expect, it } from "vitest";
import { type Activation, activates } from "../../src/language/activation.js";
import type { ApprovedChange } from "../../src/language/conduct.js";
import { headLine, signedLine } from "../../src/language/difference-lines.js";
import { act, guardsOf, memberClauses, memberLines, membership, removal, reversal } from "../../src/language/guards.js";
import { sentenceText } from "../../src/language/sentence.js";

it("marks count in the notation of a statement, and not in its values", () => {
  const name = "a: b; c";
  expect(act`DELETE ${name} of ${7}: it loses ${name}; ${[name, false, "d"]}; ${undefined}; ${5}`).toEqual({
    verb: "DELETE",
    target: "a: b; c of 7",
    results: ["it loses a: b; c", "a: b; c", "d", "5"],
  });
  expect(act`END it; at once`).toEqual({ verb: "END", target: "it; at once", results: [] });
  expect(act`END ${name}${name}: ${name}${"x"}`.results).toEqual(["a: b; cx"]);
});

/** An activation of which each fact is a word of its own. */
const facts: Activation = {
  ...{ of: "OBJECT", to: 7, from: [8], network: "PRODUCTION", lead: "LEAD ", affected: ["USER"] },
  ...{
    content: "CONTENT",
    difference: (from) => [headLine(`LINE from ${from}`)],
    results: ["RESULT"],
    places: "PLACES",
  },
  ...{ isMissing: true, untried: "UNTRIED", warnings: ["WARNING", false] },
};
const back = {
  ...{ tool: "TOOL", list: "LIST", first: "FIRST ", last: () => " LAST", when: () => "WHEN" },
  args: (_: object, version: unknown, isEnd: boolean) => ({ version, isEnd }),
};

/** All that is rendered of an activation. */
function rendered(change: Partial<Activation>, more: object = {}): string {
  const activationOf = () => ({ ...facts, ...change });
  const { says, compares, warns, undo } = activates("thing", "body.network", activationOf, { ...back, ...more });
  const seen = [{}, undefined, {}] as const;
  const past: ApprovedChange = { given: {}, before: {}, related: {} };
  const way = typeof undo === "object" && "by" in undo && typeof undo.by === "function" ? undo.by(past) : "";
  const said = typeof way === "object" && "says" in way ? way.says : way;
  const stated = typeof says === "function" ? says(...seen) : undefined;
  return JSON.stringify([stated, compares(...seen), warns(...seen), sentenceText(said)]);
}

it("each fact of an activation is in its preview, whatever is active there", () => {
  const always = ["OBJECT", "7", "PRODUCTION", "USER", "WARNING", "FIRST", "LAST"];
  const cases: readonly [change: Partial<Activation>, words: readonly string[], more?: object][] = [
    [
      {},
      [
        "LEAD ACTIVATE",
        "it replaces version 8",
        "RESULT",
        "LINE from 8",
        "no version 7",
        "UNTRIED",
        "rollback",
        "WHEN",
      ],
    ],
    [{ from: [5] }, ["From version 5 to version 7", '\\"version\\":5']],
    [{ from: [5, 6] }, ["version 5 and 6", "LINE from 5", "LINE from 6", "PLACES", '\\"version\\":6']],
    [{ from: [7] }, ["it is already active there", "nothing changes", "nothing was replaced"]],
    [
      { from: [] },
      ["no version is active there now", "LINE from undefined", "Deactivate this one", '\\"isEnd\\":true'],
    ],
    [{ from: [] }, ["none can be taken off", "INSTEAD"], { instead: "INSTEAD" }],
    [{ from: undefined }, ["could not be read", "LIST", "TOOL"]],
    [{ from: [7], isEnd: true }, ["DEACTIVATE", "RESULT", "What stops on", "LINE from 7", "Activate version 7 again"]],
    [{ from: [8], isEnd: true }, ["it is not active there", "version 8 stays active", "was not active there"]],
    [{ isTrial: true, lead: "LEAD " }, ["DRY RUN, which changes nothing", "nothing to undo"]],
    [{ from: [5], difference: () => undefined }, ["could not be read"]],
    [{ from: [5], difference: () => [] }, ["The CONTENT are the same."]],
  ];
  const missing = cases.flatMap(([change, words, more]) => {
    const text = rendered(change, more);
    return [...always, ...words].filter((word) => !text.includes(word)).map((word) => [change, word, text]);
  });
  expect(missing).toEqual([]);
  expect(rendered({ affected: [] })).toContain("for no property");
  expect(rendered({ affected: undefined })).toContain("for unknown properties");
  expect(rendered({ network: "STAGING" })).not.toContain("UNTRIED");
});

it("a change of members names each one that is lost or gained", () => {
  const change = membership(["a", "b", "b"], ["b", "c"]);
  expect(change).toEqual({ lost: ["a"], gained: ["c"] });
  expect(memberLines(change)).toEqual([signedLine("removed", "a"), signedLine("added", "c")]);
  expect(memberClauses(change, "none")).toEqual(["it loses a", "it gains c"]);
  expect(memberClauses(membership([1], [1]), "none")).toEqual(["none"]);
});

it("guards of one kind of object state their verb, the object and results", () => {
  const guard = guardsOf(
    "thing",
    ({ id }) => `thing ${String(id)}`,
    ({ id }) => `T${String(id)}`,
  )("LOCK OUT", { kind: "access", results: () => ["it stops", false] });
  const seen = [{ id: 7 }, undefined, {}] as const;
  expect(typeof guard.says === "function" && guard.says(...seen)).toEqual({
    ...{ verb: "LOCK OUT", target: "thing 7", results: ["it stops"] },
  });
  expect([guard.thing, guard.target?.(...seen)]).toEqual(["thing", "T7"]);
});

it("an undo acts on the same object, or removes what the answer names", () => {
  const past = { given: { id: 7, body: {} }, before: {}, now: {} };
  const back = reversal("thing_unlock", "id");
  expect(typeof back === "object" && "args" in back && back.args(past)).toEqual({ id: 7 });
  const gone = removal("thing_delete", "id");
  const made = (body: unknown) =>
    typeof gone === "object" && "made" in gone && gone.made({ status: 201, body, headers: {} });
  expect([made({ id: 8 }), made({})]).toEqual([{ id: 8 }, undefined]);
});
