/** The manifest of the MCP bundle, version 0.3: what it runs, the form that a person fills in, and the tools in it. */
import manifest from "../package.json" with { type: "json" };
import { fields } from "./forms.js";

/** A reference in a manifest's text, which the client replaces. */
const placeholder = (name: string): string => `\${${name}}`;

// The format has no list to choose from, so the description of such a field names the choices.
const types = { text: "string", choice: "string", file: "file", flag: "boolean" } as const;
const userConfig = Object.entries(fields).map(([name, { title, description, kind, isSecret, default: usual }]) => [
  name,
  {
    type: types[kind],
    title,
    description,
    required: false,
    ...(isSecret ? { sensitive: true } : {}),
    ...(usual === undefined ? {} : { default: kind === "flag" ? usual === "true" : usual }),
  },
]);

/**
 * @param tools The tools that the server lists, with their descriptions.
 */
export const bundleManifest = (tools: readonly { readonly name: string; readonly description?: string }[]) => ({
  manifest_version: "0.3",
  name: manifest.name,
  display_name: "Edgewise",
  version: manifest.version,
  description: manifest.description,
  author: { name: manifest.author },
  repository: { type: "git", url: manifest.repository.url.replace(/^git\+/, "") },
  homepage: manifest.homepage,
  support: manifest.bugs.url,
  keywords: manifest.keywords,
  license: manifest.license,
  server: {
    type: "node",
    entry_point: "dist/server.js",
    mcp_config: {
      command: "node",
      args: [`${placeholder("__dirname")}/dist/server.js`],
      env: Object.fromEntries(
        Object.entries(fields).map(([name, { variable }]) => [variable, placeholder(`user_config.${name}`)]),
      ),
    },
  },
  tools: tools.map(({ name, description }) => ({ name, description })),
  prompts: [
    {
      name: "purge_safely",
      description: "Purges content step by step, with a preview that the user approves",
      arguments: ["what", "network"],
      text: `Purge safely: ${placeholder("arguments.what")}`,
    },
  ],
  user_config: Object.fromEntries(userConfig),
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: manifest.engines.node } },
});
