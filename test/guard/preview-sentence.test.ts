/** The sentence that leads a preview: what is done, to how much of what, where, and what is lost. */
import { expect, it } from "vitest";
import type { CheckedArguments } from "../../src/arguments/index.js";
import type { ChangeLine } from "../../src/guard/preview/changes.js";
import { countsOf, type Sentence, sentenceOf, targetOf } from "../../src/guard/preview/sentence.js";
import type { Guard, GuardKind } from "../../src/language/conduct.js";

const argsOf = (path: Readonly<Record<string, unknown>>): CheckedArguments => ({
  ...{ path, query: {}, headers: {}, body: undefined, answers: { wanted: [], all: [] } as never, format: undefined },
  ...{ confirm: undefined, wait: false, allPages: false, values: { ...path, x: 1 }, notes: [] },
});
const sentence = (
  guard: Partial<Guard>,
  more: Partial<Sentence> = {},
  path: Readonly<Record<string, unknown>> = { id: 7 },
) =>
  sentenceOf({
    guard: { kind: "delete", thing: "thing", ...guard },
    ...{ tool: "thing_do", args: argsOf(path), network: undefined, count: undefined, state: { name: "n" } },
    ...{ related: { b: 1 }, changes: undefined, destinations: [], ...more },
  });
const changed = (...verbs: ChangeLine["verb"][]): NonNullable<Sentence["changes"]> => ({
  lines: verbs.map((verb) => ({ text: "t", verb, list: "l", rank: 0 })),
  uncompared: [],
});

it.each<[GuardKind, string]>([
  ["purge", "PURGE"],
  ["delete", "DELETE"],
  ["overwrite", "REPLACE"],
  ["activate", "ACTIVATE"],
  ["credential", "CHANGE"],
  ["access", "CHANGE THE ACCESS OF"],
  ["cancel", "CANCEL"],
  ["suspend", "SUSPEND"],
  ["resume", "RESUME"],
])("leads with the verb of a %s", (kind, verb) => {
  expect(sentence({ kind })).toBe(`${verb} thing 7.`);
});

it.each<[string, Partial<Guard>, Partial<Sentence>, Readonly<Record<string, unknown>>, string]>([
  [
    "the last part of its path, and what it belongs to",
    {},
    {},
    { "a b": "x y", group: "g", id: 7 },
    'DELETE thing 7 ("a b" "x y", group g).',
  ],
  ["no path where there is none", {}, {}, {}, "DELETE thing."],
  ["its name for people", { thing: "thing {name}" }, {}, { id: 7 }, 'DELETE thing 7 ("n").'],
  [
    "no name where it has an empty one",
    { thing: "thing {name}" },
    { state: { name: "" } },
    { id: 7 },
    "DELETE thing 7.",
  ],
  ["no name that is no text", { thing: "thing {name}" }, { state: { name: 5 } }, { id: 7 }, "DELETE thing 7."],
  [
    "a long name by its start",
    { thing: "thing {name}" },
    { state: { name: "x".repeat(98) } },
    { id: 7 },
    `DELETE thing 7 ("${"x".repeat(49)}… (100 characters)).`,
  ],
  [
    "its count and its network",
    {},
    { count: 2, network: "staging" },
    { id: 7 },
    "DELETE 2 objects in thing 7 on STAGING.",
  ],
  ["a count of one", {}, { count: 1 }, { id: 7 }, "DELETE 1 object in thing 7."],
  ["what is lost", { says: "all of it" }, {}, { id: 7 }, "DELETE thing 7: all of it."],
  ["that there is no way back", { undo: { never: "Gone." } }, {}, { id: 7 }, "DELETE thing 7. This cannot be undone."],
  ["nothing of that where there is one", { undo: { by: "Write it." } }, {}, { id: 7 }, "DELETE thing 7."],
  [
    "a merge as a change",
    { kind: "overwrite", replaces: "body", write: "merge" },
    { changes: changed("added") },
    { id: 7 },
    "CHANGE thing 7: 1 added.",
  ],
  ["a merge only of what is written over", { kind: "overwrite", write: "merge" }, {}, { id: 7 }, "REPLACE thing 7."],
  [
    "what is lost before what changes",
    { says: "all of it", replaces: "body" },
    { changes: changed("added") },
    { id: 7 },
    "DELETE thing 7: all of it; 1 added.",
  ],
  [
    "that nothing is lost by what has no value",
    { replaces: "body" },
    { changes: changed("emptied") },
    { id: 7 },
    "DELETE thing 7: only fields without a value are left out.",
  ],
  [
    "that nothing changes",
    { replaces: "body" },
    { changes: changed() },
    { id: 7 },
    "DELETE thing 7: it is already up to date, so nothing changes.",
  ],
  [
    "what the state does not show of a value that is up to date",
    { replaces: "body.rules" },
    { changes: { ...changed(), uncompared: ["dryRun", "mode"] } },
    { id: 7 },
    "DELETE thing 7: body.rules is already up to date; the present state does not show what dryRun and mode would change.",
  ],
  [
    "that nothing was found",
    { replaces: "body" },
    { state: undefined },
    { id: 7 },
    "DELETE thing 7: there is no present state to compare with.",
  ],
  [
    "that nothing could be compared",
    { replaces: "body" },
    {},
    { id: 7 },
    "DELETE thing 7: the present state could not be compared.",
  ],
])("says %s", (_, guard, more, path, expected) => {
  expect(sentence(guard, more, path)).toBe(expected);
});

it("the sentence of a creation names what is created, and where", () => {
  const args = (values: object) => ({ args: { ...argsOf({ group: "g", "a b": 2 }), values: values as never } });
  const created = (values: object, more: Partial<Sentence> = {}) =>
    sentence({ kind: "create", thing: "thing {body.name}" }, { ...args(values), ...more });
  expect(created({ body: { name: "new" } })).toBe('CREATE thing ("new") (group g, "a b" 2).');
  expect(created({ body: {} }, { state: { body: { name: "another's" } } })).toBe('CREATE thing (group g, "a b" 2).');
  expect(sentence({ kind: "create" }, {}, {})).toBe("CREATE thing.");
});

it("a sentence names recipients once, between losses and changes", () => {
  const to = (...values: string[]) => ({ destinations: values.map((value) => ({ value, kind: "host" }) as never) });
  expect(sentence({ kind: "create" }, to("a.example", "b.example", "a.example"), {})).toBe(
    "CREATE thing: data is sent to a.example, b.example.",
  );
  const guard = { says: "all of it", replaces: "body" };
  expect(sentence(guard, { ...to("a.example"), changes: changed("added") })).toBe(
    "DELETE thing 7: all of it; data is sent to a.example; 1 added.",
  );
});

it("names what has no word by its tool", () => {
  const { thing: _, ...nameless } = { kind: "delete", thing: "" } as const;
  const args = argsOf({});
  const text = sentenceOf({
    ...{ guard: nameless, tool: "thing_do", args, network: undefined, count: undefined, state: undefined },
    ...{ related: {}, changes: undefined, destinations: [] },
  });
  expect(text).toBe("DELETE the object of thing_do.");
  expect(targetOf(nameless, "thing_do", args, undefined, {})).toBe("thing_do");
});

it("a service may word its sentence from arguments, state and reads", () => {
  const seen: unknown[] = [];
  const says = (...all: unknown[]) => {
    seen.push(all);
    return "TAKE it away";
  };
  expect(sentence({ says, undo: { never: "Gone." } })).toBe("TAKE it away. This cannot be undone.");
  expect(sentence({ says: () => undefined })).toBe("DELETE thing 7.");
  expect(seen).toEqual([[{ id: 7, x: 1 }, { name: "n" }, { b: 1 }]]);
});

it("the target to type: the service's, the path's last part, or a name", () => {
  const guard: Guard = { kind: "delete", thing: "thing" };
  const target = (...all: unknown[]) => JSON.stringify(all);
  expect(targetOf({ ...guard, target }, "t", argsOf({ id: 7 }), "state", { b: 1 })).toBe(
    '[{"id":7,"x":1},"state",{"b":1}]',
  );
  expect(targetOf(guard, "t", argsOf({ group: "g", id: 7 }), undefined, {})).toBe("7");
  expect(targetOf(guard, "t", argsOf({ group: "g", part: "p", id: 7 }), undefined, {})).toBe("7");
  expect(targetOf(guard, "t", argsOf({}), undefined, {})).toBe("thing");
});

it("changes are counted by kind, losses first, without empty kinds", () => {
  expect(countsOf(changed("added", "changed", "removed", "added").lines)).toBe("1 removed, 1 changed, 2 added");
  expect(countsOf(changed("changed").lines)).toBe("1 changed");
  expect(countsOf(changed(...Array.from({ length: 1_200 }, () => "added" as const)).lines)).toBe("1,200 added");
  expect(countsOf([])).toBe("");
});
