/** Calls in the form of public facts, on a made-up service: which tools use it, and where their arguments then stand. */
import { expect, it } from "vitest";
import { checkArguments } from "../../src/api/arguments.js";
import { type AnyOperation, json, op } from "../../src/api/define.js";
import { service } from "../../src/api/service.js";
import { z } from "../../src/api/z.js";
import { resolveRequest } from "../../src/client/request.js";
import { emulated } from "../../src/emulator/service.js";
import { startRaw } from "../emulator/raw.js";

const Shelf = z.looseObject({ shelfId: z.string(), label: z.string().optional() });
const shelves = service("shelf", {
  name: "shelves",
  document: "A",
  title: "Shelves",
  about: "Keeps shelves.",
  standing: { state: "alive" },
  rules: {},
  operations: {
    shelf_find: op("GET /shelves/v1/find", {
      does: "Finds shelves by their label.",
      query: { label: z.string().optional(), floor: z.int().optional() },
      returns: { 200: json(z.array(Shelf)) },
      published: { route: "POST /shelves/v1/find", inBody: ["label"] },
      example: { label: "a" },
    }),
    shelf_create: op("POST /shelves/v1/shelves/{shelfId}", {
      does: "Puts up a shelf.",
      path: { shelfId: z.string() },
      body: json({ label: z.string().optional() }),
      returns: { 201: json(Shelf) },
      published: { route: "POST /shelves/v1/shelves", inBody: ["shelfId"] },
      effect: "create",
      shownBy: "shelf_find",
      example: { shelfId: "s1", body: { label: "a" } },
    }),
  },
});
const operations: Readonly<Record<string, AnyOperation>> = shelves.operations;

async function sent(tool: string, args: object, ...published: readonly string[]) {
  const operation = operations[tool];
  if (!operation) throw new Error(`no operation ${tool}`);
  const target = { origin: "https://host.example", vendor: "akamai", publishedRoutes: new Set(published) };
  const { method, url, body, headers } = await resolveRequest(
    tool,
    operation,
    checkArguments(tool, operation, args),
    target,
  );
  return {
    line: `${method} ${url.pathname}${url.search}`,
    body: body === undefined ? undefined : (JSON.parse(new TextDecoder().decode(body)) as unknown),
    type: headers["content-type"],
  };
}
const creation = { shelfId: "s 1", body: { label: "a" } };

it("keeps the documents' form for every tool that is not named", async () => {
  const documented = { line: "POST /shelves/v1/shelves/s%201", body: { label: "a" }, type: "application/json" };
  expect(await sent("shelf_create", creation)).toEqual(documented);
  expect(await sent("shelf_create", creation, "shelf_find")).toEqual(documented);
});

it("moves an argument from the path into the body, beside what stands there", async () => {
  expect(await sent("shelf_create", creation, "shelf_create")).toEqual({
    line: "POST /shelves/v1/shelves",
    body: { label: "a", shelfId: "s 1" },
    type: "application/json",
  });
});

it("makes a JSON body of query values, and leaves the others in the query", async () => {
  expect(await sent("shelf_find", { label: "a&b", floor: 2 }, "shelf_find")).toEqual({
    line: "POST /shelves/v1/find?floor=2",
    body: { label: "a&b" },
    type: "application/json",
  });
});

it("is taken by the emulator in both forms, and refused without its argument", async () => {
  const found: unknown[] = [];
  const registered = emulated(shelves, {
    behaviours: {
      shelf_find: ({ query }) => ({ status: 200 as const, body: [{ shelfId: JSON.stringify(query) }] }),
      shelf_create: ({ path, body }) => {
        found.push({ ...path, ...body });
        return { status: 201 as const, body: { shelfId: path.shelfId } };
      },
    },
  });
  const { send, get } = startRaw({ entries: [{ roots: ["/shelves/v1/"], load: async () => registered }] });
  const path = "/shelves/v1/shelves";
  expect((await send("POST", `${path}/a%2Bb`, { label: "l" })).status).toBe(201);
  expect((await send("POST", path, { label: "l", shelfId: "a+b" })).status).toBe(201);
  expect(found).toEqual([
    { shelfId: "a+b", label: "l" },
    { shelfId: "a+b", label: "l" },
  ]);
  for (const wrong of [{ label: "l" }, [], { shelfId: "a/b" }, { shelfId: "a", colour: "red" }])
    expect([wrong, (await send("POST", path, wrong)).status]).toEqual([wrong, 400]);
  const query = [{ shelfId: '{"label":"l","floor":2}' }];
  expect((await send("POST", "/shelves/v1/find?floor=2", { label: "l" })).json()).toEqual(query);
  expect((await get("/shelves/v1/find?label=l&floor=2")).json()).toEqual(query);
});
