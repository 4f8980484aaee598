/**
 * Masking of secrets: those that schemas mark, and undeclared ones whose names suggest it. Callers pass a value with
 * its schemas; which names and values are suspicious is known here alone. A mask shows nothing of a secret but its
 * length, and a value without secrets is returned itself.
 */
import { isMask, markAmong, markOf, type SecretMark } from "../language/marks.js";
import { memberAt, withEach } from "../language/member.js";
import { containing, declares, eachAt, formsAt, formsOfAll, isOpen, withEachAt } from "../language/shape.js";
import { z } from "../language/z.js";

/** The first mask in a text, including that of a secret of this process. */
export const findMask = (text: string): string | undefined => /\[secret(?:, \d+ characters)?\]/.exec(text)?.[0];

/** Whether a value contains a mask, so that it is incomplete. */
export const holdsMask = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsMask) : isMask(value);

/** The mask of a secret, which only shows its length. */
function maskOf(value: unknown): unknown {
  if (value === undefined || value === null || isMask(value)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `[secret, ${text.length} characters]`;
}

/**
 * What a name suggests of its value: a `derived` one follows a word for a password with words that do not say that it is
 * only about it, and a `cursor` is a token of which nothing says that it gives access.
 */
type Suspicion = "password" | "derived" | "key" | "cursor";

const passwords =
  /secret|passw(?:or)?d|passphrase|passcode|private_?key|connection_?string|(?:^|_)(?:pwd|psk)(?![a-z0-9])/;
const held = /^(?:_(?:access_)?(?:key|value|text|code))?$/;
const keys =
  /(?:(?:api|access|encryption|shared|sign(?:ing)?|cookie|client|hmac|master|ssl|tls|g2o|ftp|rsync|duo_a)_?(?:keys?_)?(?:previous_)?key|(?:access|auth|bearer|refresh|api|session|secure|security|jwt|consumer|collector|sas|log|ingest|hec|write|webhook)_?tokens?)$/;
// A client token names a credential, and is worth nothing without its secret; the others name a page or are published.
const cursors = /(?<!(?:client|page|next|continuation|cursor|sync|http)_?)token$/;

/** Last words of names that say something about a secret, and do not hold it. */
const wordsAboutSecrets = new Set(
  "age algorithm allow allowed at attempt attempts by changed comment comments complexity configured count date description enabled exists expiration expired expires expiry filter format id ids kind length location locked message name names on policy provisioned required rotation rule rules size state status strength threshold time timestamp type uid updated uuid version".split(
    " ",
  ),
);

const longestName = 100;

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])|-/g, (letter) => (letter === "-" ? "_" : `${letter}_`))
    .toLowerCase();

const saysAbout = (words: string): boolean =>
  /(?:^|_)policy_/.test(words) || wordsAboutSecrets.has(words.slice(words.lastIndexOf("_") + 1));

/** @param within The name of the object or list that the field is in, which says what a plain `key` is for. */
function suspicionOf(key: PropertyKey, within = ""): Suspicion | undefined {
  const whole = String(key);
  // This test alone settles most names.
  if (!/secret|pass|pwd|psk|key|token|connection/i.test(whole)) return undefined;
  const name = snake(/^(?:previous)?key$/i.test(whole) ? `${within}-${whole}` : whole);
  const { 0: found = "", index = 0 } = passwords.exec(name) ?? {};
  const rest = name.slice(index + found.length);
  if (found !== "") return held.test(rest) ? "password" : saysAbout(rest) ? undefined : "derived";
  return keys.test(name) ? "key" : cursors.test(name) ? "cursor" : undefined;
}

/** What the name in a pair, such as that of a header, suggests of the `value` beside it. */
function suspicionOfPair(pair: object, key: PropertyKey): Suspicion | undefined {
  const name = key === "value" ? (memberAt(pair, ["name"]) ?? memberAt(pair, ["key"])) : undefined;
  if (typeof name !== "string" || name.length > longestName) return undefined;
  return /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(name) ? "password" : suspicionOf(name);
}

/** Whether a field's name suggests a secret: the safeguard for undeclared fields. */
export const isSecretName = (key: PropertyKey): boolean => suspicionOf(key) !== undefined;

/** Whether a response's field of that name holds what gives access, rather than what names the next page. */
export const isAccessName = (key: PropertyKey): boolean =>
  key === "token" || (isSecretName(key) && suspicionOf(key) !== "cursor");

const plain = [
  // What stands in place of a value, and signs that hide one: <ENTER VALUE>, {{user.PASSWORD}}, ${PASSWORD}, ****.
  /^(?:<[\p{L}_ -]+>|\[[A-Z_ -]+\]|\{\{[\w. -]+\}\}|\$\{[\w.:-]+\}|[*•]+|[xX]{4,}|[nN]\/[aA]|true|false|on|off|yes|no)$/u,
  // An address of nothing but words and numbers.
  /^(?:https?:\/\/[\w.-]+(?:\/|$)|\/[a-z-]+\/v\d+\/)(?:(?:[A-Za-z][a-z_-]*|v?\d{1,12})(?:\/|$))*$/,
];
const longestPlain = 200;

const publicKey = /^\s*-----BEGIN (?:[A-Z]+ )*(?:PUBLIC KEY|CERTIFICATE)|^(?:ssh|ecdsa)-[a-z0-9-]+ AAAA/;
const privateKey = /PRIVATE KEY(?: BLOCK)?-----/;

/** Whether a text cannot be a secret, whatever its name suggests. */
const isPlain = (text: string): boolean =>
  text === "" ||
  (text.length <= longestPlain && plain.some((one) => one.test(text))) ||
  (publicKey.test(text) && !privateKey.test(text));

/** Which values under a suspect name can be secrets. */
type Looks = Readonly<Record<Suspicion, (value: string | number) => boolean>>;

const looksInRequest: Looks = {
  password: () => true,
  // Reports count what has to do with passwords, and label the number of a key with its name.
  derived: (value) => typeof value === "string",
  key: (value) => !/^\d{1,12}$|(?:^|\s)\(\d{1,12}\)$/.test(String(value)),
  // Settings name attributes, such as gidNumber.
  cursor: (value) => !/^\d{1,12}$|^(?=.{1,24}$)[a-z]{1,16}(?:[A-Z][a-z]{2,})*$/.test(String(value)),
};

// Undeclared tokens are needed in full: one may name the next page. Those that give access are not.
const looksInAnswer: Looks = {
  ...looksInRequest,
  cursor: (value) => /^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(String(value)),
};

/** A value under a suspect name, without the texts and numbers in it that can be secrets. */
function withoutSuspects(suspicion: Suspicion, value: unknown, looks: Looks): unknown {
  if (typeof value === "number" || typeof value === "string")
    return looks[suspicion](value) && !isPlain(String(value)) ? maskOf(value) : value;
  if (typeof value !== "object" || value === null) return value;
  return withEach(value, (member, key) =>
    typeof key === "string" && typeof member !== "object" && saysAbout(snake(key))
      ? member
      : withoutSuspects(suspicion, member, looks),
  );
}

/** A value at a path, without what may be secrets by the names on the way to it. */
export const maskByName = (path: readonly PropertyKey[], value: unknown): unknown =>
  path.reduce((seen: unknown, key, at) => {
    const within = path.slice(0, at).findLast((one) => typeof one === "string");
    const suspicion = suspicionOf(key, within);
    return suspicion === undefined ? seen : withoutSuspects(suspicion, seen, looksInRequest);
  }, value);

const isPrivateKey = (value: unknown): boolean =>
  typeof value === "string" && value.includes("PRIVATE KEY") && privateKey.test(value);

const holdsSecret = containing(
  (form) => markOf(form, "secret") !== undefined || markOf(form, "undeclaredSecrets") !== undefined,
);

/** What the name of a field, or that beside it, suggests of it if it is undeclared. */
const suspicionAt = (
  forms: readonly z.ZodType[],
  key: PropertyKey,
  within?: string,
  pair: unknown = {},
): Suspicion | undefined => {
  const suspicion = suspicionOf(key, within) ?? suspicionOfPair(pair as object, key);
  return suspicion !== undefined && !forms.some((form) => declares(form, key)) ? suspicion : undefined;
};

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
interface MaskRule {
  /** Whether to mask values of the wrong type, because they may contain a secret anywhere. */
  readonly isMisplaced: (forms: readonly z.ZodType[], value: unknown) => boolean;
  /** Which values are masked under undeclared names that suggest a secret. */
  readonly looks: Looks;
  /** Whether to keep a marked field. */
  readonly isShown: (mark: SecretMark, value: unknown) => boolean;
}

function maskByForms(forms: readonly z.ZodType[], value: unknown, rule: MaskRule, within?: string): unknown {
  const mark = markIn(forms);
  if (mark) return rule.isShown(mark, value) ? value : maskOf(value);
  if (isPrivateKey(value) || rule.isMisplaced(forms, value)) return maskOf(value);
  return withEachAt(forms, value, (member, memberForms, key) => {
    const name = typeof key === "string" ? key : within;
    const suspicion = typeof key === "string" ? suspicionAt(forms, key, within, value) : undefined;
    const seen = suspicion === undefined ? member : withoutSuspects(suspicion, member, rule.looks);
    return maskByForms(memberForms, seen, rule, name);
  });
}

const misplacedIn = (schemas: readonly z.ZodType[]): MaskRule["isMisplaced"] =>
  schemas.some(holdsSecret) ? isMisplaced : () => false;

/**
 * A value as it can be shown, with its secrets masked. A value without secrets is returned itself, not as a copy.
 * @param schemas The schemas of the whole value: fields that one of them marks are masked, and so are undeclared fields
 * whose names suggest a secret.
 * @param path The path of the value within that whole.
 */
export function maskSecrets(schemas: readonly z.ZodType[], value: unknown, path: readonly PropertyKey[] = []): unknown {
  let forms = formsOfAll(schemas);
  let within = "";
  for (const key of path) {
    if (markIn(forms)) return maskOf(value);
    const suspicion = suspicionAt(forms, key, within);
    if (suspicion !== undefined) return withoutSuspects(suspicion, value, looksInRequest);
    if (typeof key === "string") within = key;
    forms = formsAt(forms, key);
  }
  const rule: MaskRule = { isMisplaced: misplacedIn(schemas), looks: looksInRequest, isShown: () => false };
  return maskByForms(forms, value, rule, within);
}

/**
 * A response as it is shown: with its secrets masked, except for one that the API shows only in this response. Empty
 * values are not secrets. A response without secrets is returned itself, not as a copy.
 * @param schemas The response's schemas; if they declare a secret, undeclared fields are masked by name.
 */
export const maskAnswer = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  // Most responses cannot contain any, and some have millions of values.
  !schemas.some(holdsSecret)
    ? value
    : maskByForms(formsOfAll(schemas), value, {
        isMisplaced,
        looks: looksInAnswer,
        isShown: ({ isShownOnce }, member) => isShownOnce === true || member === "",
      });

/** Reports every non-empty marked value, with the name of its field or list. */
function findSecrets(
  schemas: readonly z.ZodType[],
  root: unknown,
  onSecret: (value: unknown, mark: SecretMark, name: string) => void,
): void {
  const visit = (forms: readonly z.ZodType[], value: unknown, name: string) => {
    if (value === undefined || value === null || value === "") return;
    const mark = markIn(forms);
    if (mark) onSecret(value, mark, name);
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
