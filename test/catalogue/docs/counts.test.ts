/** The numbers of operations and tools that people read are those of the declarations. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { countsOf } from "../../../src/commands/operations.js";
import { guardOf } from "../../../src/language/effect.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";

it("counts: of the table of operations, the declarations and the hints", async () => {
  const services = await allServices("documents");
  const workflows = await allWorkflows();
  const catalogue = catalogueOf(services, workflows);
  const rows = readFileSync("test/oracles/operations.tsv", "utf8").trim().split("\n").slice(1);
  const declared = services.flatMap(({ operations }) => Object.values(operations));
  const serving = workflows.filter(([, { servesAllTools }]) => servesAllTools).length;
  expect(countsOf(services, catalogue)).toEqual({
    services: new Set(rows.map((row) => row.split("\t")[1])).size,
    operations: rows.length,
    guardedOperations: declared.filter(({ spec }) => guardOf({ spec }) !== undefined).length,
    guardedOperationTools: declared.filter(({ spec }) => guardOf({ spec }) !== undefined).length,
    tools: declared.length + workflows.length,
    guardedTools: [...catalogue.values()].filter(({ tool }) => tool.annotations.destructiveHint).length,
    operationTools: declared.length,
    workflows: workflows.length - serving,
    generalTools: serving,
  });
});
