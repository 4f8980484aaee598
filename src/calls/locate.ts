/** Locates a call: the operation that it names, and the control arguments that are not among the operation's own. */
import type { ComposedCall } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isRead } from "../language/effect.js";
import type { RowView } from "../rows/view/schema.js";
import { answersRows, argumentsSchema, Confirm, invalidInput, ViewArgument } from "../schema/arguments.js";
import { withoutAbsent } from "../schema/coerce.js";
import type { CallContext, DeclaredOperation, Draft } from "./context.js";

/** A call of an operation, or a batch: several calls of one. */
export interface ToolCall {
  /** The tool of the operation. */
  readonly tool: string;
  readonly itemArguments: readonly Arguments[];
  /** The composed change for which it is made; such a call needs a plan, unless its caller wrote the batch. */
  readonly composed?: ComposedCall | undefined;
  readonly isBatch?: boolean;
  /** The draft that it puts into effect. */
  readonly draft?: Draft | undefined;
  /** The view of a batch's responses. */
  readonly view?: unknown;
}

/** What a call takes beside the operation's arguments. */
interface ControlArguments {
  /** The plan id, for an operation without a guard. */
  readonly confirm?: string | undefined;
  readonly view?: RowView | undefined;
}

/** A tool call with the operation's declaration, and with the control arguments separated. */
export interface LocatedCall extends DeclaredOperation, ControlArguments, Omit<ToolCall, "view"> {
  /** The arguments of each item before the control arguments were separated. */
  readonly given: readonly Arguments[];
}

/** The operation's arguments, and the control arguments. */
interface SeparatedArguments extends ControlArguments {
  readonly args: Arguments;
}

/**
 * Separates the control arguments that are not the operation's own: `confirm`, which an operation without a guard
 * takes if the policy requires an approval, and a view, for which a list is read to its end.
 * @throws Failure `invalid_input` for an invalid view, or for its fields beside the arguments.
 */
export async function separateControlArguments(
  declared: AnyOperation,
  tool: string,
  args: Arguments,
): Promise<SeparatedArguments> {
  if (answersRows(declared)) {
    const { shape } = argumentsSchema(declared);
    const isDeclared = (name: string) => Object.hasOwn(shape, name);
    if (Object.keys(args).every(isDeclared) && args["view"] === undefined) return { args };
    const { refuseStrayViewFields, viewOf, withAllPages } = await import("./row-view.js");
    refuseStrayViewFields(tool, args, isDeclared);
    if (args["view"] === undefined) return { args };
    return { args: withAllPages(declared, args), view: viewOf(tool, args["view"]) };
  }
  if (guardOf(declared) || isRead(declared) || !Object.hasOwn(args, "confirm")) return { args };
  const { confirm, ...others } = args;
  return { args: others, confirm: String(confirm) };
}

/** The operation of a tool; only its service is loaded. */
export async function operationOf(context: Pick<CallContext, "operationOf">, tool: string): Promise<DeclaredOperation> {
  const found = await context.operationOf(tool);
  if (!found) throw new Error("The catalogue names an operation that is not declared.");
  return found;
}

/**
 * Finds the operation of a call, and separates the control arguments.
 * @throws Failure `invalid_input` for an invalid view.
 */
export async function locateCall(context: Pick<CallContext, "operationOf">, toolCall: ToolCall): Promise<LocatedCall> {
  const { tool, composed, draft, isBatch = false, view: viewInput } = toolCall;
  const { service, declared } = await operationOf(context, tool);
  const shape = { confirm: Confirm, view: ViewArgument.optional(), ...argumentsSchema(declared).shape };
  const inputs = toolCall.itemArguments.map((args) => withoutAbsent(shape, args));
  const located = { tool, service, declared, composed, draft, isBatch, given: inputs };
  if (!isBatch) {
    const { args, ...controls } = await separateControlArguments(declared, tool, inputs[0] ?? {});
    return { ...located, ...controls, itemArguments: [args] };
  }
  if (viewInput === undefined) return { ...located, itemArguments: inputs };
  const by = composed?.tool ?? tool;
  if (!isRead(declared))
    throw invalidInput(by, [
      { field: "view", takes: "nothing here: a view is for reads, and these calls make changes" },
    ]);
  const { viewOf, withAllPages } = await import("./row-view.js");
  return { ...located, itemArguments: inputs.map((args) => withAllPages(declared, args)), view: viewOf(by, viewInput) };
}
