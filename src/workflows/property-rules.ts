/** Changes a rule tree by a JSON Patch (RFC 6902), without the caller reading or resending the tree. */
import { isDeepStrictEqual } from "node:util";
import { invalidInput } from "../arguments/index.js";
import type { Composition } from "../calls/context.js";
import { change } from "../calls/workflow.js";
import { Failure, type FieldProblem, shown } from "../language/failure.js";
import { fieldOf } from "../language/member.js";
import { introduction } from "../language/reading.js";
import { listed } from "../language/words.js";
import { z } from "../language/z.js";
import { indexOf, nearestPlace, pointerSteps, stepInto, valueAt } from "../schema/json-pointer.js";
import { EntityTag } from "../tools/fields.js";
import { PropertyId, PropertyVersion, place } from "../tools/properties/ids.js";
import { TopRule } from "../tools/properties/shapes.js";
import { inShape } from "./steps.js";

const Pointer = z
  .string()
  .max(1_000)
  .refine((text) => pointerSteps(text) !== undefined, "a JSON Pointer such as /rules/children/0");
/**
 * A patch as an argument; the required members of an operation in addition to `op` and `path` are checked when it is applied.
 */
export const JsonPatch = z
  .array(
    z.strictObject({
      op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
      path: Pointer,
      value: z.unknown().optional(),
      from: Pointer.optional(),
    }),
  )
  .min(1)
  .max(200);
export type JsonPatch = z.output<typeof JsonPatch>;
type PatchOperation = JsonPatch[number];

/** A patch operation that does not fit the value. */
class Misfit extends Error {
  constructor(
    readonly member: string,
    readonly takes: string,
  ) {
    super(takes);
  }
}

/** A copy of a value in which the parent at the end of a path was changed; everything off the path is shared. */
function changed(root: unknown, steps: readonly string[], change: (parent: unknown, step: string) => unknown): unknown {
  const [step = "", ...rest] = steps;
  if (rest.length === 0) return change(root, step);
  const { isThere, value } = stepInto(root, step);
  if (!isThere) throw new Misfit("path", "an existing location");
  const inner = changed(value, rest, change);
  if (Array.isArray(root)) return root.with(Number(step), inner);
  return { ...(root as object), [step]: inner };
}

function added(root: unknown, steps: readonly string[], value: unknown): unknown {
  if (steps.length === 0) return value;
  return changed(root, steps, (parent, step) => {
    if (Array.isArray(parent)) {
      const at = step === "-" ? parent.length : indexOf(step);
      if (at === undefined || at > parent.length)
        throw new Misfit("path", `an index from 0 to ${parent.length}, or - for the end`);
      return parent.toSpliced(at, 0, value);
    }
    if (typeof parent !== "object" || parent === null) throw new Misfit("path", "a location in an object or a list");
    if (step === "__proto__") throw new Misfit("path", "no member of this name");
    return { ...parent, [step]: value };
  });
}

function removed(root: unknown, steps: readonly string[], member = "path"): unknown {
  if (steps.length === 0) throw new Misfit(member, "a location inside the value, not the whole");
  return changed(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit(member, "an existing location");
    if (Array.isArray(parent)) return parent.toSpliced(Number(step), 1);
    const { [step]: _, ...rest } = parent as Readonly<Record<string, unknown>>;
    return rest;
  });
}

function replaced(root: unknown, steps: readonly string[], value: unknown): unknown {
  if (steps.length === 0) return value;
  return changed(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit("path", "an existing location; add creates a new one");
    return Array.isArray(parent) ? parent.with(Number(step), value) : { ...(parent as object), [step]: value };
  });
}

function applied(root: unknown, { op, path, from, value }: PatchOperation): unknown {
  const steps = pointerSteps(path) ?? [];
  const needsValue = op === "add" || op === "replace" || op === "test";
  if (needsValue && value === undefined) throw new Misfit("value", "a value");
  if (op === "remove") return removed(root, steps);
  if (op === "replace") return replaced(root, steps, value);
  if (op === "add") return added(root, steps, value);
  if (op === "test") {
    const present = valueAt(root, path);
    if (isDeepStrictEqual(present, value)) return root;
    throw new Misfit("value", `the present value, ${present === undefined ? "nothing" : shown(present)}`);
  }
  return takenFrom(root, { op, path, from });
}

/** Applies `copy` and `move`: the value of one location is put at another. */
function takenFrom(root: unknown, { op, path, from }: Pick<PatchOperation, "op" | "path" | "from">): unknown {
  if (from === undefined) throw new Misfit("from", "the location to take the value from");
  const source = valueAt(root, from);
  if (source === undefined) throw new Misfit("from", "an existing location");
  const steps = pointerSteps(path) ?? [];
  if (op === "copy") return added(root, steps, source);
  if (path.startsWith(`${from}/`)) throw new Misfit("path", "a location outside of what is moved");
  return added(removed(root, pointerSteps(from) ?? [], "from"), steps, source);
}

/** The problem of an operation, with the longest existing part of its path. */
function problemOf({ member, takes }: Misfit, operation: PatchOperation, value: unknown, place: string): FieldProblem {
  const given = member === "value" ? operation.value : member === "from" ? operation.from : operation.path;
  const near = typeof given === "string" && member !== "value" ? nearestPlace(value, given) : undefined;
  const hint = near === undefined || near === given ? "" : `; the longest existing part is ${shown(near)}`;
  const known = given === undefined ? {} : { given: shown(given) };
  return { field: `${place}.${member}`, ...known, takes: `${takes}${hint}` };
}

/**
 * Applies a patch as a whole.
 * @param field The name of the patch among the arguments.
 * @returns the changed copy, or the problem of the first operation that does not fit; then nothing is changed.
 */
export function patched(
  root: unknown,
  patch: JsonPatch,
  field: string,
): { readonly value: unknown } | { readonly problem: FieldProblem } {
  let value = root;
  for (const [at, operation] of patch.entries()) {
    try {
      value = applied(value, operation);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return { problem: problemOf(error, operation, value, `${field}[${at}]`) };
    }
  }
  return { value };
}

const tool = "property_rule_tree_update";
const reads = "property_rule_tree_get";
const writes = "property_rule_tree_replace";
/** The root of a patch's paths: the response of the read, of which only the rules are written. */
const inRules = /^\/rules(\/|$)/;

/** The parts of the response that a patch needs; the resulting tree is validated as a whole. */
const Present = z.looseObject({ etag: z.string(), rules: z.looseObject({ name: z.string() }) });

/** Describes how one operation of a patch changes the tree. */
function inWords({ op, path, from, value }: JsonPatch[number]): string {
  if (op === "add") return `add ${shown(value)} at ${path}`;
  if (op === "replace") return `replace ${path} by ${shown(value)}`;
  if (op === "test") return `continue only if ${path} is ${shown(value)}`;
  return from === undefined ? `${op} ${path}` : `${op} ${from} to ${path}`;
}

export const ruleTreeUpdate = change({
  title: "Properties: change a rule tree",
  does: "Changes parts of a version's rule tree by a JSON Patch (RFC 6902), with an outline's pointers; the rest stays unchanged.",
  input: z.strictObject({
    propertyId: PropertyId,
    propertyVersion: PropertyVersion,
    ...place,
    patch: JsonPatch.describe("Paths such as /rules/children/0/behaviors/-; test what you rely on"),
    ifMatch: EntityTag.optional().describe("Refused if the etag has changed"),
    comments: z.string().max(5_000).optional(),
  }),
  steps: [
    "Read the whole rule tree and its etag.",
    "Apply the patch to a copy of it; nothing is changed unless all of it fits.",
    "Validate the result as a rule tree.",
    "Preview the difference, and when it is approved write the tree with the etag that was read.",
  ],
  example: {
    propertyId: "prp_175780",
    propertyVersion: 3,
    patch: [{ op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" }],
  },
  introduction: introduction`${tool} changes parts of a rule tree, which ${reads} outlines.`,
  makes: writes,

  async compose(
    { patch, ifMatch, comments, ...at },
    { invoke },
  ): Promise<Composition | { readonly unchanged: string }> {
    const outside = patch.flatMap((operation, index) =>
      (["path", "from"] as const)
        .filter((member) => operation[member] !== undefined && !inRules.test(operation[member]))
        .map((member) => ({
          field: `patch[${index}].${member}`,
          given: shown(operation[member]),
          takes: "a location in the tree, which begins with /rules",
        })),
    );
    if (outside.length > 0) throw invalidInput(tool, outside);
    const { body } = await invoke(reads, { ...at, validateRules: false });
    const { etag, rules: present } = inShape(reads, Present, body);
    const stamp = `"${etag}"`;
    if (ifMatch !== undefined && ifMatch !== stamp && ifMatch !== "*")
      throw new Failure(
        "conflict",
        `The rule tree has changed: its etag is ${shown(etag)} now, and ${ifMatch} was given.`,
        {
          why: "Someone has changed the rules or the hostnames of this version in the meantime.",
          next: `Read the outline again with ${reads}, review the parts that the patch changes, and call again with the new etag.`,
        },
      );
    // The response is patched as it was read, not as its schema parsed it, so that no field is lost.
    const result = patched({ rules: (body as { rules: unknown }).rules }, patch, "patch");
    if ("problem" in result) throw invalidInput(tool, [result.problem]);
    const { rules } = result.value as { rules: unknown };
    const fits = TopRule.safeParse(rules);
    if (!fits.success) {
      const problems = fits.error.issues.slice(0, 5).map(({ path, message }) => ({
        field: "patch",
        takes: `operations that result in a rule tree; ${fieldOf(["rules", ...path])} would not fit: ${message}`,
      }));
      throw invalidInput(tool, problems);
    }
    if (comments === undefined && isDeepStrictEqual(rules, (body as { rules: unknown }).rules))
      return { unchanged: `The rule tree ${shown(present.name)} is already up to date.` };
    return {
      args: { ...at, ifMatch: stamp, body: { rules, ...(comments === undefined ? {} : { comments }) } },
      says: `CHANGE the rules of version ${at.propertyVersion} of property ${at.propertyId}, which is live on no network until it is activated: ${listed(patch, inWords) || "only its comments"}; the rest of the rules stays unchanged`,
      notes: patch.map(inWords),
    };
  },
});
