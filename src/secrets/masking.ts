/** Masks in the place of secrets: those that schemas mark, and those that their names suggest where no schema knows them. */
import { z } from "../language/z.js";
import { isMask, markAmong, markOf, type SecretMark } from "../schema/marks.js";
import { containing, declares, eachAt, formsAt, formsOfAll, isOpen, withEachAt } from "../schema/shape.js";

/** The first mask in a text, also of a secret of this process, wherever it stands. */
export const findMask = (text: string): string | undefined => /\[secret(?:, \d+ characters)?\]/.exec(text)?.[0];

/** Whether a mask stands anywhere in a value, so that the value is not the whole of what it was. */
export const holdsMask = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsMask) : isMask(value);

/** What is shown in place of a secret: its length and nothing else. */
export function maskOf(value: unknown): unknown {
  if (value === undefined || value === null || isMask(value)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `[secret, ${text.length} characters]`;
}

/** Whether a member's name suggests a secret: the safeguard for what no schema describes. */
export const isSecretName = (key: PropertyKey): boolean => /secret|password|token$/i.test(String(key));

const holdsSecret = containing((form) => markOf(form, "secret") !== undefined);

/** Whether no schema says what a member is, and its name suggests a secret. */
const isSuspect = (forms: readonly z.ZodType[], key: PropertyKey): boolean =>
  isSecretName(key) && !forms.some((form) => declares(form, key));

const markIn = markAmong("secret");

/** Whether a value is of a kind that its schemas do not take, so that a secret can be anywhere in it. */
function isMisplaced(forms: readonly z.ZodType[], value: unknown): boolean {
  if (forms.length === 0 || forms.some(isOpen)) return false;
  // Text in the place of an object can be that object's unread JSON.
  if (typeof value === "string") return forms.some(holdsSecret) && !forms.some((form) => form.safeParse(value).success);
  if (typeof value !== "object") return false;
  return !forms.some((form) =>
    Array.isArray(value)
      ? form instanceof z.ZodArray || form instanceof z.ZodTuple
      : form instanceof z.ZodObject || form instanceof z.ZodRecord,
  );
}

/** What is masked besides what a mark names. */
interface Rule {
  /** Whether a value of the wrong kind is, because a secret can be anywhere in it. */
  readonly isMisplaced: (forms: readonly z.ZodType[], value: unknown) => boolean;
  readonly isSuspect: (forms: readonly z.ZodType[], key: string, member: unknown) => boolean;
  /** Whether what a mark names stays all the same. */
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
 * A value as it can be shown: with masks in the place of its secrets. What holds none is the value itself and no copy.
 * @param schemas What the whole value is known by: what one of them marks is masked, and so is a member that none of them
 * declares when its name suggests a secret.
 * @param path Where in that whole the value stands.
 */
export function masked(schemas: readonly z.ZodType[], value: unknown, path: readonly PropertyKey[] = []): unknown {
  let forms = formsOfAll(schemas);
  for (const key of path) {
    if (markIn(forms) || isSuspect(forms, key)) return maskOf(value);
    forms = formsAt(forms, key);
  }
  return maskedBy(forms, value, { isMisplaced: misplacedIn(schemas), isSuspect, isShown: () => false });
}

// Of a token that no schema describes an answer is needed in whole: it may say which page is next.
const isPassword = (key: string, member: unknown): boolean =>
  typeof member === "string" && member !== "" && /secret|password$/i.test(key);

/**
 * An answer as it leaves: with masks in the place of its secrets, but for one that the API shows in this answer alone.
 * One that is empty is none. What holds no secret is the value itself and no copy.
 * @param schemas What the answer is known by; where they declare a secret, a member that they do not declare is masked by
 * its name.
 */
export const maskedAnswer = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  // Most answers can hold none, and some have millions of values.
  !schemas.some(holdsSecret)
    ? value
    : maskedBy(formsOfAll(schemas), value, {
        isMisplaced,
        isSuspect: (forms, key, member) => isPassword(key, member) && isSuspect(forms, key),
        isShown: ({ isShownOnce }, member) => isShownOnce === true || member === "",
      });

/** Reports every marked value that is not empty, with the name of the member that it is or is listed in. */
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

/** The names of the members with a value that the API shows in this answer and in no other. */
export function shownOnceIn(schemas: readonly z.ZodType[], body: unknown): string[] {
  const names = new Set<string>();
  findSecrets(schemas, body, (_, { isShownOnce }, name) => {
    if (isShownOnce) names.add(name);
  });
  return [...names];
}

/** The texts in a value that are secret. */
export function secretTextsIn(schemas: readonly z.ZodType[], root: unknown): string[] {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    else if (typeof value === "string" || typeof value === "number") texts.add(String(value));
  };
  findSecrets(schemas, root, collect);
  return [...texts];
}
