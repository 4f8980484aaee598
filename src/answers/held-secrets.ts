/** The process's own secrets that results are searched for: one list for everybody, which grows and shrinks by itself. */
import { secretForms } from "./secret-forms.js";

export interface HeldSecrets {
  /** The forms of all that are held, the longest first; the same list at any time. */
  readonly forms: readonly string[];
  /**
   * Holds secrets from now on.
   * @param forMs For how long; for ever where it is left out.
   */
  hold(secrets: readonly string[], forMs?: number): void;
}

/** Makes the list of a process. */
export function createHeldSecrets(now: () => number = Date.now): HeldSecrets {
  const untilMs = new Map<string, number>();
  const forms: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    for (const [form, until] of untilMs) if (until <= now()) untilMs.delete(form);
    // A form that is part of another comes after it, so that nothing of the longer one is left.
    forms.splice(0, forms.length, ...[...untilMs.keys()].sort((a, b) => b.length - a.length));
    clearTimeout(timer);
    const next = Math.min(...untilMs.values());
    if (Number.isFinite(next)) timer = setTimeout(settle, Math.max(1, next - now())).unref();
  };
  return {
    forms,
    hold(secrets, forMs = Number.POSITIVE_INFINITY) {
      const until = now() + forMs;
      for (const form of secretForms(secrets)) untilMs.set(form, Math.max(until, untilMs.get(form) ?? 0));
      settle();
    },
  };
}
