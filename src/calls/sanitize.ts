/**
 * Removes secrets that an upstream has echoed: those of a call from its failure, and those of the process from stored
 * values.
 */
import { Failure } from "../language/failure.js";
import { argumentsSchema } from "../schema/arguments.js";
import { scrub, secretForms } from "../secrets/held-secrets.js";
import { maskSecrets, secretTextsIn } from "../secrets/masking.js";
import type { ResolvedCall } from "./context.js";

/** @param whole Secrets that are too short to be searched for within texts, and are replaced only as whole values. */
function withoutForms(value: unknown, forms: readonly string[], whole: readonly string[] = []): unknown {
  if (typeof value === "string") return whole.includes(value) ? "[secret]" : scrub(value, forms);
  if (typeof value === "number") return [...forms, ...whole].includes(String(value)) ? "[secret]" : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutForms(item, forms, whole));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [scrub(key, forms), withoutForms(member, forms, whole)]),
  );
}

/** A value without the process's secrets in any of their forms, because an upstream may have echoed one. */
export function withoutSecrets<T>(value: T, forms: readonly string[]): T {
  const text = JSON.stringify(value) ?? "";
  return forms.some((form) => text.includes(form)) ? (withoutForms(value, forms) as T) : value;
}

/** A value without secret texts in any of their forms; short ones are removed only if they are a whole value. */
export const withoutTexts = <T>(value: T, texts: readonly string[]): T =>
  texts.length === 0 ? value : (withoutForms(value, secretForms(texts), texts) as T);

/** The error of a request, with what may be a secret by its name masked in the upstream's message. */
export function withoutSuspectedSecrets(error: unknown): unknown {
  if (!(error instanceof Failure) || error.detail.upstream === undefined) return error;
  return new Failure(error.code, error.message, { ...error.detail, upstream: maskSecrets([], error.detail.upstream) });
}

/** The error of a call, with the secrets of its arguments removed from the upstream's message. */
export function withoutEcho(error: unknown, { declared, checked, secrets }: ResolvedCall): unknown {
  if (!(error instanceof Failure) || error.detail.upstream === undefined) return error;
  const forms = secretForms([...secretTextsIn([argumentsSchema(declared)], checked.values), ...secrets]);
  if (forms.length === 0) return error;
  return new Failure(error.code, error.message, {
    ...error.detail,
    upstream: withoutForms(error.detail.upstream, forms),
  });
}
