/** Sentences that name calls, so that each reader gets a call in a form that they can make. */
import type { WholeCall } from "./next-call.js";

/** A call that a sentence names. */
export interface NamedCall {
  readonly call: WholeCall;
  /** How an assistant reads it. */
  readonly words: string;
}

/** A sentence, or several: its text, with the calls that it names. */
export type Sentence = string | readonly (string | NamedCall)[];

const callInWords = ({ tool, arguments: args }: WholeCall): string => `${tool} with ${JSON.stringify(args)}`;

/** A call as a part of a sentence. */
export const calling = (call: WholeCall): NamedCall => ({ call, words: `call ${callInWords(call)}` });

/** A choice of calls as a part of a sentence. */
export const callingOneOf = (calls: readonly WholeCall[]): Sentence =>
  calls.flatMap((call, at) => (at === 0 ? [calling(call)] : [", or ", { call, words: callInWords(call) }]));

/** A sentence that names calls. */
export const naming = (texts: TemplateStringsArray, ...parts: readonly (NamedCall | Sentence)[]): Sentence =>
  texts.flatMap((text, at) => [text, parts[at] ?? ""].flat());

/** A sentence as an assistant reads it. */
export const sentenceText = (sentence: Sentence): string =>
  [sentence]
    .flat()
    .map((part) => (typeof part === "string" ? part : part.words))
    .join("");

/** The calls that a sentence names. */
export const callsIn = (said: Sentence): readonly NamedCall[] =>
  [said].flat().filter((part) => typeof part !== "string");
