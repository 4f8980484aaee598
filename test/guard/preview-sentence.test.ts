/** The sentence that leads a preview: what is done, to how much of what, where, and what is lost. */
import { expect, it } from "vitest";
import {
  changeCounts,
  type DescribedCall,
  previewSentenceOf,
  previewSentenceText,
  previewTarget,
} from "../../src/guard/preview/sentence.js";
import type { Guard, GuardKind } from "../../src/language/conduct.js";
import { act } from "../../src/language/guards.js";
import type { ChangeLine } from "../../src/language/review.js";
import type { ValidatedArguments } from "../../src/schema/arguments.js";

const argsOf = (path: Readonly<Record<string, unknown>>): ValidatedArguments => ({
  ...{ path, query: {}, headers: {}, body: undefined, answers: { wanted: [], all: [] } as never, format: undefined },
  ...{ confirm: undefined, wait: false, allPages: false, values: { ...path, x: 1 }, notes: [] },
});
const sentence = (
  guard: Partial<Guard>,
  { path = { id: 7 }, ...more }: Partial<DescribedCall> & { readonly path?: Readonly<Record<string, unknown>> } = {},
) =>
  previewSentenceText(
    previewSentenceOf({
      guard: { kind: "delete", thing: "thing", ...guard },
      ...{ tool: "thing_do", args: argsOf(path), network: undefined, count: undefined, state: { name: "n" } },
      ...{ related: { b: 1 }, changes: undefined, destinations: [], ...more },
    }),
  );
const line = { text: "t", list: "l", rank: 0, effect: "other" } as const;
const changed = (...verbs: ChangeLine["verb"][]): NonNullable<DescribedCall["changes"]> => ({
  changes: verbs.map((verb) => ({ ...line, verb })),
  ignored: [],
  uncompared: [],
});
const emptied = { ...changed(), changes: [{ ...line, verb: "changed", isEmptied: true }] } as const;

it("a sentence leads with the verb of the guard's kind", () => {
  const verbs: Readonly<Partial<Record<GuardKind, string>>> = {
    ...{ purge: "PURGE", delete: "DELETE", overwrite: "REPLACE", activate: "ACTIVATE", credential: "CHANGE" },
    ...{ access: "CHANGE THE ACCESS OF", cancel: "CANCEL", suspend: "SUSPEND", resume: "RESUME" },
  };
  for (const [kind, verb] of Object.entries(verbs))
    expect(sentence({ kind: kind as GuardKind })).toBe(`${verb} thing 7.`);
});

const named = { thing: "thing {name}" };
const body = { replaces: "body" };
const merge = { kind: "overwrite", write: "merge" } as const;
const longName = `${"x".repeat(49)}… (100 characters)`;

it.each<[string, Partial<Guard>, Parameters<typeof sentence>[1], string]>([
  ["what its path is in", {}, { path: { "a b": "x y", group: "g", id: 7 } }, ' 7 ("a b" "x y", group g).'],
  ["no path where there is none", {}, { path: {} }, "."],
  ["its name for people", named, {}, ' 7 ("n").'],
  ["no name where it has an empty one", named, { state: { name: "" } }, " 7."],
  ["no name that is no text", named, { state: { name: 5 } }, " 7."],
  ["a long name by its start", named, { state: { name: "x".repeat(98) } }, ` 7 ("${longName}).`],
  ["what is lost", { says: "all of it" }, {}, " 7: all of it."],
  ["that it cannot be undone", { undo: { never: "Gone." } }, {}, " 7. This cannot be undone."],
  ["nothing of that if it can be undone", { undo: { by: "Write it." } }, {}, " 7."],
  ["losses before changes", { says: "all", ...body }, { changes: changed("added") }, " 7: all; 1 added."],
  ["that nothing is lost", body, { changes: emptied }, " 7: only fields without a value are left out."],
  ["that nothing changes", body, { changes: changed() }, " 7: it is already up to date, so nothing changes."],
  ["that nothing was found", body, { state: undefined }, " 7: there is no present state to compare with."],
  ["that nothing could be compared", body, {}, " 7: the present state could not be compared."],
])("a sentence says %s", (_, guard, more, rest) => {
  expect(sentence(guard, more)).toBe(`DELETE thing${rest}`);
});

it("a sentence has a count and a network, and a merge is a change", () => {
  expect(sentence({}, { count: 2, network: "staging" })).toBe("DELETE 2 objects in thing 7 on STAGING.");
  expect(sentence({}, { count: 1 })).toBe("DELETE 1 object in thing 7.");
  expect(sentence({ ...merge, ...body }, { changes: changed("added") })).toBe("CHANGE thing 7: 1 added.");
  // Only of what is written over.
  expect(sentence(merge)).toBe("REPLACE thing 7.");
  const changes = { ...changed(), uncompared: ["dryRun", "mode"] };
  expect(sentence({ replaces: "body.rules" }, { changes })).toBe(
    "DELETE thing 7: body.rules is already up to date; the present state does not show what dryRun and mode would change.",
  );
});

it("the sentence of a creation names what is created, and where", () => {
  const args = (values: object) => ({ args: { ...argsOf({ group: "g", "a b": 2 }), values: values as never } });
  const created = (values: object, more: Partial<DescribedCall> = {}) =>
    sentence({ kind: "create", thing: "thing {body.name}" }, { ...args(values), ...more });
  expect(created({ body: { name: "new" } })).toBe('CREATE thing ("new") (group g, "a b" 2).');
  expect(created({ body: {} }, { state: { body: { name: "another's" } } })).toBe('CREATE thing (group g, "a b" 2).');
  expect(sentence({ kind: "create" }, { path: {} })).toBe("CREATE thing.");
});

it("a sentence names recipients once, between losses and changes", () => {
  const to = (...values: string[]) => ({ destinations: values.map((value) => ({ value, kind: "host" }) as never) });
  expect(sentence({ kind: "create" }, { ...to("a.example", "b.example", "a.example"), path: {} })).toBe(
    "CREATE thing: data is sent to a.example, b.example.",
  );
  const guard = { says: "all of it", replaces: "body" };
  expect(sentence(guard, { ...to("a.example"), changes: changed("added") })).toBe(
    "DELETE thing 7: all of it; data is sent to a.example; 1 added.",
  );
});

it("an object without a noun is named by its tool", () => {
  const nameless = { kind: "delete", thing: undefined } as const;
  expect(sentence(nameless as never, { path: {} })).toBe("DELETE the object of thing_do.");
  expect(previewTarget({ kind: "delete" }, "thing_do", argsOf({}), undefined, {})).toBe("thing_do");
});

it("a service may word its sentence from arguments, state and reads", () => {
  const seen: unknown[] = [];
  const says = (...all: unknown[]) => {
    seen.push(all);
    return act`TAKE it away`;
  };
  expect(sentence({ says, undo: { never: "Gone." } })).toBe("TAKE it away. This cannot be undone.");
  expect(sentence({ says: () => undefined })).toBe("DELETE thing 7.");
  expect(seen).toEqual([[{ id: 7, x: 1 }, { name: "n" }, { b: 1 }]]);
});

it("the target to type: the service's, the path's last part, or a name", () => {
  const guard: Guard = { kind: "delete", thing: "thing" };
  const target = (...all: unknown[]) => JSON.stringify(all);
  const all = '[{"id":7,"x":1},"state",{"b":1}]';
  expect(previewTarget({ ...guard, target }, "t", argsOf({ id: 7 }), "state", { b: 1 })).toBe(all);
  for (const [path, expected] of [
    [{ group: "g", id: 7 }, "7"],
    [{ group: "g", part: "p", id: 7 }, "7"],
    [{}, "thing"],
  ] as const)
    expect(previewTarget(guard, "t", argsOf(path), undefined, {})).toBe(expected);
});

it("changes are counted by kind, losses first, without empty kinds", () => {
  expect(changeCounts(changed("added", "changed", "removed", "added").changes)).toBe("1 removed, 1 changed, 2 added");
  expect(changeCounts(changed("changed").changes)).toBe("1 changed");
  expect(changeCounts(changed(...Array.from({ length: 1_200 }, () => "added" as const)).changes)).toBe("1,200 added");
  expect(changeCounts([])).toBe("");
});
