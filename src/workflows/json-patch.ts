/** JSON Patch (RFC 6902): changes of a JSON value, applied to a copy of it or refused with the one that does not fit. */
import { isDeepStrictEqual } from "node:util";
import { type FieldProblem, shown } from "../language/failure.js";
import { z } from "../language/z.js";
import { indexOf, nearestPlace, pointerSteps, stepInto, valueAt } from "../schema/json-pointer.js";

const Pointer = z
  .string()
  .max(1_000)
  .refine((text) => pointerSteps(text) !== undefined, "a JSON Pointer such as /rules/children/0");
/** A patch as an argument; which members an operation needs beside `op` and `path` is checked as it is applied. */
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

/** One operation of a patch that does not fit the value. */
class Misfit extends Error {
  readonly member: string;
  readonly takes: string;

  constructor(member: string, takes: string) {
    super(takes);
    this.member = member;
    this.takes = takes;
  }
}

/** A copy of a value in which the place before the last step was changed; what is beside the path is shared. */
function changed(root: unknown, steps: readonly string[], change: (parent: unknown, step: string) => unknown): unknown {
  const [step = "", ...rest] = steps;
  if (rest.length === 0) return change(root, step);
  const { isThere, value } = stepInto(root, step);
  if (!isThere) throw new Misfit("path", "a place that is there");
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
    if (typeof parent !== "object" || parent === null) throw new Misfit("path", "a place in an object or a list");
    if (step === "__proto__") throw new Misfit("path", "no member of this name");
    return { ...parent, [step]: value };
  });
}

function removed(root: unknown, steps: readonly string[], member = "path"): unknown {
  if (steps.length === 0) throw new Misfit(member, "a place inside the value, not the whole");
  return changed(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit(member, "a place that is there");
    if (Array.isArray(parent)) return parent.toSpliced(Number(step), 1);
    const { [step]: _, ...rest } = parent as Readonly<Record<string, unknown>>;
    return rest;
  });
}

function replaced(root: unknown, steps: readonly string[], value: unknown): unknown {
  if (steps.length === 0) return value;
  return changed(root, steps, (parent, step) => {
    if (!stepInto(parent, step).isThere) throw new Misfit("path", "a place that is there; add makes a new one");
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
    throw new Misfit("value", `what is there, ${present === undefined ? "nothing" : shown(present)}`);
  }
  return takenFrom(root, { op, path, from });
}

/** What `copy` and `move` do: the value of one place put at another. */
function takenFrom(root: unknown, { op, path, from }: Pick<PatchOperation, "op" | "path" | "from">): unknown {
  if (from === undefined) throw new Misfit("from", "the place to take the value from");
  const source = valueAt(root, from);
  if (source === undefined) throw new Misfit("from", "a place that is there");
  const steps = pointerSteps(path) ?? [];
  if (op === "copy") return added(root, steps, source);
  if (path.startsWith(`${from}/`)) throw new Misfit("path", "a place outside what is moved");
  return added(removed(root, pointerSteps(from) ?? [], "from"), steps, source);
}

/** What is wrong with an operation, with the last place on the way to one that is not there. */
function problemOf({ member, takes }: Misfit, operation: PatchOperation, value: unknown, place: string): FieldProblem {
  const given = member === "value" ? operation.value : member === "from" ? operation.from : operation.path;
  const near = typeof given === "string" && member !== "value" ? nearestPlace(value, given) : undefined;
  const hint = near === undefined || near === given ? "" : `; the last place on the way is ${shown(near)}`;
  const known = given === undefined ? {} : { given: shown(given) };
  return { field: `${place}.${member}`, ...known, takes: `${takes}${hint}` };
}

/**
 * Applies a patch as a whole.
 * @param field The name of the patch among the arguments.
 * @returns the changed copy, or what is wrong with the first operation that does not fit; then nothing is changed.
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
