/** The name of the tool that describes the others, to which errors, listed schemas and instructions point. */

// Many assistants are never shown resources, so what they are sent to read is behind a tool.
export const pageTool = "operation_describe";
