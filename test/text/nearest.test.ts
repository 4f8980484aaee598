/** Which name an error suggests for one that does not exist. */
import { expect, it } from "vitest";
import { settings } from "../../src/config.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { didYouMean, nearestName } from "../../src/text/nearest.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { rowsOf } from "../lab/tables.js";

const tools = [...catalogueOf(await allServices("documents"), await allWorkflows()).keys()];
const flags = [...Object.keys(settings), "help", "version"].map((name) => `--${name}`);

it.each([
  ["tool", tools],
  ["flag", flags],
] as const)("the %s that is nearest is suggested, or none", async (kind, known) =>
  holdsForEach(rowsOf<[given: string, nearest: string | null]>("text/nearest.tsv", kind), (given, expected) =>
    expect(nearestName(given, known) ?? null).toBe(expected),
  ),
);

it("a name with a letter left out, doubled or swapped is found", () => {
  const known = [...tools, ...flags].filter((name) => name.replace(/^--/, "").length >= 4);
  // Every eighth: names of all lengths, and of each kind.
  const lost = known.flatMap((name, index) => {
    if (index % 8 > 0) return [];
    const at = Math.max(name.lastIndexOf("_") + 1, name.lastIndexOf("-") + 1, 0) + 1;
    const slips = [
      name.slice(0, at) + name.slice(at + 1),
      name.slice(0, at) + name.slice(at - 1),
      name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2),
    ].filter((slip) => !known.includes(slip));
    return slips.filter((slip) => nearestName(slip, known) === undefined).map((slip) => [name, slip]);
  });
  expect(lost).toEqual([]);
});

it("no tool of another service is suggested", () => {
  for (const service of new Set(tools.map((tool) => tool.split("_")[0] ?? ""))) {
    for (const verb of ["create", "delete", "fetch"]) {
      const [found = service] = (nearestName(`${service}_${verb}`, tools) ?? "").split("_").filter(Boolean);
      expect(found.replace(/(y|ies|s)$/, "")).toBe(service.replace(/(y|ies|s)$/, ""));
    }
  }
});

it("a suggestion is a clause, or nothing", () => {
  expect([didYouMean("objcts", ["objects"]), didYouMean("x", ["objects"])]).toEqual([' (did you mean "objects"?)', ""]);
});
