/** A call as a person writes it on the command line: the name of a tool, and its arguments as one word of JSON, or `-` for JSON from stdin. */
import { Failure } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { didYouMean } from "../language/nearest.js";
import { refuse } from "./command.js";

const mostWords = 8;

/** The search that a name stands for, as a command line. */
export const searchFor = (name: string): string =>
  `\`edgewise search ${(name.match(/[A-Za-z0-9]+/g) ?? ["WORDS"]).slice(0, mostWords).join(" ")}\``;

/** The failure of a command that is given a tool which there is not, with the one that is most likely meant. */
export function unknownTool(tool: string, tools: ReadonlyMap<string, unknown>): Failure {
  const guess = didYouMean(tool, tools.keys());
  return new Failure("unknown_tool", `There is no tool ${JSON.stringify(tool)}${guess}.`, {
    next:
      guess === ""
        ? `${searchFor(tool)} finds tools by what they do, and \`edgewise operations\` lists them.`
        : "`edgewise operations` lists the tools.",
  });
}

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
    refuse(
      "The arguments are not a JSON object.",
      'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    );
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
    refuse(
      `call does not take ${stray.map((one) => JSON.stringify(one)).join(", ")}.`,
      "Put a value behind its flag, and quote JSON as one word.",
      "Besides flags it takes one word: JSON, or - for JSON from stdin. A switch such as --wait takes no value.",
    );
  if (word !== "-") return argumentsFrom(word);
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return argumentsFrom(Buffer.concat(chunks).toString("utf8"));
}
