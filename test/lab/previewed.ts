/** Previews of calls whose present state a test knows, and the kinds of their lines in words. */
import type { LineRun, PreviewLineKind } from "../../src/guard/preview/lines.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { type CallDescription, describe } from "../../src/guard/preview.js";
import type { PresentState } from "../../src/guard/state.js";
import type { Guard } from "../../src/language/conduct.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { z } from "../../src/language/z.js";
import { type ValidatedArguments, validateArguments } from "../../src/schema/arguments.js";
import { resolveRequest } from "../../src/wire/request.js";

/** A write of a made-up thing over what is stored, guarded and shown as usual but for what a test says. */
export const writing = (body: z.ZodType, guard: Partial<Guard> = {}, more: object = {}): AnyOperation =>
  op("PUT /things/{id}", {
    does: "Writes a thing.",
    path: { id: z.int() },
    body: json(body),
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: { kind: "overwrite", thing: "thing", ...guard },
    shownBy: "thing_get",
    example: { id: 1, body: {} },
    ...more,
  } as never) as AnyOperation;

export const target = { origin: "https://h.example", vendor: "v" };

/** @param change What is changed of the arguments after their check. */
export async function describedFor(
  tool: string,
  operation: AnyOperation,
  args: object,
  state?: PresentState,
  change: (checked: ValidatedArguments) => ValidatedArguments = (checked) => checked,
): Promise<CallDescription> {
  const checked = validateArguments(tool, operation, args);
  const request = await resolveRequest(tool, operation, checked, target);
  return describe(tool, operation, change(checked), request, "the account", state);
}

export const previewFor = async (...call: Parameters<typeof describedFor>) =>
  describeAll(call[0], [await describedFor(...call)]);

/** The runs of lines that "2 warning, 1 request" stands for. */
export const outlineOf = (runs: string): LineRun[] =>
  runs.split(", ").map((run) => {
    const [count, is] = run.split(" ");
    return { is: is as PreviewLineKind, count: Number(count) };
  });
