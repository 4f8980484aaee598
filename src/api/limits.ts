/** Limits that depend on what a call is about: a report takes only its own intervals, metrics and filters. */
import { type FieldProblem, shown } from "./failure.js";
import { memberAt } from "./member.js";
import { didYouMean } from "./nearest.js";

type Members = Readonly<Record<string, unknown>>;

/** What a field takes. */
interface Limit {
  /** The only values of the field, or of the list that it is; none at all when there are none. */
  readonly values?: readonly string[];
  /** The only names of the members that it has. */
  readonly names?: readonly string[];
  readonly isRequired?: boolean;
}

/** Limits by subject; the subject is the values of some arguments joined by a slash, and one that is not listed has none. */
export interface Limits {
  readonly by: readonly string[];
  /** Subject to the limits of its fields, which are named by paths into the arguments. */
  readonly of: Readonly<Record<string, Readonly<Record<string, Limit>>>>;
  /** An argument that can be left out where the value of another one tells it: `values` has the one by the other. */
  readonly fills?: { readonly argument: string; readonly from: string; readonly values: Members };
}

function* problemsOf(field: string, value: unknown, limit: Limit, subject: string): Generator<FieldProblem> {
  const { values, names, isRequired = false } = limit;
  if (value === undefined) {
    if (isRequired) yield { field, takes: `one of ${values?.join(", ")}; ${subject} requires it` };
    return;
  }
  for (const one of values === undefined ? [] : Array.isArray(value) ? value : [value])
    if (!values?.includes(String(one)))
      yield {
        field,
        given: shown(one),
        takes:
          values?.length === 0
            ? `nothing: ${subject} takes none`
            : `one of ${values?.join(", ")} for ${subject}${didYouMean(String(one), values ?? [])}`,
      };
  for (const name of names === undefined ? [] : Object.keys(value as object))
    if (!names?.includes(name))
      yield {
        field: `${field}.${name}`,
        takes: `nothing: ${subject} has ${names?.length === 0 ? "no such members" : `only ${names?.join(", ")}`}${didYouMean(name, names ?? [])}`,
      };
}

/** A call's arguments with the one that another one tells, and a sentence that says so. */
export function fillIn(
  limits: Limits | undefined,
  values: Members,
): { readonly values: Members; readonly problems: readonly FieldProblem[]; readonly notes: readonly string[] } {
  const fills = limits?.fills;
  if (!fills || values[fills.argument] !== undefined) return { values, problems: [], notes: [] };
  const { argument, from, values: known } = fills;
  const told = String(values[from]);
  if (Object.hasOwn(known, told)) {
    const note = `${argument} was left out: it is ${shown(known[told])}, the known one of ${told}.`;
    return { values: { ...values, [argument]: known[told] }, problems: [], notes: [note] };
  }
  const names = Object.keys(known);
  const takes = `a value; it is required where ${from} is none of ${names.join(", ")}${didYouMean(told, names)}`;
  return { values, problems: [{ field: argument, takes }], notes: [] };
}

/** What is wrong with a call's arguments by the limits of its subject. */
export function limitProblems(limits: Limits | undefined, values: Members): FieldProblem[] {
  if (!limits) return [];
  const subject = limits.by.map((name) => String(values[name])).join("/");
  const own = Object.hasOwn(limits.of, subject) ? limits.of[subject] : undefined;
  return Object.entries(own ?? {}).flatMap(([field, limit]) => [
    ...problemsOf(field, memberAt(values, field), limit, subject),
  ]);
}
