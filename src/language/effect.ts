/** The effect of a call, derived from its declaration: retries, the guard and the meaning of failures depend on it. */
import type { Guard } from "./conduct.js";
import type { AnyOperation, Effect, StateReading } from "./define.js";

/** The declared effect of an operation, or else that of its method. */
export const effectOf = ({ route, spec }: AnyOperation): Effect =>
  spec.effect ?? (route.startsWith("DELETE ") ? "destructive" : "read");

/** Whether a call changes nothing, so that it can be retried. */
export const isRead = (operation: AnyOperation): boolean => effectOf(operation) === "read";

/** The guard that makes the preview of a change, whether or not the change needs an approval by itself. */
export const guardOrDefault = ({ spec }: AnyOperation): Guard => spec.guard ?? { kind: "overwrite" };

/** The operation that reads the state that a call changes; undefined if none does. */
export function readerOf({ spec: { shownBy } }: Pick<AnyOperation, "spec">): Required<StateReading> | undefined {
  if (shownBy === undefined) return undefined;
  return { args: () => ({}), isBound: true, ...(typeof shownBy === "string" ? { by: shownBy } : shownBy) };
}

/** How to find out whether a change was made, as the end of a sentence that begins with it. */
export function howToCheck(operation: Pick<AnyOperation, "spec">): string {
  const reader = readerOf(operation);
  return reader === undefined
    ? "no operation shows whether the change was made, so ask the user"
    : `check with ${reader.by} whether the change was made`;
}

/** When a call that is guarded because of its destinations needs an approval, in words. */
export const aboutDestinations = "if it sends data to a destination that the policy does not list";

/** Whether a guarded call creates an object; it then replaces no existing state. */
export const isCreation = (operation: AnyOperation): boolean => guardOrDefault(operation).kind === "create";

/** The guard of an operation; undefined if its calls need no approval by themselves. */
export const guardOf = ({ spec: { guard } }: Pick<AnyOperation, "spec">): Guard | undefined =>
  guard?.when === "asked" ? undefined : guard;

/** Whether an operation is guarded only because it sends data somewhere. */
export const isAboutDestinations = (operation: Pick<AnyOperation, "spec">): boolean =>
  guardOf(operation)?.when === "sending";
