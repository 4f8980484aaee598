/** Removes the secrets of a call from its failure, because an upstream may echo them in its message. */
import { scrubbed, secretForms } from "../answers/result.js";
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

/** The error of a call, with the secrets among its arguments removed from the upstream's message. */
export function withoutEcho(error: unknown, { declared, checked }: Prepared): unknown {
  if (!(error instanceof Failure) || error.detail.upstream === undefined) return error;
  const forms = secretForms(secretTextsIn(argumentsSchema(declared), checked.values));
  if (forms.length === 0) return error;
  return new Failure(error.code, error.message, {
    ...error.detail,
    upstream: withoutForms(error.detail.upstream, forms),
  });
}
