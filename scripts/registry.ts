/** The entry of the server in the MCP registry, `server.json`: where it is, and what its package takes. */
import manifest from "../package.json" with { type: "json" };
import { fields } from "./forms.js";

const formats = { text: "string", choice: "string", file: "filepath", flag: "boolean" } as const;

export const registryEntry = () => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  // The registry takes the package for this server's because the package has the same name in `mcpName`.
  name: manifest.mcpName,
  title: "Edgewise",
  description: manifest.description,
  version: manifest.version,
  websiteUrl: manifest.homepage,
  repository: { url: manifest.repository.url.replace(/^git\+/, ""), source: manifest.repository.type },
  packages: [
    {
      registryType: "npm",
      identifier: manifest.name,
      version: manifest.version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      environmentVariables: Object.values(fields).map((field) => ({
        name: field.variable,
        description: field.description,
        format: formats[field.kind],
        isRequired: false,
        isSecret: field.isSecret ?? false,
        ...(field.default === undefined ? {} : { default: field.default }),
        ...(field.choices ? { choices: field.choices } : {}),
      })),
    },
  ],
});
