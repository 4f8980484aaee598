/** JSON Patch by RFC 6902, with the examples of its appendix A, and JSON Pointer by RFC 6901. */
import { expect, it } from "vitest";
import { applyPatch, JsonPatch } from "../../src/schema/json-patch.js";
import { nearestPlace, pointerSteps, pointerTo, valueAt } from "../../src/schema/json-pointer.js";
import { rowsOf } from "../lab/tables.js";

type Line = readonly [what: string, root: unknown, patch: unknown, value: unknown];
type Refused = readonly [what: string, root: unknown, patch: unknown, field: string, takes: string];

const apply = (root: unknown, patch: unknown) => applyPatch(root, JsonPatch.parse(patch), "patch");

it.each(rowsOf<Line>("schema/json-patch.tsv", "applied"))("a patch %s", (_, root, patch, value) => {
  const before = structuredClone(root);
  expect(apply(root, patch)).toEqual({ value });
  expect(root).toEqual(before);
});

it.each(rowsOf<Refused>("schema/json-patch.tsv", "refused"))(
  "a patch is refused for %s, and changes nothing",
  (_, root, patch, field, takes) => {
    const before = structuredClone(root);
    const problem = { field: `patch${field}`, takes: expect.stringContaining(takes) };
    expect(apply(root, patch)).toMatchObject({ problem });
    expect(root).toEqual(before);
  },
);

it("a patch is a list of known operations on pointers", () => {
  expect(JsonPatch.safeParse([]).success).toBe(false);
  for (const operation of [
    { op: "merge", path: "/a" },
    { op: "remove", path: "a" },
    { op: "remove", path: "/~2" },
  ])
    expect(JsonPatch.safeParse([operation]).success).toBe(false);
});

it("JSON Pointer: the examples of RFC 6901", () => {
  const root = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, " ": 7 };
  const found = { "": root, "/foo": root.foo, "/foo/0": "bar", "/": 0, "/a~1b": 1, "/m~0n": 8, "/ ": 7 };
  const values = { ...found, "/foo/2": undefined, "/foo/-": undefined };
  for (const [pointer, value] of Object.entries(values))
    expect([pointer, valueAt(root, pointer)]).toEqual([pointer, value]);
  expect(pointerSteps("foo")).toBeUndefined();
  expect(pointerTo("/foo", "a/~b")).toBe("/foo/a~1~0b");
  expect(nearestPlace(root, "/foo/1/x")).toBe("/foo/1");
});
