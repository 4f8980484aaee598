/** What a tool takes, from its declaration and to the depth that flags and their help go to. */
import type { Catalogue, JsonSchema } from "../engine/catalogue.js";
import { leanSchema } from "../mcp/listed-schema.js";
import type { OperationPage } from "../pages/operation-page.js";
import { toolPage, type WorkflowPage } from "../pages/tool-page.js";
import { workflows } from "../workflows/index.js";

export interface DeclaredTool {
  readonly page: OperationPage | WorkflowPage;
  /** The schema of the arguments, each member of one type. */
  readonly schema: JsonSchema;
}

/** What is deeper is written as JSON. */
const depth = { full: 4, required: 4 };

/** Loads what is declared of a tool; undefined where there is no such tool. */
export async function declaredTool(tool: string, catalogue: Catalogue): Promise<DeclaredTool | undefined> {
  const page = (await toolPage(tool, { tools: catalogue, workflows }))?.data;
  return page && { page, schema: leanSchema(page.input as JsonSchema, depth) };
}
