/** Laws over the guides: whatever one names is declared, and each life is a diagram that Mermaid reads and that can be lived. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { effectOf } from "../../src/language/effect.js";
import { type Guide, type Life, statesOf } from "../../src/language/guide.js";
import { mediaList } from "../../src/language/media.js";
import type { Service } from "../../src/language/service.js";
import { diagramOf, guidePage, limitsOf, nounOf } from "../../src/pages/guide-page.js";
import { jsonSchemaOf } from "../../src/schema/json-schema.js";
import { guideNames, guideOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";
import { lawsOver } from "../lab/laws.js";
import { catalogueOfProject, wholeServicesOfProject } from "../lab/project.js";

const services = await wholeServicesOfProject();
const tools = await catalogueOfProject();
const guides = await Promise.all(
  services.map(async (service): Promise<[string, Service, Guide]> => {
    const guide = await guideOf(service.name);
    if (!guide) throw new Error(`${service.name} has no guide`);
    return [service.name, service, guide];
  }),
);

/** Everything that a service declares, as one text: schemas with the names of members, rules, descriptions, notes. */
const declaredText = (service: Service): string =>
  Object.entries(service.operations)
    .flatMap(([name, operation]) => {
      const { spec, route } = operation;
      const answers = Object.values(spec.returns).flatMap((declared) =>
        mediaList(declared).map(({ schema }) => JSON.stringify(jsonSchemaOf(schema, "output"))),
      );
      return [
        name,
        route,
        spec.does,
        spec.needs,
        spec.note,
        JSON.stringify(spec.example),
        JSON.stringify(jsonSchemaOf(argumentsSchema(operation), "input")),
        ...answers,
      ];
    })
    .concat(Object.values(service.rules), service.about)
    .join("\n");

const holdsWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(text);

/** Whether the answers of an operation have a member at a path, through lists and choices. */
function hasMember(schema: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  if (typeof schema !== "object" || schema === null) return false;
  const { properties, items, anyOf, oneOf } = schema as Record<string, unknown>;
  const own = (properties as Record<string, unknown> | undefined)?.[first];
  if (own !== undefined && hasMember(own, rest)) return true;
  return [items, ...((anyOf ?? oneOf ?? []) as unknown[])].some((inner) => hasMember(inner, path));
}

type Step = readonly [from: string, to: string, label: string];

/**
 * Reads a state diagram, as strictly as Mermaid's own grammar for the statements that are written here: a heading, names
 * for states whose text is no name, and steps with a text that has none of the characters that end or color a statement.
 */
function readDiagram(text: string): Step[] {
  const [heading, ...lines] = text.split("\n");
  expect(heading).toBe("stateDiagram-v2");
  const names = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of lines) {
    const named = /^ {2}state "([^"\n]+)" as ([A-Za-z]\w*)$/.exec(line);
    const step = /^ {2}(\[\*\]|[A-Za-z]\w*) --> (\[\*\]|[A-Za-z]\w*) : ([^:;#"<>{}[\]%\n]+)$/.exec(line);
    if (named) names.set(named[2] ?? "", named[1] ?? "");
    else if (step) {
      const [, from = "", to = "", label = ""] = step;
      steps.push([names.get(from) ?? from, names.get(to) ?? to, label]);
    } else expect.fail(`Mermaid cannot read ${JSON.stringify(line)}`);
  }
  // Words of the grammar are no names of states.
  for (const name of steps.flat())
    expect(["state", "note", "end", "direction", "as", "class", "style", "click"]).not.toContain(name);
  return steps;
}

it("has one for every service and for nothing else", async () => {
  expect([...guideNames].sort()).toEqual((await allServices()).map(({ name }) => name).sort());
});

describe("every guide", () =>
  lawsOver(guides, (law, name, service, guide) => {
    const text = declaredText(service);
    const written = [guide.purpose, ...Object.values(guide.objects)];
    const { id } = service;
    const own = [...tools.keys()].filter((tool) => tools.get(tool)?.service === name || tool.startsWith(`${id}_`));

    law("every guide names only declared tools, members, values and numbers", () => {
      for (const sentence of written) {
        expect(sentence).toMatch(/^[\x20-\x7e]+\.$/);
        for (const [, word = ""] of sentence.matchAll(/`([^`]+)`/g))
          expect([word, tools.has(word) || holdsWord(text, word)]).toEqual([word, true]);
        // What looks like a name of the API is marked as one.
        const plain = sentence.replaceAll(/`[^`]+`/g, "");
        expect(plain.match(/\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b/g)).toBeNull();
        for (const number of plain.match(/\d[\d,]*/g) ?? []) expect(text).toContain(number);
      }
      for (const { when = "" } of guide.lives.flatMap(({ moves }) => moves))
        for (const number of when.match(/\d[\d,]*/g) ?? []) expect(text).toContain(number);
    });

    law("every guide describes objects, and only those that tools are about", () => {
      const nouns = new Set(own.map((tool) => nounOf(tool, id)));
      expect(Object.keys(guide.objects).length).toBeGreaterThan(0);
      for (const noun of Object.keys(guide.objects)) expect([...nouns]).toContain(noun);
    });

    law("every guide's lives begin, reach every state and move by changes", () => {
      expect(guide.lives.length).toBeGreaterThan(0);
      for (const life of guide.lives) {
        const reached = new Set(life.moves.flatMap(({ from, to }) => (from === undefined && to ? [to] : [])));
        expect(reached.size).toBeGreaterThan(0);
        // A state is reached after at most as many rounds as there are steps.
        for (const _ of life.moves)
          for (const { from, to } of life.moves)
            if (from !== undefined && reached.has(from) && to !== undefined) reached.add(to);
        expect(statesOf(life).filter((state) => !reached.has(state))).toEqual([]);
        for (const { by, when, from, to } of life.moves) {
          expect(by ?? when).toBeDefined();
          expect(from ?? to).toBeDefined();
          if (by === undefined) continue;
          const operation = service.operations[by];
          if (!operation) return expect.fail(`${by} is no operation of ${name}`);
          expect([by, effectOf(operation)]).not.toEqual([by, "read"]);
        }
      }
    });

    law("takes the states that an answer shows from the declarations", () => {
      for (const life of guide.lives) {
        if (life.shown === undefined) continue;
        const { by, at } = life.shown;
        const operation = service.operations[by];
        const schemas = Object.values(operation?.spec.returns ?? {}).flatMap((declared) =>
          mediaList(declared).map(({ schema }) => jsonSchemaOf(schema, "output")),
        );
        expect([by, at, schemas.some((schema) => hasMember(schema, at.split(".")))]).toEqual([by, at, true]);
        for (const state of statesOf(life)) expect([state, holdsWord(text, state)]).toEqual([state, true]);
      }
    });

    law("draws each life as Mermaid reads it, step by step", () => {
      for (const life of guide.lives) expect(readDiagram(diagramOf(life))).toEqual(stepsOf(life));
    });

    law("names as limits rules that there are, and tools that have a note", () => {
      for (const name of guide.limits ?? [])
        expect([name, service.rules[name] ?? service.operations[name]?.spec.note]).toEqual([name, expect.any(String)]);
    });

    law("every guide has all parts, tools and limits within 2,500 tokens", async () => {
      const page = (await guidePage(name, tools)) ?? "";
      for (const part of ["Objects", "Life cycle", "Limits"])
        if (part !== "Limits" || limitsOf(service, guide).length > 0) expect(page).toContain(`\n## ${part}\n`);
      for (const tool of own) expect(page).toContain(`\`${tool}\``);
      for (const rule of Object.values(service.rules)) expect(page).toContain(`- ${rule}\n`);
      for (const limit of limitsOf(service, guide)) expect(page).toContain(`- ${limit}`);
      expect(page.match(/```mermaid\n/g)).toHaveLength(guide.lives.length);
      expect(encode(page).length).toBeLessThanOrEqual(2_500);
    });
  }));

/** The steps of a life as a diagram has them. */
const stepsOf = ({ moves }: Life): Step[] =>
  moves.map(({ from = "[*]", to = "[*]", by, when }) => [from, to, [by, when].filter(Boolean).join(", ")]);

it("has none of a service of which nothing can be called", async () => {
  const without = new Map([...tools].filter(([, { service }]) => service !== "purge"));
  expect(await guidePage("purge", without)).toBeUndefined();
  expect(await guidePage("workflows", tools)).toBeUndefined();
});
