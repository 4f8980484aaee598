/** The numbers and tables that people read are those of the declarations. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { catalogueCounts } from "../../../src/commands/operations.js";
import { guardOf } from "../../../src/language/effect.js";
import type { RateLimit } from "../../../src/language/rate-limit.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { operationTable } from "../../oracles/operation-table.js";

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

it("counts: of the table of operations, the declarations and the hints", async () => {
  const services = await allServices("documents");
  const workflows = await allWorkflows();
  const catalogue = catalogueOf(services, workflows);
  const declared = services.flatMap(({ operations }) => Object.values(operations));
  const serving = workflows.filter(([, { servesAllTools }]) => servesAllTools).length;
  expect(catalogueCounts(services, catalogue)).toEqual({
    services: new Set(operationTable.map((row) => row.service)).size,
    operations: operationTable.length,
    guardedOperations: declared.filter(({ spec }) => guardOf({ spec }) !== undefined).length,
    guardedOperationTools: declared.filter(({ spec }) => guardOf({ spec }) !== undefined).length,
    tools: declared.length + workflows.length,
    guardedTools: [...catalogue.values()].filter(({ tool }) => tool.annotations.destructiveHint).length,
    operationTools: declared.length,
    workflows: workflows.length - serving,
    generalTools: serving,
  });
});
