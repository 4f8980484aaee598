/** What a person writes of a service beside its declarations: the written part of its guide. */
import type { Service } from "./service.js";

/** A step in a life, by a tool or for another reason. */
interface Move<Tool extends string = string> {
  /** The state before; absent where the thing does not exist yet. */
  readonly from?: string;
  /** The state after; absent where the thing is gone. */
  readonly to?: string;
  /** The tool whose call brings the step about. */
  readonly by?: Tool;
  /** What brings it about where no call does, or which calls of the tool do. */
  readonly when?: string;
}

/** The life of a kind of object: its states and the steps between them. */
export interface Life<Tool extends string = string> {
  /** What has this life, with its article. */
  readonly of: string;
  /** The tool whose answer says the state, and the path of the member; absent where the API has no word for it. */
  readonly shown?: { readonly by: Tool; readonly at: string };
  readonly moves: readonly Move<Tool>[];
}

/** The written part of a guide. What stands between backticks is a tool, a member or a value of the declarations. */
export interface Guide<S extends Service = Service> {
  /** What the service is used for, how its objects hang together, and what to mind; a few sentences. */
  readonly purpose: string;
  /** What its main objects are, by the nouns that the names of its tools have for them. */
  readonly objects: Readonly<Record<string, string>>;
  readonly lives: readonly Life<keyof S["operations"] & string>[];
  /** Its rules that say how much there may be of something or leave something out, and its tools whose note does. */
  readonly limits?: readonly string[];
}

/** The states of a life, in the order in which its steps come to them. */
export const statesOf = ({ moves }: Life): readonly string[] => [
  ...new Set(moves.flatMap(({ from, to }) => [from, to]).filter((state) => state !== undefined)),
];
