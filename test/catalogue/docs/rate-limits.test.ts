/** The table of rate limits in the documentation, which has what is declared. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { RateLimit } from "../../../src/language/rate-limit.js";
import { allServices } from "../../../src/tools/index.js";

const row = ({ api, bucket, isPerOperation, source }: RateLimit): string =>
  [
    api,
    bucket?.burst.toLocaleString("en") ?? "as reported",
    bucket?.perMinute.toLocaleString("en") ?? "as reported",
    isPerOperation ? "for each operation" : "together",
    source.replace(/^https:\/\/(.*)$/, "[$1](https://$1)"),
  ].join(" | ");

it("lists every limit that is declared, and no other", async () => {
  const declared = (await allServices()).flatMap(({ rateLimit }) => rateLimit ?? []);
  expect(declared.length).toBeGreaterThan(8);
  const text = readFileSync("docs/operations.md", "utf8");
  const [, table = ""] = /## Rate limits of the API\n[\s\S]*?\|---\|.*\n([\s\S]*?)\n\n/.exec(text) ?? [];
  expect(table.split("\n").map((line) => line.replace(/^\| | \|$/g, ""))).toEqual([...new Set(declared.map(row))]);
});

it("has one limit for each API, whichever of its services declares it", async () => {
  const rows = new Map<string, string>();
  for (const { rateLimit } of await allServices()) {
    if (rateLimit === undefined) continue;
    expect(rows.get(rateLimit.api) ?? row(rateLimit)).toBe(row(rateLimit));
    rows.set(rateLimit.api, row(rateLimit));
  }
});
