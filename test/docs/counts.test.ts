/** The numbers of operations and tools that people read agree with each other, and with what there is. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { countsInWords, countsOf } from "../../src/commands/operations.js";
import { guardOf } from "../../src/language/effect.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { textOf, written } from "./pages.js";

const services = await allServices("documents");
const workflows = await allWorkflows();
const catalogue = catalogueOf(services, workflows);
const counts = countsOf(services, catalogue);

it("are counted from the table of operations, the declarations and the hints, each by its own way", () => {
  const rows = readFileSync("test/contract/operations.tsv", "utf8").trim().split("\n").slice(1);
  const declared = services.flatMap(({ operations }) => Object.values(operations));
  const serving = workflows.filter(([, { servesAllTools }]) => servesAllTools).length;
  expect(counts).toEqual({
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

it("add up in the words that explain them, which the README and the page on coverage have", () => {
  const words = countsInWords(counts);
  const [tools, operations, , operationTools, more, workflowTools, general, guarded, guardedTools, others] = (
    words.match(/\d+/g) ?? []
  ).map(Number) as [number, number, number, number, number, number, number, number, number, number];
  expect(operationTools + workflowTools + general).toBe(tools);
  expect(operationTools + more).toBe(operations);
  expect(guarded + others).toBe(guardedTools);
  for (const page of ["README.md", "docs/coverage.md"]) expect(textOf(page)).toContain(words);
});

it("are the same wherever they are written by hand", () => {
  const known: Readonly<Record<string, readonly number[]>> = {
    operations: [counts.operations, counts.guardedOperations],
    services: [counts.services],
  };
  // The changelog tells how many there were when something changed.
  const strange = written
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) =>
      [...textOf(page).matchAll(/\b(\d{2,}) (operations|services)\b/g)]
        .filter(([, count, what = ""]) => !known[what]?.includes(Number(count)))
        .map(([text]) => `${page}: ${text}`),
    );
  expect(strange).toEqual([]);
});
