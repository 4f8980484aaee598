/** A value as JSON that may leave the process: its invisible characters are shown, and it holds no secret. */
import { scrubbed } from "./secret-forms.js";
import { mayHoldHidden, visible } from "./visible.js";

/** @param forms The forms of the process's own secrets, from `secretForms`. */
export function cleanJson(value: unknown, forms: readonly string[]): string {
  const json = JSON.stringify(value);
  return scrubbed(mayHoldHidden(json) ? JSON.stringify(visible(value).value) : json, forms);
}
