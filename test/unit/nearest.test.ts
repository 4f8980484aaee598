/** Which name an error suggests for one that does not exist. */
import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../src/api/nearest.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const tools = [...catalogueOf(await allServices(), await allWorkflows()).keys()];

it.each([
  ["purge_create", "purge_status"],
  ["PURGE_SUBMIT", "purge_submit"],
  ["prge_submit", "purge_submit"],
  ["dns_zones_get", "dns_zone_get"],
  ["purge", undefined],
  ["weather_forecast_for_tomorrow", undefined],
])("suggests for %s the tool %s", (given, expected) => {
  expect(nearest(given, tools)).toBe(expected);
});

it("suggests for a wrong name of a service's tool none of another service", () => {
  for (const tool of tools) {
    const [service = ""] = tool.split("_");
    for (const verb of ["create", "delete", "fetch"])
      expect([tool, nearest(`${service}_${verb}`, tools) ?? `${service}_`]).toEqual([
        tool,
        expect.stringMatching(new RegExp(`^${service}_`)),
      ]);
  }
});

it("is a clause, or nothing", () => {
  expect([didYouMean("objcts", ["objects"]), didYouMean("x", ["objects"])]).toEqual([' (did you mean "objects"?)', ""]);
});
