/** The first sentence of a preview: the action, its object, the network, and what is lost. */
import type { Arguments, Guard, GuardKind, Statement } from "../../language/conduct.js";
import type { Destination } from "../../language/destination.js";
import { headOf, resultsOf, statement } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import type { ChangeLine, Review } from "../../language/review.js";
import { countOf, keyText, valueText } from "../../language/value-text.js";
import { plainOrQuoted } from "../../language/words.js";
import type { ValidatedArguments } from "../../schema/arguments.js";
import { onOneLine } from "../../text/marks.js";
import { clipped } from "./lines.js";

/** What a write changes, and the arguments that are sent and that the state does not show. */
export interface Changes extends Review {
  readonly uncompared: readonly string[];
}

/** The verb of each kind, and the words that follow it. */
const verbs: Readonly<Record<GuardKind, readonly [verb: string, of?: string]>> = {
  purge: ["PURGE"],
  delete: ["DELETE"],
  overwrite: ["REPLACE"],
  create: ["CREATE"],
  activate: ["ACTIVATE"],
  credential: ["CHANGE"],
  access: ["CHANGE", "THE ACCESS OF"],
  cancel: ["CANCEL"],
  suspend: ["SUSPEND"],
  resume: ["RESUME"],
};

/** The guard's noun for the object, and the field with its display name. */
function thingOf({ thing = "" }: Guard): { readonly words: string | undefined; readonly named: string | undefined } {
  const [, words, named] = /^(.*?)(?: \{(.+)\})?$/.exec(thing) ?? [];
  return { words: words || undefined, named };
}

/** The text to type to approve a critical call. */
export const previewTarget = (
  guard: Guard,
  tool: string,
  { values, path }: ValidatedArguments,
  state: unknown,
  related: Arguments,
): string =>
  guard.target?.(values, state, related) ?? String(Object.values(path).at(-1) ?? thingOf(guard).words ?? tool);

/** The object of the call, with its display name and its parents. */
function whatOf(guard: Guard, tool: string, { path, values }: ValidatedArguments, state: unknown): string {
  if (guard.names) return guard.names(values);
  const { words, named } = thingOf(guard);
  // A new object has no id yet: the path names its parent.
  const isNew = guard.kind === "create";
  const places = Object.entries(path);
  const idEntry = isNew ? undefined : places.at(-1);
  const name = named === undefined ? undefined : memberAt(isNew ? values : state, named);
  const around = places.slice(0, isNew ? undefined : -1).map(([key, value]) => `${keyText(key)} ${valueText(value)}`);
  return [
    words ?? `the object of ${tool}`,
    idEntry === undefined ? "" : String(idEntry[1]),
    typeof name === "string" && name !== "" ? `(${clipped(JSON.stringify(name), 80)})` : "",
    around.length === 0 ? "" : `(${around.join(", ")})`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The number of changes of each kind, removals first. */
export function changeCounts(changes: readonly ChangeLine[]): string {
  const count = (verb: ChangeLine["verb"]) =>
    changes.filter((change) => change.verb === verb && !change.isEmptied).length;
  const counts = (["removed", "changed", "added"] as const).map((verb) => [count(verb), verb] as const);
  const some = counts.filter(([number]) => number > 0);
  return some.map(([number, verb]) => `${number.toLocaleString("en-US")} ${verb}`).join(", ");
}

function effectOn({ replaces }: Guard, state: unknown, changes: Changes | undefined): string {
  if (replaces === undefined) return "";
  if (changes?.changes.length === 0)
    return changes.uncompared.length === 0
      ? "it is already up to date, so nothing changes"
      : `${replaces} is already up to date; the present state does not show what ${changes.uncompared.join(" and ")} would change`;
  if (changes) return changeCounts(changes.changes) || "only fields without a value are left out";
  return state === undefined ? "there is no present state to compare with" : "the present state could not be compared";
}

const isIrreversible = ({ undo }: Guard): boolean => typeof undo === "object" && "never" in undo;

/** What a preview's sentence is made of. */
export interface DescribedCall {
  readonly guard: Guard;
  readonly tool: string;
  readonly args: ValidatedArguments;
  readonly network: string | undefined;
  readonly count: number | undefined;
  /** The state, as it can be shown. */
  readonly state: unknown;
  /** The responses of `relatedReads`, as they can be shown. */
  readonly related: Arguments;
  readonly changes: Changes | undefined;
  /** The destinations of its data, if they are the reason for the guard. */
  readonly destinations: readonly Destination[];
}

/** The statement that follows from the declaration. */
function declaredStatement({
  guard,
  tool,
  args,
  network,
  count,
  state,
  changes,
  destinations,
}: DescribedCall): Statement {
  const isMerge = guard.replaces !== undefined && guard.write === "merge";
  const [verb, of = ""] = isMerge ? (["CHANGE"] as const) : verbs[guard.kind];
  const target = [
    of,
    count === undefined ? "" : `${countOf(count, "object")} in`,
    whatOf(guard, tool, args, state),
    network === undefined ? "" : `on ${network.toUpperCase()}`,
  ];
  const to = [...new Set(destinations.map(({ value }) => plainOrQuoted(value)))];
  return statement(
    verb,
    target.filter(Boolean).join(" "),
    typeof guard.says === "string" && guard.says,
    to.length > 0 && `data is sent to ${to.join(", ")}`,
    effectOn(guard, state, changes) || false,
  );
}

/** The sentence of a preview, as data. */
export interface PreviewSentence extends Statement {
  readonly isIrreversible: boolean;
}

/** The sentence of a call, as the service states it or as it follows from the declaration. */
export function previewSentenceOf(of: DescribedCall): PreviewSentence {
  const { guard, args, state, related } = of;
  const stated = typeof guard.says === "function" ? guard.says(args.values, state, related) : undefined;
  const { verb, target, results, shows = [] } = stated ?? declaredStatement(of);
  return {
    verb: onOneLine(verb),
    target: onOneLine(target),
    results: results.map(onOneLine),
    shows,
    isIrreversible: isIrreversible(guard),
  };
}

const endOf = ({ isIrreversible }: PreviewSentence): string => (isIrreversible ? ". This cannot be undone" : "");

/** A sentence in two parts without full stops: what is done to what, and the results, which several calls may share. */
export function sentenceParts(sentence: PreviewSentence): readonly [head: string, results: string] {
  const [head, results, end] = [headOf(sentence), resultsOf(sentence), endOf(sentence)];
  return results === "" ? [`${head}${end}`, ""] : [head, `${results}${end}`];
}

/** A sentence with its full stop. */
export const previewSentenceText = (sentence: PreviewSentence): string =>
  `${sentenceParts(sentence).filter(Boolean).join(": ")}.`;
