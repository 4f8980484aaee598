/** What is printed before a newer definition takes the place of one in the box. */
import { expect, it } from "vitest";
import { linesOfChanges } from "../../scripts/definition-changes.js";
import { plainRoute } from "../../src/definitions/route.js";
import { toysImported } from "./boxed.js";

const ok = { responses: { 200: { description: "ok" } } };
const query = (name: string, schema: object, required = false) => ({ name, in: "query", required, schema });
const posted = (properties: object, required: readonly string[]) => {
  const schema = { type: "object", properties, required };
  return { ...ok, requestBody: { content: { "application/json": { schema } } } };
};

it("prints the routes that came and went, and what differs of the others", () => {
  const before = toysImported({
    "/toys": {
      get: { ...ok, parameters: [query("page", { type: "integer", maximum: 9 }), query("old", {})] },
      post: posted({ name: { type: "string" }, kind: { type: "string", enum: ["a", "b"] } }, ["name"]),
    },
    "/gone": { get: ok },
    "/same": { get: ok },
  });
  const after = toysImported({
    "/toys": {
      get: { ...ok, parameters: [query("page", { type: "integer", maximum: 10 }, true)] },
      post: posted({ name: { type: "string", minLength: 1 }, kind: { type: "string", enum: ["b", "c"] } }, ["kind"]),
    },
    "/new/{id}": { get: { ...ok, parameters: [{ name: "id", in: "path", required: true, schema: {} }] } },
    "/same": { get: ok },
  });
  const tools = new Map([[plainRoute("GET /toys/v1/toys"), "toys toy_list"]]);
  expect(linesOfChanges(before.definitions, after.definitions, tools)).toEqual([
    "/toys/v1",
    "  The files differ: its reviewed reads are guarded until they are reviewed again.",
    "  GET /toys/v1/toys, declared as toys toy_list",
    "      query page shape maximum 9 -> 10",
    "    + query page isRequired true",
    '    - query old {"shape":{}}',
    "  POST /toys/v1/toys",
    '    - shownBy "toys_list"',
    "    + body application/json properties name minLength 1",
    '    - body application/json properties kind enum "a"',
    '    + body application/json properties kind enum "c"',
    '    - body application/json required "name"',
    '    + body application/json required "kind"',
    "- GET /toys/v1/gone",
    "+ GET /toys/v1/new/{}",
  ]);
  expect(linesOfChanges(after.definitions, after.definitions, tools)).toEqual([]);
});
