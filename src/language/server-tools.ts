/** The names of the server's own tools, which errors, results and listed schemas refer to. */

// Many clients do not show resources to the model, so the pages that it needs are available through tools.
export const pageTool = "operation_describe";
/** Searches tools. */
export const searchTool = "operation_search";
export const planTool = "plan_get";
/** Makes several calls of one tool with one approval. */
export const batchTool = "call_batch";
/** Undoes a change, as far as the API allows. */
export const restoreTool = "change_restore";
/** Reads a stored result in parts. */
export const resultTool = "result_get";
/** Runs SQL over stored results. */
export const queryTool = "result_query";
/** Selects, sorts, groups and sums the rows of a stored result; its schema documents the fields of a view. */
export const viewTool = "result_view";
