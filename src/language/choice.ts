/** The media types of a call, which its arguments can choose or become part of. */
import type { AnyOperation } from "./define.js";
import { type FieldProblem, quoteValue } from "./failure.js";
import { type BodyMedia, type Codec, choiceOrMedia, type Media, mediaList } from "./media.js";
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

type Values = Readonly<Record<string, unknown>>;

/** The media that a call's response can have. */
export interface AnswerMedia {
  readonly byStatus: Readonly<Record<number, readonly Media[]>>;
  /** The media to accept: only the chosen ones if there is a choice, because a version is only served by its exact name. */
  readonly wanted: readonly Media[];
}

/** The media of a call, and the problems with the arguments that choose them. */
export interface CallMedia {
  readonly body: readonly Media[];
  readonly answers: AnswerMedia;
  readonly problems: readonly FieldProblem[];
}

/** The arguments whose values are part of a media type. */
const placeholdersOf = ({ type }: Media): readonly string[] =>
  [...type.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

// No character that could end the type, or add a parameter or a second type to it.
const token = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const takesToken =
  "letters, digits, dots, hyphens and underscores, at most 64, because it becomes part of a media type";

/** The media type with the values of its arguments and the vendor's name filled in. */
export const typeOf = ({ type }: Media, values: Values, vendor: string): string =>
  type.replaceAll("<vendor>", vendor).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** The patterns of a medium, by the vendor's name. */
const patternsOf = onceFor((_: Media) => new Map<string, RegExp>());

/** A pattern for a media type with any values of its arguments, which are its groups. */
export function typePattern(medium: Media, vendor: string): RegExp {
  const known = patternsOf(medium).get(vendor);
  if (known) return known;
  const escaped = medium.type.replaceAll("<vendor>", vendor).replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, "(?<$1>[\\w.-]+)")}$`, "i");
  patternsOf(medium).set(vendor, pattern);
  return pattern;
}

/** The distinct codecs of media that have a body. */
export const codecsOf = (media: readonly Media[]): readonly Codec[] =>
  [...new Set(media.map(({ codec }) => codec))].filter((codec) => codec !== "empty");

/** The media of all responses of an operation. */
const returnedMedia = onceFor(({ spec }: AnyOperation): readonly Media[] =>
  Object.values(spec.returns).flatMap((media) => mediaList(media)),
);

/** The schemas of all responses of an operation. */
export const returnedSchemas = onceFor((operation: AnyOperation): readonly z.ZodType[] =>
  returnedMedia(operation).map(({ schema }) => schema),
);

/** The codecs from which a caller can choose the format of a response; the first is the default. */
export const formatsOf = (operation: AnyOperation): readonly Codec[] => codecsOf(returnedMedia(operation));

/** Collects the choices of bodies, nested ones included, as lists of values by argument. */
function gatherChoices(bodies: BodyMedia, found: Map<string, string[][]>): void {
  const choice = choiceOrMedia(bodies);
  if (!("choices" in choice)) return;
  found.set(choice.argument, [...(found.get(choice.argument) ?? []), Object.keys(choice.choices)]);
  for (const inner of Object.values(choice.choices)) gatherChoices(inner, found);
}

/** The schemas of the arguments that only choose media; an operation can also declare them itself. */
export function mediaArguments({ spec }: AnyOperation): Readonly<Record<string, z.ZodType>> {
  const all = [...(spec.body === undefined ? [] : [spec.body]), ...Object.values(spec.returns)];
  const choices = new Map<string, string[][]>();
  for (const bodies of all) gatherChoices(bodies, choices);
  const chosen = [...choices].map(([name, lists]) => {
    const firsts = [...new Set(lists.map(([first]) => first))];
    const byDefault = firsts.length === 1 ? `${firsts[0]} by default` : "the first one by default";
    return [
      name,
      z
        .enum([...new Set(lists.flat())])
        .optional()
        .describe(`Form; ${byDefault}`),
    ] as const;
  });
  const named = all.flatMap(mediaList).flatMap((medium) =>
    placeholdersOf(medium).map((name) => {
      const schema = z.string().regex(token, takesToken).optional();
      const described = `Part of the media type ${medium.type.replaceAll("<vendor>", "vendor")}`;
      return [name, medium.isSaidByName ? schema : schema.describe(described)] as const;
    }),
  );
  return Object.fromEntries([...named, ...chosen]);
}

/** For each codec, the media whose placeholders all have values or, if there are none, those without placeholders. */
function usableMedia(media: readonly Media[], values: Values): readonly Media[] {
  if (media.every((medium) => placeholdersOf(medium).length === 0)) return media;
  const isFilled = (medium: Media) => placeholdersOf(medium).every((name) => values[name] !== undefined);
  return [...new Set(media.map(({ codec }) => codec))].flatMap((codec) => {
    const filled = media.filter((medium) => medium.codec === codec && isFilled(medium));
    const named = filled.filter((medium) => placeholdersOf(medium).length > 0);
    return named.length > 0 ? named : filled;
  });
}

interface MediaChoice {
  readonly media: readonly Media[];
  /** Identifies this choice among those of the same bodies. */
  readonly key: string;
  readonly problem?: FieldProblem;
}

function chooseMedia(bodies: BodyMedia | undefined, values: Values, before: readonly string[] = []): MediaChoice {
  if (bodies === undefined) return { media: [], key: "" };
  const choice = choiceOrMedia(bodies);
  if (!("choices" in choice)) {
    const media = usableMedia(choice, values);
    const [needed] = media.length === 0 ? choice.flatMap(placeholdersOf) : [];
    const isUsed = choice.map((medium) => (media.includes(medium) ? "+" : "-")).join("");
    const key = [...before, isUsed].join("\n");
    return needed === undefined
      ? { media, key }
      : { media, key, problem: { field: needed, takes: "a value, because it names the media type" } };
  }
  const { argument, choices } = choice;
  const names = Object.keys(choices);
  const value = String(values[argument] ?? names[0]);
  if (Object.hasOwn(choices, value))
    return chooseMedia(choices[value], values, [...before, `${argument} ${quoteValue(value)}`]);
  const under = before.length === 0 ? "" : `, with ${before.join(" and ")}`;
  const problem = {
    field: argument,
    given: quoteValue(value),
    takes: `one of ${names.map(quoteValue).join(", ")}${under}`,
  };
  return { media: [], key: "", problem };
}

/** Whether all calls of an operation have the same media: no argument chooses them or is part of their types. */
const hasFixedMedia = onceFor((operation: AnyOperation): boolean => {
  const { body, returns } = operation.spec;
  const all = [...(body === undefined ? [] : [body]), ...Object.values(returns)];
  return all.every(
    (bodies) =>
      !("choices" in choiceOrMedia(bodies)) && mediaList(bodies).every((medium) => placeholdersOf(medium).length === 0),
  );
});

const fixedMedia = onceFor((operation: AnyOperation): CallMedia => chosenMedia(operation, {}));

/** The media of a call by the values of its arguments; the same object for the same choice. */
export const mediaFor = (operation: AnyOperation, values: Values): CallMedia =>
  hasFixedMedia(operation) ? fixedMedia(operation) : chosenMedia(operation, values);

const knownMedia = onceFor((_: AnyOperation) => new Map<string, CallMedia>());

function chosenMedia(operation: AnyOperation, values: Values): CallMedia {
  const { spec } = operation;
  const body = chooseMedia(spec.body, values);
  const returned = Object.entries(spec.returns).map(([status, bodies]) => ({
    status,
    hasChoice: "choices" in choiceOrMedia(bodies),
    ...chooseMedia(bodies, values),
  }));
  const unsafe = [...mediaList(spec.body), ...returnedMedia(operation)]
    .flatMap(placeholdersOf)
    .filter((name) => values[name] !== undefined && !token.test(String(values[name])))
    .map((field) => ({ field, given: quoteValue(values[field]), takes: takesToken }));
  const wrong = [...unsafe, ...[body, ...returned].flatMap(({ problem }) => problem ?? [])];
  const problems = wrong.filter(({ field }, index) => wrong.findIndex((one) => one.field === field) === index);
  const media = (): CallMedia => {
    const chosenOnes = returned.filter(({ hasChoice }) => hasChoice);
    const wanted = (chosenOnes.length === 0 ? returned : chosenOnes).flatMap((one) => one.media);
    const byStatus = Object.fromEntries(returned.map((one) => [one.status, one.media]));
    return { body: body.media, answers: { byStatus, wanted }, problems };
  };
  if (problems.length > 0) return media();
  const ofOperation = knownMedia(operation);
  const key = [body, ...returned].map((one) => one.key).join("\n\n");
  const found = ofOperation.get(key) ?? media();
  ofOperation.set(key, found);
  return found;
}

/** The schema of a body in any of the media; undefined if there are none. */
export function bodySchema(media: readonly Media[]): z.ZodType | undefined {
  const [first, ...rest] = new Set(media.map(({ schema }) => schema));
  return first === undefined || rest.length === 0 ? first : z.union([first, ...rest]);
}
