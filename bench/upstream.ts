/** An upstream in the process of the bench, which answers every request at once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts the upstream. */
export async function startUpstream(): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"supportId":"s","httpStatus":200,"detail":"d","queueLength":0}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
