/** `server.json`, the entry of the MCP registry: its limits, and the settings that the server reads. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readConfig } from "../../src/config.js";

interface Variable {
  readonly name: string;
  readonly default?: string;
  readonly choices?: readonly string[];
}
const entry = JSON.parse(readFileSync("server.json", "utf8"));
const variables: readonly Variable[] = entry.packages[0].environmentVariables;

it("server.json: name and version, within the registry's limits", () => {
  expect(entry).toMatchObject({ name: manifest.mcpName, version: manifest.version });
  expect(entry.packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
});

it("server.json: the server reads each variable and its choices", () => {
  expect(variables.length).toBeGreaterThan(8);
  for (const { name, default: usual, choices = [usual ?? "true"] } of variables)
    for (const value of choices) expect(() => readConfig([], { [name]: value }), name).not.toThrow();
  const usual = variables.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  expect(readConfig([], Object.fromEntries(usual)).values).toEqual(readConfig([], {}).values);
});
