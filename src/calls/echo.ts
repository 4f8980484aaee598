/** Removes secrets that an upstream has echoed: those of a call from its failure, and those of the process from what is kept. */
import { scrubbed, secretForms } from "../answers/secret-forms.js";
import { argumentsSchema } from "../api/arguments.js";
import { Failure } from "../api/failure.js";
import { secretTextsIn } from "../api/secret.js";
import type { Prepared } from "./context.js";

function withoutForms(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === "string") return scrubbed(value, forms);
  if (typeof value === "number") return forms.includes(String(value)) ? "[secret]" : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutForms(item, forms));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [scrubbed(key, forms), withoutForms(member, forms)]),
  );
}

/** A value in which no secret of the process stands, in any of its forms: an upstream may have echoed one. */
export function withoutSecrets<T>(value: T, forms: readonly string[]): T {
  const text = JSON.stringify(value) ?? "";
  return forms.some((form) => text.includes(form)) ? (withoutForms(value, forms) as T) : value;
}

/** The error of a call, with the secrets among its arguments removed from the upstream's message. */
export function withoutEcho(error: unknown, { declared, checked, secrets }: Prepared): unknown {
  if (!(error instanceof Failure) || error.detail.upstream === undefined) return error;
  const forms = secretForms([...secretTextsIn(argumentsSchema(declared), checked.values), ...secrets]);
  if (forms.length === 0) return error;
  return new Failure(error.code, error.message, {
    ...error.detail,
    upstream: withoutForms(error.detail.upstream, forms),
  });
}
