/** What the tests of the approvals desk share: approvers and a client, plans as the desk reads them, and a browser's cookies. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, onTestFinished } from "vitest";
import type { DeskOptions, DeskState } from "../../src/mcp/http/desk/index.js";
import type { DeskIssuer } from "../../src/mcp/http/desk/issuer-sign-in.js";
import type { PlanReview, ShownPlan, ShownRecord } from "../../src/mcp/http/desk/review.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { type Answer, ask } from "./raw-http.js";

export const secret = "a-secret-of-an-approver-0123456789";
export const otherSecret = "b-secret-of-an-approver-9876543210";
export const token = "a-token-of-a-client-01234567890123";
export const startedAt = Date.UTC(2026, 5, 1);
export const minute = 60_000;

export const usual: ShownPlan = {
  id: "plan_AAAAAAAAAAAAAAAAAAAAAA",
  tool: "x_thing_remove",
  owner: "client:alice",
  requester: { subject: "alice", client: "client-7", software: "Example Agent 2.1" },
  awaits: "person",
  tier: "guarded",
  why: "The call is guarded, because it removes things.",
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

export const idOf = (at: number): string => `plan_${String(at).padStart(22, "0")}`;
export const planAt = (at: number, more: Partial<ShownPlan> = {}): ShownPlan => ({
  ...usual,
  id: idOf(at),
  preview: { ...usual.preview, summary: `REMOVE thing ${at}`, digest: `digest ${at}` },
  ...more,
});

export const openRecord = (plan: ShownPlan): ShownRecord => ({ plan, status: "open", approvals: [] });

/** Plans in memory, and what was done with them. */
function reviewOf(plans: readonly ShownPlan[], now: () => number) {
  const records = new Map(plans.map((plan) => [plan.id, openRecord(plan)]));
  const acts: string[] = [];
  const change = (id: string, more: Partial<ShownRecord>): void => {
    const record = records.get(id);
    if (record) records.set(id, { ...record, ...more });
  };
  const all = () => [...records.values()];
  const review: PlanReview = {
    serviceOf: (tool) => (tool.startsWith("dns_") ? "zones" : "things"),
    find: async (id) => records.get(id),
    waiting: async (most) => {
      const open = all().filter(({ status, plan }) => status === "open" && plan.awaits === "person");
      return { records: open.slice(0, most), count: open.length };
    },
    decidedLately: async (most) =>
      all()
        .filter(({ approvals, refusal }) => approvals.length > 0 || refusal)
        .slice(0, most),
    version: async () =>
      JSON.stringify(all().map(({ plan: { id }, status, approvals }) => [id, status, approvals.length])),
    approve: async (id, channel, { name, subject, reason }) => {
      acts.push(`approve ${id} ${channel} ${name}${subject?.issuer ?? ""} ${reason ?? "-"}`);
      const approval = { channel, atMs: now(), by: name, ...(reason === undefined ? {} : { reason }) };
      const { plan, approvals = [] } = records.get(id) ?? {};
      const given = [...approvals, approval];
      const missing = (plan?.approvers ?? 1) - given.length;
      change(id, { approvals: given, status: missing > 0 ? "open" : "approved" });
      return missing;
    },
    refuse: async (id, channel, { name, reason }) => {
      acts.push(`refuse ${id} ${channel} ${name} ${reason ?? "-"}`);
      const because = reason === undefined ? {} : { reason };
      change(id, { status: "refused", refusal: { channel, atMs: now(), by: name, ...because } });
      return true;
    },
  };
  return { review, acts, change, add: (plan: ShownPlan) => void records.set(plan.id, openRecord(plan)) };
}

const build = () => {
  throw new Error("not needed");
};

/** What instances of one desk share: keys, and the tickets that were used. */
export const stateOfDesk = (): (() => Promise<Omit<DeskState, "now">>) => {
  const keys = [randomBytes(32)] as const;
  const used = new Set<string>();
  return async () => ({
    keys,
    useTicket: async (ticket) => !used.has(ticket) && used.add(ticket) === used,
    usedTickets: async (tickets) => new Set(tickets.filter((one) => used.has(one))),
  });
};

interface Serving {
  readonly now: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly issuer?: DeskIssuer;
  readonly state?: ReturnType<typeof stateOfDesk>;
  readonly isDenied?: DeskOptions["isDenied"];
  readonly approvers?: readonly { readonly name: string; readonly token: string }[];
}

const carolAndDave = [
  { name: "carol", token: secret },
  { name: "dave", token: otherSecret },
] as const;

/** Serves the desk for the approvers carol and dave. */
export const serveDesk = (
  review: PlanReview,
  { approvers = carolAndDave, state = stateOfDesk(), isDenied = async () => false, now, ...more }: Serving,
) =>
  serveHttp({
    build,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: ["desk.example"],
    log: () => undefined,
    clients: [{ name: "alice", token }],
    desk: { approvers, review, isDenied, state: async () => ({ ...(await state()), now }), ...more },
  });

/** Serves without approvers. */
export const serveBare = () => serveHttp({ build, host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined });

type Fields = Record<string, string> | string;

/** A browser at a desk: it keeps cookies, and sends forms with their origin. */
export function browserAt(url: URL) {
  const jar = new Map<string, string>();
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await ask(url, {
      method,
      path,
      headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const set of (answer.headers["set-cookie"] as string[] | undefined) ?? []) {
      const [pair = ""] = set.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (set.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const browser = {
    jar,
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> => send("GET", path, headers),
    post: (path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answer> =>
      send(
        "POST",
        path,
        { "content-type": "application/x-www-form-urlencoded", origin: url.origin, ...headers },
        typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
      ),
    signIn: (by = secret): Promise<Answer> => browser.post("/plans/sign-in", { secret: by }),
  };
  return browser;
}

/** A desk for each test of a file, served anew whenever the test says with which plans, on a clock that the test moves. */
export function deskFor(plans: readonly ShownPlan[], more: Omit<Serving, "now"> = {}) {
  let now = startedAt;
  let kept = reviewOf([], () => now);
  let served: Awaited<ReturnType<typeof serveHttp>> | undefined;
  const present = () => served ?? Promise.reject(new Error("No test is running."));
  const close = async () => {
    await served?.close();
    served = undefined;
  };
  const serve = async (...own: readonly ShownPlan[]): Promise<void> => {
    await close();
    kept = reviewOf(own, () => now);
    served = await serveDesk(kept.review, { ...more, now: () => now });
  };
  beforeEach(() => {
    now = startedAt;
    return serve(...plans);
  });
  afterEach(close);
  const desk = {
    serve,
    close,
    now: () => now,
    pass: (ms: number): void => {
      now += ms;
    },
    connections: async () => (await (await present()).counts()).connections,
    get kept() {
      return kept;
    },
    get url() {
      return new URL(served?.url ?? "");
    },
    stranger: () => browserAt(desk.url),
    async signedIn(by = secret) {
      const browser = browserAt(desk.url);
      await browser.signIn(by);
      return browser;
    },
  };
  return desk;
}

/** The name that both instances of a desk have behind one proxy. */
export const behindProxy = { host: "desk.example", origin: "https://desk.example" };

/** Serves two instances of one desk, until the test is over. */
export async function twoInstances(review: PlanReview, now: () => number): Promise<readonly [URL, URL]> {
  const state = stateOfDesk();
  const [one, other] = [await serveDesk(review, { now, state }), await serveDesk(review, { now, state })];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  return [new URL(one.url), new URL(other.url)];
}

/** The ticket in a plan's page. */
export const ticketIn = (html: string): string => /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? "";

/** The text of a page as it is read, without its head. */
export const readIn = (html: string): string =>
  (html.split("</head>")[1] ?? "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
