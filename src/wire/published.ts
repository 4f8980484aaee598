/**
 * Calls in the form of public facts: with a different route, and arguments in the body that are elsewhere in the
 * documents.
 */
import { type CheckedArguments, invalidInput } from "../arguments/index.js";
import { type AnyOperation, json, type Published } from "../language/define.js";
import { shown } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { onceFor } from "../language/once-for.js";
import { z } from "../language/z.js";

type Members = Readonly<Record<string, unknown>>;

const anyJson = json(z.unknown());

/** The operation with its published route; the same object each time. */
export const republished = onceFor((operation: AnyOperation): AnyOperation => {
  const { published } = operation.spec;
  return published ? { ...operation, route: published.route } : operation;
});

const without = (values: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/**
 * A call's arguments in the places of the published form.
 * @param values Arguments by name, the body under `body`; the body is an object if the form moves arguments into it.
 */
export function inPublishedPlaces(values: Members, { inBody }: Pick<Published, "inBody">): Members {
  const moved = Object.entries(values).filter(([name, value]) => inBody.includes(name) && value !== undefined);
  if (inBody.length === 0) return values;
  const body = isRecord(values["body"]) ? values["body"] : {};
  return { ...without(values, inBody), body: { ...body, ...Object.fromEntries(moved) } };
}

/** Why arguments cannot be moved into a body: it is not an object, or has a different value under the same name. */
function refuseCollision(tool: string, body: unknown, placed: Members, inBody: readonly string[]): void {
  if (inBody.length === 0 || body === undefined) return;
  if (!isRecord(body))
    throw invalidInput(tool, [
      { field: "body", takes: `an object: the published route, which the server is set to use, has ${inBody} in it` },
    ]);
  const twice = inBody.filter((name) => Object.hasOwn(body, name) && body[name] !== placed[name]);
  if (twice.length > 0)
    throw invalidInput(
      tool,
      twice.map((name) => ({
        field: `body.${name}`,
        given: shown(body[name]),
        takes: `the same as ${name}, because the published route, which the server is set to use, has one place for both`,
      })),
    );
}

/**
 * An operation and its arguments as they are sent: in the form of public facts if it is configured and exists, else
 * unchanged.
 * @throws Failure `invalid_input` for a body into which the form's arguments cannot be moved.
 */
export function asPublished(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  tools: ReadonlySet<string> | undefined,
): { readonly operation: AnyOperation; readonly args: CheckedArguments; readonly published?: Published } {
  const { published } = operation.spec;
  if (published === undefined || !tools?.has(tool)) return { operation, args };
  const { inBody } = published;
  const placed = { ...args.path, ...args.query };
  refuseCollision(tool, args.body, placed, inBody);
  const sent = {
    ...args,
    path: without(args.path, inBody),
    query: without(args.query, inBody),
    // A form that moves nothing sends the body unchanged, even an array or scalar.
    body: inPublishedPlaces({ ...placed, body: args.body }, published)["body"],
    medium: args.medium ?? (inBody.length > 0 ? anyJson : undefined),
  };
  return { operation: republished(operation), args: sent, published };
}
