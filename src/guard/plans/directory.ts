/**
 * Plans in a directory shared by all processes of this user: one file for each plan and each mark, none of which ever
 * changes.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../../language/failure.js";
import { z } from "../../language/z.js";
import { damaged, privateDirectory } from "../../system/private-directory.js";
import { dayMs } from "../../time/durations.js";
import type { Plan } from "../plan.js";
import { thisProcess } from "./process.js";
import {
  type PlanEntry,
  type PlanMark,
  type PlanMarkOf,
  type PlanStorage,
  planEntryOf,
  planIdPattern,
  planMarkSchemas,
  planMarks,
} from "./storage.js";

const weekMs = 7 * dayMs;

/** The required parts of a preview; all others are returned as they were stored. */
const previewSchema = z.looseObject({
  summary: z.string(),
  kind: z.string(),
  account: z.string(),
  network: z.string().optional(),
  count: z.int().nonnegative().optional(),
  request: z.looseObject({ method: z.string(), path: z.string() }),
  target: z.string(),
  warnings: z.array(z.string()),
  changes: z.int().nonnegative().optional(),
  lines: z.array(z.string()),
  // Older versions did not store these.
  outline: z
    .array(z.strictObject({ is: z.string(), behind: z.string().optional(), count: z.int().positive() }))
    .optional(),
  actsOn: z.array(z.string()).optional(),
  digest: z.string(),
});

const planSchema = z.strictObject({
  id: z.string().regex(planIdPattern),
  tool: z.string(),
  apis: z.literal("today").optional(),
  account: z.string(),
  owner: z.string(),
  requestHash: z.string(),
  requests: z.array(z.string()).readonly().optional(),
  stateHash: z.string().optional(),
  approvers: z.literal(2).optional(),
  ticket: z.string().optional(),
  breaks: z.array(z.string()).min(1).readonly().optional(),
  requester: z
    .strictObject({
      subject: z.string(),
      issuer: z.string().optional(),
      client: z.string().optional(),
      software: z.string().optional(),
    })
    .optional(),
  awaits: z.enum(["confirm", "question", "person", "policy"]),
  tier: z.enum(["read", "write", "guarded", "critical"]),
  why: z.string().optional(),
  preview: previewSchema,
  before: z.unknown().optional(),
  createdAtMs: z.int().nonnegative(),
  expiresAtMs: z.int().nonnegative(),
});

/** The value of a file, if it is valid and belongs to the plan in its name. */
function parsePlanFile<T extends { readonly id: string }>(
  schema: z.ZodType<T>,
  id: string,
  text: string | typeof damaged,
): T | typeof damaged {
  // Stryker disable next-line ConditionalExpression: the word for it is no JSON either.
  if (text === damaged) return damaged;
  try {
    const { success, data } = schema.safeParse(JSON.parse(text));
    return success && data.id === id ? data : damaged;
  } catch {
    return damaged;
  }
}

const keyFile = "key";
const keyPattern = /^[A-Za-z0-9_-]{43}$/;

const planFile = (id: string): string => `${id}.json`;

/** The marks by plan id, whether or not the plan exists. */
const marksById = (names: readonly string[]): Map<string, Set<PlanMark>> => {
  const marks = new Map<string, Set<PlanMark>>();
  for (const name of names) {
    // Stryker disable next-line StringLiteral: only the compiler asks for the default.
    const [id = ""] = name.split(".");
    const mark = planMarks.find((one) => name === `${id}.${one}`);
    if (mark && planIdPattern.test(id)) marks.set(id, (marks.get(id) ?? new Set<PlanMark>()).add(mark));
  }
  return marks;
};
const idsOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter((id) => planIdPattern.test(id));

/**
 * @param stateDir The state directory.
 * @param keptMs How long a plan is kept after it has expired, in milliseconds.
 * @throws Failure `not_allowed`, from every method, if the directory cannot be used or others can write to it.
 */
export function directoryPlanStorage(stateDir: string, keptMs = weekMs): PlanStorage {
  const dir = join(stateDir, "plans");
  const files = privateDirectory(dir, { what: "The plans", need: "Guarded calls need a stored plan" });
  /** Plans never change, so that each is read once for its entry. */
  const known = new Map<string, Omit<PlanEntry, "marks">>();

  const readPlan = async (id: string): Promise<Plan | undefined> => {
    const text = await files.read(planFile(id));
    // Stryker disable next-line ConditionalExpression: what is not there is no JSON either.
    const found = text === undefined ? damaged : parsePlanFile(planSchema, id, text);
    // The schema leaves the parts open that only the preview interprets.
    return found === damaged ? undefined : ({ ...found, stateHash: found.stateHash } as unknown as Plan);
  };
  const readMark = async <M extends PlanMark>(
    id: string,
    name: M,
  ): Promise<PlanMarkOf<M> | typeof damaged | undefined> => {
    const text = await files.read(`${id}.${name}`);
    return text === undefined
      ? undefined
      : parsePlanFile(planMarkSchemas[name] as unknown as z.ZodType<PlanMarkOf<M>>, id, text);
  };

  const knownEntry = async (id: string): Promise<Omit<PlanEntry, "marks"> | undefined> => {
    if (!known.has(id)) {
      const plan = await readPlan(id);
      if (!plan) return undefined;
      known.set(id, planEntryOf(plan));
    }
    return known.get(id);
  };

  return {
    keptMs,
    holder: thisProcess,

    async keys() {
      const read = () => files.read(keyFile, { isPrivate: true });
      let found = await read();
      if (found === undefined) {
        // Of all processes that get here at the same time, one creates it.
        await files.create(keyFile, randomBytes(32).toString("base64url"));
        found = await read();
      }
      if (found !== undefined && keyPattern.test(found)) return [found];
      throw new Failure(
        "not_allowed",
        `The key of the plans in ${JSON.stringify(join(dir, keyFile))} cannot be used.`,
        {
          why: "It is damaged, or other users can read it and could use it to guess secrets in plans. Nothing was sent.",
          next: "Remove the file and start again. A new one is created, and waiting plans have to be previewed again.",
        },
      );
    },

    async entries() {
      const names = await files.names();
      const found = marksById(names);
      const ids = new Set(idsOf(names));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      const entries: PlanEntry[] = [];
      for (const id of ids) {
        const entry = await knownEntry(id);
        if (entry) entries.push({ ...entry, marks: found.get(id) ?? new Set() });
      }
      return entries;
    },

    async add(plan) {
      await files.create(planFile(plan.id), JSON.stringify(plan));
      const names = await files.names();
      const ids = new Set(idsOf(names));
      const orphans = [...marksById(names)].filter(([id]) => !ids.has(id));
      await files.tidy(orphans.flatMap(([id, found]) => [...found].map((mark) => `${id}.${mark}`)));
    },

    async read(id) {
      if (!planIdPattern.test(id)) return undefined;
      // From last to first: if a mark exists, so do the earlier ones.
      const found: [PlanMark, unknown][] = [];
      for (const name of planMarks.toReversed()) {
        const mark = await readMark(id, name);
        if (mark !== undefined) found.push([name, mark]);
      }
      const plan = await readPlan(id);
      return plan && { plan, ...Object.fromEntries(found) };
    },

    mark: (name, content) => files.create(`${content.id}.${name}`, JSON.stringify(content)),

    async remove(id) {
      await files.remove(planFile(id));
      for (const mark of planMarks) await files.remove(`${id}.${mark}`);
    },
  };
}
