/** The command line of MCP Inspector, when it is told to find out which revisions a server speaks. */
import { open as openInspector } from "./inspector.mjs";

export const open = (target) => openInspector(target, undefined, ["--protocol-era", "auto"]);
