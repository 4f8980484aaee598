/** What each list of tools costs an assistant, in o200k tokens. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { type MenuChoice, menuOf } from "../src/engine/menu.js";
import type { Service } from "../src/language/service.js";
import { catalogueOf } from "../src/mcp/tool.js";
import type { allWorkflows } from "../src/workflows/index.js";

/** The budgets of the lists by setting and surface, and of one tool. */
export const limits = {
  documents: { all: 38_000, core: 5_000, catalogue: 1_500 },
  today: { all: 46_000, core: 5_000, catalogue: 1_500 },
} as const;
export const limitOfOne = 400;

const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

/**
 * For each surface, the cost of each tool by name, description and input schema, and of the whole list as it is sent.
 * @param apis As the setting: today's have no retired ones, and the imported operations, which the call tools call.
 */
export function menuCosts(
  services: readonly Service[],
  workflows: Awaited<ReturnType<typeof allWorkflows>>,
  apis: "documents" | "today" = "documents",
) {
  const catalogue = catalogueOf(services, workflows, apis);
  const ofToday: Partial<MenuChoice> = apis === "today" ? { isOfToday: true, hasImported: true } : {};
  return (["all", "core", "catalogue"] as const).map((surface) => {
    const tools = menuOf(catalogue, { surface, ...ofToday }).listed.map(({ tool }) => tool);
    const each = tools
      .map(({ name, description, inputSchema }) => ({ name, tokens: tokensOf({ name, description, inputSchema }) }))
      .sort((a, b) => b.tokens - a.tokens);
    const tokens = each.reduce((sum, one) => sum + one.tokens, 0);
    return { surface, each, tokens, sent: tokensOf({ tools }) };
  });
}
