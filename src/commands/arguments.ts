/** The arguments of a tool as a person writes them on the command line: one word of JSON, or `-` for JSON from stdin. */
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

/**
 * Reads the words of a call that are no flags: none, JSON, or `-`.
 * @param input Where `-` reads from, to its end.
 * @throws Failure `bad_configuration` when there are several, or when they are not a JSON object.
 */
export async function argumentsInWords(
  words: readonly string[],
  input: AsyncIterable<string | Uint8Array>,
): Promise<Readonly<Record<string, unknown>>> {
  const [word = "{}", ...stray] = words;
  if (stray.length > 0)
    throw new Failure(
      "bad_configuration",
      `call does not take ${stray.map((one) => JSON.stringify(one)).join(", ")}.`,
      {
        why: "Besides flags it takes one word: JSON, or - for JSON from stdin. A switch such as --wait takes no value.",
        next: "Put a value behind its flag, and quote JSON as one word.",
      },
    );
  if (word !== "-") return argumentsFrom(word);
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return argumentsFrom(Buffer.concat(chunks).toString("utf8"));
}
