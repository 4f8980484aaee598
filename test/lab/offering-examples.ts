/** Examples of the tools whose results offer calls: those that wait, those that are guarded, and all workflows. */
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/pages/example.js";
import type { allWorkflows } from "../../src/workflows/index.js";

type Args = Readonly<Record<string, unknown>>;

/** The tools, each with its example; what can be waited for is waited for. */
export function offeringExamples(
  operations: readonly (readonly [string, AnyOperation])[],
  workflows: Awaited<ReturnType<typeof allWorkflows>>,
): readonly (readonly [string, Args])[] {
  const argsOf = (example: Args): Args => resolvedExample(example, Date.now()) as Args;
  return [
    ...operations
      .filter(([, { spec }]) => spec.awaits?.status !== undefined || guardOf({ spec }) !== undefined)
      .map(([tool, { spec }]) => {
        const { confirm: _, ...args } = argsOf(spec.example);
        return [tool, spec.awaits?.status ? { ...args, wait: true } : args] as const;
      }),
    ...workflows.map(([tool, { example }]) => [tool, argsOf(example)] as const),
  ];
}
