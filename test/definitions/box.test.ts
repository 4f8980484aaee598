/** Laws over the definitions in the box: their names, effects, corrections and masks, what they carry of the vendor's text, and how they are found. */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { boxedDefinitions, boxedPhrases } from "../../scripts/box.js";
import { estimateTokens } from "../../src/answers/tokens.js";
import { parametersOf } from "../../src/definitions/arguments-schema.js";
import { correctFacts, corrections } from "../../src/definitions/corrections.js";
import type { CompiledMedia, CompiledOperation, Shape } from "../../src/definitions/definition.js";
import { importedEffectOf } from "../../src/definitions/effect.js";
import { wireRefusal } from "../../src/definitions/let-through.js";
import { titleOfRoute } from "../../src/definitions/library.js";
import { type Misfit, misfitsIn } from "../../src/definitions/misfits.js";
import { importedOperation } from "../../src/definitions/operation.js";
import { reviewedReads } from "../../src/definitions/reviewed-reads.js";
import { sampleValue } from "../../src/definitions/sample.js";
import { returnedSchemas } from "../../src/language/choice.js";
import { isMask } from "../../src/language/marks.js";
import { onceFor } from "../../src/language/once-for.js";
import { importedPage } from "../../src/pages/imported-page.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { openSearch, type Search } from "../../src/search/index.js";
import { maskAnswer, maskSecrets } from "../../src/secrets/masking.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { promise } from "../lab/rules.js";
import { paragraphsOf } from "../lab/tables.js";
import { promptsOf } from "../search/hit-rates.js";
import { wholeIndex, wholeSearch } from "../search/whole.js";
import { exchange } from "../wire/exchange.js";
import { boxed, importing, toolsOf } from "./boxed.js";

const definitions = boxedDefinitions();
const operations = definitions.flatMap((definition) =>
  Object.entries(definition.operations).map(([name, one]) => ({ name, definition, ...one })),
);

const { library, engine } = await importing();
afterAll(() => engine.close());

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
    (one) => !/^(?:GET|HEAD) /.test(one.route) && importedEffectOf(one, one.definition.digest) === "read",
  );
  expect(reads.map(({ route }) => route.split(" ")[0])).toEqual(reads.map(() => "POST"));
  expect(reads).toHaveLength(26);
});

it("reviews only what is there, and what would be guarded without it", () => {
  const unknown = "0".repeat(64);
  const reviewed = definitions.flatMap(({ digest }) => reviewedReads(digest));
  const needed = operations.filter(
    (one) => importedEffectOf(one, unknown) !== "read" && importedEffectOf(one, one.definition.digest) === "read",
  );
  // A definition that changes takes its lines with it.
  expect(needed.map(({ route }) => route).sort()).toEqual([...reviewed].sort());
});

it("the box guards two GETs: one makes a key, one confirms messages", () => {
  const guarded = operations.filter(
    (one) => /^(?:GET|HEAD) /.test(one.route) && importedEffectOf(one, one.definition.digest) !== "read",
  );
  expect(guarded.map(({ route }) => route).sort()).toEqual([
    "GET /api/v1/buffer/topics/{topic}/groups/{groupId}",
    "GET /config-media-live/v2/msl-origin/generate-key",
  ]);
});

it("lets all of its operations through to the wire as they are", () => {
  expect(operations.flatMap(({ name, definition, ...one }) => wireRefusal(one, definition.base) ?? [])).toEqual([]);
});

it("says of no read that it makes a change", () => {
  const reads = operations.filter((one) => importedEffectOf(one, one.definition.digest) === "read");
  const changing = /(?:^|_)(?:create|update|delete|patch|activate|remove|add)$/;
  expect(reads.filter(({ name }) => changing.test(name)).map(({ name }) => name)).toEqual([]);
  const titles = reads.map(({ route, definition }) => titleOfRoute(route, definition));
  expect(titles.filter((title) => changing.test((title.split(" ")[0] ?? "").toLowerCase()))).toEqual([]);
});

/** All texts in a shape. */
function textsIn(shape: Shape): string[] {
  const { properties = {}, enum: values = [], pattern = "", default: standard } = shape;
  const own = [...Object.keys(properties), ...[...values, standard].map(String), pattern];
  const rest = shape.additionalProperties === false ? undefined : shape.additionalProperties;
  const inner = [...Object.values(properties), ...(shape.oneOf ?? []), shape.items, rest];
  return [...own, ...inner.flatMap((one) => (one ? textsIn(one) : []))];
}

it("has no sentence of a definition", () => {
  const texts = definitions.flatMap(({ shapes }) => shapes.flatMap(textsIn));
  expect(texts.filter((text) => text.split(/\s+/).length > 6)).toEqual([]);
  expect(operations.filter(({ says }) => says !== undefined)).toEqual([]);
});

it("imported operations: described in 700 tokens at the 95th percentile", async () => {
  // A percentile of an eighth of so many is as good as one of all.
  const some = toolsOf(library).filter((_, at) => at % 8 === 0);
  const tokens = some.map((tool) => estimateTokens(importedPage(tool) ?? "")).sort((one, other) => one - other);
  expect(tokens[Math.floor(tokens.length * 0.95)]).toBeLessThanOrEqual(700);
  expect(tokens[0]).toBeGreaterThan(50);
});

const find = (name: string) => library.find(name) ?? expect.fail(name);
const inBox = new Map(
  definitions.flatMap((definition) =>
    Object.values(definition.operations).map((compiled) => [compiled.route, { compiled, definition }] as const),
  ),
);
const mediaOf = ({ body, returns }: CompiledOperation): readonly string[] =>
  [body, ...Object.values(returns)].flatMap((one) => one?.type ?? []);

it("each correction of definitions has a reason and is needed", () => {
  const all = toolsOf(library).map((tool) => tool.facts());
  for (const { route: of, why, media, optional = [] } of corrections) {
    const own = all.filter(({ compiled: { route } }) => route === of || route.includes(` ${of}`));
    expect([own.length > 0, why.length > 40, media !== undefined || optional.length > 0], of).not.toContain(false);
    if (media !== undefined) expect([...new Set(own.flatMap(({ compiled }) => mediaOf(compiled)))]).toEqual([media]);
    const raw = own.map(({ compiled: { route } }) => inBox.get(route) ?? expect.fail(route));
    expect(
      raw.filter((one) => isDeepStrictEqual(correctFacts(one), one)).map(({ compiled }) => compiled.route),
    ).toEqual([]);
  }
});

it("a domain has the media type that the vendor's clients send", async () => {
  const type = expect.stringMatching(/^application\/vnd\.config-gtm\.v1\.\d\+json$/);
  const sentBy = async (name: string, args: Record<string, unknown>) =>
    (await exchange(await find(name).operation(), args, { status: 200, body: "{}" })).sent[0]?.headers;
  const [domainName, mapName, body] = ["a.akadns.net", "m", {}];
  expect(await sentBy("gtm_domain_get", { domainName })).toMatchObject({ accept: type });
  expect(await sentBy("gtm_domain_as_map_delete", { domainName, mapName })).toMatchObject({ accept: type });
  const both = { accept: type, "content-type": type };
  expect(await sentBy("gtm_domain_create", { body })).toMatchObject(both);
  expect(await sentBy("gtm_domain_cidr_map_update", { domainName, mapName, body })).toMatchObject(both);
  expect(await sentBy("gtm_identity_get", {})).toMatchObject({ accept: "application/json" });
});

it("a definition that has a type of the vendor's form keeps it", () => {
  const { compiled, definition } = find("gtm_domain_get").facts();
  const newer = { ...compiled, returns: { 200: { type: "application/vnd.config-gtm.v2+json" }, 204: null } };
  expect(correctFacts({ compiled: newer, definition }).compiled).toEqual(newer);
  const beside = { ...compiled, route: "GET /config-gtm/v1/domains-of/{domainName}" } as const;
  expect(correctFacts({ compiled: beside, definition }).compiled).toBe(beside);
});

it("notifications without lists of products fit their definition", () => {
  const schema = find("iam_user_profile_notification_update").schema();
  const fitting = (options: object) => misfitsIn(schema, { body: { enableEmailNotifications: true, options } });
  expect(fitting({ passwordExpiry: true, newUserNotification: true })).toEqual([]);
  expect(fitting({ newUserNotification: true })).toEqual([{ path: ["body", "options"], why: "lacks passwordExpiry" }]);
});

/** A bound that a value is beyond; forms of texts cannot be sampled, and nothing is below eight levels. */
const isBeyond = ({ path, why }: Misfit): boolean =>
  path.length < 10 && /^(has (fewer|more) than|is (not )?(below|above)|is there twice)/.test(why);

it("samples of the definitions keep their bounds", () => {
  const sampling = { noise: () => 0.4, nowMs: 0, known: {} };
  const beyond = definitions.flatMap(({ id, shapes }) =>
    shapes.flatMap((shape, at) => {
      if (at % 8 !== 0) return [];
      const schema = { type: "object", properties: { body: shape }, additionalProperties: false } as const;
      const found = misfitsIn(schema, { body: sampleValue(shape, sampling, ["body"]) }).filter(isBeyond);
      return found.map(({ path, why }) => `${id} ${at} ${path.join(".")} ${why}`);
    }),
  );
  expect(beyond).toEqual([]);
});

it.each<[Shape, unknown, string | undefined]>([
  [{ type: "string", minLength: 3 }, "ab", "has fewer than 3 characters"],
  [{ type: "string", maxLength: 3 }, "abcd", "has more than 3 characters"],
  [{ type: "array", items: {}, minItems: 2 }, [1], "has fewer than 2 items"],
  [{ type: "array", items: {}, maxItems: 1 }, [1, 2], "has more than 1 items"],
  [{ type: "object", properties: {}, minProperties: 1 }, {}, "has fewer than 1 members"],
  [{ type: "array", items: {}, uniqueItems: true }, ["a", "a"], "is there twice"],
  [{ type: "integer", minimum: 3 }, 2, "is below 3"],
  [{ type: "number", exclusiveMaximum: 3 }, 3, "is not below 3"],
  [{ type: "string", pattern: "^a+$" }, "ab", "does not match /^a+$/"],
  [{ type: "string", pattern: "^a+$" }, "b".repeat(201), undefined],
  [{ type: "string", pattern: "^(a+)+$" }, "b", undefined],
  [{ type: "object", properties: { a: { type: "integer", default: 1 } }, required: ["a"] }, {}, "lacks a"],
])("advises on the bound %j of %j", (shape, value, why) => {
  const schema = { type: "object", properties: { body: shape }, additionalProperties: false } as const;
  expect(misfitsIn(schema, { body: value })[0]?.why).toBe(why);
});

/** A value of a shape with every member, each text of which could be a secret. */
function fullest({
  enum: [first] = [],
  type,
  properties = {},
  items,
  oneOf = [],
  additionalProperties,
}: Shape): unknown {
  const other = typeof additionalProperties === "object" ? { any: fullest(additionalProperties) } : {};
  const all = [
    ...oneOf.map(fullest),
    { ...Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fullest(one)])), ...other },
  ];
  if (first !== undefined) return first;
  if (items) return [fullest(items)];
  if (/boolean/.test(String(type))) return true;
  if (/integer|number/.test(String(type))) return 244_253;
  const members = Object.assign({}, ...all.filter((one) => typeof one === "object"));
  return Object.keys(members).length > 0
    ? members
    : (all.find((one) => typeof one !== "object") ?? "Zq7-never-shown-8Lm2");
}

const masksIn = (value: unknown, path: string): string[] =>
  isMask(value)
    ? [path]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, one]) => masksIn(one, Array.isArray(value) ? path : `${path}.${name}`))
      : [];

/** What is masked of a call of an operation and of its answer, and what of the answer goes to a file. */
const maskedNow = definitions.flatMap((definition) =>
  Object.entries(definition.operations).flatMap(([name, compiled]) => {
    const how = { effect: "overwrite", isLowered: false, isSampled: false, title: name } as const;
    const operation = importedOperation({ compiled, definition, ...how });
    const bodyOf = (one?: CompiledMedia | null) => fullest(definition.shapes[one?.shape ?? -1] ?? {});
    const parameters = Object.entries(parametersOf(compiled)).map(([key, { shape }]) => [key, fullest(shape)] as const);
    const sent = { ...Object.fromEntries(parameters), body: bodyOf(compiled.body) };
    return [
      ...masksIn(maskSecrets([argumentsSchema(operation)], sent), "sent"),
      ...Object.values(compiled.returns).flatMap((one) =>
        masksIn(maskAnswer(returnedSchemas(operation), bodyOf(one)), "answered"),
      ),
      ...(operation.spec.secretTo?.members ?? []).map((member) => `answered.${member}`),
    ].map((place) => `${name} ${place}`);
  }),
);

/** The places, each with the reason that is the heading of its paragraph. */
const reviewed = paragraphsOf("definitions/masks.txt").flatMap(({ heading, lines }) =>
  lines.map((place) => [place, heading] as const),
);

it("masks of imported operations are those that were reviewed", () => {
  expect([...new Set(maskedNow)].toSorted()).toEqual(reviewed.map(([place]) => place).toSorted());
  expect(reviewed.filter(([, why]) => why === "")).toEqual([]);
});

const plain = (route: string): string => route.replaceAll(/\{[^}]*\}/g, "{}");
const routes = new Map(operations.map(({ name, route }) => [name, plain(route)]));

const all = readFileSync("test/definitions/prompts.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly prompt: string; readonly expect: readonly string[] });
const prompts = inDepth(
  all,
  all.filter((_, at) => at % 8 === 0),
);

let search: Search;
beforeAll(async () => {
  const [text, files] = await Promise.all([wholeIndex(), boxed()]);
  search = openSearch(text, () => [files["search.json"] ?? ""]);
});

const found = onceFor(({ prompt }: { readonly prompt: string }) => search.find(prompt, 5, () => true));

it("search: imported operations are found where nothing declared answers", () => {
  const places = prompts.map((one) => {
    const { expect: wanted } = one;
    const names = found(one).imported.map(({ tool }) => routes.get(tool));
    return { shown: names.length > 0, place: names.findIndex((route) => wanted.map(plain).includes(route ?? "")) };
  });
  const share = (isSuch: (one: (typeof places)[number]) => boolean) => places.filter(isSuch).length / prompts.length;
  expect(share(({ shown }) => shown)).toBeGreaterThanOrEqual(0.7);
  expect(share(({ place }) => place >= 0)).toBeGreaterThanOrEqual(0.6);
});

it("search: declared tools stand alone or before imported ones", async () => {
  const tuned = promptsOf("prompts-tuned.json").filter((_, at) => at % 12 === 0);
  const alone = tuned.filter((one) => found(one).imported.length === 0);
  expect(alone.length / tuned.length).toBeGreaterThanOrEqual(0.9);
  const declaredAlone = await wholeSearch();
  await holdsForEach(prompts, (one) => {
    const { imported, tools } = found(one);
    const declared = declaredAlone.find(one.prompt, 5, () => true).tools;
    expect(tools).toEqual(declared.slice(0, 5 - imported.length));
    expect(imported.length).toBeLessThanOrEqual(declared.length === 0 ? 5 : 2);
  });
});

it("imported operations: each has phrases, and nothing else has", () => {
  const names = operations.map(({ name }) => name);
  expect(Object.keys(boxedPhrases()).toSorted()).toEqual(names.toSorted());
});
