/** What each list of tools costs an assistant, in o200k tokens of name, description and input schema; fails over the limits. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { menuOf } from "../src/mcp/menu.js";
import { catalogueOf } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";

const limits = { all: 38_000, core: 5_000, catalogue: 1_500 } as const;
const limitOfOne = 400;

const catalogue = catalogueOf(await allServices(), await allWorkflows());
console.log("surface     tools  tokens   limit  largest");
for (const surface of ["all", "core", "catalogue"] as const) {
  const costs = menuOf(catalogue, { surface })
    .listed.map(({ tool: { name, description, inputSchema } }) => ({
      name,
      tokens: encode(JSON.stringify({ name, description, inputSchema })).length,
    }))
    .sort((a, b) => b.tokens - a.tokens);
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  const largest = costs.slice(0, 3).map(({ name, tokens }) => `${name} ${tokens}`);
  const numbers = [costs.length, total, limits[surface]].map((number) => String(number).padStart(6));
  console.log(`${surface.padEnd(10)} ${numbers.join("  ")}  ${largest.join(", ")}`);
  if (total > limits[surface] || (costs[0]?.tokens ?? 0) > limitOfOne) process.exitCode = 1;
}
