/** The sentence that leads a preview: what is done, to what, where, and what is lost. */
import type { CheckedArguments } from "../../arguments/index.js";
import type { Arguments, Guard, GuardKind } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";
import type { Destination } from "../../schema/destination.js";
import type { ChangeLine } from "./changes.js";
import { clipped } from "./entry.js";
import { countOf, nameOf, written } from "./text.js";

const verbs: Readonly<Record<GuardKind, string>> = {
  purge: "PURGE",
  delete: "DELETE",
  overwrite: "REPLACE",
  create: "CREATE",
  activate: "ACTIVATE",
  credential: "CHANGE",
  access: "CHANGE THE ACCESS OF",
  cancel: "CANCEL",
  suspend: "SUSPEND",
  resume: "RESUME",
};

/** The words of a guard for what is acted on, and the member that has its name for people. */
function thingOf({ thing = "" }: Guard): { readonly words: string | undefined; readonly named: string | undefined } {
  const [, words, named] = /^(.*?)(?: \{(.+)\})?$/.exec(thing) ?? [];
  return { words: words || undefined, named };
}

/** What a person types to approve a critical call. */
export const targetOf = (
  guard: Guard,
  tool: string,
  { values, path }: CheckedArguments,
  state: unknown,
  beside: Arguments,
): string =>
  guard.target?.(values, state, beside) ?? String(Object.values(path).at(-1) ?? thingOf(guard).words ?? tool);

/** What is acted on, with its name for people and what it belongs to. */
function whatOf(guard: Guard, tool: string, { path, values }: CheckedArguments, state: unknown): string {
  const { words, named } = thingOf(guard);
  // What is made has no place of its own yet: the path says where it is made.
  const isNew = guard.kind === "create";
  const places = Object.entries(path);
  const own = isNew ? undefined : places.at(-1);
  const name = named === undefined ? undefined : memberAt(isNew ? values : state, named);
  const around = places.slice(0, isNew ? undefined : -1).map(([key, value]) => `${nameOf(key)} ${written(value)}`);
  return [
    words ?? `what ${tool} names`,
    own === undefined ? "" : String(own[1]),
    typeof name === "string" && name !== "" ? `(${clipped(JSON.stringify(name), 80)})` : "",
    around.length === 0 ? "" : `(${around.join(", ")})`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** How many changes there are of each kind, what is lost first. */
export function countsOf(changes: readonly ChangeLine[]): string {
  const count = (verb: ChangeLine["verb"]) => changes.filter((change) => change.verb === verb).length;
  const counts = (["removed", "changed", "added"] as const).map((verb) => [count(verb), verb] as const);
  const some = counts.filter(([number]) => number > 0);
  return some.map(([number, verb]) => `${number.toLocaleString("en-US")} ${verb}`).join(", ");
}

function effectOn({ replaces }: Guard, state: unknown, changes: readonly ChangeLine[] | undefined): string {
  if (replaces === undefined) return "";
  if (changes?.length === 0) return "with what is there already, so nothing changes";
  if (changes) return countsOf(changes) || "only members without a value are left out";
  return state === undefined ? "nothing was found there to compare with" : "what is there could not be compared";
}

const isIrreversible = ({ undo }: Guard): boolean => typeof undo === "object" && "never" in undo;

/** What a preview's sentence is made of. */
export interface Sentence {
  readonly guard: Guard;
  readonly tool: string;
  readonly args: CheckedArguments;
  readonly network: string | undefined;
  readonly count: number | undefined;
  /** The state, as it can be shown. */
  readonly state: unknown;
  /** What was read besides, as it can be shown. */
  readonly beside: Arguments;
  readonly changes: readonly ChangeLine[] | undefined;
  /** To whom it sends data, where that is what it is guarded for. */
  readonly destinations: readonly Destination[];
}

/** The sentence of a call, as its service says it or as follows from its declaration. */
export function sentenceOf({
  guard,
  tool,
  args,
  network,
  count,
  state,
  beside,
  changes,
  destinations,
}: Sentence): string {
  const end = isIrreversible(guard) ? ". This cannot be undone." : ".";
  const own = typeof guard.says === "function" ? guard.says(args.values, state, beside) : undefined;
  if (own !== undefined) return `${own}${end}`;
  const isMerge = guard.replaces !== undefined && guard.write === "merge";
  const head = [
    isMerge ? "CHANGE" : verbs[guard.kind],
    count === undefined ? "" : `${countOf(count, "object")} in`,
    whatOf(guard, tool, args, state),
    network === undefined ? "" : `on ${network.toUpperCase()}`,
  ];
  const to = [...new Set(destinations.map(({ value }) => plain(value)))];
  const losses = [
    typeof guard.says === "string" ? guard.says : "",
    to.length === 0 ? "" : `data is sent to ${to.join(", ")}`,
    effectOn(guard, state, changes),
  ]
    .filter(Boolean)
    .join("; ");
  return `${head.filter(Boolean).join(" ")}${losses === "" ? "" : `: ${losses}`}${end}`;
}
