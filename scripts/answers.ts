/**
 * Keeps what a folder of the vendor's definitions says of the answers to the declared calls, without sentences and examples:
 * `node scripts/run.mjs scripts/answers.ts FOLDER`. The tests hold the emulator to it.
 */
import { writeFileSync } from "node:fs";
import { baseOf } from "../src/definitions/compile.js";
import { readDefinitions } from "../src/definitions/read.js";
import { createFollow, type Follow, type Placed } from "../src/definitions/shapes.js";
import { plainRoute } from "../src/definitions/store.js";
import { isRecord, memberAt } from "../src/language/member.js";
import { declaredRoutes } from "./box.js";

const isNamed = /^(properties|required|enum|items|oneOf|anyOf|allOf|type|format|uniqueItems)$/;
const isBound = /^(min|max)(imum|Length|Items|Properties)$|^additionalProperties$/;

const shapes: object[] = [];
const known = new Map<string, number>();

/** The schema as a reference to the one of its shape, in which each is kept once. */
function kept(follow: Follow, placed: Placed): unknown {
  const { value, from } = follow(placed);
  if (!isRecord(value)) return value;
  const inner = (one: unknown) => kept(follow, { value: one, from });
  const eachIn = (one: unknown) =>
    Object.fromEntries(Object.entries(one as object).map(([key, of]) => [key, inner(of)]));
  const facts = Object.entries(value).filter(([name]) => isNamed.test(name) || isBound.test(name));
  const shape = Object.fromEntries(
    facts.map(([name, fact]) => {
      if (name === "properties") return [name, eachIn(fact)];
      return [name, Array.isArray(fact) ? fact.map(inner) : name === "enum" ? fact : inner(fact)];
    }),
  );
  if (shape["properties"] !== undefined) shape["type"] ??= "object";
  if (value["nullable"] === true) return { anyOf: [referred(shape), { type: "null" }] };
  return referred(shape);
}

/** A schema of several parts as a reference to the one that is kept of it. */
function referred(shape: Readonly<Record<string, unknown>>): object {
  if (shape["properties"] === undefined && shape["items"] === undefined && shape["oneOf"] === undefined) return shape;
  const text = JSON.stringify(shape);
  const at = known.get(text) ?? shapes.push(shape) - 1;
  known.set(text, at);
  return { $ref: `#/$defs/${at}` };
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/run.mjs scripts/answers.ts FOLDER");
const declared = await declaredRoutes();
const answers: Record<string, Record<string, Record<string, unknown>>> = {};
for (const source of readDefinitions(folder, () => undefined)) {
  const follow = createFollow(source);
  const base = baseOf(source.value["servers"]);
  const within = ({ value, from }: Placed, ...names: string[]) => follow({ value: memberAt(value, names), from });
  for (const [path, item] of Object.entries(source.value["paths"] as object))
    for (const [method, value] of Object.entries(follow({ value: item, from: "" }).value as object)) {
      const route = plainRoute(`${method.toUpperCase()} ${base}${path}`.replaceAll(/\{[^}]+\}/g, "{x}"));
      if (base === undefined || !declared.has(route)) continue;
      const responses = within({ value, from: "" }, "responses");
      for (const status of Object.keys(responses.value as object)) {
        const content = within(responses, status, "content");
        const media = Object.keys((content.value ?? {}) as object).map((type) => [
          type,
          kept(follow, within(content, type, "schema")) ?? {},
        ]);
        answers[route] = { ...answers[route], [status]: Object.fromEntries(media) };
      }
    }
}
const lines = (all: readonly string[]) => all.join(",\n");
const byRoute = Object.entries(answers).map(([route, one]) => `${JSON.stringify(route)}: ${JSON.stringify(one)}`);
writeFileSync(
  "test/oracles/answers.json",
  `{\n"$defs": [\n${lines(shapes.map((one) => JSON.stringify(one)))}\n],\n"answers": {\n${lines(byRoute)}\n}\n}\n`,
);
