/** What a call changes, derived from its declaration: retries, the guard's hints and what a failure means all follow from it. */
import type { AnyOperation, Effect } from "./define.js";

/** The effect that an operation declares, or the one that its method has where nothing is written. */
export const effectOf = ({ route, spec }: AnyOperation): Effect =>
  (spec.effect as Effect | undefined) ?? (route.startsWith("DELETE ") ? "destructive" : "read");

/** Whether a call changes nothing, so that it can be retried. */
export const isRead = (operation: AnyOperation): boolean => effectOf(operation) === "read";
