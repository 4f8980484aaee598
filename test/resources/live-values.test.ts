/** Values for completions: cached for half a minute and for one account, read by a few calls, and none where there are none. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Failure } from "../../src/language/failure.js";
import type { LiveValues } from "../../src/language/reading.js";
import { z } from "../../src/language/z.js";
import { liveValues, matchingValues } from "../../src/resources/live-values.js";

const now = Date.UTC(2026, 4, 20);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

const of = z.array(z.string()).catch([]);
function source(answer: (tool: string, args: object) => unknown) {
  const asked: string[] = [];
  const invoke = async (tool: string, args: object) => {
    asked.push(`${tool} ${JSON.stringify(args)}`);
    return { body: answer(tool, args) };
  };
  return { asked, from: { api: async () => ({ invoke }) } };
}
const plain: LiveValues = { tool: "a", of };

it("live values: one request in half a minute for each account", async () => {
  const [mine, theirs] = [source(() => ["x"]), source(() => ["y"])];
  for (const _ of [1, 2, 3]) expect(await liveValues(mine.from, plain)).toEqual(["x"]);
  expect(await liveValues(theirs.from, plain)).toEqual(["y"]);
  expect(mine.asked).toHaveLength(1);
  vi.setSystemTime(now + 31_000);
  await liveValues(mine.from, plain);
  expect(mine.asked).toHaveLength(2);
});

it("live values: a refusal or an answer of another shape is not cached", async () => {
  let answers: (() => unknown)[] = [];
  const { from } = source(() => answers.shift()?.());
  answers = [
    () => {
      throw new Failure("forbidden", "It was refused.", { next: "Ask for the grant." });
    },
    () => ({ error: "x" }),
    () => ["found"],
  ];
  expect(await liveValues(from, plain)).toEqual([]);
  expect(await liveValues(from, plain)).toEqual([]);
  expect(await liveValues(from, plain)).toEqual(["found"]);
});

it("live values: five calls at most, and each value once", async () => {
  const pieces = z.array(z.int().transform((id) => ({ id }))).catch([]);
  const { asked, from } = source((tool) => (tool === "each" ? [1, 2, 3, 4, 5, 6, 7] : ["same", "other"]));
  const values = await liveValues(from, { tool: "a", args: { deep: true }, of, per: { tool: "each", of: pieces } });
  expect(values).toEqual(["same", "other"]);
  expect(asked).toEqual(["each {}", ...[1, 2, 3, 4, 5].map((id) => `a {"deep":true,"id":${id}}`)]);
});

it("live values: a URI fills in only arguments that are declared", async () => {
  const { asked, from } = source(() => ["x"]);
  const wanted = { ...plain, args: { family: "a", deep: true } };
  await liveValues(from, wanted, { pack: "7" });
  await liveValues(from, wanted, { pack: "7", family: "b" });
  expect(asked).toEqual(['a {"family":"a","deep":true}', 'a {"family":"b","deep":true}']);
});

it("live values: the latest are cached, and the oldest are dropped", async () => {
  const { asked, from } = source(() => ["x"]);
  for (let at = 0; at < 65; at++) await liveValues(from, { ...plain, args: { at } });
  await liveValues(from, { ...plain, args: { at: 64 } });
  expect(asked).toHaveLength(65);
  await liveValues(from, { ...plain, args: { at: 0 } });
  expect(asked).toHaveLength(66);
});

it("live values: a thousand at most, those with the prefix first", async () => {
  const { from } = source(() => Array.from({ length: 1_200 }, (_, at) => `v${at}`));
  expect(await liveValues(from, plain)).toHaveLength(1_000);
  expect(matchingValues(["bab", "abc", "x"], "ab")).toEqual(["abc", "bab"]);
});
