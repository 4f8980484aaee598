/** The stdio transport: JSON-RPC on stdout and nothing else, until stdin ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serverFactory } from "./server.js";
import type { Surface } from "./surface.js";

/** Serves one client over this process's stdin and stdout, in either era of the protocol. */
export function serveOverStdio(surface: Surface, log: (line: string) => void): void {
  const handle = serveStdio(serverFactory(surface), {
    onerror: () => log("edgewise: a message could not be processed"),
  });
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void handle.close().finally(() => process.exit(0)));
}
