/** Redundant fields of a response, which repeat others in a different form: a text only names them. */
import type { AnswerDisplay } from "../language/conduct.js";
import { isRecord, memberAt } from "../language/member.js";

/** A record without the field at a path. */
function without(record: object, [name = "", ...rest]: readonly string[]): object {
  const { [name]: member, ...others } = record as Readonly<Record<string, unknown>>;
  return rest.length > 0 && isRecord(member) ? { ...record, [name]: without(member, rest) } : others;
}

/**
 * A body without redundant fields, and their names.
 * @returns undefined if it has none.
 */
export function withoutAside(
  body: unknown,
  { aside = {} }: AnswerDisplay,
): { readonly body: unknown; readonly names: readonly string[] } | undefined {
  const paths = Object.entries(aside);
  // Most responses have none, and some have millions of items.
  if (paths.length === 0) return undefined;
  const names = new Set<string>();
  const shortened = (item: unknown): unknown => {
    if (!isRecord(item)) return item;
    return paths.reduce<object>((rest, [path, repeats]) => {
      const isRepeated = memberAt(item, path) !== undefined && (memberAt(item, repeats) ?? null) !== null;
      if (isRepeated) names.add(path);
      return isRepeated ? without(rest, path.split(".")) : rest;
    }, item);
  };
  const shown = Array.isArray(body) ? body.map(shortened) : shortened(body);
  return names.size === 0 ? undefined : { body: shown, names: [...names] };
}
