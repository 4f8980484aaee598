/** Memoization keeps values and forgets failures, and nothing else in the program keeps a promise. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lazily, onceFor } from "../../src/language/once-for.js";

const key = {};
const helpers: readonly (readonly [string, <T>(work: () => T) => () => T])[] = [
  ["lazily", (work) => lazily(work)],
  [
    "onceFor",
    (work) => {
      const of = onceFor((_: object) => work());
      return () => of(key);
    },
  ],
];

it.each(helpers)("%s works once, for all who wait for the value or come later", async (_, memoized) => {
  let count = 0;
  const value = memoized(async () => {
    count += 1;
    return { count };
  });
  const [first, second] = [value(), value()];
  expect(await first).toBe(await second);
  expect(await value()).toBe(await first);
  expect(count).toBe(1);
});

it.each(helpers)("%s forgets a failure, which all who waited for it receive", async (_, memoized) => {
  let count = 0;
  const failing = (isAsync: boolean) =>
    memoized(() => {
      count += 1;
      if (count > 1) return Promise.resolve(count);
      if (isAsync) return Promise.reject(new Error("down"));
      throw new Error("down");
    });
  const later = failing(true);
  const both = await Promise.allSettled([later(), later()]);
  expect([both.map(({ status }) => status), count]).toEqual([["rejected", "rejected"], 1]);
  expect([await later(), await later()]).toEqual([2, 2]);
  count = 0;
  const atOnce = failing(false);
  expect(atOnce).toThrow("down");
  expect(await atOnce()).toBe(2);
});

it("lazily passes the arguments of the first call that succeeds", async () => {
  const greeting = lazily(async (name: string) => {
    if (name === "") throw new Error("no name");
    return `hello ${name}`;
  });
  await expect(greeting("")).rejects.toThrow("no name");
  expect([await greeting("ann"), await greeting("bob")]).toEqual(["hello ann", "hello ann"]);
});

it("no other source keeps a promise, in which a failure could stay", () => {
  const root = new URL("../../src/", import.meta.url).pathname;
  const kept = /let \w+: Promise<[^;]*\| undefined;|new Map<[^;()]*, Promise</;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  expect(files.filter((path) => kept.test(readFileSync(join(root, path), "utf8"))).sort()).toEqual([
    // The reads of one call, and the questions of one command.
    "calls/invoke.ts",
    "commands/at-terminal.ts",
    // Work that those share who ask while it lasts, and that is forgotten however it ends.
    "mcp/http/token-denials.ts",
    "profiles/credential.ts",
    // The readings of one call.
    "site/known.ts",
  ]);
});
