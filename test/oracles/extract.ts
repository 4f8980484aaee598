/**
 * Keeps what the vendor's definitions say of today's APIs, without sentences and examples, for the tests:
 * `node scripts/run.mjs test/oracles/extract.ts FOLDER` writes what a request takes to `requests.json`, and what the answers
 * to declared calls are to `answers.json`. It reads nothing by `src/definitions`, which it judges; only which routes are
 * declared comes from `src`. It needs no library: these definitions are JSON, each is one file, and none has a reference.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { operationRows } from "../../src/commands/operations.js";
import { isRecord } from "../../src/language/member.js";
import { allServices } from "../../src/tools/index.js";
import type { Parameter, Request, Schema } from "./requests.js";

/** The APIs whose routes are all callable. */
const folders =
  "ccu/v3 cloudlets/v3 config-dns/v2 edge-diagnostics/v1 events/v3 identity-management/v3 network-lists/v2 papi/v1";

const ofAnswer =
  /^(properties|required|enum|items|oneOf|anyOf|allOf|type|format|uniqueItems|additionalProperties)$|^(min|max)(imum|Length|Items|Properties)$/;
const ofRequest = new RegExp(`${ofAnswer.source}|^(pattern|default|readOnly)$`);

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
interface File {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const mapped = <T, U>(members: Readonly<Record<string, T>>, to: (one: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, to(one)]));

/** Keeps schemas, each shape once; the others are references to it. */
function keeping(names: RegExp) {
  const shapes: object[] = [];
  const known = new Map<string, number>();
  const factIn = ([name, fact]: readonly [string, unknown]): unknown => {
    if (name === "properties") return mapped(fact as Record<string, unknown>, kept);
    if (name === "enum" || name === "default") return fact;
    return Array.isArray(fact) ? fact.map(kept) : kept(fact);
  };
  const kept = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    if (value["$ref"] !== undefined) throw new Error(`${value["$ref"]} is a reference, which is not followed.`);
    const { nullable, ...whole } = value;
    if (nullable === true) return { anyOf: [kept(whole), { type: "null" }] };
    const facts = Object.entries(whole).filter(([name]) => names.test(name));
    const shape = Object.fromEntries(facts.map((one) => [one[0], factIn(one)]));
    if (shape["properties"] !== undefined) shape["type"] ??= "object";
    if (!["properties", "items", "oneOf"].some((name) => name in shape)) return shape;
    const text = JSON.stringify(shape);
    const at = known.get(text) ?? shapes.push(shape) - 1;
    known.set(text, at);
    return { $ref: `#/$defs/${at}` };
  };
  return {
    shapes,
    mediaOf: (content: Content = {}) => mapped(content, ({ schema = {} }) => kept(schema) as Schema),
    kept,
  };
}

/** A file with a shape and a route on each line. */
function write(name: string, shapes: readonly object[], byRoute: Readonly<Record<string, unknown>>, more = ""): void {
  const routes = Object.entries(byRoute).map(([route, one]) => `${JSON.stringify(route)}: ${JSON.stringify(one)}`);
  const defs = shapes.map((one) => JSON.stringify(one)).join(",\n");
  writeFileSync(
    `test/oracles/${name}.json`,
    `{\n${more}"$defs": [\n${defs}\n],\n"${name}": {\n${routes.join(",\n")}\n}\n}\n`,
  );
}

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error("usage: node scripts/run.mjs test/oracles/extract.ts FOLDER");
const plain = (route: string): string => route.replaceAll(/\{[^}]+\}/g, "{}").replace(/\/$/, "");
const declared = new Set(operationRows(await allServices()).map(({ method, path }) => plain(`${method} ${path}`)));
const [ofAnswers, ofRequests] = [keeping(ofAnswer), keeping(ofRequest)];
const answers: Record<string, Readonly<Record<string, unknown>>> = {};
const requests: Record<string, Request> = {};

for (const folder of folders.split(" ")) {
  const { servers, paths } = JSON.parse(readFileSync(`${root}/${folder}/openapi.json`, "utf8")) as File;
  const base = servers[0].url.replace("https://{hostname}", "");
  for (const [path, item] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(item)) {
      if (responses === undefined) continue;
      const route = plain(`${method.toUpperCase()} ${base}${path}`);
      const all = [...parameters, ...((item["parameters"] ?? []) as readonly Parameter[])];
      if (new Set(all.map((one) => one.name)).size < all.length) throw new Error(`${route} has a parameter twice.`);
      const good = Object.entries(responses).filter(([status]) => !/^[45d]/.test(status));
      requests[route] = {
        parameters: all.map(({ name, in: place, required, explode, schema }) => ({
          ...{ name, in: place, required, explode },
          schema: ofRequests.kept(schema) as Schema,
        })),
        body: requestBody && { required: requestBody.required, content: ofRequests.mediaOf(requestBody.content) },
        returns: mapped(Object.fromEntries(good), (one) => ofRequests.mediaOf(one.content)),
      };
      if (declared.has(route)) answers[route] = mapped(responses, (one) => ofAnswers.mediaOf(one.content));
    }
}
write("answers", ofAnswers.shapes, answers);
write("requests", ofRequests.shapes, requests, `"folders": ${JSON.stringify(folders.split(" "))},\n`);
