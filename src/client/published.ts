/** Calls in the form of public facts: by another route, with arguments in the body that the documents have elsewhere. */
import type { CheckedArguments } from "../api/arguments.js";
import { type AnyOperation, json } from "../api/define.js";
import { isRecord } from "../api/member.js";
import { onceFor } from "../api/once-for.js";
import { z } from "../api/z.js";

const anyJson = json(z.unknown());

/** The operation with its published route; the same object each time. */
const republished = onceFor((operation: AnyOperation): AnyOperation => {
  const { published } = operation.spec;
  return published ? { ...operation, route: published.route } : operation;
});

const without = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/**
 * An operation and its arguments as they are sent: unchanged where the tool is not among those that use the published
 * form, or has none.
 */
export function asPublished(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  tools: ReadonlySet<string> | undefined,
): { readonly operation: AnyOperation; readonly args: CheckedArguments } {
  const { published } = operation.spec;
  if (published === undefined || !tools?.has(tool)) return { operation, args };
  const { inBody } = published;
  const placed = { ...args.path, ...args.query };
  const moved = Object.fromEntries(inBody.flatMap((name) => (name in placed ? [[name, placed[name]]] : [])));
  const body = { ...(isRecord(args.body) ? args.body : {}), ...moved };
  return {
    operation: republished(operation),
    args: {
      ...args,
      path: without(args.path, inBody),
      query: without(args.query, inBody),
      body,
      medium: args.medium ?? anyJson,
    },
  };
}
