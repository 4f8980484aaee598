/** Which redirects a read follows: those within its own origin and account, by the same method and without a body. */
import type { WireResponse } from "../api/wire.js";
import { type ResolvedRequest, switchedAccount, type Target } from "./request.js";

/** The request to send next; undefined when the response is not a redirect, or one that must not be followed. */
export function redirected(
  request: ResolvedRequest,
  { status, headers }: WireResponse,
  target: Target,
): ResolvedRequest | undefined {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const url = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  if (!url || url.origin !== target.origin || url.username !== "") return undefined;
  const accounts = url.searchParams.getAll("accountSwitchKey");
  if (accounts.some((account) => account !== target.accountSwitchKey)) return undefined;
  // A Location need not repeat the key; without it the response would be about the credential's own account.
  const missing = accounts.length === 0 ? switchedAccount(target) : [];
  url.search = [url.search.slice(1), ...missing].filter((part) => part !== "").join("&");
  return { ...request, url };
}
