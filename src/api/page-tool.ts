/** The name of the tool that describes the others, to which errors, listed schemas and instructions point. */

// Many assistants are never shown resources, so the pages that they need are behind a tool.
export const pageTool = "operation_describe";
