/** What the tests of the approval page share: an approver and a client, a plan as the page reads it, and how its forms are sent. */
import { randomBytes } from "node:crypto";
import type { PlanReview } from "../../src/mcp/http/approval.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import type { ShownPlan, Waiting } from "../../src/mcp/http/page.js";
import { ask } from "./raw-http.js";

export const secret = "a-secret-of-an-approver-0123456789";
export const otherSecret = "b-secret-of-an-approver-9876543210";
export const token = "a-token-of-a-client-01234567890123";
export const startedAt = Date.UTC(2026, 5, 1);
export const minute = 60_000;

export const usual: ShownPlan = {
  id: "plan_AAAAAAAAAAAAAAAAAAAAAA",
  tool: "x_thing_remove",
  owner: "client:alice",
  awaits: "person",
  tier: "guarded",
  createdAtMs: startedAt,
  expiresAtMs: startedAt + 60 * minute,
  preview: {
    summary: "REMOVE 3 things on PRODUCTION",
    account: "Example, section default",
    network: "production",
    target: "3 things",
    warnings: ["The origin will be asked for everything."],
    lines: ["action: remove", "things: one, two, three"],
    digest: "digest-1",
  },
};

const build = () => {
  throw new Error("not needed");
};

/** Tickets under a key of one page, each of which is used once. */
const ticketsOfPage = () => {
  const keys = [randomBytes(32)] as const;
  const used = new Set<string>();
  return async () => ({
    keys,
    use: async (ticket: string) => !used.has(ticket) && used.add(ticket) === used,
  });
};

/** Serves the page for the approvers carol and dave. */
export const servePage = (
  review: PlanReview,
  clock: { readonly now: () => number; readonly pause?: (ms: number) => Promise<unknown> },
) =>
  serveHttp({
    build,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: () => undefined,
    clients: [{ name: "alice", token }],
    approval: {
      approvers: [
        { name: "carol", token: secret },
        { name: "dave", token: otherSecret },
      ],
      review,
      tickets: ticketsOfPage(),
      ...clock,
    },
  });

/** Serves without approvers. */
export const serveBare = () => serveHttp({ build, host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined });

/** Sends a form as a browser does. */
export const sendForm = (
  url: URL,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) =>
  ask(url, {
    path,
    headers: { "content-type": "application/x-www-form-urlencoded", origin: url.origin, ...headers },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  });

/** A hidden value of a page's forms; all forms of a page have the same. */
export const hiddenIn = (html: string, name: "ticket" | "pass"): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";

export const waitingIn = (plans: readonly ShownPlan[], most: number): Waiting => ({
  plans: plans.slice(0, most),
  count: plans.length,
});
