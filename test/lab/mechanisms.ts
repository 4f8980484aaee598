/** The mechanisms that operations use, found in their declarations, and the few operations that use all of them. */
import { type AnyOperation, type Media, mediaList, styleOf } from "../../src/language/define.js";
import { effectOf, guardOf } from "../../src/language/effect.js";
import { isRecord } from "../../src/language/member.js";
import { onceFor } from "../../src/language/once-for.js";
import { z } from "../../src/language/z.js";

/** Members under which a declaration has names of its own, and not words of the language. */
const holdsOwnNames: ReadonlySet<string> = new Set(
  [
    "path query headers body returns errors example means overrides relatedReads answerHeaders secretFrom values",
    "arguments aside columns daily usual words",
  ].flatMap((names) => names.split(" ")),
);

/** Members whose text is one of the few words that the language has for it. */
const holdsWord: ReadonlySet<string> = new Set(
  ["guard", "previewedAs"]
    .flatMap((guard) => ["kind", "write", "undo"].map((name) => `${guard} ${name}`))
    .concat("paging counts", "period form", "status"),
);

/** The words of the language in a part of a declaration, each behind those above it: `guard undo tool`. */
function* wordsIn(part: object, above = ""): Generator<string> {
  for (const [name, member] of Object.entries(part)) {
    const word = above + name;
    yield word;
    if (holdsWord.has(word) && typeof member === "string") yield `${word} ${member}`;
    if (isRecord(member) && !(member instanceof z.ZodType) && !holdsOwnNames.has(name))
      yield* wordsIn(member, `${word} `);
  }
}

/** A medium by its codec, and by what it declares besides. */
const mediumOf = ({ type: _, schema: __, codec, ...more }: Media): string => [codec, ...Object.keys(more)].join(" ");

/**
 * All mechanisms that an operation uses, as its declaration names them: `answer csv fromRows table`, `guard kind purge`,
 * `paging counts pages`. What the language learns to say is a mechanism as soon as an operation says it.
 */
export const mechanismsOf = onceFor((operation: AnyOperation): readonly string[] => {
  const { route, spec } = operation;
  const guard = guardOf(operation);
  return [
    `method ${route.split(" ")[0]}`,
    `effect ${effectOf(operation)}`,
    ...wordsIn({ ...spec, ...(guard && { guard }) }),
    ...mediaList(spec.body).map((media) => `request ${mediumOf(media)}`),
    ...Object.values(spec.returns)
      .flatMap(mediaList)
      .map((media) => `answer ${mediumOf(media)}`),
    ...Object.values({ ...spec.path, ...spec.query }).map((param) => `style ${styleOf(param)}`),
  ];
});

/**
 * The few of a list in which all mechanisms are that are in any of it; always the same ones.
 * @param mechanismsIn The mechanisms that one of them uses.
 */
export function sampled<T>(all: readonly T[], mechanismsIn: (one: T) => readonly string[]): readonly T[] {
  const unseen = new Map(all.map((one) => [one, new Set(mechanismsIn(one))]));
  const sample = new Set<T>();
  for (;;) {
    const [most, found] = [...unseen].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    if (found.size === 0) return all.filter((one) => sample.has(one));
    sample.add(most);
    for (const one of [...found]) for (const others of unseen.values()) others.delete(one);
  }
}
