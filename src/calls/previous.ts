/** How to read the period before that of a call, for comparisons. */
import type { PreviousPeriodCall } from "../rows/result-store.js";
import { previousPeriod } from "../time/period.js";
import type { ResolvedCall } from "./context.js";

/** The call that reads the previous period; undefined if the operation or its arguments have no period. */
export function previousOf({
  tool,
  declared,
  checked,
}: Pick<ResolvedCall, "tool" | "declared" | "checked">): PreviousPeriodCall | undefined {
  const { period } = declared.spec;
  const before = period && previousPeriod(period, checked.values);
  if (!before) return undefined;
  const { period: _, view: __, ...args } = checked.values;
  return { tool, args: { ...args, ...before.args }, starts: before.starts };
}
