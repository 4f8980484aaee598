/** The listener of `/metrics`, apart from that of the clients, so that no token of theirs opens it and no proxy passes it on. */
import { createServer } from "node:http";
import { Failure } from "../../language/failure.js";
import { isLoopback, listen } from "../../system/listen.js";
import type { Meters } from "../../telemetry/meters.js";
import { rejectionOf, rejectRequest, serverHosts, urlHost } from "./access.js";

/** The exposition format of Prometheus. */
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves the metrics of a process to everyone who can reach the address: they name no account and no person. On loopback
 * only under its names, so that no page in a browser reads them; elsewhere Prometheus uses whatever address it has found.
 * @throws Failure `bad_configuration` if it cannot listen.
 */
export async function serveMetrics(
  meters: Meters,
  { host, port: requestedPort }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let acceptedHosts: ReadonlySet<string> = new Set();
  const server = createServer(async (request, response) => {
    const rejection = isLoopback(host) ? rejectionOf(request, acceptedHosts, []) : undefined;
    if (rejection) return rejectRequest(response, rejection);
    if (request.url?.split("?")[0] !== "/metrics")
      return rejectRequest(response, { status: 404, message: "Not found: metrics are at /metrics." });
    if (request.method !== "GET" && request.method !== "HEAD")
      return rejectRequest(response, { status: 405, message: "Metrics are read.", headers: { allow: "GET, HEAD" } });
    const text = await meters.text();
    response.writeHead(200, { "content-type": contentType, "content-length": Buffer.byteLength(text) });
    response.end(request.method === "HEAD" ? undefined : text);
  });
  const port = await listen(server, host, requestedPort, "The listener of the metrics").catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.message, { ...error.detail, next: "Choose another --metrics-address." });
  });
  acceptedHosts = serverHosts(host, port);
  return {
    url: `http://${urlHost(host)}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
