/** Masking of secrets: those that schemas mark, and undeclared ones whose names suggest it. */
import { z } from "../language/z.js";
import { isMask, markAmong, markOf, type SecretMark } from "../schema/marks.js";
import { containing, declares, eachAt, formsAt, formsOfAll, isOpen, withEachAt } from "../schema/shape.js";

/** The first mask in a text, including that of a secret of this process. */
export const findMask = (text: string): string | undefined => /\[secret(?:, \d+ characters)?\]/.exec(text)?.[0];

/** Whether a value contains a mask, so that it is incomplete. */
export const holdsMask = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsMask) : isMask(value);

/** The mask of a secret, which only shows its length. */
export function maskOf(value: unknown): unknown {
  if (value === undefined || value === null || isMask(value)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `[secret, ${text.length} characters]`;
}

/** Whether a field's name suggests a secret: the safeguard for undeclared fields. */
export const isSecretName = (key: PropertyKey): boolean =>
  /secret|password|passphrase|private_?key|(?:api|access|encryption|shared|signing)_?key$|token$/i.test(String(key));

const holdsSecret = containing(
  (form) => markOf(form, "secret") !== undefined || markOf(form, "undeclaredSecrets") !== undefined,
);

/** Whether a field is undeclared and its name suggests a secret. */
const isSuspect = (forms: readonly z.ZodType[], key: PropertyKey): boolean =>
  isSecretName(key) && !forms.some((form) => declares(form, key));

const markIn = markAmong("secret");

/** Whether a value has a type that its schemas do not accept, so that it may contain a secret anywhere. */
function isMisplaced(forms: readonly z.ZodType[], value: unknown): boolean {
  if (forms.length === 0 || forms.some(isOpen)) return false;
  // Text in place of an object can be the unparsed JSON of that object.
  if (typeof value === "string") return forms.some(holdsSecret) && !forms.some((form) => form.safeParse(value).success);
  if (typeof value !== "object") return false;
  return !forms.some((form) =>
    Array.isArray(value)
      ? form instanceof z.ZodArray || form instanceof z.ZodTuple
      : form instanceof z.ZodObject || form instanceof z.ZodRecord,
  );
}

/** What is masked in addition to marked fields. */
interface Rule {
  /** Whether to mask values of the wrong type, because they may contain a secret anywhere. */
  readonly isMisplaced: (forms: readonly z.ZodType[], value: unknown) => boolean;
  readonly isSuspect: (forms: readonly z.ZodType[], key: string, member: unknown) => boolean;
  /** Whether to keep a marked field. */
  readonly isShown: (mark: SecretMark, value: unknown) => boolean;
}

function maskedBy(forms: readonly z.ZodType[], value: unknown, rule: Rule): unknown {
  const mark = markIn(forms);
  if (mark) return rule.isShown(mark, value) ? value : maskOf(value);
  if (rule.isMisplaced(forms, value)) return maskOf(value);
  return withEachAt(forms, value, (member, own, key) =>
    typeof key === "string" && rule.isSuspect(forms, key, member) ? maskOf(member) : maskedBy(own, member, rule),
  );
}

const misplacedIn = (schemas: readonly z.ZodType[]): Rule["isMisplaced"] =>
  schemas.some(holdsSecret) ? isMisplaced : () => false;

/**
 * A value as it can be shown, with its secrets masked. A value without secrets is returned itself, not as a copy.
 * @param schemas The schemas of the whole value: fields that one of them marks are masked, and so are undeclared fields
 * whose names suggest a secret.
 * @param path The path of the value within that whole.
 */
export function masked(schemas: readonly z.ZodType[], value: unknown, path: readonly PropertyKey[] = []): unknown {
  let forms = formsOfAll(schemas);
  for (const key of path) {
    if (markIn(forms) || isSuspect(forms, key)) return maskOf(value);
    forms = formsAt(forms, key);
  }
  return maskedBy(forms, value, { isMisplaced: misplacedIn(schemas), isSuspect, isShown: () => false });
}

// Undeclared tokens are needed in full: one may name the next page. Those that give access are not.
const isPassword = (key: string, member: unknown): boolean =>
  typeof member === "string" &&
  member !== "" &&
  /secret|(?:password|passphrase|private_?key|(?:api|access|encryption|shared|signing)_?key|(?:access|auth|bearer|refresh|api|session|secure|jwt|client|consumer)_?token)$/i.test(
    key,
  );

/**
 * A response as it is shown: with its secrets masked, except for one that the API shows only in this response. Empty
 * values are not secrets. A response without secrets is returned itself, not as a copy.
 * @param schemas The response's schemas; if they declare a secret, undeclared fields are masked by name.
 */
export const maskedAnswer = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  // Most responses cannot contain any, and some have millions of values.
  !schemas.some(holdsSecret)
    ? value
    : maskedBy(formsOfAll(schemas), value, {
        isMisplaced,
        isSuspect: (forms, key, member) => isPassword(key, member) && isSuspect(forms, key),
        isShown: ({ isShownOnce }, member) => isShownOnce === true || member === "",
      });

/** Reports every non-empty marked value, with the name of its field or list. */
function findSecrets(
  schemas: readonly z.ZodType[],
  root: unknown,
  found: (value: unknown, mark: SecretMark, name: string) => void,
): void {
  const visit = (forms: readonly z.ZodType[], value: unknown, name: string) => {
    if (value === undefined || value === null || value === "") return;
    const mark = markIn(forms);
    if (mark) found(value, mark, name);
    // Stryker disable next-line all: where nothing is marked nothing is found; this only saves the way there.
    if (typeof value !== "object" || !forms.some(holdsSecret)) return;
    eachAt(forms, value, (member, own, key) => visit(own, member, typeof key === "number" ? name : key));
  };
  visit(formsOfAll(schemas), root, "body");
}

/** The names of the fields with a value that the API shows only in this response. */
export function shownOnceIn(schemas: readonly z.ZodType[], body: unknown): string[] {
  const names = new Set<string>();
  findSecrets(schemas, body, (_, { isShownOnce }, name) => {
    if (isShownOnce) names.add(name);
  });
  return [...names];
}

/** The secret texts in a value. */
export function secretTextsIn(schemas: readonly z.ZodType[], root: unknown): string[] {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    else if (typeof value === "string" || typeof value === "number") texts.add(String(value));
  };
  findSecrets(schemas, root, collect);
  return [...texts];
}
