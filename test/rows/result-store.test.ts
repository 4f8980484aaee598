/** Stored results belong to the owner and the account of the call, for a while, and within bounds that no owner exceeds. */
import { expect, it } from "vitest";
import { createResultStore, type ResultStore, resultsFor, storeNamedResults } from "../../src/rows/result-store.js";
import { RowFile } from "../../src/rows/row-file.js";
import { handleOf } from "../lab/options.js";

let nowMs = 0;
const bytes = (length: number) => new Uint8Array(length);
const create = () => {
  nowMs = 0;
  return createResultStore({ maxBytesPerOwner: 100, maxBytes: 150, ttlMs: 1_000, now: () => nowMs });
};
/** Stores a value for an owner and the account "one". */
const keptIn = (store: ResultStore, owner: string, content: unknown) =>
  handleOf(resultsFor(store, "one"), content, owner);

it("results: a value for its owner and account alone", async () => {
  const store = create();
  const value = { a: 1 };
  const handle = (await keptIn(store, "ann", value)) ?? "";
  expect(handle).toMatch(/^[\w-]{12}$/);
  expect((await store.get("ann", "one", handle))?.content).toBe(value);
  expect(await store.get("bob", "one", handle)).toBeUndefined();
  expect(await store.get("ann", "two", handle)).toBeUndefined();
  expect(await store.get("ann", "one", "x")).toBeUndefined();
});

it("results: discarded when too old", async () => {
  const store = create();
  const handle = (await keptIn(store, "ann", bytes(10))) ?? "";
  nowMs = 999;
  expect(await store.get("ann", "one", handle)).toBeDefined();
  nowMs = 1_000;
  expect(await store.get("ann", "one", handle)).toBeUndefined();
});

it("results: an owner's oldest is evicted first", async () => {
  const store = create();
  const keep = (owner: string, length: number) => keptIn(store, owner, bytes(length));
  const bobs = (await keep("bob", 60)) ?? "";
  const [first, second, third] = [await keep("ann", 40), await keep("ann", 40), await keep("ann", 50)];
  expect(await store.get("ann", "one", first ?? "")).toBeUndefined();
  expect(await store.get("ann", "one", second ?? "")).toBeDefined();
  expect(await store.get("ann", "one", third ?? "")).toBeDefined();
  expect(await store.get("bob", "one", bobs)).toBeDefined();
  // Ann can give up 90 and 0 are free: of the 150 for all, Bob has 60.
  expect(await keep("ann", 91)).toBeUndefined();
  expect(await store.get("ann", "one", third ?? "")).toBeDefined();
  expect(await keep("ann", 90)).toBeDefined();
  nowMs = 2_000;
  expect(await keep("ann", 100)).toBeDefined();
});

it("results: none larger than an owner's part, by its memory", async () => {
  const store = create();
  expect(await keptIn(store, "ann", bytes(101))).toBeUndefined();
  // Sixteen bytes as JSON, and much more in memory.
  expect(await keptIn(store, "ann", [[], [], [], [], []])).toBeUndefined();
  expect(await keptIn(store, "ann", "x".repeat(30))).toBeDefined();
  expect(await keptIn(store, "ann", "x".repeat(40))).toBeUndefined();
});

it("results: files are bounded by their size on disk", async () => {
  nowMs = 0;
  const bounds = { maxBytesPerOwner: 1_000, maxBytes: 2_000, maxDiskBytesPerOwner: 100, maxDiskBytes: 150 };
  const store = createResultStore({ ...bounds, ttlMs: 1_000, now: () => nowMs });
  const dropped: string[] = [];
  const file = (name: string, size: number) =>
    new RowFile(name, { columns: [], count: 1, bytes: size, places: [], at: "", value: null }, () =>
      dropped.push(name),
    );
  const first = (await keptIn(store, "ann", file("first", 60))) ?? "";
  expect((await store.get("ann", "one", first))?.content).toBeInstanceOf(RowFile);
  expect(await keptIn(store, "ann", file("large", 101))).toBeUndefined();
  expect(dropped).toEqual(["large"]);
  expect(await keptIn(store, "ann", file("second", 60))).toBeDefined();
  expect(dropped).toEqual(["large", "first"]);
  expect(await store.get("ann", "one", first)).toBeUndefined();
  // Of the 150 for all, Ann has 60.
  expect(await keptIn(store, "bob", file("bobs", 91))).toBeUndefined();
  expect(await keptIn(store, "bob", file("bobs", 90))).toBeDefined();
  expect(dropped).toEqual(["large", "first", "bobs"]);
  nowMs = 1_000;
  expect(await store.get("ann", "one", "x")).toBeUndefined();
  expect(dropped).toEqual(["large", "first", "bobs", "second", "bobs"]);
});

it("results: a text names only those that had room", async () => {
  const store = create();
  const context = { shows: { instants: [] } };
  const named = (...sizes: readonly number[]) => {
    const wholes = sizes.map(bytes);
    return storeNamedResults(
      (keep) => wholes.map((whole) => keep(whole, context) ?? "no handle"),
      (one) => store.keep("ann", "one", one.handle, one.whole, one.context),
    );
  };
  const [first = "", second = ""] = await named(40, 50);
  expect(await store.get("ann", "one", first)).toEqual({ ...context, content: bytes(40) });
  expect(await store.get("ann", "one", second)).toEqual({ ...context, content: bytes(50) });
  const [third = "", ...others] = await named(40, 101);
  expect((await store.get("ann", "one", third))?.content).toEqual(bytes(40));
  expect(others).toEqual(["no handle"]);
});
