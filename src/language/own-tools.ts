/** The names of the tools that belong to no service, to which errors, answers and listed schemas point. */

// Many assistants are never shown resources, so the pages that they need are behind tools.
export const pageTool = "operation_describe";
/** Finds tools by words. */
export const searchTool = "operation_search";
export const planTool = "plan_get";
/** Makes several calls of one tool under one approval. */
export const batchTool = "call_batch";
/** Takes a change back, as far as the API can. */
export const restoreTool = "change_restore";
/** Reads a kept result in parts. */
export const resultTool = "result_get";
/** Answers SQL over kept results. */
export const queryTool = "result_query";
/** Selects, sorts, groups and adds up the rows of a kept result; its schema explains every member of a view. */
export const viewTool = "result_view";
