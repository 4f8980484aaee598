/** From arguments to the bytes of a request: what each becomes, what the wire could not hold safely, and where none can lead. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type AnyOperation, comma, empty, json, jsonParam, op, pairs, repeat, xml } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import {
  accountSwitchQuery,
  pathArgumentsOf,
  resolveRequest,
  type Target,
  templateOf,
} from "../../src/wire/request.js";
import { checkedWith } from "../lab/checked.js";
import { runs } from "../lab/depth.js";
import { failureFrom } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";

const target: Target = { origin: "https://host.example", vendor: "akamai" };
const does = "Does something.";
const anything = { does, returns: { 200: json(z.unknown()) }, example: {} } as const;
const read = op("GET /<vendor>/things/{id}/parts/{part}?view=all", {
  ...anything,
  example: {} as never,
  path: { id: z.string(), part: z.string() },
  query: {
    plain: z.union([z.string(), z.int()]).optional(),
    list: comma(z.array(z.string())),
    each: repeat(z.array(z.string())),
    named: pairs(z.record(z.string(), z.array(z.string()))),
    filter: jsonParam(z.unknown()),
  },
  headers: {
    "X-Fixed": "made by <vendor> for <vendor>",
    "If-Match": { argument: "stamp", schema: z.string().optional() },
  } as never,
}) as AnyOperation;
const write = op("POST /things", {
  does,
  body: json({ name: z.string() }, "application/vnd.<vendor>.thing+json"),
  returns: { 201: json(z.unknown()), 202: empty },
  effect: "create",
  shownBy: "thing_get",
  example: { body: { name: "n" } },
});

const path = { id: "a", part: "b" };
const requestOf = (given: Parameters<typeof checkedWith>[0], operation = read, to = target) =>
  resolveRequest("thing_get", operation, checkedWith({ path, ...given }), to);
const queryOf = async (query: object) => (await requestOf({ query: query as never })).url.search;
async function refusalOf(request: Promise<unknown>): Promise<Failure["detail"]["fields"]> {
  const { code, detail } = await failureFrom(() => request);
  expect(code).toBe("invalid_input");
  return detail.fields;
}

it("a request has the declaration's method and path, values in place", async () => {
  const { method, url } = await requestOf({ path: { id: "a b:1", part: "[x]+@" } });
  expect(method).toBe("GET");
  expect(url.href).toBe("https://host.example/akamai/things/a%20b%3A1/parts/%5Bx%5D%2B%40?view=all");
  expect(pathArgumentsOf(read, { url } as never)).toEqual({ id: "a b:1", part: "[x]+@" });
});

const unfit = ["", ".", "..", "...", "a/b", "a\\b", "a%2Fb", "a?b", "a#b", "a;b", "a&b", " a", "a ", "ä", "a\n", "a\0"];
it("a path value is refused unless it stays one segment", async () => {
  const takes = expect.stringContaining("one path segment");
  for (const id of unfit)
    expect(await refusalOf(requestOf({ path: { ...path, id } }))).toEqual([
      { field: "id", given: JSON.stringify(id), takes },
    ]);
  for (const id of [".a", "a.", "..a", "a b", 5, "~*|^<>{}!$'()=,"])
    expect(pathArgumentsOf(read, await requestOf({ path: { ...path, id } }))["id"]).toBe(String(id));
});

it.each<[object, string]>([
  [{}, "?view=all"],
  [{ plain: "a b&c" }, "?view=all&plain=a%20b%26c"],
  [{ plain: 5 }, "?view=all&plain=5"],
  [{ list: ["a", "b c"] }, "?view=all&list=a%2Cb%20c"],
  [{ each: ["a", "b,c"] }, "?view=all&each=a&each=b%2Cc"],
  [{ each: [] }, "?view=all"],
  [{ named: { a: ["1", "2"], b: ["3=4"] } }, "?view=all&named=a%3D1%2Ca%3D2%2Cb%3D3%3D4"],
  [{ named: {} }, "?view=all"],
  [{ filter: { a: [1] } }, "?view=all&filter=%7B%22a%22%3A%5B1%5D%7D"],
  [{ plain: "x", list: ["y"] }, "?view=all&plain=x&list=y"],
])("a query value is written by its style: %j", async (query, expected) => {
  expect(await queryOf(query)).toBe(expected);
});

it.each<[object, string, string]>([
  [{ list: ["a", "b,c"] }, "list", '"b,c"'],
  [{ named: { a: ["1,2"] } }, "named", '"a=1,2"'],
  [{ named: { "a=": ["1"] } }, "named", '"a==1"'],
  [{ named: { "a,": ["1"] } }, "named", '"a,=1"'],
])("a query value is refused where it holds its own separator: %j", async (query, field, given) => {
  expect(await refusalOf(queryOf(query))).toEqual([
    { field, given, takes: expect.stringContaining("which separate them on the wire") },
  ]);
});

it("a query names the account that it is switched to, last", async () => {
  const switched = { ...target, accountSwitchKey: "1-A&B" };
  expect((await requestOf({ query: { plain: "x" } }, read, switched)).url.search).toBe(
    "?view=all&plain=x&accountSwitchKey=1-A%26B",
  );
  expect(accountSwitchQuery(target)).toEqual([]);
});

it("a header is in lower case, and refused under its argument's name", async () => {
  const { headers } = await requestOf({ headers: { "If-Match": '"v 1"' } });
  expect(headers).toEqual({ accept: "*/*", "x-fixed": "made by akamai for akamai", "if-match": '"v 1"' });
  expect((await requestOf({})).headers).not.toHaveProperty("if-match");
  for (const value of ["a\r\nx: y", "a\nb", "ä", " a", "a ", "", "a\u0000"])
    expect(await refusalOf(requestOf({ headers: { "If-Match": value } }))).toEqual([
      { field: "stamp", given: JSON.stringify(value), takes: "visible ASCII on one line" },
    ]);
  for (const value of ["a", "ab", "a b", "~!"])
    expect((await requestOf({ headers: { "If-Match": value } })).headers["if-match"]).toBe(value);
});

it("a header is refused by its name where a vendor's word makes it unfit", async () => {
  const fixed = op("GET /things", { ...anything, headers: { "X-Fixed": "of <vendor>" } }) as AnyOperation;
  const [problem] = (await refusalOf(requestOf({}, fixed, { ...target, vendor: "ä" }))) ?? [];
  expect(problem?.field).toBe("X-Fixed");
});

const one = json(z.unknown(), "application/vnd.<vendor>.one+json");
const other = json(z.unknown(), "application/json");
const markup = xml("x", z.unknown() as never);
const accepted = async (wanted: readonly unknown[], format?: "xml") =>
  (await requestOf({ answers: { byStatus: {}, wanted: wanted as never }, format })).headers["accept"];

it("the media to accept are of the first form, or of the one chosen", async () => {
  expect(await accepted([one, markup, other, { ...one }])).toBe("application/vnd.akamai.one+json, application/json");
  expect(await accepted([one, markup, other], "xml")).toBe("application/xml");
  expect(await accepted([empty])).toBe("*/*");
  const answers = { byStatus: {}, wanted: [one, markup] };
  const of = async (format?: "json" | "xml") => (await requestOf({ answers, format })).headers["accept"];
  const [inJson, inXml] = ["application/vnd.akamai.one+json", "application/xml"];
  expect([await of(), await of("xml"), await of(), await of("json")]).toEqual([inJson, inXml, inJson, inJson]);
});

it("a body is written in its medium, or absent, and so is its type", async () => {
  const checked = validateArguments("thing_create", write, { body: { name: "ü" } });
  const { method, url, headers, body } = await resolveRequest("thing_create", write, checked, target);
  expect([method, url.href]).toEqual(["POST", "https://host.example/things"]);
  expect(new TextDecoder().decode(body)).toBe('{"name":"ü"}');
  expect(headers["content-type"]).toBe("application/vnd.akamai.thing+json");
  const request = await requestOf({ medium: json(z.unknown()) });
  expect(request).not.toHaveProperty("body");
  expect(request.headers).not.toHaveProperty("content-type");
});

it("a body is refused where no medium takes it, or can write it", async () => {
  expect(await refusalOf(requestOf({ body: { name: "n" } }))).toEqual([
    { field: "body", takes: "a value of a shape that the operation declares" },
  ]);
  const [problem] = (await refusalOf(requestOf({ body: { a: "\u0000" }, medium: xml("x", { a: z.string() }) }))) ?? [];
  expect(problem?.field).toBe("body");
  expect(problem?.takes).toMatch(/^a value that can be written as xml\. ./);
});

it("an unexpected error in writing a body is passed on unchanged", async () => {
  const fault = new TypeError("a fault of the codec");
  const toJSON = () => {
    throw fault;
  };
  await expect(requestOf({ body: { toJSON }, medium: json(z.unknown()) })).rejects.toBe(fault);
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."./\\%2eE5cfF?#;&@: aZ09-\u0000\n\r\u2024\uff0e\uff0f\u202e"), maxLength: 12 }),
  fc.constantFrom(
    ...["..", ".", "...", "%2e%2e", "%2E.", "..%2f..%2fx", "a/../b", "a\\b", "//evil", "/\\evil", "a?x=1", "a#b"],
    ...["a;x=1", "", " ", "\t", ".. ", " .", "s@123 ", "．．", "@evil.example", "s@123"],
  ),
);
const operations = (await allServices())
  .flatMap(({ operations: own }) => Object.entries<AnyOperation>(own))
  .filter(([, { spec }]) => spec.path);

it(promise("value-in-segment", "a value in a path is refused or stays in its segment"), async () => {
  const ends = { kept: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), hostile, async ([tool, operation], value) => {
      const path = Object.fromEntries(Object.keys(operation.spec.path ?? {}).map((name) => [name, value]));
      const built = resolveRequest(tool, operation, checkedWith({ path }), target);
      if ((await Promise.allSettled([built]))[0].status === "rejected") {
        ends.refused += 1;
        await failureFrom(() => built);
        return;
      }
      const { url } = await built;
      ends.kept += 1;
      expect(url.origin).toBe(target.origin);
      const template = templateOf(operation).path.split("/");
      expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(
        template.map((part) => (part.startsWith("{") ? value : part)),
      );
    }),
    { numRuns: runs(400) },
  );
  expect(ends.kept).toBeGreaterThan(10);
  expect(ends.refused).toBeGreaterThan(100);
});

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
  fc.constantFrom("a&b=c", "a+b", "%41", "a=b", "x\r\ny", "é", "#"),
);
const list = fc.array(text, { minLength: 1, maxLength: 4 });

it("query: plain, repeated, comma-separated and paired values arrive", async () => {
  const switched = { ...target, accountSwitchKey: "1-ABC:1-DEF&plain=x" };
  await fc.assert(
    fc.asyncProperty(text, list, fc.dictionary(text, list, { minKeys: 1, maxKeys: 3 }), async (plain, list, named) => {
      const query = { plain, list, each: list, named } as never;
      const attempt = requestOf({ query }, read, switched);
      const pairs = Object.entries(named);
      const isSeparable = ![...list, ...pairs.flat(2)].join("").includes(",");
      if (!isSeparable || pairs.some(([key]) => key.includes("="))) return void (await refusalOf(attempt));
      const arrived = (await attempt).url.searchParams;
      expect([...new Set(arrived.keys())]).toEqual(["view", "plain", "list", "each", "named", "accountSwitchKey"]);
      expect([arrived.get("plain"), arrived.getAll("each")]).toEqual([plain, list]);
      expect(arrived.get("list")?.split(",")).toEqual(list);
      const written = pairs.flatMap(([key, items]) => items.map((item) => `${key}=${item}`));
      expect(arrived.get("named")?.split(",")).toEqual(written);
      expect(arrived.getAll("accountSwitchKey")).toEqual([switched.accountSwitchKey]);
    }),
    { numRuns: runs(150) },
  );
});

it("is refused where the whole path is not as it was declared", async () => {
  const moved = op("GET /things/../{id}", {
    ...anything,
    path: { id: z.string() },
    example: { id: "a" },
  }) as AnyOperation;
  expect(await refusalOf(requestOf({ path: { id: "a" } }, moved))).toEqual([
    { field: "path", given: '"/things/../a"', takes: "values that leave the declared path unchanged" },
  ]);
  const rewritten = op("GET /thïngs/{id}", moved.spec as never) as AnyOperation;
  expect(await refusalOf(requestOf({ path: { id: "a" } }, rewritten))).toHaveLength(1);
  expect(await refusalOf(requestOf({}, read, { ...target, origin: "https://host.example/x" }))).toHaveLength(1);
  expect(await refusalOf(requestOf({}, read, { ...target, origin: "https://user@host.example" }))).toHaveLength(1);
});
