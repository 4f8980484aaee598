/** The failure of a codec: its words are ours, because a parser's message can hold pieces of the body. */
export class CodecError extends Error {
  override readonly name = "CodecError";
}
