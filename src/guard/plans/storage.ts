/** What is kept of a plan, its marks of which the first one stands, and who was asked and did not say yes. */
import { randomBytes } from "node:crypto";
import { dayMs } from "../../language/durations.js";
import { z } from "../../language/z.js";
import { type Plan, principalOf } from "../plan.js";

/** The name of a plan; nothing else is ever taken for one, nor for a part of a path. */
export const planIdPattern = /^plan_[A-Za-z0-9_-]{22}$/;

const id = z.string().regex(planIdPattern);
const instant = z.int().nonnegative();
const channel = z.enum(["confirm", "elicitation", "terminal", "page", "policy"]);

/** The process that redeemed a plan, as far as it can be recognized later. */
const processSchema = z.strictObject({
  pid: z.int().positive(),
  /** When it started, in the system's own unit; undefined where the system does not tell. */
  started: z.string().optional(),
  /** Where its pid means something: one boot of one machine, one space of pids. */
  space: z.string(),
});
export type Process = z.infer<typeof processSchema>;

/** The marks, in the order of a plan's life. `taken` is the one decision: redeemed, refused or void, whichever is first. */
export const markSchemas = {
  approved: z.strictObject({ id, channel: z.enum(["terminal", "page"]), atMs: instant, by: z.string().optional() }),
  taken: z.discriminatedUnion("as", [
    z.strictObject({
      id,
      as: z.literal("redeemed"),
      atMs: instant,
      channel,
      approvedAtMs: instant,
      by: z.string().optional(),
      process: processSchema,
    }),
    z.strictObject({ id, as: z.literal("refused"), atMs: instant, channel: channel.optional() }),
    z.strictObject({
      id,
      as: z.literal("void"),
      atMs: instant,
      because: z.enum(["arguments", "state", "newer", "asked"]),
    }),
  ]),
  sending: z.strictObject({ id, atMs: instant }),
  settled: z.strictObject({
    id,
    atMs: instant,
    state: z.enum(["done", "failed", "not_sent", "unknown"]),
    says: z.string(),
    unmade: z.array(z.int().nonnegative()).readonly().optional(),
    made: z.array(z.record(z.string(), z.unknown()).nullable()).readonly().optional(),
  }),
} as const;

export type Mark = keyof typeof markSchemas;
export const marks = Object.keys(markSchemas) as readonly Mark[];
export type MarkOf<M extends Mark> = z.infer<(typeof markSchemas)[M]>;

/** A mark that is there but cannot be read: it never permits anything, and it still ends what it would have ended. */
export const damaged = "damaged";

/** A plan with its marks. */
export type Story = { readonly plan: Plan } & { readonly [M in Mark]?: MarkOf<M> | typeof damaged };

/** What the bounds need to know of a plan, without its content. */
export interface Entry extends Pick<Plan, "id" | "owner" | "createdAtMs" | "expiresAtMs" | "awaits" | "account"> {
  /** By what it is known which change it is: the hashes of what was asked, and of each request. */
  readonly changes: readonly string[];
  readonly marks: ReadonlySet<Mark>;
}

/** What the bounds need of a plan, apart from its marks. */
export function entryOf({ requestHash, requests = [], ...plan }: Plan): Omit<Entry, "marks"> {
  const { id, owner, createdAtMs, expiresAtMs, awaits, account } = plan;
  return { id, owner, createdAtMs, expiresAtMs, awaits, account, changes: [requestHash, ...requests] };
}

/** Where plans are kept. What is written is written whole or not at all. */
export interface Storage {
  /** For how long a plan is kept after it expired. */
  readonly keptMs: number;
  /** The key of all hashes that are kept there, the same for all processes that share the place. */
  key(): Promise<string>;
  /** Every plan that can be read. */
  entries(): Promise<readonly Entry[]>;
  add(plan: Plan): Promise<void>;
  /** Undefined for an id that is not there, or whose plan is damaged. */
  read(id: string): Promise<Story | undefined>;
  /** Makes a mark; false when it has been made before, by this process or by another. */
  mark<M extends Mark>(name: M, content: MarkOf<M>): Promise<boolean>;
  /** Removes a plan first and its marks after it, so that no plan is ever there without a mark that it had. */
  remove(id: string): Promise<void>;
}

interface Kept {
  readonly plan: Plan;
  readonly marks: Map<Mark, object>;
}

export function memoryStorage(): Storage {
  const all = new Map<string, Kept>();
  const key = randomBytes(32).toString("base64url");
  return {
    keptMs: dayMs,
    key: async () => key,
    entries: async () =>
      [...all.values()].map(({ plan, marks }) => ({ ...entryOf(plan), marks: new Set(marks.keys()) })),
    add: async (plan) => void all.set(plan.id, { plan, marks: new Map() }),
    read: async (id) => {
      const kept = all.get(id);
      return kept && { plan: kept.plan, ...Object.fromEntries(kept.marks) };
    },
    // The check and the mark happen in one step, without an await between them.
    mark: async <M extends Mark>(name: M, content: MarkOf<M>) => {
      const kept = all.get(content.id);
      if (!kept || kept.marks.has(name)) return false;
      kept.marks.set(name, content);
      return true;
    },
    remove: async (id) => void all.delete(id),
  };
}

/** So many questions of one principal at a time are more than anybody answers; beyond them a yes changes nothing more. */
const maxRemembered = 1_000;

/** Whether an entry is a question that was not answered with yes; only what was answered so is ever sent or settled. */
const isUnanswered = ({ awaits, marks }: Entry): boolean =>
  awaits === "question" && !marks.has("sending") && !marks.has("settled");

/** The questions that were put, as far as they stand against a `confirm`. */
export function createAsked() {
  const unanswered = new Map<string, Set<string>>();
  const of = (owner: string): Set<string> => unanswered.get(principalOf(owner)) ?? new Set();
  return {
    /** Notes that a question is put. Until it is answered with yes, it was not. */
    put({ id, owner }: Plan): void {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.add(id);
      unanswered.set(principalOf(owner), ids);
    },
    /** Notes that a question was answered with yes. */
    answered({ id, owner }: Plan): void {
      const ids = of(owner);
      if (ids.size < maxRemembered) ids.delete(id);
    },
    /**
     * Whether questions stand against a plan. In this process they stand against everything of the same principal: a
     * client that could ask has a user, whatever it says of itself later. Of another process only what was asked about is
     * known again, because it may have had another client.
     * @param kept The plans of all processes.
     */
    standAgainst(plan: Plan, kept: readonly Entry[]): boolean {
      if (of(plan.owner).size > 0) return true;
      const { owner, account, changes } = entryOf(plan);
      const isSameChange = (entry: Entry): boolean =>
        principalOf(entry.owner) === principalOf(owner) &&
        entry.account === account &&
        entry.changes.some((change) => changes.includes(change));
      return kept.some((entry) => isUnanswered(entry) && isSameChange(entry));
    },
  };
}
