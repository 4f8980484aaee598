/** The hand-written text of a service's guide. */
import type { Service } from "./service.js";

/** A transition in a life cycle, caused by a tool or something else. */
interface Move<Tool extends string = string> {
  /** The state before; absent for a creation. */
  readonly from?: string;
  /** The state after; absent for a removal. */
  readonly to?: string;
  /** The tool that causes the transition. */
  readonly by?: Tool;
  /** The cause if it is not a tool, or the condition under which the tool causes it. */
  readonly when?: string;
}

/** The life cycle of a kind of object: its states and the transitions between them. */
export interface Life<Tool extends string = string> {
  /** The noun for the object, with its article. */
  readonly of: string;
  /** The tool whose response has the state, and the path of the field; absent if the API does not report it. */
  readonly shown?: { readonly by: Tool; readonly at: string };
  readonly moves: readonly Move<Tool>[];
}

/** The text of a guide. Words in backticks are tools, fields or values of the declarations. */
export interface Guide<S extends Service = Service> {
  /** A few sentences on the use of the service, how its objects relate, and pitfalls. */
  readonly purpose: string;
  /** Its main objects, keyed by their nouns in the names of tools. */
  readonly objects: Readonly<Record<string, string>>;
  readonly lives: readonly Life<keyof S["operations"] & string>[];
  /** The ids of rules, and the tools with notes, that state limits or omissions. */
  readonly limits?: readonly string[];
}

/** The states of a life cycle, in the order of its transitions. */
export const statesOf = ({ moves }: Life): readonly string[] => [
  ...new Set(moves.flatMap(({ from, to }) => [from, to]).filter((state) => state !== undefined)),
];
