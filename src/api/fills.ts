/** Arguments that can be left out because another one determines them, such as the version of a report by its name. */
import { type FieldProblem, shown } from "./failure.js";
import { didYouMean, meantBy } from "./nearest.js";

type Members = Readonly<Record<string, unknown>>;

/** An argument that the value of another one determines: `values` maps that value to it. */
export interface Fills {
  readonly argument: string;
  readonly from: string;
  readonly values: Members;
}

/**
 * A member of the body that repeats what the operation named by `shownBy` shows, such as the hash of what is acknowledged:
 * filled in when it is left out, and refused when the state shows another. It counts where the body's medium has it.
 */
export interface FillsFromState {
  /** The member, as a path into the arguments: `body.hash`. */
  readonly argument: string;
  /** Where the state has it. */
  readonly at: string;
}

/** A call's arguments with the one that another one determines filled in, and a note that says so. */
export function fillIn(
  fills: Fills | undefined,
  values: Members,
): { readonly values: Members; readonly problems: readonly FieldProblem[]; readonly notes: readonly string[] } {
  if (!fills || values[fills.argument] !== undefined) return { values, problems: [], notes: [] };
  const { argument, from, values: known } = fills;
  const key = String(values[from]);
  if (Object.hasOwn(known, key)) {
    const note = `${argument} was left out: ${shown(known[key])} is used, the known one for ${key}.`;
    return { values: { ...values, [argument]: known[key] }, problems: [], notes: [note] };
  }
  const names = Object.keys(known);
  const takes = `a value; it is required where ${from} is none of ${names.join(", ")}${didYouMean(key, names)}`;
  const meant = meantBy(key, names);
  const mends = meant === undefined ? {} : { mends: [{ at: [from], value: meant, isGuess: true }] as const };
  return { values, problems: [{ field: argument, takes, ...mends }], notes: [] };
}
