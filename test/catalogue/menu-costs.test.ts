/** What the lists of tools cost an assistant, within their budgets. */
import { expect, it } from "vitest";
import { limitOfOne, limits, menuCosts } from "../../scripts/menu-costs.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

it.each(["documents", "today"] as const)("the lists of %s are within their budgets of tokens", async (apis) => {
  const costs = menuCosts(await allServices(), await allWorkflows(apis), apis);
  const excess = costs.filter(({ surface, tokens }) => tokens > limits[apis][surface]);
  expect(excess.map(({ surface, tokens }) => [surface, tokens])).toEqual([]);
  expect(costs.flatMap(({ each }) => each.filter(({ tokens }) => tokens > limitOfOne))).toEqual([]);
});
