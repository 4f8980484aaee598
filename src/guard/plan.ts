/** Plans: one approval for one request, bound to its bytes, its account and the state it was shown with, and used once. */
import { createHash, randomBytes } from "node:crypto";
import { Failure } from "../api/failure.js";
import type { ResolvedRequest } from "../client/index.js";
import { canonical } from "./canonical.js";

/** What an approval is bound to. */
export interface Binding {
  readonly tool: string;
  /** Whose account and which upstream, as a key. */
  readonly account: string;
  /** The owner: no one else can use the plan. */
  readonly owner: string;
  readonly requestHash: string;
  /** Hash of the state that the preview showed; undefined when there was none to show. */
  readonly stateHash: string | undefined;
}

export interface Plan extends Binding {
  readonly id: string;
  readonly expiresAtMs: number;
}

type Status = "open" | "used" | "refused";
interface Entry {
  readonly plan: Plan;
  status: Status;
  endedAtMs: number;
  outcome: string;
}

/** The hash of everything that decides what a request does: method, origin, path, query, headers and body. */
export function requestHash({ method, url, headers, body }: ResolvedRequest): string {
  const hash = createHash("sha256");
  const named = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  // The number of headers comes first, so that a body can never pass for one of them.
  for (const part of [String(named.length), method, url.href, ...named.flat()]) hash.update(`${part.length}:${part}\n`);
  if (body) hash.update(body);
  return hash.digest("base64url");
}

/** The hash of a JSON value, the same whatever the order of its keys. */
export const stateHash = (state: unknown): string => createHash("sha256").update(canonical(state)).digest("base64url");

const maxPlans = 1_000;
const keptAfterEndMs = 3_600_000;

export interface Plans {
  /** Records a plan that the user can approve until it expires. */
  open(binding: Binding): Plan;
  /**
   * Consumes a plan, before anything is sent. Of any number of calls with one id at most one gets through, because the
   * check and the mark happen in one step.
   * @throws Failure `approval_refused` for an unknown, used, expired or differently bound plan.
   */
  redeem(id: string, binding: Binding): void;
  /** Ends a plan that was declined. */
  refuse(id: string): void;
  /** Records the outcome of a used plan, for the error when it is used again. */
  settle(id: string, outcome: string): void;
}

/** Plans in memory: a restart forgets them, and a forgotten plan approves nothing. */
export function createPlans({ ttlMs, now = Date.now }: { readonly ttlMs: number; readonly now?: () => number }): Plans {
  const entries = new Map<string, Entry>();
  const sweep = () => {
    for (const [id, { plan, status, endedAtMs }] of entries) {
      const isOver = status === "open" ? plan.expiresAtMs + keptAfterEndMs < now() : endedAtMs + keptAfterEndMs < now();
      if (isOver) entries.delete(id);
    }
    // Oldest first: the longer a plan has been open, the less likely its confirmation.
    for (const id of entries.keys()) {
      if (entries.size < maxPlans) break;
      entries.delete(id);
    }
  };
  const refusal = (
    what: string,
    why: string,
    next = "Call the tool without confirm to get a new preview, and have that approved.",
  ) => new Failure("approval_refused", what, { why: `${why} Nothing was sent.`, next });
  const end = (entry: Entry, status: Status) => {
    entry.status = status;
    entry.endedAtMs = now();
  };

  return {
    open(binding) {
      sweep();
      const plan: Plan = {
        ...binding,
        id: `plan_${randomBytes(16).toString("base64url")}`,
        expiresAtMs: now() + ttlMs,
      };
      entries.set(plan.id, { plan, status: "open", endedAtMs: 0, outcome: "" });
      return plan;
    },
    redeem(id, binding) {
      const entry = entries.get(id);
      if (!entry || entry.plan.owner !== binding.owner)
        throw refusal(
          "There is no such plan.",
          "A preview creates a plan, and the server forgets its plans when it restarts.",
        );
      const { plan } = entry;
      if (entry.status === "used")
        throw refusal(
          "This plan has been used.",
          `It was confirmed at ${new Date(entry.endedAtMs).toISOString()}; ${entry.outcome || "its outcome is not known yet"}.`,
        );
      if (entry.status === "refused") throw refusal("This plan was refused.", "A refused plan stays refused.");
      if (plan.expiresAtMs <= now())
        throw refusal("This plan has expired.", `It was valid until ${new Date(plan.expiresAtMs).toISOString()}.`);
      if (plan.tool !== binding.tool || plan.requestHash !== binding.requestHash || plan.account !== binding.account) {
        end(entry, "refused");
        throw refusal(
          "These are not the arguments that were approved.",
          "A plan holds for exactly the call that was previewed, and this one differs; the plan is void.",
        );
      }
      if (plan.stateHash !== binding.stateHash) {
        end(entry, "refused");
        throw refusal(
          "The state has changed since the preview.",
          "What was approved is not what would happen now; the plan is void.",
        );
      }
      end(entry, "used");
    },
    refuse(id) {
      const entry = entries.get(id);
      if (entry?.status === "open") end(entry, "refused");
    },
    settle(id, outcome) {
      const entry = entries.get(id);
      if (entry) entry.outcome = outcome;
    },
  };
}
