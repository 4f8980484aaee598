/** The baseline of a call over stdio. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { build } from "./sdk-floor.mjs";

serveStdio(build);
