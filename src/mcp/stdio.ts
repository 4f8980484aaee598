/** The stdio transport: JSON-RPC on stdout and nothing else, until stdin ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serverFactory } from "./server.js";
import type { Surface } from "./surface.js";

/**
 * Serves one client over this process's stdin and stdout, in either era of the protocol.
 * @param release Called when no more messages are served.
 */
export function serveOverStdio(surface: Surface, log: (line: string) => void, release: () => Promise<void>): void {
  const handle = serveStdio(serverFactory(surface), {
    onerror: () => log("edgewise: a message could not be processed"),
  });
  const close = async (): Promise<void> => {
    await handle.close();
    await release();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void close().finally(() => process.exit(0)));
  process.once("beforeExit", () => void close());
}
