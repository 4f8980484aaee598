/** Previews of calls whose present state a test knows, and the kinds of their lines in words. */
import { type CheckedArguments, checkArguments } from "../../src/arguments/index.js";
import type { LineKind, Run } from "../../src/guard/preview/entry.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { type Description, describe } from "../../src/guard/preview.js";
import type { State } from "../../src/guard/state.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolveRequest } from "../../src/wire/request.js";

export const target = { origin: "https://h.example", vendor: "v" };

/** @param change What is changed of the arguments after their check. */
export async function describedFor(
  tool: string,
  operation: AnyOperation,
  args: object,
  state?: State,
  change: (checked: CheckedArguments) => CheckedArguments = (checked) => checked,
): Promise<Description> {
  const checked = checkArguments(tool, operation, args);
  const request = await resolveRequest(tool, operation, checked, target);
  return describe(tool, operation, change(checked), request, "the account", state);
}

export const previewFor = async (...call: Parameters<typeof describedFor>) =>
  describeAll(call[0], [await describedFor(...call)]);

/** The runs of lines that "2 warning, 1 request" stands for. */
export const outlineOf = (runs: string): Run[] =>
  runs.split(", ").map((run) => {
    const [count, is] = run.split(" ");
    return { is: is as LineKind, count: Number(count) };
  });
