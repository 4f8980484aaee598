/** Sample values of shapes: the same for the same words, so that an answer can be read again. */
import { memberAt } from "../language/member.js";
import { type Shape, shapeTypes } from "./definition.js";
import { isQuickPattern } from "./patterns.js";

/** The context of a sample. */
export interface Sampling {
  /** A number in [0, 1) that depends only on the words. */
  readonly noise: (...words: readonly (string | number)[]) => number;
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Values that are known by the names of their members, such as the keys of a path. */
  readonly known: Readonly<Record<string, unknown>>;
}

const deepest = 8;
const dayMs = 86_400_000;

const texts: Readonly<Record<string, (one: number, sampling: Sampling) => string>> = {
  "date-time": (one, { nowMs }) => new Date(nowMs - Math.floor(one * 30) * dayMs).toISOString(),
  date: (one, { nowMs }) => new Date(nowMs - Math.floor(one * 30) * dayMs).toISOString().slice(0, 10),
  email: () => "user@example.com",
  uri: (one) => `https://www.example.com/${Math.floor(one * 1_000)}`,
  hostname: () => "www.example.com",
  ipv4: (one) => `192.0.2.${1 + Math.floor(one * 250)}`,
  uuid: (one) => `00000000-0000-4000-8000-${String(Math.floor(one * 1e12)).padStart(12, "0")}`,
};

const textOf = (format: string, one: number, sampling: Sampling): string | undefined =>
  Object.hasOwn(texts, format) ? texts[format]?.(one, sampling) : undefined;

/** The type of a shape, the first one that is not null. */
function typeIn(shape: Shape): string | undefined {
  const { type, properties, items } = shape;
  const named = type === "null" ? type : shapeTypes(shape).find((one) => one !== "null");
  return named ?? (properties ? "object" : items ? "array" : undefined);
}

const mostItems = 20;
const mostCharacters = 1_000;

/** A number within its bounds: the given one if it fits, or else one whose position between them is the noise. */
function bounded({ type, ...shape }: Shape, candidate: number, noise: number): number {
  const step = type === "integer" ? 1 : Number.EPSILON;
  const most = shape.maximum ?? (shape.exclusiveMaximum ?? Number.POSITIVE_INFINITY) - step;
  const least =
    shape.minimum ?? (shape.exclusiveMinimum === undefined ? Math.min(0, most) : shape.exclusiveMinimum + step);
  if (candidate >= least && candidate <= most) return candidate;
  const beyond = noise * (Math.min(most, least + 9_999) - least);
  return least + (type === "number" ? beyond : Math.floor(beyond));
}

/** A text of no form, within its bounds. */
function boundedText(text: string, { minLength = 0, maxLength = text.length, pattern }: Shape, noise: number): string {
  const forms = [text, text.replaceAll(/\W/g, ""), String(1 + Math.floor(noise * 9))];
  const fitting =
    pattern !== undefined && isQuickPattern(pattern) ? forms.find((form) => RegExp(pattern).test(form)) : text;
  return (fitting ?? text).padEnd(Math.min(minLength, mostCharacters), "0").slice(0, maxLength);
}

type Make = (shape: Shape, sampling: Sampling, at: readonly string[], one: number) => unknown;

const lastOf = (at: readonly string[]): string => at.at(-1) ?? "";

/** A sample of each type. */
const samples: Readonly<Record<string, Make>> = {
  object: (shape, sampling, at) => objectSample(shape, sampling, at),
  array: ({ items, minItems = 0, maxItems = mostItems, uniqueItems }, sampling, at) => {
    if (items === undefined || at.length > deepest) return [];
    const length = Math.min(Math.max(2, minItems), maxItems, mostItems);
    const made = Array.from({ length }, (_, index) => sampleValue(items, sampling, [...at, String(index)]));
    return uniqueItems ? [...new Map(made.map((item) => [JSON.stringify(item), item])).values()] : made;
  },
  number: (shape, { known }, at, noise) => {
    const given = Number(memberAt(known, [lastOf(at)]) ?? Number.NaN);
    return Number.isFinite(given) ? given : bounded(shape, 1 + Math.floor(noise * 9_999), noise);
  },
  boolean: (_, __, ___, noise) => noise < 0.5,
  string: (shape, sampling, at, noise) =>
    String(
      memberAt(sampling.known, [lastOf(at)]) ??
        textOf(shape.format ?? "", noise, sampling) ??
        boundedText(`${lastOf(at)} ${1 + Math.floor(noise * 99)}`, shape, noise),
    ),
};

/**
 * A sample of a shape.
 * @param at The names on the way to it, which determine the value.
 */
export function sampleValue(shape: Shape, sampling: Sampling, at: readonly string[]): unknown {
  const [alternative] = shape.oneOf ?? [];
  if (alternative && shape.properties === undefined) return sampleValue(alternative, sampling, at);
  const noise = sampling.noise(...at);
  const values = shape.enum?.filter((value) => value !== null) ?? [];
  if (values.length > 0) return values[Math.floor(noise * values.length)];
  const type = typeIn(shape);
  const make = samples[type === "integer" ? "number" : (type ?? "")];
  return make === undefined ? (memberAt(sampling.known, [lastOf(at)]) ?? null) : make(shape, sampling, at, noise);
}

function objectSample(shape: Shape, sampling: Sampling, at: readonly string[]): unknown {
  const { properties = {}, additionalProperties: others, minProperties = 0, maxProperties } = shape;
  if (at.length > deepest) return {};
  const named = Object.entries(properties).slice(0, maxProperties);
  const all = others && named.length < minProperties ? [...named, ["name", others] as const] : named;
  return Object.fromEntries(all.map(([name, one]) => [name, sampleValue(one, sampling, [...at, name])]));
}
