/** Removes secrets that an upstream has echoed: those of a call from its failure, and those of the process from what is kept. */
import { argumentsSchema } from "../arguments/index.js";
import { Failure } from "../language/failure.js";
import { scrubbed, secretForms } from "../secrets/held-secrets.js";
import { secretTextsIn } from "../secrets/masking.js";
import type { Prepared } from "./context.js";

/** @param whole What is replaced only where it is a value of its own, since it is too short to be looked for in texts. */
function withoutForms(value: unknown, forms: readonly string[], whole: readonly string[] = []): unknown {
  if (typeof value === "string") return whole.includes(value) ? "[secret]" : scrubbed(value, forms);
  if (typeof value === "number") return [...forms, ...whole].includes(String(value)) ? "[secret]" : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutForms(item, forms, whole));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [scrubbed(key, forms), withoutForms(member, forms, whole)]),
  );
}

/** A value in which no secret of the process stands, in any of its forms: an upstream may have echoed one. */
export function withoutSecrets<T>(value: T, forms: readonly string[]): T {
  const text = JSON.stringify(value) ?? "";
  return forms.some((form) => text.includes(form)) ? (withoutForms(value, forms) as T) : value;
}

/** A value without texts that are secret, in any of their forms; a short one is removed where it is a value of its own. */
export const withoutTexts = <T>(value: T, texts: readonly string[]): T =>
  texts.length === 0 ? value : (withoutForms(value, secretForms(texts), texts) as T);

/** The error of a call, with the secrets among its arguments removed from the upstream's message. */
export function withoutEcho(error: unknown, { declared, checked, secrets }: Prepared): unknown {
  if (!(error instanceof Failure) || error.detail.upstream === undefined) return error;
  const forms = secretForms([...secretTextsIn([argumentsSchema(declared)], checked.values), ...secrets]);
  if (forms.length === 0) return error;
  return new Failure(error.code, error.message, {
    ...error.detail,
    upstream: withoutForms(error.detail.upstream, forms),
  });
}
