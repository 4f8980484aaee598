/** Laws over the definitions in the box: their names, their effects, and what they carry of the vendor's text. */
import { expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import { tokensOf } from "../../src/answers/tokens.js";
import type { Shape } from "../../src/definitions/definition.js";
import { effectOf } from "../../src/definitions/effect.js";
import { heldBack } from "../../src/definitions/let-through.js";
import { titleOfRoute } from "../../src/definitions/library.js";
import { reviewedReads } from "../../src/definitions/reviewed-reads.js";
import { importedPage } from "../../src/pages/imported-page.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { promise } from "../lab/rules.js";
import { importing, toolsOf } from "./boxed.js";

const definitions = boxedDefinitions();
const operations = definitions.flatMap((definition) =>
  Object.entries(definition.operations).map(([name, one]) => ({ name, definition, ...one })),
);

it("has 52 APIs with 1,389 operations", () => {
  expect(definitions).toHaveLength(52);
  expect(operations).toHaveLength(1_389);
});

it("the box names each operation once, in the grammar of the tools", async () => {
  const [services, workflows] = await Promise.all([allServices("documents"), allWorkflows()]);
  const tools = [...services.flatMap((one) => Object.keys(one.operations)), ...Object.keys(workflows)];
  const names = operations.map(({ name }) => name);
  expect(new Set([...names, ...tools]).size).toBe(names.length + tools.length);
  expect(names.filter((name) => name.length > 48 || !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(name))).toEqual([]);
});

it(promise("imported-reads-reviewed", "the box lets only GET, HEAD and reviewed POST operations read"), () => {
  const reads = operations.filter(
    (one) => !/^(?:GET|HEAD) /.test(one.route) && effectOf(one, one.definition.digest) === "read",
  );
  expect(reads.map(({ route }) => route.split(" ")[0])).toEqual(reads.map(() => "POST"));
  expect(reads).toHaveLength(26);
});

it("reviews only what is there, and what would be guarded without it", () => {
  const unknown = "0".repeat(64);
  const reviewed = definitions.flatMap(({ digest }) => reviewedReads(digest));
  const needed = operations.filter(
    (one) => effectOf(one, unknown) !== "read" && effectOf(one, one.definition.digest) === "read",
  );
  // A definition that changes takes its lines with it.
  expect(needed.map(({ route }) => route).sort()).toEqual([...reviewed].sort());
});

it("the box guards two GETs: one makes a key, one confirms messages", () => {
  const guarded = operations.filter(
    (one) => /^(?:GET|HEAD) /.test(one.route) && effectOf(one, one.definition.digest) !== "read",
  );
  expect(guarded.map(({ route }) => route).sort()).toEqual([
    "GET /api/v1/buffer/topics/{topic}/groups/{groupId}",
    "GET /config-media-live/v2/msl-origin/generate-key",
  ]);
});

it("lets all of its operations through to the wire as they are", () => {
  expect(operations.flatMap(({ name, definition, ...one }) => heldBack(one, definition.base) ?? [])).toEqual([]);
});

it("says of no read that it makes a change", () => {
  const reads = operations.filter((one) => effectOf(one, one.definition.digest) === "read");
  const changing = /(?:^|_)(?:create|update|delete|patch|activate|remove|add)$/;
  expect(reads.filter(({ name }) => changing.test(name)).map(({ name }) => name)).toEqual([]);
  const titles = reads.map(({ route, definition }) => titleOfRoute(route, definition));
  expect(titles.filter((title) => changing.test((title.split(" ")[0] ?? "").toLowerCase()))).toEqual([]);
});

/** All texts in a shape. */
function textsIn(shape: Shape): string[] {
  const own = [...Object.keys(shape.properties ?? {}), ...(shape.enum ?? []).map(String)];
  const rest = shape.additionalProperties === false ? undefined : shape.additionalProperties;
  const inner = [...Object.values(shape.properties ?? {}), ...(shape.oneOf ?? []), shape.items, rest];
  return [...own, ...inner.flatMap((one) => (one ? textsIn(one) : []))];
}

it("has no sentence of a definition", () => {
  const texts = definitions.flatMap(({ shapes }) => shapes.flatMap(textsIn));
  expect(texts.filter((text) => text.split(/\s+/).length > 6)).toEqual([]);
  expect(operations.filter(({ says }) => says !== undefined)).toEqual([]);
});

it("imported operations: described in 700 tokens at the 95th percentile", async () => {
  const { library, engine } = await importing();
  await engine.close();
  // A percentile of an eighth of so many is as good as one of all.
  const some = toolsOf(library).filter((_, at) => at % 8 === 0);
  const tokens = some.map((tool) => tokensOf(importedPage(tool) ?? "")).sort((one, other) => one - other);
  expect(tokens[Math.floor(tokens.length * 0.95)]).toBeLessThanOrEqual(700);
  expect(tokens[0]).toBeGreaterThan(50);
});
