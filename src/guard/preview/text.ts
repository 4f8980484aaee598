/** Values in the words of a preview: each on one line, and quoted where it could be taken for something else. */
import { isDeepStrictEqual } from "node:util";
import { isRecord, memberAt, withEach } from "../../language/member.js";
import { onceFor } from "../../language/once-for.js";
import { z } from "../../language/z.js";
import { formsAt } from "../../schema/shape.js";
import { lookAlikeMark } from "./alike.js";

type Forms = readonly z.ZodType[];

/** A mask in the place of a secret; a text that reads like one stands in quotes. */
class Mask {
  constructor(readonly text: string) {}
}

/**
 * A value that can be written: the raw one with each of its secrets replaced.
 * @param seen The same value with masks in the place of its secrets.
 */
export function withMasks(raw: unknown, seen: unknown): unknown {
  if (typeof seen === "string" && seen !== raw) return new Mask(seen);
  if (raw === seen || typeof raw !== "object" || raw === null) return seen;
  return withEach(raw, (member, key) => withMasks(member, memberAt(seen, [key])));
}

/** Whether a value is written as one word, because it has no members that could be written by themselves. */
export const isScalar = (value: unknown): boolean =>
  typeof value !== "object" || value === null || value instanceof Mask || Object.keys(value).length === 0;

const plainText = /^[A-Za-z0-9_@/.][A-Za-z0-9_@/:.?&=%#~+*$!-]*$/;
const plainName = /^[A-Za-z0-9_@$-]+$/;
const otherThanText = /^(true|false|null|[-+]?\d+(\.\d+)?(e[-+]?\d+)?)$/i;

const isDefault = (forms: Forms, value: unknown): boolean =>
  forms.some(
    (form) =>
      (form instanceof z.ZodDefault || form instanceof z.ZodPrefault) &&
      isDeepStrictEqual(form.def.defaultValue, value),
  );

const knownMembers = onceFor((_: Forms) => new Map<PropertyKey, Forms>());

/** The forms of a member; a long list asks for those of the same few names again and again. */
export function memberForms(forms: Forms, key: PropertyKey): Forms {
  const known = knownMembers(forms);
  // All items of a list have one schema; those of a tuple do not.
  const name = typeof key === "number" && !forms.some((form) => form instanceof z.ZodTuple) ? 0 : key;
  const found = known.get(name) ?? formsAt(forms, name);
  known.set(name, found);
  return found;
}

/** The name of a member; one that could be taken for several, or for a value, is quoted. */
export const nameOf = (key: PropertyKey): string => (plainName.test(String(key)) ? String(key) : JSON.stringify(key));

/** A path in words, `a.b[0]`, with whole names: two paths are never written alike. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (at, key) => (typeof key === "number" ? `${at}[${key}]` : `${at}${at === "" ? "" : "."}${nameOf(key)}`),
    "",
  );

/**
 * A value on one line. Texts are bare words or in quotes, so that `"5"` and `5` differ, and letters that are not what they
 * look like are named.
 * @param forms What its schemas say of it: a value that is their default is marked as that.
 */
export function written(value: unknown, forms: Forms = []): string {
  const mark = isDefault(forms, value) ? " (default)" : "";
  if (value instanceof Mask) return value.text;
  if (Array.isArray(value))
    return `[${value.map((item, at) => written(item, memberForms(forms, at))).join(", ")}]${mark}`;
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${nameOf(key)}: ${written(member, memberForms(forms, key))}`,
    );
    return `{${members.join(", ")}}${mark}`;
  }
  if (typeof value !== "string") return `${String(value)}${mark}`;
  const isBare = plainText.test(value) && !otherThanText.test(value);
  return `${isBare ? value : JSON.stringify(value)}${lookAlikeMark(value)}${mark}`;
}

/** A count with its noun: `1 URL`, `2 URLs`. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
