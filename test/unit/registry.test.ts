/** `server.json` against the rules of the MCP registry, as its schema of 2025-12-11 and its documentation state them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readConfig } from "../../src/config.js";
import { z } from "../../src/language/z.js";

const entry = JSON.parse(readFileSync("server.json", "utf8")) as object;

// Stricter than the schema: a member that it does not know is an error here, because it would be a misspelt one.
const input = z
  .strictObject({
    name: z.string().min(1),
    description: z.string().min(1),
    format: z.enum(["string", "number", "boolean", "filepath"]),
    isRequired: z.boolean(),
    isSecret: z.boolean(),
    default: z.string().optional(),
    choices: z.array(z.string()).min(1).optional(),
  })
  .refine(({ choices, default: usual }) => !choices || usual === undefined || choices.includes(usual));
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+$/);
const serverJson = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.string().min(1) }),
  packages: z
    .array(
      z.strictObject({
        registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
        identifier: z.string().min(1),
        version: exactVersion,
        runtimeHint: z.string().min(1),
        transport: z.strictObject({ type: z.literal("stdio") }),
        environmentVariables: z.array(input),
      }),
    )
    .min(1),
});

it("is an entry as the registry takes it", () => {
  expect(serverJson.safeParse(entry).error?.issues ?? []).toEqual([]);
});

it.each([
  ["a name without a namespace", { name: "edgewise" }],
  ["a description that is too long", { description: "x".repeat(101) }],
  ["a range of versions", { version: "^1.0.0" }],
  ["a member that there is not", { licence: "x" }],
])("would not be one with %s", (_, change) => {
  expect(serverJson.safeParse({ ...entry, ...change }).success).toBe(false);
});

it("is the package's own entry: its name, its version, and the name by which the package says so", () => {
  expect(serverJson.parse(entry)).toMatchObject({
    name: manifest.mcpName,
    version: manifest.version,
    packages: [{ identifier: manifest.name, version: manifest.version }],
  });
});

it("names variables that the server reads, with defaults and choices that it takes", () => {
  const variables = serverJson.parse(entry).packages.flatMap(({ environmentVariables }) => environmentVariables);
  expect(variables.length).toBeGreaterThan(8);
  for (const { name, default: usual, choices = [usual ?? "true"] } of variables)
    for (const value of choices) expect(() => readConfig([], { [name]: value }), name).not.toThrow();
  const usual = variables.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  expect(readConfig([], Object.fromEntries(usual)).values).toEqual(readConfig([], {}).values);
});
