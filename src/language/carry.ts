/** Carries the operations of a service over to the one that replaces it: with other routes, and each change declared. */
import type { AnyOperation, Operation, Route } from "./define.js";
import type { Media, Params, Returns } from "./media.js";

type Operations = Readonly<Record<string, AnyOperation>>;
type Changes<O extends Operations> = { readonly [K in keyof O]?: (operation: O[K]) => AnyOperation };
/** The operations that are carried over; the type of a changed one is that of its change. */
type Carried<O extends Operations, E extends keyof O, C extends Changes<O>> = {
  readonly [K in Exclude<keyof O, E>]: C[K] extends (operation: never) => infer R ? R : O[K];
};

/**
 * The operations of a service for the one that replaces it.
 * @param operations Those of the former service.
 * @param how.except Tools that the new service lacks, or declares anew.
 * @param how.route The new route of one that is carried over.
 * @param how.each A change of all that are carried over, or of those in a table by tool, before the changes of single ones.
 * @param how.change The differences of single ones.
 */
export function carryOperations<
  const O extends Operations,
  const E extends keyof O & string = never,
  const C extends Changes<O> = Record<never, never>,
>(
  operations: O,
  how: {
    readonly except?: readonly E[];
    readonly route: (route: Route) => Route;
    readonly each?: (spec: AnyOperation["spec"], tool: keyof O) => AnyOperation["spec"];
    readonly change?: C;
  },
): Carried<O, E, C> {
  const left = new Set<string>(how.except);
  const carried = Object.entries<AnyOperation>(operations).flatMap(([tool, { route, spec }]) => {
    if (left.has(tool)) return [];
    const { standing: _, ...carriedSpec } = spec;
    const operation = { route: how.route(route), spec: how.each?.(carriedSpec, tool) ?? carriedSpec };
    const change = how.change?.[tool] as ((one: AnyOperation) => AnyOperation) | undefined;
    return [[tool, change?.(operation) ?? operation] as const];
  });
  return Object.fromEntries(carried) as Carried<O, E, C>;
}

type Spec = AnyOperation["spec"];
/** The type of an operation whose query, body or answers are others. */
type Altered<O, S> =
  O extends Operation<infer R, infer P, infer Q, infer B, infer A, infer H, infer N, infer U>
    ? Operation<
        R,
        P,
        S extends { readonly query: infer Q2 extends Params } ? Q2 : Q,
        S extends { readonly body: infer B2 extends Media } ? B2 : B,
        S extends { readonly returns: infer A2 extends Returns } ? A2 : A,
        H,
        N,
        U
      >
    : never;

/** A carried operation with some members of its declaration replaced. */
export const alterOperation = <const O extends AnyOperation, const S extends Partial<Spec>>(operation: O, by: S) =>
  ({ ...operation, spec: { ...operation.spec, ...by } }) as unknown as Altered<O, S>;
