/** Texts that no result contains: the process's own secrets in all their encoded forms, and invisible characters. */
import type { Arguments } from "../language/conduct.js";
import { NextCall } from "../language/next-call.js";
import { countHidden, withHiddenShown } from "../text/marks.js";

/** A text with invisible characters replaced by marks, and without lone surrogates. */
export const visibleText = (text: string): string => withHiddenShown(text.toWellFormed());

/**
 * The value with invisible characters replaced by marks, and without lone surrogates, because of which a UTF-8 reader
 * would reject the whole result.
 * @returns the value, and the number of replaced characters.
 */
export function showHidden(root: unknown): { readonly value: unknown; readonly count: number } {
  let count = 0;
  const text = (given: string): string => {
    count += countHidden(given);
    return visibleText(given);
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    if (value instanceof NextCall) return new NextCall(value.tool, walk(value.arguments) as Arguments);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), walk(member)]));
  };
  return { value: walk(root), count };
}

/** Whether JSON text may contain an invisible character or a lone surrogate; plain ASCII without escapes does not. */
export const mayHoldHidden = (json: string): boolean => /[^\x20-\x7e]|\\[ubfr]/.test(json);

/** The forms in which an upstream may echo a secret; computed once, because every result is searched for them. */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= 8)
    .flatMap((secret) => {
      const bytes = Buffer.from(secret);
      const base64 = bytes.toString("base64");
      return [
        secret,
        encodeURIComponent(secret),
        base64,
        base64.replaceAll("=", ""),
        base64.replaceAll("+", "-").replaceAll("/", "_"),
        bytes.toString("base64url"),
        JSON.stringify(secret).slice(1, -1),
        // In a quoted cell of CSV.
        secret.replaceAll('"', '""'),
      ];
    });
  // A form that is part of another comes after it, so that the longer one is removed completely.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** A text without the process's own secrets. */
export const scrub = (text: string, forms: readonly string[]): string =>
  forms.reduce((clean, form) => (clean.includes(form) ? clean.replaceAll(form, "[secret]") : clean), text);

/** @param forms The encoded forms of the process's own secrets, from `secretForms`. */
export function cleanJson(value: unknown, forms: readonly string[]): string {
  const json = JSON.stringify(value);
  return scrub(mayHoldHidden(json) ? JSON.stringify(showHidden(value).value) : json, forms);
}

export interface HeldSecrets {
  /** The forms of all held secrets, longest first; always the same list. */
  readonly forms: readonly string[];
  /**
   * Adds secrets.
   * @param forMs For how long; permanently by default.
   */
  hold(secrets: readonly string[], forMs?: number): void;
}

export function createHeldSecrets(now: () => number = Date.now): HeldSecrets {
  const untilMs = new Map<string, number>();
  const forms: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    for (const [form, until] of untilMs) if (until <= now()) untilMs.delete(form);
    // A form that is part of another comes after it, so that the longer one is removed completely.
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
