/** Serves the metadata of this server as a protected resource (RFC 9728), at the URLs that a client derives from its address. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { rejectRequest } from "../access.js";
import type { MenuLookup } from "../menus.js";
import { metadataPath } from "./challenge.js";
import type { SignIn } from "./sign-in.js";

export const isMetadataPath = (path: string): boolean => path === metadataPath || path.startsWith(`${metadataPath}/`);

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "GET",
};

/** @param menuAt Resolves the paths under `/mcp`; without it there is only `/mcp`. */
export function serveMetadata(
  signIn: SignIn,
  menuAt: MenuLookup | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const target = signIn.about(request);
  const isServed = target !== undefined && (menuAt ? typeof menuAt(target.path) !== "string" : target.path === "/mcp");
  if (!isServed) rejectRequest(response, { status: 404, message: "Not found: MCP is served at /mcp." });
  else if (request.method === "OPTIONS") response.writeHead(204, corsHeaders).end();
  else if (request.method !== "GET" && request.method !== "HEAD")
    rejectRequest(response, { status: 405, message: "Method not allowed: read it by GET.", headers: { allow: "GET" } });
  else {
    response.writeHead(200, { ...corsHeaders, "content-type": "application/json", "cache-control": "max-age=300" });
    response.end(JSON.stringify(signIn.metadata(target.address)));
  }
}
