/** The answer of a write is compared with what was approved: what the API has made of it is said, and nothing else. */
import { expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { storedDifference } from "../../src/guard/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { networkLists } from "../../src/tools/network-lists/index.js";
import { propertiesV1 } from "../../src/tools/properties/v1.js";
import { writing } from "../lab/previewed.js";

const textsOf = (tool: string, operation: AnyOperation, args: object, answer: unknown) =>
  storedDifference(operation, validateArguments(tool, operation, { ...args }), answer).map(({ text }) => text);

const rules = {
  name: "default",
  behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "1d" } }],
  children: [{ name: "Images", criteria: [{ name: "path", options: { values: ["/a", "/b"] } }] }],
};
const written = { propertyId: "prp_1", propertyVersion: 3, body: { rules } };
const treeOf = (change: object) => ({
  propertyId: "prp_1",
  propertyVersion: 3,
  etag: "x",
  rules: { ...rules, ...change },
});
const storedTree = (change: object) =>
  textsOf("property_rule_tree_replace", propertiesV1.operations.property_rule_tree_replace, written, treeOf(change));

it("a changed option is said, from what was sent to what is stored", () => {
  const behaviors = [{ name: "caching", uuid: "u", options: { behavior: "MAX_AGE", ttl: "10m" } }];
  expect(storedTree({ behaviors })).toEqual(["default › behavior caching › ttl: 1d → 10m"]);
  expect(storedTree({ children: [] })).toEqual(["- default › Images (path values [/a, /b])"]);
});

it("ids, order, defaults and other stamps are no change of the API's", () => {
  const [images] = rules.children;
  const criteria = [{ name: "path", uuid: "c", options: { values: ["/b", "/a"] } }];
  const children = [{ ...images, uuid: "r", criteria, behaviors: [], comments: null, criteriaMustSatisfy: "all" }];
  expect(storedTree({ children, uuid: "default" })).toEqual([]);
  const { netlist_replace: replace } = networkLists.operations;
  const body = { name: "n", type: "IP", list: ["192.0.2.1", "192.0.2.2"], syncPoint: 5 };
  const stored = { ...body, list: body.list.toReversed(), syncPoint: 6, elementCount: 2, updatedBy: "someone" };
  const listOf = (change: object) =>
    textsOf("netlist_replace", replace, { networkListId: "1_N", body }, { ...stored, ...change });
  expect(listOf({})).toEqual([]);
  expect(listOf({ list: ["192.0.2.1"] })).toEqual(["- list: 192.0.2.2"]);
});

it("an answer of any form never makes a change that is done fail", () => {
  const odd = { toString: 1, valueOf: 1 };
  expect(storedTree({ name: odd })).toEqual(["default › name: default → {toString: 1, valueOf: 1}"]);
  for (const value of [null, 7, "x", [], [null], [[odd]], { name: odd, children: odd }])
    for (const name of ["behaviors", "children", "criteria", "variables", "options", "name"])
      expect(() => storedTree({ [name]: value })).not.toThrow();
  for (const answer of [undefined, null, "", "<html></html>", 5, [], [odd]])
    expect(
      textsOf("property_rule_tree_replace", propertiesV1.operations.property_rule_tree_replace, written, answer),
    ).toEqual([]);
  let deep: object = { name: "leaf" };
  for (let level = 0; level < 20_000; level += 1) deep = { name: "a", children: [deep] };
  expect(storedTree({ children: [deep] })).toEqual([
    "unknown, because the answer could not be compared with what was sent",
  ]);
});

it("an answer without the state, and its secrets, are not compared", () => {
  const options = z.looseObject({}).optional();
  const thing = z.object({ name: z.string(), key: secret(z.string()).optional(), options });
  const body = { name: "a", key: "hunter2", options: { password: "hunter2", port: 1 } };
  const answering = (schema: z.ZodType, answer: unknown) => {
    const operation = writing(thing, { replaces: "body" });
    const returns = { 200: { ...Object.values(operation.spec.returns)[0], schema } };
    return textsOf(
      "thing_update",
      { ...operation, spec: { ...operation.spec, returns } } as AnyOperation,
      { id: 1, body },
      answer,
    );
  };
  expect(answering(thing, { name: "b", key: "", options: { password: "***", port: 2 } })).toEqual([
    "name: a → b",
    "options.port: 1 → 2",
  ]);
  expect(answering(z.object({ message: z.string() }), { message: "done" })).toEqual([]);
  expect(answering(thing, undefined)).toEqual([]);
});

it("a result says first what the API also changed, five changes at most", () => {
  const declared = propertiesV1.operations.property_rule_tree_replace.spec;
  const reply = { status: 200, headers: {}, body: {}, notes: ["The other note."], offers: {} };
  const textOf = (count: number) => {
    const alsoChanged = Array.from({ length: count }, (_, at) => ({ text: `m${at}: 1 → 2`, verb: "changed" as const }));
    const outcome = { kind: "answer", reply, declared, alsoChanged } as unknown as Parameters<typeof resultOf>[0];
    return JSON.stringify(resultOf(outcome, { upstream: "u", secrets: [], maxTokens: 8_000 }).content);
  };
  expect(textOf(6)).toMatch(/The API also changed: m0: 1 → 2; .*m4: 1 → 2; And 1 more\..*The other note/);
  expect(textOf(0)).not.toContain("also changed");
});
