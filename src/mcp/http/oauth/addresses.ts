/** The addresses of this server as its clients type them, and the metadata of each (RFC 9728). */
import type { IncomingMessage } from "node:http";
import { metadataPath } from "./challenge.js";

export interface Addresses {
  /** The URL of `/mcp` for the client of a request. */
  endpoint(request: IncomingMessage): string;
  /** The URL that the client of a request has typed. */
  of(request: IncomingMessage): string;
  /**
   * What a metadata URL is about: the address, and the path under `/mcp` that it has here. That without a path is about
   * `/mcp`.
   * @returns undefined for any other URL.
   */
  about(request: IncomingMessage): { readonly address: string; readonly path: string } | undefined;
}

const ownPath = "/mcp";
const pathIn = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? "";
const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/**
 * @param resource The URL of `/mcp` for clients; undefined if they reach this process by its own address.
 */
export function createAddresses(resource: string | undefined): Addresses {
  const base = resource === undefined ? undefined : new URL(resource);
  const basePath = base?.pathname ?? ownPath;
  // The Host header was checked before.
  const at = (request: IncomingMessage, path: string): string =>
    new URL(`${base?.origin ?? `http://${request.headers.host}`}${path}`).href;
  const endpoint = (request: IncomingMessage): string => at(request, basePath);
  return {
    endpoint,
    of: (request) => `${endpoint(request)}${pathIn(request).slice(ownPath.length)}`,
    about(request) {
      const named = pathIn(request).slice(metadataPath.length);
      const path = named === "" || named === "/" ? basePath : named;
      if (!isBelow(path, basePath)) return undefined;
      return { address: at(request, path), path: `${ownPath}${path.slice(basePath.length)}` };
    },
  };
}
