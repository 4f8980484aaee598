/** The possible media of a request or an answer, each with the argument values that select it. */
import type { AnyOperation, Media } from "../language/define.js";
import { type BodyMedia, choiceOrMedia } from "../language/media.js";
import { onceFor } from "../language/once-for.js";

/** Text values by name: the segments of a path and the values of a query, or the arguments that select media. */
export type TextsByName = Readonly<Record<string, string>>;

/** The values of a request that can select among media. */
export const mediaSelectors = (segments: TextsByName, { searchParams }: URL): TextsByName => ({
  ...Object.fromEntries(searchParams),
  ...segments,
});

/** A declared medium with the argument values that select it. */
export interface PossibleMedia {
  readonly media: Media;
  readonly chosen: TextsByName;
}

/** The media that bodies can have: those that the path and query select, or all where they do not decide. */
export function possibleMedia(
  bodies: BodyMedia | undefined,
  argumentTexts: TextsByName,
  chosen: TextsByName = {},
): readonly PossibleMedia[] {
  if (bodies === undefined) return [];
  const choice = choiceOrMedia(bodies);
  if (!("choices" in choice)) return choice.map((media) => ({ media, chosen }));
  const { argument, choices } = choice;
  const isGiven = Object.hasOwn(argumentTexts, argument);
  return Object.entries(choices)
    .filter(([value]) => !isGiven || value === argumentTexts[argument])
    .flatMap(([value, inner]) => possibleMedia(inner, argumentTexts, { ...chosen, [argument]: value }));
}

const hasChoices = onceFor(({ spec }: AnyOperation): boolean =>
  Object.values(spec.returns).some((bodies) => "choices" in choiceOrMedia(bodies)),
);

const allAnswers = (operation: AnyOperation, given: TextsByName): readonly PossibleMedia[] =>
  Object.values(operation.spec.returns).flatMap((bodies) => possibleMedia(bodies, given));

const fixedAnswers = onceFor((operation: AnyOperation) => allAnswers(operation, {}));

/** The media that an answer can have, whatever its status. */
export const possibleAnswers = (operation: AnyOperation, given: TextsByName): readonly PossibleMedia[] =>
  hasChoices(operation) ? allAnswers(operation, given) : fixedAnswers(operation);

/** Matches a media type against a declared one with placeholders; returns their values, or undefined if it differs. */
export function readType({ type }: Media, vendor: string, mediaType: string): TextsByName | undefined {
  const [start = "", ...rest] = type.replaceAll("<vendor>", vendor).split("{");
  const parts = rest.map((part) => part.split("}"));
  let left = mediaType.toLowerCase();
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
