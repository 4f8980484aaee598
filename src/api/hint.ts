/** What an operation says of a failing status and what to do about it, in the words that fit the call. */

/** A hint as a text, or made from the call's path arguments. */
export type Hint = string | ((path: Readonly<Record<string, string>>) => string);

/** The hint that an operation has of its own for a status; without a call's arguments, in the words that fit every call. */
export function hintFor(
  { errors }: { readonly errors?: Readonly<Record<number, Hint>> },
  status: number,
  path: Readonly<Record<string, string>> = {},
): string | undefined {
  const hint = errors?.[status];
  return typeof hint === "function" ? hint(path) : hint;
}
