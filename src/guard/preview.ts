/** What a destructive call would do, derived from its declaration, its arguments and the state it would change. */
import { argumentsSchema, type CheckedArguments } from "../api/arguments.js";
import type { Guard, GuardKind } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { guardOf } from "../api/effect.js";
import { memberAt, withMember } from "../api/member.js";
import { masked } from "../api/secret.js";
import { formsAt, formsOf } from "../api/shape.js";
import type { ResolvedRequest } from "../client/index.js";
import { type Difference, differences } from "./difference.js";
import { type State, writablePart } from "./state.js";

type Members = Readonly<Record<string, unknown>>;

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
  /** The arguments by name, without what `sample` and `changes` show. */
  readonly arguments: Members;
  /** The state as it is now, as far as an operation can show it, where there are no `changes`. */
  readonly current?: unknown;
  readonly changes?: readonly Difference[];
}

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

const leftOut = {
  replace: "Members that it leaves out are removed.",
  merge: "Members that it leaves out stay as they are.",
} as const;

/** A merge leaves the members that it does not name as they are. */
const merged = (before: unknown, proposed: unknown): unknown =>
  typeof before === "object" && before !== null && typeof proposed === "object" && !Array.isArray(proposed)
    ? { ...before, ...proposed }
    : proposed;

/**
 * What a write would change in the state, both without their secrets; undefined when there is nothing to compare.
 * @param given The arguments by name.
 */
function changesOf(
  operation: AnyOperation,
  { replaces, write = "replace" }: Guard,
  given: Members,
  state: State | undefined,
): readonly Difference[] | undefined {
  if (replaces === undefined || state === undefined) return undefined;
  const path = replaces.split(".");
  // The body stands for the whole state, and a member of it for the member of the same name.
  const place = path[0] === "body" ? path.slice(1) : path;
  const present = memberAt(state.body, place);
  const proposed = memberAt(given, path);
  if (present === undefined || proposed === undefined) return undefined;
  const schema = argumentsSchema(operation);
  const forms = path.reduce(formsAt, formsOf(schema));
  const before = writablePart(forms, present);
  const after = write === "merge" ? merged(before, proposed) : proposed;
  return differences(before, after, {
    show: (value, at) => masked(state.schemas, masked([schema], value, [...path, ...at]), [...place, ...at]),
  });
}

/**
 * Describes a call before it is made, with its secrets masked.
 * @param state What the operation named by `shownBy` answered, or undefined when it could not be called.
 */
export function describe(
  tool: string,
  operation: AnyOperation,
  args: CheckedArguments,
  request: ResolvedRequest,
  account: string,
  state: State | undefined,
): Preview {
  const guard = guardOf(operation) ?? { kind: "overwrite" };
  const { confirm: _, ...values } = args.values;
  const given: Members = { ...values, ...(args.body === undefined ? {} : { body: args.body }) };
  const seen = masked([argumentsSchema(operation)], given) as Members;
  const counted = guard.counts === undefined ? undefined : memberAt(seen, guard.counts);
  const things = Array.isArray(counted) ? counted : undefined;
  const network = guard.network === undefined ? undefined : memberAt(seen, guard.network);
  const target = Object.entries(args.path).map(([name, value]) => `${name} ${String(value)}`);
  const changes = changesOf(operation, guard, given, state);
  const what = things ? `${things.length} object${things.length === 1 ? "" : "s"}` : "";
  const words = [
    tool,
    "would",
    verbs[guard.kind],
    what,
    target.length > 0 ? `(${target.join(", ")})` : "",
    network === undefined ? "" : `on ${String(network)}`,
  ];
  const rule = guard.replaces === undefined ? "" : ` ${leftOut[guard.write ?? "replace"]}`;
  // What sample and changes show is not repeated in the arguments.
  const shownElsewhere = [
    ...(guard.counts !== undefined && things ? [[guard.counts, `${what}: see sample`] as const] : []),
    ...(guard.replaces !== undefined && changes ? [[guard.replaces, "see changes"] as const] : []),
  ];
  const rest = shownElsewhere.reduce<unknown>((at, [path, note]) => withMember(at, path.split("."), note), seen);
  return {
    summary: `${words.filter(Boolean).join(" ")} for ${account}. ${operation.spec.does}${rule}`,
    kind: guard.kind,
    account,
    ...(network === undefined ? {} : { network: String(network) }),
    ...(things ? { count: things.length, sample: things.slice(0, maxSample) } : {}),
    request: { method: request.method, path: request.url.pathname + request.url.search },
    arguments: rest as Members,
    ...(state?.body === undefined || changes ? {} : { current: masked(state.schemas, state.body) }),
    ...(changes ? { changes } : {}),
  };
}
