/** What the list of tools costs an assistant, in o200k tokens of name, description and input schema; fails over the limits. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { catalogueOf } from "../src/mcp/tool.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";

// All 385 operations have to fit.
const limits = { total: 38_000, any: 400 };
const costs = [...catalogueOf(await allServices(), await allWorkflows()).values()].map(
  ({ tool: { name, description, inputSchema } }) => ({
    name,
    tokens: encode(JSON.stringify({ name, description, inputSchema })).length,
  }),
);
const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
const largest = [...costs].sort((a, b) => b.tokens - a.tokens).slice(0, 5);
console.log(
  `${costs.length} tools, ${total} tokens (limit ${limits.total}), ${(total / costs.length).toFixed(1)} on average`,
);
for (const { name, tokens } of largest) console.log(`${String(tokens).padStart(5)}  ${name}`);
process.exitCode = total <= limits.total && largest.every(({ tokens }) => tokens <= limits.any) ? 0 : 1;
