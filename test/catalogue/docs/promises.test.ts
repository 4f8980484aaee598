/** SECURITY.md promises nothing without a test, and no test holds a promise that is not made. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const promises =
  readFileSync("SECURITY.md", "utf8")
    .split("## What is not promised")[0]
    ?.split(/\n(?=\*\*)/)
    .slice(1) ?? [];
const citedIn = (text: string) =>
  [...(/^Held by ([^.]+)\.$/m.exec(text)?.[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, id]) => id);
const held = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) =>
    [...readFileSync(`test/${file}`, "utf8").matchAll(/\bpromise\(\s*"([^"]+)"/g)].map(([, id]) => id),
  );

it("has a test for each promise", () => {
  expect(promises.filter((text) => citedIn(text).length === 0)).toEqual([]);
});

it("names each test that holds a promise once, and no other", () => {
  expect(promises.flatMap(citedIn).toSorted()).toEqual(held.toSorted());
});
