/** What a call is of: the operation that it names, and what it asks for beside the arguments of that. */
import { answersRows, invalidInput } from "../arguments/index.js";
import type { Composed } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isRead } from "../language/effect.js";
import type { View } from "../rows/view/schema.js";
import type { Context, Declared } from "./context.js";

/** A call of an operation, or a batch: several calls of one. */
export interface Asked {
  /** The operation's own tool. */
  readonly tool: string;
  readonly each: readonly Arguments[];
  /** The composed change that it is made for; such a call needs a plan, but for a batch of what its caller gave. */
  readonly composed?: Composed | undefined;
  readonly isBatch?: boolean;
  /** What the answers of a batch are shown as together. */
  readonly view?: unknown;
}

/** The same with the operation's declaration, and with what is asked beside the arguments apart from them. */
export interface Found extends Declared, Omit<Asked, "view"> {
  /** The arguments as they were given. */
  readonly given: readonly Arguments[];
  /** The plan that it names beside the arguments of an operation without a guard. */
  readonly confirm?: string | undefined;
  readonly view?: View | undefined;
}

/** The arguments of a call, and what it asks for beside them. */
interface Beside {
  readonly args: Arguments;
  readonly confirm?: string;
  readonly view?: View;
}

/**
 * What a call asks for: its `confirm`, which an operation without a guard takes where the policy wants an approval, and a
 * view of its rows, for which a list is read to its end.
 * @throws Failure `invalid_input` for a view that cannot be used.
 */
export async function besideArguments(declared: AnyOperation, tool: string, args: Arguments): Promise<Beside> {
  if (args["view"] !== undefined && answersRows(declared)) {
    const { viewOf, withAllPages } = await import("./row-view.js");
    return { args: withAllPages(declared, args), view: viewOf(tool, args["view"]) };
  }
  if (guardOf(declared) || isRead(declared) || !Object.hasOwn(args, "confirm")) return { args };
  const { confirm, ...others } = args;
  return { args: others, confirm: String(confirm) };
}

/** The operation of a tool, its service alone being loaded. */
export async function operationOf(context: Pick<Context, "operationOf">, tool: string): Promise<Declared> {
  const found = await context.operationOf(tool);
  if (!found) throw new Error("The catalogue names an operation that is not declared.");
  return found;
}

/**
 * Finds what a call is of.
 * @throws Failure `invalid_input` for a view that cannot be used.
 */
export async function find(context: Pick<Context, "operationOf">, asked: Asked): Promise<Found> {
  const { tool, each: given, composed, isBatch = false, view: wanted } = asked;
  const { service, declared } = await operationOf(context, tool);
  const found = { tool, service, declared, composed, isBatch, given };
  if (!isBatch) {
    const { args, ...beside } = await besideArguments(declared, tool, given[0] ?? {});
    return { ...found, ...beside, each: [args] };
  }
  if (wanted === undefined) return { ...found, each: given };
  const by = composed?.tool ?? tool;
  if (!isRead(declared))
    throw invalidInput(by, [
      { field: "view", takes: "nothing here: it shows what calls read, and these change something" },
    ]);
  const { viewOf, withAllPages } = await import("./row-view.js");
  return { ...found, each: given.map((args) => withAllPages(declared, args)), view: viewOf(by, wanted) };
}
