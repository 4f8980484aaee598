/** The manifest of the MCP bundle, version 0.3: what it runs, the form that a person fills in, and the tools in it. */
import manifest from "../package.json" with { type: "json" };
import type { Catalogue } from "../src/engine/catalogue.js";
import { menuOf } from "../src/engine/menu.js";
import type { Prompt } from "../src/language/prompt.js";
import { promptText } from "../src/resources/prompts.js";
import { fields } from "./forms.js";

/** A reference in a manifest's text, which the client replaces. */
const placeholder = (name: string): string => `\${${name}}`;

/** The surface that a bundle starts with: most clients that install one pass every listed tool on with each request. */
const surface = "core";

// The format has no list to choose from, so the description of such a field names the choices.
const types = { text: "string", choice: "string", file: "file", flag: "boolean" } as const;
const userConfig = Object.entries(fields).map(([name, { title, description, kind, isSecret, default: usual }]) => {
  const start = name === "surface" ? surface : usual;
  return [
    name,
    {
      type: types[kind],
      title,
      description,
      required: false,
      ...(isSecret ? { sensitive: true } : {}),
      ...(start === undefined ? {} : { default: kind === "flag" ? start === "true" : start }),
    },
  ];
});

/** A prompt with its arguments left open. The format has the whole text, which the server makes when it is asked. */
function promptOf(prompt: Prompt) {
  const { name, description } = prompt;
  const names = prompt.arguments.map((argument) => argument.name);
  const open = Object.fromEntries(names.map((one) => [one, placeholder(`arguments.${one}`)]));
  return { name, description, arguments: names, text: promptText(prompt, open) };
}

/**
 * @param catalogue All tools, of which those are named that the server lists.
 * @param prompts All prompts of the server.
 */
export const bundleManifest = (catalogue: Catalogue, prompts: readonly Prompt[]) => ({
  manifest_version: "0.3",
  name: manifest.name,
  display_name: "Edgewise",
  version: manifest.version,
  description: manifest.description,
  author: { name: manifest.author },
  repository: { type: "git", url: manifest.repository.url.replace(/^git\+/, "") },
  homepage: manifest.homepage,
  support: manifest.bugs.url,
  icon: "assets/icon.png",
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
  tools: menuOf(catalogue, { surface }).listed.map(({ tool: { name, description } }) => ({ name, description })),
  // Another surface lists others, and the person may choose one.
  tools_generated: true,
  prompts: prompts.map(promptOf),
  user_config: Object.fromEntries(userConfig),
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: manifest.engines.node } },
});
