/** What a call changes, derived from its declaration: retries, the guard's hints and what a failure means all follow from it. */
import type { Guard } from "./conduct.js";
import type { AnyOperation, Effect, Reading } from "./define.js";

/** The effect that an operation declares, or the one that its method has where nothing is written. */
export const effectOf = ({ route, spec }: AnyOperation): Effect =>
  spec.effect ?? (route.startsWith("DELETE ") ? "destructive" : "read");

/** Whether a call changes nothing, so that it can be retried. */
export const isRead = (operation: AnyOperation): boolean => effectOf(operation) === "read";

/** How the preview of a change is made, whether it needs an approval by itself or somebody asks for one. */
export const describedBy = ({ spec }: AnyOperation): Guard => spec.guard ?? { kind: "overwrite" };

/** The operation that shows the state which a call changes, with the arguments that follow from the call's. */
export const readerOf = ({ spec: { shownBy } }: Pick<AnyOperation, "spec">): Reading | undefined =>
  typeof shownBy === "string" ? { by: shownBy, args: () => ({}) } : shownBy;

/** When a call that is guarded for its destinations needs an approval, in words. */
export const aboutDestinations = "where it sends data to somebody whom no list of the policy names";

/** Whether a guarded call makes something beside what is there: nothing of that is replaced, so it is no state of the call. */
export const isCreation = (operation: AnyOperation): boolean => describedBy(operation).kind === "create";

/** The guard of an operation; undefined where a call needs no approval by itself. */
export const guardOf = ({ spec: { guard } }: Pick<AnyOperation, "spec">): Guard | undefined =>
  guard?.when === "asked" ? undefined : guard;

/** Whether an operation is guarded for where it sends data, and for nothing else. */
export const isAboutDestinations = (operation: Pick<AnyOperation, "spec">): boolean =>
  guardOf(operation)?.when === "sending";
