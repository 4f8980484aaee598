/** What a call changes, derived from its declaration: retries, the guard's hints and what a failure means all follow from it. */
import type { Guard } from "./conduct.js";
import type { AnyOperation, Effect } from "./define.js";

/** The effect that an operation declares, or the one that its method has where nothing is written. */
export const effectOf = ({ route, spec }: AnyOperation): Effect =>
  spec.effect ?? (route.startsWith("DELETE ") ? "destructive" : "read");

/** Whether a call changes nothing, so that it can be retried. */
export const isRead = (operation: AnyOperation): boolean => effectOf(operation) === "read";

/** How the preview of a change is made: by its guard, or by what it declares for the case that somebody asks for one. */
export const describedBy = (operation: AnyOperation): Guard =>
  guardOf(operation) ?? operation.spec.previewedAs ?? { kind: "overwrite" };

/** When a call that is guarded for its destinations needs an approval, in words. */
export const aboutDestinations = "where it sends data to somebody whom no list of the policy names";

/** Whether a guarded call makes something beside what is there: nothing of that is replaced, so it is no state of the call. */
export const isCreation = (operation: AnyOperation): boolean => describedBy(operation).kind === "create";

/** The guard of an operation in its long form; undefined when it has none. */
export const guardOf = ({ spec: { guard } }: AnyOperation): Guard | undefined =>
  typeof guard === "string" ? { kind: guard } : guard;
