/** What a call of an operation asks for beside its arguments: an approval, and a view of its rows. */
import type { View } from "../answers/view/schema.js";
import type { Arguments } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { answersRows } from "../api/view-argument.js";

/** The arguments of a call, and what it asks for beside them. */
interface Asked {
  readonly given: Arguments;
  readonly confirm?: string;
  readonly view?: View;
}

/**
 * What a call asks for: its `confirm`, which an operation without a guard takes where the policy wants an approval, and a
 * view of its rows, for which a list is read to its end.
 * @throws Failure `invalid_input` for a view that cannot be used.
 */
export async function askedOf(declared: AnyOperation, tool: string, args: Arguments): Promise<Asked> {
  if (args["view"] !== undefined && answersRows(declared)) {
    const { viewOf, withAllPages } = await import("./row-view.js");
    return { given: withAllPages(declared, args), view: viewOf(tool, args["view"]) };
  }
  if (declared.spec.guard || isRead(declared) || !Object.hasOwn(args, "confirm")) return { given: args };
  const { confirm, ...given } = args;
  return { given, confirm: String(confirm) };
}
