/** JSON Patch as RFC 6902 has it, appendix A among others, and JSON Pointer as RFC 6901 has it. */
import { describe, expect, it } from "vitest";
import { JsonPatch, patched } from "../../src/schema/json-patch.js";
import { nearestPlace, pointerSteps, pointerTo, valueAt } from "../../src/schema/json-pointer.js";

type Line = readonly [what: string, root: unknown, patch: unknown, value: unknown];

const apply = (root: unknown, patch: unknown) => patched(root, JsonPatch.parse(patch), "patch");

describe("a patch", () => {
  it.each<Line>([
    ["adds a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
    ["adds an item", { a: [1, 3] }, [{ op: "add", path: "/a/1", value: 2 }], { a: [1, 2, 3] }],
    ["adds at the end", { a: [1] }, [{ op: "add", path: "/a/-", value: [2] }], { a: [1, [2]] }],
    ["adds over a member", { a: 1 }, [{ op: "add", path: "/a", value: null }], { a: null }],
    ["removes a member", { a: 1, b: 2 }, [{ op: "remove", path: "/a" }], { b: 2 }],
    ["removes an item", { a: [1, 2, 3] }, [{ op: "remove", path: "/a/1" }], { a: [1, 3] }],
    ["replaces a value", { a: { b: 1 } }, [{ op: "replace", path: "/a/b", value: 2 }], { a: { b: 2 } }],
    ["replaces the whole", { a: 1 }, [{ op: "replace", path: "", value: { b: 1 } }], { b: 1 }],
    ["moves a value", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
    ["moves an item", { a: [1, 2, 3] }, [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 3, 1] }],
    ["copies a value", { a: [1] }, [{ op: "copy", from: "/a/0", path: "/b" }], { a: [1], b: 1 }],
    ["tests a value", { a: [{ x: 1 }] }, [{ op: "test", path: "/a", value: [{ x: 1 }] }], { a: [{ x: 1 }] }],
    ["escapes in a pointer", { "~/": 1 }, [{ op: "replace", path: "/~0~1", value: 2 }], { "~/": 2 }],
    [
      "one after the other",
      { a: [] },
      [
        { op: "add", path: "/a/0", value: 1 },
        { op: "copy", from: "/a/0", path: "/b" },
      ],
      { a: [1], b: 1 },
    ],
  ])("a patch %s", (_, root, patch, value) => {
    const before = structuredClone(root);
    expect(apply(root, patch)).toEqual({ value });
    expect(root).toEqual(before);
  });

  const adds = (path: string, value: unknown = 1) => ({ op: "add", path, value });
  it.each<readonly [string, unknown, readonly object[], string, string]>([
    ["an index beyond the list", { a: [1] }, [adds("/a/2")], "[0].path", "0 to 1"],
    ["an index with a leading zero", { a: [1, 2] }, [{ op: "remove", path: "/a/01" }], "[0].path", "existing"],
    ["a parent that is not there", { a: {} }, [adds("/b/c")], "[0].path", "existing"],
    ["a replacement of nothing", { a: {} }, [{ ...adds("/a/b"), op: "replace" }], "[0].path", 'existing part is "/a"'],
    ["a removal of nothing", {}, [{ op: "remove", path: "/a" }], "[0].path", "existing"],
    ["a removal of everything", {}, [{ op: "remove", path: "" }], "[0].path", "inside"],
    ["a test that fails", { a: 1 }, [{ op: "test", path: "/a", value: "1" }], "[0].value", "the present value, 1"],
    ["a move into itself", { a: { b: {} } }, [{ op: "move", from: "/a", path: "/a/b" }], "[0].path", "outside"],
    ["a copy of nothing", {}, [{ op: "copy", from: "/a", path: "/b" }], "[0].from", "existing"],
    ["no place to copy from", {}, [{ op: "copy", path: "/b" }], "[0].from", "the location"],
    ["no value to add", {}, [{ op: "add", path: "/b" }], "[0].value", "a value"],
    ["what every object has", {}, [{ ...adds("/constructor/name"), op: "replace" }], "[0].path", "existing"],
    ["a member that sets a prototype", {}, [adds("/__proto__", {})], "[0].path", "no member"],
    ["the second operation", { a: 1 }, [adds("/b"), { op: "remove", path: "/c" }], "[1].path", "existing"],
  ])("a patch is refused for %s, and changes nothing", (_, root, patch, field, takes) => {
    const before = structuredClone(root);
    const problem = { field: `patch${field}`, takes: expect.stringContaining(takes) };
    expect(apply(root, patch)).toMatchObject({ problem });
    expect(root).toEqual(before);
  });

  it("a patch is a list of known operations on pointers", () => {
    expect(JsonPatch.safeParse([]).success).toBe(false);
    for (const operation of [
      { op: "merge", path: "/a" },
      { op: "remove", path: "a" },
      { op: "remove", path: "/~2" },
    ])
      expect(JsonPatch.safeParse([operation]).success).toBe(false);
  });
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
