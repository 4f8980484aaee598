/** Calls in the form of public facts, on a made-up service: which tools use it, and where their arguments then stand. */
import { expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulated } from "../../src/emulator/service.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { describe } from "../../src/guard/preview.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { deadlineIn } from "../../src/language/durations.js";
import { Failure } from "../../src/language/failure.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { createClient } from "../../src/wire/index.js";
import { asPublished, inPublishedPlaces } from "../../src/wire/published.js";
import { resolveRequest } from "../../src/wire/request.js";
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
      body: json(z.strictObject({ label: z.string().optional() })),
      returns: { 201: json(Shelf) },
      published: { route: "POST /shelves/v1/shelves", inBody: ["shelfId"] },
      effect: "create",
      shownBy: "shelf_find",
      example: { shelfId: "s1", body: { label: "a" } },
    }),
    shelf_fill: op("PUT /shelves/v1/shelves/{shelfId}/content", {
      does: "Replaces what stands on a shelf, whatever that is.",
      path: { shelfId: z.string() },
      body: json(z.unknown()),
      returns: { 200: json(Shelf) },
      published: { route: "PUT /shelves/v1/content/{shelfId}", inBody: [] },
      effect: "update",
      shownBy: "shelf_find",
      means: { 404: ({ shelfId = "none" }) => `There is no shelf ${shelfId}.` },
      example: { shelfId: "s1", body: [] },
    }),
    shelf_move: op("POST /shelves/v1/shelves/{shelfId}/move", {
      does: "Moves a shelf to what its body says.",
      path: { shelfId: z.string() },
      body: json(z.unknown()),
      returns: { 200: json(Shelf) },
      published: { route: "POST /shelves/v1/move", inBody: ["shelfId"] },
      effect: "update",
      shownBy: "shelf_find",
      example: { shelfId: "s1", body: {} },
    }),
    shelf_empty: op("POST /shelves/v1/shelves/{shelfId}/empty", {
      does: "Takes everything off a shelf.",
      path: { shelfId: z.string() },
      returns: { 200: json(Shelf) },
      published: { route: "POST /shelves/v1/empty/{shelfId}", inBody: [] },
      effect: "update",
      shownBy: "shelf_find",
      example: { shelfId: "s1" },
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

const bodies = [{ a: [1] }, {}, [{ a: 1 }], [], "text", "", 7, 0, true, false, null];

it.each(bodies)("sends the body %j as it is where the form moves nothing into it", async (body) => {
  const args = { shelfId: "s1", body };
  expect(await sent("shelf_fill", args, "shelf_fill")).toEqual({
    ...(await sent("shelf_fill", args)),
    line: "PUT /shelves/v1/content/s1",
  });
  expect((await sent("shelf_fill", args, "shelf_fill")).body).toEqual(body);
});

it("sends no body where there is none and the form moves nothing into it", async () => {
  expect(await sent("shelf_empty", { shelfId: "s1" }, "shelf_empty")).toEqual({
    line: "POST /shelves/v1/empty/s1",
    body: undefined,
    type: undefined,
  });
});

it.each(bodies.filter((body) => typeof body !== "object" || Array.isArray(body) || body === null))(
  "refuses the body %j where it has no place for what is moved, and drops neither",
  async (body) => {
    const takes = expect.stringMatching(/^an object: the published route.* has shelfId in it$/);
    const refusal = { code: "invalid_input", detail: { fields: [{ field: "body", takes }] } };
    await expect(sent("shelf_move", { shelfId: "s1", body }, "shelf_move")).rejects.toMatchObject(refusal);
  },
);

it("refuses a body that has another value in the place of what is moved, and takes the same", async () => {
  const move = (shelfId: unknown) => sent("shelf_move", { shelfId: "s1", body: { shelfId, floor: 2 } }, "shelf_move");
  expect((await move("s1")).body).toEqual({ shelfId: "s1", floor: 2 });
  for (const other of ["s2", "", null, 1])
    await expect(move(other)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/body\.shelfId: .* takes the same as shelfId/),
    });
});

it("puts nothing into a body for an argument that was not given", () => {
  const values = { label: undefined, floor: 2, body: { label: "a" } };
  expect(inPublishedPlaces(values, { inBody: ["label"] })).toEqual({ floor: 2, body: { label: "a" } });
});

it("leaves a call as it is where nothing is listed, or the documents' form is the only one", () => {
  const operation = operations["shelf_create"] as AnyOperation;
  const args = checkArguments("shelf_create", operation, creation);
  expect(asPublished("shelf_create", operation, args, undefined)).toEqual({ operation, args });
  const { published: _, ...spec } = operation.spec;
  const only = { ...operation, spec };
  expect(asPublished("shelf_create", only, args, new Set(["shelf_create"]))).toEqual({ operation: only, args });
});

it("has its arguments in a preview where they are sent", async () => {
  const operation = operations["shelf_create"] as AnyOperation;
  const checked = checkArguments("shelf_create", operation, creation);
  const argumentsWith = async (...published: readonly string[]) => {
    const target = { origin: "https://host.example", vendor: "akamai", publishedRoutes: new Set(published) };
    const request = await resolveRequest("shelf_create", operation, checked, target);
    const description = describe("shelf_create", operation, checked, request, "the account", undefined);
    const { lines } = describeAll("shelf_create", [description]);
    return lines.filter((line) => /label|shelfId/.test(line));
  };
  expect(await argumentsWith()).toEqual(['shelfId: "s 1"', "body.label: a"]);
  expect(await argumentsWith("shelf_create")).toEqual(["body.label: a", 'body.shelfId: "s 1"']);
});

it("has its own hint for what is in the path, in either form", async () => {
  const hintWith = async (...published: readonly string[]) => {
    const answer = { status: 404, headers: {}, body: (async function* () {})() };
    const operation = operations["shelf_fill"] as AnyOperation;
    const client = createClient({
      target: { origin: "https://host.example", vendor: "akamai", publishedRoutes: new Set(published) },
      authorize: () => ({}),
      maxResponseBytes: 1_000,
      send: async () => answer,
    });
    const checked = checkArguments("shelf_fill", operation, { shelfId: "s1", body: [] });
    const request = await client.resolve("shelf_fill", operation, checked);
    const failure = await client
      .call("shelf_fill", "shelf", operation, request, deadlineIn(1_000), () => undefined)
      .catch((error: Failure) => error);
    return failure instanceof Failure ? failure.detail.next : failure;
  };
  expect(await hintWith()).toBe(
    "There is no shelf s1. If the object exists, the API may have this operation as PUT /shelves/v1/content/{shelfId} instead: the operator can add shelf_fill to the setting published-routes to use that form.",
  );
  expect(await hintWith("shelf_fill")).toBe(
    "There is no shelf s1. The setting published-routes lists shelf_fill, so it was sent in the published form. If the API does not have that form, the operator can remove shelf_fill from the setting to use PUT /shelves/v1/shelves/{shelfId}/content again.",
  );
});

it("is taken by the emulator in both forms, and refused without its argument", async () => {
  const found: unknown[] = [];
  const registered = emulated(shelves, usualErrorFormat, {
    shelf_find: ({ query }) => ({ status: 200 as const, body: [{ shelfId: JSON.stringify(query) }] }),
    shelf_create: ({ path, body }) => {
      found.push({ ...path, ...body });
      return { status: 201 as const, body: { shelfId: path.shelfId } };
    },
    shelf_fill: ({ body }) => ({ status: 200 as const, body: { shelfId: JSON.stringify(body) } }),
    shelf_move: ({ body }) => ({ status: 200 as const, body: { shelfId: JSON.stringify(body) } }),
    shelf_empty: ({ path }) => ({ status: 200 as const, body: { shelfId: path.shelfId } }),
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
  const content = [{ a: 1 }];
  expect((await send("PUT", "/shelves/v1/content/s1", content)).json()).toEqual({ shelfId: JSON.stringify(content) });
  const query = [{ shelfId: '{"label":"l","floor":2}' }];
  expect((await send("POST", "/shelves/v1/find?floor=2", { label: "l" })).json()).toEqual(query);
  expect((await get("/shelves/v1/find?label=l&floor=2")).json()).toEqual(query);
});
