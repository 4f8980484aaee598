/** The arguments of a tool as a person writes them on the command line: one word of JSON. */
import { Failure } from "../api/failure.js";
import { isRecord } from "../api/member.js";

/**
 * Reads the arguments.
 * @throws Failure `bad_configuration` when they are not a JSON object.
 */
export function argumentsFrom(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value))
    throw new Failure("bad_configuration", "The arguments are not a JSON object.", {
      next: 'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    });
  return value;
}
