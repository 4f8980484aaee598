/** What a destructive call would do, put together from its declaration, its arguments and the state it would change. */
import type { CheckedArguments } from "../api/arguments.js";
import type { Guard, GuardKind } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { memberAt } from "../api/member.js";
import type { ResolvedRequest } from "../client/index.js";
import { type Difference, differences } from "./difference.js";

export interface Preview {
  /** One sentence: what would happen, to how much, where. */
  readonly summary: string;
  readonly kind: GuardKind;
  readonly account: string;
  readonly network?: string;
  readonly count?: number;
  /** The first of the things counted. */
  readonly sample?: readonly unknown[];
  readonly request: { readonly method: string; readonly path: string };
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The state as it is now, as far as an operation can show it. */
  readonly current?: unknown;
  readonly changes?: readonly Difference[];
}

/** The guard of an operation in its long form; undefined when it has none. */
export const guardOf = (operation: AnyOperation): Guard | undefined => {
  const guard = operation.spec.guard;
  return typeof guard === "string" ? { kind: guard } : guard;
};

const valueAt = ({ path, query, headers, body }: CheckedArguments, name: string): unknown =>
  memberAt({ ...path, ...query, ...headers, body }, name);

const verbs: Readonly<Record<GuardKind, string>> = {
  purge: "purge",
  delete: "delete",
  overwrite: "overwrite",
  activate: "activate",
  credential: "change the credential of",
  access: "change the access of",
  cancel: "cancel",
  suspend: "suspend",
};

const maxSample = 10;

/**
 * Describes a call before it is made.
 * @param current What the operation named by `shownBy` answered, or undefined when it could not be asked.
 */
export function describe(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  request: ResolvedRequest,
  account: string,
  current: unknown,
): Preview {
  const guard = guardOf(operation) ?? { kind: "overwrite" };
  const counted = guard.counts === undefined ? undefined : valueAt(args, guard.counts);
  const things = Array.isArray(counted) ? counted : undefined;
  const network = guard.network === undefined ? undefined : valueAt(args, guard.network);
  const target = Object.entries(args.path).map(([name, value]) => `${name} ${String(value)}`);
  const replacement = guard.replaces === undefined ? undefined : valueAt(args, guard.replaces);
  const member = guard.replaces?.split(".").at(-1) ?? "";
  const present = (current as Readonly<Record<string, unknown>> | undefined)?.[member] ?? current;
  const changes =
    replacement === undefined || current === undefined
      ? undefined
      : differences(present, merged(guard, present, replacement));
  const what = things ? `${things.length} object${things.length === 1 ? "" : "s"}` : "";
  const words = [
    tool,
    "would",
    verbs[guard.kind],
    what,
    target.length > 0 ? `(${target.join(", ")})` : "",
    network === undefined ? "" : `on ${String(network)}`,
  ];
  return {
    summary: `${words.filter(Boolean).join(" ")} for ${account}. ${operation.spec.does}`,
    kind: guard.kind,
    account,
    ...(network === undefined ? {} : { network: String(network) }),
    ...(things ? { count: things.length, sample: things.slice(0, maxSample) } : {}),
    request: { method: request.method, path: request.url.pathname + request.url.search },
    arguments: {
      ...args.path,
      ...args.query,
      ...args.headers,
      ...(args.body === undefined ? {} : { body: things || changes ? "as given" : args.body }),
    },
    ...(current === undefined || changes ? {} : { current }),
    ...(changes ? { changes } : {}),
  };
}

/** A body that stands for some members of the state leaves the others as they are. */
function merged(guard: Guard, present: unknown, replacement: unknown): unknown {
  if (guard.write !== "merge" || typeof present !== "object" || present === null) return replacement;
  return { ...present, ...(replacement as object) };
}
