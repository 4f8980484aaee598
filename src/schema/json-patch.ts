/** JSON Patch (RFC 6902): its schema, its operations in words, and how it is applied as a whole. */
import { isDeepStrictEqual } from "node:util";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { z } from "../language/z.js";
import { indexOf, nearestPlace, pointerSteps, stepInto, valueAt } from "./json-pointer.js";

const Pointer = z
  .string()
  .max(1_000)
  .refine((text) => pointerSteps(text) !== undefined, "a JSON Pointer such as /rules/children/0");
/** The members of an operation; those required in addition to `op` and `path` are checked when it is applied. */
export const patchMembers = {
  op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
  path: Pointer,
  value: z.unknown().optional(),
  from: Pointer.optional(),
};
/** A patch as an argument. */
export const JsonPatch = z.array(z.strictObject(patchMembers)).min(1).max(200);
export type JsonPatch = Readonly<z.output<typeof JsonPatch>>;
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
function changeAt(
  root: unknown,
  steps: readonly string[],
  change: (parent: unknown, step: string) => unknown,
): unknown {
  const [step = "", ...rest] = steps;
  if (rest.length === 0) return change(root, step);
  const { isThere, value } = stepInto(root, step);
  if (!isThere) throw new Misfit("path", "an existing location");
  const inner = changeAt(value, rest, change);
  if (Array.isArray(root)) return root.with(Number(step), inner);
  return { ...(root as object), [step]: inner };
}

function addAt(root: unknown, steps: readonly string[], value: unknown): unknown {
  if (steps.length === 0) return value;
  return changeAt(root, steps, (parent, step) => {
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

function removeAt(root: unknown, steps: readonly string[], member = "path"): unknown {
  if (steps.length === 0) throw new Misfit(member, "a location inside the value, not the whole");
  return changeAt(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit(member, "an existing location");
    if (Array.isArray(parent)) return parent.toSpliced(Number(step), 1);
    const { [step]: _, ...rest } = parent as Readonly<Record<string, unknown>>;
    return rest;
  });
}

function replaceAt(root: unknown, steps: readonly string[], value: unknown): unknown {
  if (steps.length === 0) return value;
  return changeAt(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit("path", "an existing location; add creates a new one");
    return Array.isArray(parent) ? parent.with(Number(step), value) : { ...(parent as object), [step]: value };
  });
}

function applyOperation(root: unknown, { op, path, from, value }: PatchOperation): unknown {
  const steps = pointerSteps(path) ?? [];
  const needsValue = op === "add" || op === "replace" || op === "test";
  if (needsValue && value === undefined) throw new Misfit("value", "a value");
  if (op === "remove") return removeAt(root, steps);
  if (op === "replace") return replaceAt(root, steps, value);
  if (op === "add") return addAt(root, steps, value);
  if (op === "test") {
    const present = valueAt(root, path);
    if (isDeepStrictEqual(present, value)) return root;
    throw new Misfit("value", `the present value, ${present === undefined ? "nothing" : quoteValue(present)}`);
  }
  return moveOrCopy(root, { op, path, from });
}

/** Applies `copy` and `move`: the value of one location is put at another. */
function moveOrCopy(root: unknown, { op, path, from }: Pick<PatchOperation, "op" | "path" | "from">): unknown {
  if (from === undefined) throw new Misfit("from", "the location to take the value from");
  const source = valueAt(root, from);
  if (source === undefined) throw new Misfit("from", "an existing location");
  const steps = pointerSteps(path) ?? [];
  if (op === "copy") return addAt(root, steps, source);
  if (path.startsWith(`${from}/`)) throw new Misfit("path", "a location outside of what is moved");
  return addAt(removeAt(root, pointerSteps(from) ?? [], "from"), steps, source);
}

/** The problem of an operation, with the longest existing part of its path. */
function problemOf({ member, takes }: Misfit, operation: PatchOperation, value: unknown, place: string): FieldProblem {
  const given = member === "value" ? operation.value : member === "from" ? operation.from : operation.path;
  const near = typeof given === "string" && member !== "value" ? nearestPlace(value, given) : undefined;
  const hint = near === undefined || near === given ? "" : `; the longest existing part is ${quoteValue(near)}`;
  const known = given === undefined ? {} : { given: quoteValue(given) };
  return { field: `${place}.${member}`, ...known, takes: `${takes}${hint}` };
}

/**
 * Applies a patch as a whole.
 * @param field The name of the patch among the arguments.
 * @returns the changed copy, or the problem of the first operation that does not fit; then nothing is changed.
 */
export function applyPatch(
  root: unknown,
  patch: JsonPatch,
  field: string,
): { readonly value: unknown } | { readonly problem: FieldProblem } {
  let value = root;
  for (const [at, operation] of patch.entries()) {
    try {
      value = applyOperation(value, operation);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return { problem: problemOf(error, operation, value, `${field}[${at}]`) };
    }
  }
  return { value };
}

/** Describes how one operation of a patch changes a value. */
export function patchInWords({ op, path, from, value }: JsonPatch[number]): string {
  if (op === "add") return `add ${quoteValue(value)} at ${path}`;
  if (op === "replace") return `replace ${path} by ${quoteValue(value)}`;
  if (op === "test") return `continue only if ${path} is ${quoteValue(value)}`;
  return from === undefined ? `${op} ${path}` : `${op} ${from} to ${path}`;
}
