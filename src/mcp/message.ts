/** The size of a message at both transports: how many bytes it can have, and how much in them, before it is parsed. */
import { excessOfMessage, idOfMessage, sizeOfJson } from "../language/json-size.js";

export const maxMessageBytes = 4 * 1024 * 1024;

/** The error for a message that is not parsed, with the id of its request if it has one. */
export interface OversizedMessage {
  readonly id: string | number | null;
  readonly message: string;
}

/** The error for a message of too many bytes. */
export const tooManyBytes = (maxBytes = maxMessageBytes): string => `A message can have at most ${maxBytes} bytes.`;

/** The error for a message that holds more than any call needs; undefined if it can be parsed. */
export function oversized(text: string): OversizedMessage | undefined {
  const size = sizeOfJson(text);
  const excess = excessOfMessage(size);
  return (
    excess && {
      id: idOfMessage(text, size),
      message: `The message has ${excess.given} and can have ${excess.takes}. It was not read, and nothing was sent. Split the call into several, or leave out what it does not need.`,
    }
  );
}

const newline = 0x0a;

/**
 * Splits what arrives over stdio into lines, each of which is a message.
 * @param receive Takes each line with its end.
 * @param refuse Called for each message that is too large, which is skipped.
 */
export function createLines(
  receive: (line: Buffer) => void,
  refuse: (refused: OversizedMessage) => void,
): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    // Of a longer line only the length is kept.
    if (bytes > maxMessageBytes) pieces = [];
    else pieces.push(piece);
  };
  const end = (): void => {
    const [first, ...others] = pieces;
    const line = first && others.length === 0 ? first : Buffer.concat(pieces);
    const refused = bytes > maxMessageBytes ? { id: null, message: tooManyBytes() } : oversized(line.toString("utf8"));
    pieces = [];
    bytes = 0;
    if (refused) refuse(refused);
    else receive(line);
  };
  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at + 1));
      end();
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}
