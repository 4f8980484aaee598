/** The media of an operation as a request shows them: each with the values of the arguments that chose it. */
import type { AnyOperation, Media } from "../api/define.js";
import { type Bodies, choiceOrMedia } from "../api/media.js";

/** Texts by name: the segments of a path and the values of a query, or the arguments that choose media. */
export type Texts = Readonly<Record<string, string>>;

/** The texts of a request that can choose among media. */
export const givenTexts = (segments: Texts, { searchParams }: URL): Texts => ({
  ...Object.fromEntries(searchParams),
  ...segments,
});

/** A declared medium with the values that choose it. */
export interface PossibleMedia {
  readonly media: Media;
  readonly chosen: Texts;
}

/** The media that bodies can have; a choice that path or query makes is made, and of any other all are possible. */
export function possibleMedia(bodies: Bodies | undefined, given: Texts, chosen: Texts = {}): readonly PossibleMedia[] {
  if (bodies === undefined) return [];
  const choice = choiceOrMedia(bodies);
  if (!("choices" in choice)) return choice.map((media) => ({ media, chosen }));
  const { argument, choices } = choice;
  const isGiven = Object.hasOwn(given, argument);
  return Object.entries(choices)
    .filter(([value]) => !isGiven || value === given[argument])
    .flatMap(([value, inner]) => possibleMedia(inner, given, { ...chosen, [argument]: value }));
}

/** The media that an answer can have, whatever its status. */
export const possibleAnswers = ({ spec }: AnyOperation, given: Texts): readonly PossibleMedia[] =>
  Object.values(spec.returns).flatMap((bodies) => possibleMedia(bodies, given));

/** The values that a type on the wire has for the placeholders of a declared one; undefined when it is another type. */
export function readType({ type }: Media, vendor: string, written: string): Texts | undefined {
  const [start = "", ...rest] = type.replaceAll("<vendor>", vendor).split("{");
  const parts = rest.map((part) => part.split("}"));
  let left = written.toLowerCase();
  if (!left.startsWith(start.toLowerCase())) return undefined;
  left = left.slice(start.length);
  const values: Record<string, string> = {};
  for (const [name = "", text = ""] of parts) {
    const end = text === "" ? left.length : left.indexOf(text.toLowerCase());
    if (end < 1) return undefined;
    values[name] = left.slice(0, end);
    left = left.slice(end + text.length);
  }
  return left === "" ? values : undefined;
}
