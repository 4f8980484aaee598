/** Forwards a request to the instance that has its session, as it is, and streams the response back. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream";
import { rejectRequest } from "./access.js";

/** Marks a forwarded request, which is never forwarded again. */
export const forwardedHeader = "x-edgewise-forwarded";

/** Headers that belong to one connection, and the host of one server. */
const connectionHeaders = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "expect",
]);

const forwardableHeaders = (headers: IncomingMessage["headers"]): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || connectionHeaders.has(name) ? [] : [[name, value] as const],
    ),
  );

const goneInstance = { status: 404, message: "The instance that had this session is gone. Initialize again." };

/**
 * @param address The URL of the other instance.
 * @param text The body, which was read already; undefined for a request without one.
 * @returns when the response has ended, or its client has left.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  text: string | undefined,
): Promise<void> {
  const { method, url = "/", headers } = request;
  const target = new URL(url, address);
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    // A new connection each time: one that was kept may have been closed at the other end, which would look like an
    // instance that is gone.
    const options = { method, agent: false, headers: { ...forwardableHeaders(headers), [forwardedHeader]: "1" } };
    const outgoing = send(target, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwardableHeaders(answer.headers));
      response.flushHeaders();
      pipeline(answer, response, () => resolve());
    });
    // A client that leaves ends the request at the other instance, which may end its work.
    response.once("close", () => outgoing.destroy());
    outgoing.once("error", () => {
      if (response.headersSent) response.destroy();
      else rejectRequest(response, { ...goneInstance, code: -32_001 });
      resolve();
    });
    outgoing.end(text);
  });
}
