/** Which name an error suggests for one that does not exist. */
import { expect, it } from "vitest";
import { settings } from "../../src/config.js";
import { didYouMean, nearest } from "../../src/language/nearest.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const tools = [...catalogueOf(await allServices("documents"), await allWorkflows()).keys()];
const flags = [...Object.keys(settings), "help", "version"].map((name) => `--${name}`);

it.each([
  ["PURGE_SUBMIT", "purge_submit"],
  ["prge_submit", "purge_submit"],
  ["purge_sumbit", "purge_submit"],
  ["purge-submit", "purge_submit"],
  ["dns_zones_get", "dns_zone_get"],
  // A plural for a singular and the other way round, also of another first word.
  ["event_list", "events_list"],
  ["events_get", "event_get"],
  ["property_list", "properties_list"],
  // The beginning or the last words of one tool alone.
  ["purge_queue", "purge_queue_get"],
  ["zone_write", "dns_zone_write"],
])("suggests for %s the tool %s", (given, expected) => {
  expect(nearest(given, tools)).toBe(expected);
});

it.each(
  [
    ...["foo", "frobnicate", "purge", "weather_forecast_for_tomorrow", "cache_clear", "login", "report", "a_b"],
    // The same service or the same verb does not make two names alike.
    ...["purge_create", "purge_delete", "purge_url", "report_get", "certs_list", "config_get", "data_get"],
  ].map((name) => [name]),
)("suggests no tool for %s", (given) => {
  expect(nearest(given, tools)).toBeUndefined();
});

it.each<[string, string | undefined]>([
  ["--prot", "--port"],
  ["--secton", "--section"],
  ["--redonly", "--read-only"],
  ["--tokenfile", "--token-file"],
  ["--policies", "--policy"],
  ["--state", "--state-dir"],
  ["--account", "--account-switch-key"],
  ["--hlep", "--help"],
  ...["--xyz", "--out", "--verbose", "--force", "--format", "--file", "--host-name", "--time", "--yes", "--v"].map(
    (flag): [string, undefined] => [flag, undefined],
  ),
])("suggests for the flag %s %s", (given, expected) => {
  expect(nearest(given, flags)).toBe(expected);
});

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
    return slips.filter((slip) => nearest(slip, known) === undefined).map((slip) => [name, slip]);
  });
  expect(lost).toEqual([]);
});

it("no tool of another service is suggested", () => {
  for (const service of new Set(tools.map((tool) => tool.split("_")[0] ?? ""))) {
    for (const verb of ["create", "delete", "fetch"]) {
      const [found = service] = (nearest(`${service}_${verb}`, tools) ?? "").split("_").filter(Boolean);
      expect(found.replace(/(y|ies|s)$/, "")).toBe(service.replace(/(y|ies|s)$/, ""));
    }
  }
});

it("is a clause, or nothing", () => {
  expect([didYouMean("objcts", ["objects"]), didYouMean("x", ["objects"])]).toEqual([' (did you mean "objects"?)', ""]);
});
