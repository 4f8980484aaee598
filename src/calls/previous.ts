/** How the period before that of a call is read, for a comparison that is asked for with the call or later. */
import type { Previous } from "../results/store.js";
import { previousPeriod } from "../time/period.js";
import type { Prepared } from "./context.js";

/** The call that reads the period before; undefined where the operation or its arguments have no period. */
export function previousOf({
  tool,
  declared,
  checked,
}: Pick<Prepared, "tool" | "declared" | "checked">): Previous | undefined {
  const { period } = declared.spec;
  const before = period && previousPeriod(period, checked.values);
  if (!before) return undefined;
  const { period: _, view: __, ...args } = checked.values;
  return { tool, args: { ...args, ...before.args }, starts: before.starts };
}
