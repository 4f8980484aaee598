/** Whole answers are kept for the owner and the account that asked, for a while, and within bounds that no owner exceeds. */
import { expect, it } from "vitest";
import { createResultStore } from "../../src/results/store.js";
import { RowFile } from "../../src/rows/row-file.js";

let nowMs = 0;
const bytes = (length: number) => new Uint8Array(length);
const create = () => {
  nowMs = 0;
  return createResultStore({ maxBytesPerOwner: 100, maxBytes: 150, ttlMs: 1_000, now: () => nowMs });
};

it("returns the same value, to the owner and the account that it was kept for, and to no one else", () => {
  const store = create();
  const value = { a: 1 };
  const handle = store.keep("ann", "one", value) ?? "";
  expect(handle).toMatch(/^[\w-]{12}$/);
  expect(store.get("ann", "one", handle)?.content).toBe(value);
  expect(store.get("bob", "one", handle)).toBeUndefined();
  expect(store.get("ann", "two", handle)).toBeUndefined();
  expect(store.get("ann", "one", "x")).toBeUndefined();
});

it("discards what is too old", () => {
  const store = create();
  const handle = store.keep("ann", "one", bytes(10)) ?? "";
  nowMs = 999;
  expect(store.get("ann", "one", handle)).toBeDefined();
  nowMs = 1_000;
  expect(store.get("ann", "one", handle)).toBeUndefined();
});

it("evicts an owner's oldest first, and nothing of another's", () => {
  const store = create();
  const keep = (owner: string, length: number) => store.keep(owner, "one", bytes(length));
  const bobs = keep("bob", 60) ?? "";
  const [first, second, third] = [keep("ann", 40), keep("ann", 40), keep("ann", 50)];
  expect(store.get("ann", "one", first ?? "")).toBeUndefined();
  expect(store.get("ann", "one", second ?? "")).toBeDefined();
  expect(store.get("ann", "one", third ?? "")).toBeDefined();
  expect(store.get("bob", "one", bobs)).toBeDefined();
  // Ann can give up 90 and 0 are free: of the 150 for all, Bob has 60.
  expect(keep("ann", 91)).toBeUndefined();
  expect(store.get("ann", "one", third ?? "")).toBeDefined();
  expect(keep("ann", 90)).toBeDefined();
  nowMs = 2_000;
  expect(keep("ann", 100)).toBeDefined();
});

it("keeps nothing that is larger than an owner's part, and counts a value by the memory it takes", () => {
  const store = create();
  expect(store.keep("ann", "one", bytes(101))).toBeUndefined();
  // Sixteen bytes as JSON, and much more in memory.
  expect(store.keep("ann", "one", [[], [], [], [], []])).toBeUndefined();
  expect(store.keep("ann", "one", "x".repeat(30))).toBeDefined();
  expect(store.keep("ann", "one", "x".repeat(40))).toBeUndefined();
});

it("bounds files by their size on disk, drops each with its answer, and never keeps one that it dropped", () => {
  nowMs = 0;
  const bounds = { maxBytesPerOwner: 1_000, maxBytes: 2_000, maxDiskBytesPerOwner: 100, maxDiskBytes: 150 };
  const store = createResultStore({ ...bounds, ttlMs: 1_000, now: () => nowMs });
  const dropped: string[] = [];
  const file = (name: string, size: number) =>
    new RowFile(name, { columns: [], count: 1, bytes: size, places: [], at: "", value: null }, () =>
      dropped.push(name),
    );
  const first = store.keep("ann", "one", file("first", 60)) ?? "";
  expect(store.get("ann", "one", first)?.content).toBeInstanceOf(RowFile);
  expect(store.keep("ann", "one", file("large", 101))).toBeUndefined();
  expect(dropped).toEqual(["large"]);
  expect(store.keep("ann", "one", file("second", 60))).toBeDefined();
  expect(dropped).toEqual(["large", "first"]);
  expect(store.get("ann", "one", first)).toBeUndefined();
  // Of the 150 for all, Ann has 60.
  expect(store.keep("bob", "one", file("bobs", 91))).toBeUndefined();
  expect(store.keep("bob", "one", file("bobs", 90))).toBeDefined();
  expect(dropped).toEqual(["large", "first", "bobs"]);
  nowMs = 1_000;
  expect(store.get("ann", "one", "x")).toBeUndefined();
  expect(dropped).toEqual(["large", "first", "bobs", "second", "bobs"]);
});
