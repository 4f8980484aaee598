/** The stdio transport: JSON-RPC on stdout and nothing else, until stdin ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createFollows } from "./follows.js";
import { serverFactory } from "./server.js";
import { ListeningStdio } from "./stdio-listen.js";
import type { Surface } from "./surface.js";

/**
 * Serves one client over this process's stdin and stdout, in either era of the protocol.
 * @param release Called when no more messages are served.
 */
export function serveOverStdio(surface: Surface, log: (line: string) => void, release: () => Promise<void>): void {
  const follows = createFollows(surface);
  const transport = new ListeningStdio(follows);
  const handle = serveStdio(serverFactory(surface, undefined, follows), {
    transport,
    onerror: () => log("edgewise: a message could not be processed"),
  });
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    transport.hear(message);
    receive?.(message);
  };
  const close = async (): Promise<void> => {
    await handle.close();
    await release();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void close().finally(() => process.exit(0)));
  process.once("beforeExit", () => void close());
}
