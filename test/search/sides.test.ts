/** Both sides of what is found: what reads an object beside what changes it, on made-up hits and over all operations. */
import { describe, expect, it } from "vitest";
import { words } from "../../scripts/words.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf } from "../../src/language/effect.js";
import { indexText, openSearch, withBothSides } from "../../src/search/index.js";
import { allServices } from "../../src/tools/index.js";
import { wholeSearch } from "./whole.js";

const hit = (name: string, object: string, reads: boolean) => ({ name, object, reads });
const [get, list, history] = ["get", "list", "history"].map((name) => hit(name, "event", true)) as [
  ReturnType<typeof hit>,
  ReturnType<typeof hit>,
  ReturnType<typeof hit>,
];
const create = hit("create", "event", false);
const remove = hit("remove", "event", false);
const foreign = hit("foreign", "alert", false);
const shown = (hits: readonly { name: string }[]) => hits.map(({ name }) => name);

describe("ranked hits", () => {
  it("hits: after two leading reads comes the object's best change", () => {
    const ranked = [get, list, history, foreign, create, remove];
    expect(shown(withBothSides(ranked, 5))).toEqual(["get", "list", "create", "history", "foreign"]);
    expect(shown(withBothSides(ranked, 3))).toEqual(["get", "list", "create"]);
    expect(shown(withBothSides(ranked, 2))).toEqual(["get", "create"]);
  });

  it("hits: after two leading changes comes the object's best read", () => {
    expect(shown(withBothSides([create, remove, foreign, history, get], 4))).toEqual([
      "create",
      "remove",
      "history",
      "foreign",
    ]);
  });

  it("hits stay put if both sides lead, one is absent or the limit is 1", () => {
    expect(shown(withBothSides([get, foreign, list, create], 3))).toEqual(["get", "foreign", "list"]);
    expect(shown(withBothSides([get, list, foreign], 2))).toEqual(["get", "list"]);
    expect(shown(withBothSides([get, create], 1))).toEqual(["get"]);
    expect(withBothSides([], 5)).toEqual([]);
  });
});

const indexOf = (tool: string, words: { readonly said?: string[]; readonly often?: true }) =>
  indexText([
    {
      ...{ id: tool, home: "home", name: "gate_open", said: [], does: "", service: "", arguments: "" },
      ...words,
      found: { tool, effect: "read", does: "" },
    },
  ]);

it.each([
  ["that has the word only in its name", {}, ["imported"]],
  ["that people say the word for", { said: ["gate"] }, []],
  ["with the word in its name that people need often", { often: true }, []],
] as const)("beside a declared tool %s", (_, words, imported) => {
  const search = openSearch(indexOf("declared", { ...words, said: [...("said" in words ? words.said : [])] }), () => [
    indexOf("imported", { said: ["gate"] }),
  ]);
  const found = search.find("gate", 5, () => true);
  expect(found.tools.map(({ tool }) => tool)).toEqual(["declared"]);
  expect(found.imported.map(({ tool }) => tool)).toEqual(imported);
});

/** Operations whose names have different objects, although they have one path. */
const differentlyNamed = ["edgelogic_origin_activations_list"];

const search = await wholeSearch();
const firstOf = new Map(words.map(({ heading, phrases }) => [heading, phrases[0]]));
const onBothSides = (await allServices("documents")).flatMap(({ operations }) => {
  const all = Object.entries<AnyOperation>(operations);
  const pathOf = ({ route }: AnyOperation) => route.split(" ")[1]?.split("?")[0];
  const reads = (operation: AnyOperation) => effectOf(operation) === "read";
  return all.filter(([, one]) => all.some(([, other]) => pathOf(one) === pathOf(other) && reads(one) !== reads(other)));
});

describe("an operation that shares its path with one of the other side", () => {
  it("a phrase that ranks its tool first finds the path's other side", () => {
    const found = onBothSides.map(([name]) => ({
      name,
      tools: search.find(firstOf.get(name) ?? "", 5, () => true).tools,
    }));
    const first = found.filter(({ name, tools }) => tools[0]?.tool === name);
    expect(first.length).toBeGreaterThan(150);
    const oneSided = first.filter(({ tools }) => new Set(tools.map(({ effect }) => effect === "read")).size === 1);
    expect(oneSided.map(({ name }) => name)).toEqual(differentlyNamed);
  });
});
