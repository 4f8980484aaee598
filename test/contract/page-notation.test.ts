/** The notation of the pages against the schemas that arguments and answers are checked with: nothing is missing, nothing is made up. */
import { expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { z } from "../../src/language/z.js";
import {
  answersMarkdown,
  asMarkdown,
  operationPage,
  workflowMarkdown,
  workflowPage,
} from "../../src/pages/tool-page.js";
import { markOf, unitMsOf } from "../../src/schema/marks.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { type Json, resolved, takenByPage, takenBySchema } from "./notation-forms.js";
import { readNotation } from "./notation-reader.js";

const services = await allServices();
const operations = services.flatMap((service) =>
  Object.entries(service.operations).map(([tool, operation]) => {
    const page = operationPage(tool, operation, service, Date.UTC(2026, 4, 20));
    return { tool, page, text: asMarkdown(page), schema: argumentsSchema(operation) };
  }),
);
const tools = [
  ...operations,
  ...(await allWorkflows()).map(([tool, one]) => {
    return { tool, text: workflowMarkdown(workflowPage(tool, one)), schema: one.input };
  }),
];

/**
 * The schema as the library writes it, but for instants, which a caller writes as text. What a check asks for in words is
 * found by a value that it refuses, and is described with the member.
 */
const schemaOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { description, format, pattern } = jsonSchema;
      if (unitMsOf(markOf(zodSchema, "instant")) !== undefined) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, { type: "string", description });
      } else if (format !== undefined) jsonSchema["asks"] = [format];
      else if (pattern !== undefined) {
        const { error } = (zodSchema as unknown as z.ZodType).safeParse("\n");
        const refusals = error?.issues.map(({ message }) => message) ?? [];
        jsonSchema["asks"] = refusals
          .filter((text) => !/^(Invalid string|Too small)/.test(text))
          .concat(refusals.some((text) => text.startsWith("Invalid string")) ? [pattern] : []);
      }
    },
  }) as Json;

const argumentsIn = (page: string): string => /\n## Arguments\n\n```\n([\s\S]*?)\n```\n/.exec(page)?.[1] ?? "";

/** What is said of all that a caller writes. */
function wordsIn(given: Json, root: Json, seen = new Set<unknown>()): string[] {
  const schema = resolved(given, root);
  if (schema["readOnly"] === true || seen.has(schema["properties"] ?? schema)) return [];
  seen.add(schema["properties"] ?? schema);
  const {
    description,
    properties = {},
    items,
    prefixItems = [],
    anyOf = [],
    oneOf = [],
    additionalProperties,
  } = schema;
  const inner = [...Object.values(properties as Json), items, additionalProperties, prefixItems, anyOf, oneOf].flat();
  const objects = inner.filter((one): one is Json => typeof one === "object" && one !== null);
  return [
    ...(typeof description === "string" ? [description.replace(/\.$/, "")] : []),
    ...((schema["asks"] ?? []) as string[]),
    ...objects.flatMap((one) => wordsIn(one, root, seen)),
  ];
}

it("the page of every tool has all that its arguments take, and no member that only the API sets", () =>
  holdsForEach(tools, ({ text, schema }) => {
    const json = schemaOf(schema);
    const written = argumentsIn(text);
    const { whole, types } = readNotation(written);
    const required = takenBySchema(json, json, true);
    const none = [{ type: "object", range: ["", ""] }];
    expect(written === "" ? none : takenByPage(whole, types)).toEqual(required);
    expect(wordsIn(json, json).filter((words) => !written.includes(words))).toEqual([]);
  }));

/** The value that tells each form of a union from the others. */
const kindsIn = (forms: readonly Json[]): string[] =>
  forms.flatMap(({ properties = {} }) => {
    const [[name, one] = []] = Object.entries(properties as Record<string, Json>).filter(([, { const: only }]) => only);
    return name === undefined ? [] : [JSON.stringify([name, one?.["const"]])];
  });

/** The unions of three forms or more that one value tells apart. */
function unionsIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const forms = "oneOf" in value ? (value.oneOf as Json[]) : [];
  return [...(kindsIn(forms).length < 3 ? [] : [value as Json]), ...Object.values(value).flatMap(unionsIn)];
}

const withUnions = tools.filter(({ schema }) => unionsIn(schemaOf(schema)).length > 0);

it("the page of every tool with alternatives has an example of each kind where there are three or more, and all are valid", () =>
  holdsForEach(withUnions, ({ text, schema }) => {
    for (const { oneOf, examples = [] } of unionsIn(schemaOf(schema))) {
      const shown = (examples as Json[]).filter((one) => text.includes(`\n${JSON.stringify(one)}\n`));
      const kinds = shown.map((one) => Object.entries(one).map((member) => JSON.stringify(member)));
      expect(kindsIn(oneOf as Json[]).filter((kind) => !kinds.some((members) => members.includes(kind)))).toEqual([]);
    }
    z.toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema: { examples = [] } }) => {
        for (const one of examples) expect((zodSchema as unknown as z.ZodType).safeParse(one).error).toBeUndefined();
      },
    });
  }));

it("some pages have kinds", () => {
  expect(withUnions.length).toBeGreaterThan(3);
});

it("the answers of every operation have all members of every status, equal ones once", () =>
  holdsForEach(operations, ({ page }) => {
    const blocks = [...answersMarkdown(page).matchAll(/```\n([\s\S]*?)\n```/g)].map(([, block = ""]) => block);
    const written = blocks.map((block) => {
      const { whole, types } = readNotation(block);
      return JSON.stringify(takenByPage(whole, types));
    });
    const schemas = Object.values(page.answers).flatMap(({ schema }) => (schema === undefined ? [] : [schema as Json]));
    const declared = schemas
      .filter((schema) => Object.keys(schema["properties"] ?? schema).length > 0)
      .map((schema) => JSON.stringify(takenBySchema(schema, schema, false)));
    expect(new Set(written)).toEqual(new Set(declared));
    expect(new Set(blocks).size).toBe(blocks.length);
  }));
