/** A secret is masked wherever its schema is marked, however the mark is wrapped, and its answer says when to keep it. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Failure } from "../../src/language/failure.js";
import { isSecret, secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { validateValues } from "../../src/schema/arguments.js";
import { findMask, holdsMask, maskAnswer, maskSecrets, secretTextsIn, shownOnceIn } from "../../src/secrets/masking.js";
import { refusalOf } from "../lab/checked.js";
import { runs } from "../lab/depth.js";

const key = secret(z.string());
const text = "hunter2-hunter2";
const mask = "[secret, 15 characters]";
const one = mask.replace("15", "1");

interface Node {
  key?: string | undefined;
  next?: Node | undefined;
}
const Node: z.ZodType<Node> = z.lazy(() => z.strictObject({ key: key.optional(), next: Node.optional() }));

it.each<[string, z.ZodType, unknown, unknown]>([
  ["itself", key, text, mask],
  ["optional", z.object({ a: key.optional() }), { a: text }, { a: mask }],
  ["nullable", z.object({ a: key.nullable() }), { a: text }, { a: mask }],
  ["with a default", z.object({ a: key.default("x") }), { a: text }, { a: mask }],
  ["read-only", z.object({ a: key.readonly() }), { a: text }, { a: mask }],
  ["caught", z.object({ a: key.catch("x") }), { a: text }, { a: mask }],
  ["made longer", z.object({ a: key.min(3).describe("A key") }), { a: text }, { a: mask }],
  ["marked outside its wrapper", z.object({ a: secret(z.string().optional()) }), { a: text }, { a: mask }],
  ["converted", z.object({ a: key.transform(Number) }), { a: text }, { a: mask }],
  ["in a list", z.array(key), [text, "x"], [mask, one]],
  ["in a record", z.record(z.string(), key), { any: text }, { any: mask }],
  ["in a pair", z.tuple([z.string(), key]), ["open", text], ["open", mask]],
  ["in the rest of a list", z.tuple([z.string()], key), ["open", text], ["open", mask]],
  ["among further members", z.object({ a: z.string() }).catchall(key), { a: "x", b: text }, { a: "x", b: mask }],
  [
    "in one of several forms",
    z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: key })]),
    { b: text },
    { b: mask },
  ],
  [
    "in both halves",
    z.intersection(z.object({ a: key }), z.object({ b: key })),
    { a: text, b: "x" },
    { a: mask, b: one },
  ],
  ["in a schema of itself", Node, { next: { next: { key: text } } }, { next: { next: { key: mask } } }],
  ["a whole object", secret(z.object({ a: z.int() })), { a: 12_345_678 }, mask.replace("15", "14")],
  ["a number", secret(z.int()), 123_456, "[secret, 6 characters]"],
])("a secret is masked: %s", (_, schema, value, shown) => {
  expect(maskSecrets([schema], value)).toEqual(shown);
});

it("what any of several schemas marks is masked, also by its path", () => {
  expect(maskSecrets([z.object({ a: z.string() }), z.object({ a: key })], { a: text })).toEqual({ a: mask });
  const schema = z.object({ list: z.array(z.object({ a: key })) });
  expect(maskSecrets([schema], text, ["list", 0, "a"])).toBe(mask);
  expect(maskSecrets([schema], { a: text }, ["list", 0])).toEqual({ a: mask });
  expect(maskSecrets([z.object({ a: secret(z.object({ b: z.string() })) })], text, ["a", "b"])).toBe(mask);
});

it("an undescribed member is masked by its name, a described one not", () => {
  const schema = z.looseObject({ clientToken: z.string() });
  const value = { clientToken: "akab-1", clientSecret: text, name: "n", tokenCount: 2, inner: { newPassword: text } };
  const shown = { clientToken: "akab-1", clientSecret: mask, name: "n", tokenCount: 2, inner: { newPassword: mask } };
  expect(maskSecrets([schema], value)).toEqual(shown);
  // A client token names a credential, whether a declaration says so or nobody does.
  expect(maskSecrets([], value)).toEqual(shown);
});

// Each word of either list, at the beginning, in the middle and at the end as far as it counts there.
const [ofAccess = [], onlyInRequests = [], neither = []] = readFileSync(new URL("names.txt", import.meta.url), "utf8")
  .split(/^# .*$/m)
  .slice(1)
  .map((names) => names.trim().split(/\s+/));

it("an undeclared member is masked by each suspicious word of its name", () => {
  const all = [...ofAccess, ...onlyInRequests, ...neither];
  const value = Object.fromEntries(all.map((name) => [name, text]));
  const isShownIn = (shown: unknown) => all.filter((name) => (shown as typeof value)[name] === text);
  expect(isShownIn(maskSecrets([], value))).toEqual(neither);
  expect(isShownIn(maskAnswer([z.looseObject({ key })], value))).toEqual([...onlyInRequests, ...neither]);
});

it.each<[name: string, shown: readonly unknown[], hidden: readonly unknown[]]>(
  JSON.parse(readFileSync(new URL("looks.json", import.meta.url), "utf8")),
)("an undeclared %s is masked only if it looks like a secret", (name, shown, hidden) => {
  const seen = (value: unknown) => maskSecrets([], { [name]: value, other: 1 });
  expect(shown.map(seen)).toEqual(shown.map((value) => ({ [name]: value, other: 1 })));
  expect(hidden.filter((value) => !holdsMask(seen(value)))).toEqual([]);
});

it("no random secret is shown under any name that suggests access", () => {
  const texts = ["0123456789abcdef", "abcdefghijklmnopqrstuvwxyz234567", "ABCabc019 !$<>{}[]*/.:@-_"].map((all) =>
    fc.string({ unit: fc.constantFrom(...all), minLength: 13, maxLength: 64 }),
  );
  const secrets = fc.oneof(...texts, fc.uuid(), fc.base64String({ minLength: 16, maxLength: 90 }));
  fc.assert(
    fc.property(fc.constantFrom(...ofAccess), secrets, fc.constantFrom(0, 1, 2), (name, drawn, depth) => {
      const value = { [name]: [drawn, [drawn], { a: [{ value: drawn }] }][depth] };
      for (const seen of [maskSecrets([], value), maskAnswer([z.looseObject({ key })], value)])
        expect(JSON.stringify(seen)).not.toContain(drawn);
    }),
    { numRuns: runs(200) },
  );
});

it("text in place of an object with a secret is masked", () => {
  const schema = z.object({ body: z.object({ a: key }), note: z.string() });
  const unread = `{"a": "${text}`;
  expect(maskSecrets([schema], { body: unread, note: text })).toEqual({ body: "[secret, 22 characters]", note: text });
});

it.each<[string, z.ZodType[], unknown, unknown]>([
  ["one form of several has the secret", [z.union([z.int(), z.object({ a: key })])], text, mask],
  ["a list holds nothing but a mask", [secret(z.array(z.string()))], [mask], "[secret, 27 characters]"],
  ["one of the forms takes text", [z.union([z.string(), z.object({ a: key })])], text, text],
  ["one of the forms takes anything", [z.union([z.unknown(), z.array(z.object({ key }))])], { a: 1 }, { a: 1 }],
  ["there is nothing", [z.array(key)], null, null],
  ["no schema describes it", [z.object({ a: key })], { b: { c: 1 } }, { b: { c: 1 } }],
  ["any further member is taken", [z.looseObject({ a: key })], { b: { c: 1 } }, { b: { c: 1 } }],
  ["it is a number, which holds no secret of an object", [z.object({ a: z.object({ key }) })], { a: 5 }, { a: 5 }],
])("a value of another type is masked or not: %s", (_, schemas, value, shown) => {
  expect(maskSecrets(schemas, value)).toEqual(shown);
});

it("a mask counts as a whole text alone, and a missing value has none", () => {
  for (const value of [mask, { a: 1, list: ["x", { b: mask }] }]) expect(holdsMask(value)).toBe(true);
  for (const value of [{ a: 1, list: [{ b: `${mask}.` }] }, { a: `The ${mask}` }, text, null, undefined, 15])
    expect(holdsMask(value)).toBe(false);
  expect(findMask(`The key is ${mask}, or ${mask.replace("15", "7")}.`)).toBe(mask);
  expect(findMask("Bearer [secret]")).toBe("[secret]");
  for (const none of ["[secret, some characters] and [secret, 15 letters]", ""]) expect(findMask(none)).toBeUndefined();
  expect(maskSecrets([z.object({ a: key.nullish(), b: key.nullish() })], { a: null, b: undefined })).toEqual({
    a: null,
  });
});

const Login = z.looseObject({ key, recoveryPassword: z.string().optional() });

it("an answer masks what is marked, unless it is shown once", () => {
  const Once = z.object({ key: secret(z.string(), { isShownOnce: true }), other: key });
  expect(maskAnswer([Once], { key: text, other: text })).toEqual({ key: text, other: mask });
  expect(maskAnswer([Login], { key: "" })).toEqual({ key: "" });
  expect(maskAnswer([z.object({ a: z.string() }), Login], { key: text })).toEqual({ key: mask });
  expect(maskAnswer([z.object({ body: Login })], { body: [text] })).toEqual({ body: "[secret, 19 characters]" });
});

it("an answer masks undeclared text by its name, and signed tokens", () => {
  const shown = { ...{ nextToken: text, passwordPolicy: text, recoveryPassword: text, name: text }, hasSecret: true };
  const empty = { emptySecret: "", secretCount: 2 };
  expect(maskAnswer([Login], { key: text, clientSecret: text, newPassword: text, ...shown, ...empty })).toEqual({
    ...{ key: mask, clientSecret: mask, newPassword: mask },
    ...shown,
    ...empty,
  });
  const [signed, cursor] = ["eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJuIn0.Zq7_8-Lm2", "eyJvZmZzZXQiOjEwfQ"];
  expect(maskAnswer([Login], { key: "", idToken: signed, nextToken: cursor })).toEqual({
    ...{ key: "", idToken: "[secret, 46 characters]", nextToken: cursor },
  });
});

it("an answer whose schemas have no secret is returned itself", () => {
  const answer = { clientSecret: text };
  expect(maskAnswer([z.looseObject({}), z.object({ a: z.int() })], answer)).toBe(answer);
});

const StrictLogin = z.strictObject({ name: z.string(), key: key.min(40) });
const schema = z.strictObject({
  body: z.union([StrictLogin, z.strictObject({ other: z.int() })]),
  login: StrictLogin.optional(),
});
const refusal = (args: unknown): Failure =>
  refusalOf(() => validateValues("x_update", schema, args)) ?? expect.fail("The arguments were accepted.");

it("a refusal does not show the secret, wherever it was given", () => {
  const login = { name: "n", key: text };
  for (const more of [
    ...[{ login }, { login: { name: "n", key: { inner: text } } }, { login: { name: { key: text }, key: text } }],
    ...[{ login: `{"key": "${text}"` }, { login: [text] }, { body: login }],
  ]) {
    const { message, detail } = refusal({ body: { other: 1 }, ...more });
    expect(detail.fields).not.toEqual([]);
    expect(JSON.stringify([message, detail])).not.toContain("hunter2");
  }
});

it("a refusal shows the mask of a secret", () => {
  const { detail } = refusal({ body: { other: 1 }, login: { name: "n", key: text } });
  expect(detail.fields).toEqual([{ field: "login.key", given: `"${mask}"`, takes: "at least 40 characters" }]);
});

it("a mask that was copied from a preview is refused", () => {
  const copied = "[secret, 1234567890123456 characters]";
  const { detail } = refusal({ body: { other: 1 }, login: { name: "n", key: copied } });
  expect(detail.fields?.[0]?.takes).toContain("not its mask");
  expect(secret(z.string()).safeParse(text).success).toBe(true);
  expect(secret(z.string()).safeParse(mask).error?.issues[0]?.message).toContain("not its mask");
});

const once = secret(z.string().nullish(), { isShownOnce: true });
it.each<[string, z.ZodType, unknown, readonly string[]]>([
  [
    "values, each name once",
    z.object({ made: z.array(z.object({ once })) }),
    { made: [{ once: text }, { once: text }] },
    ["once"],
  ],
  ["a list", z.object({ list: z.array(once) }), { list: [null, text] }, ["list"]],
  ["the whole answer", once, text, ["body"]],
  ["a missing value", z.object({ once }), {}, []],
  ["null", z.object({ once }), { once: null }, []],
  ["an empty text", z.object({ once }), { once: "" }, []],
  ["a secret that can be read again", z.object({ key }), { key: text }, []],
])("shown once: %s", (_, schema, value, names) => {
  expect(shownOnceIn([schema], value)).toEqual(names);
});

it("the secret texts of an answer are those under marked schemas", () => {
  const schema = z.object({
    name: z.string(),
    key,
    pin: secret(z.int()),
    pair: secret(z.object({ user: z.string(), words: z.array(z.string()), isOn: z.boolean(), none: z.null() })),
  });
  const pair = { user: "u-1", words: [text, "w-2"], isOn: true, none: null };
  expect(secretTextsIn([schema], { name: "n", key: text, pin: 4711, pair })).toEqual([text, "4711", "u-1", "w-2"]);
  expect(secretTextsIn([schema], { name: "n" })).toEqual([]);
  expect([key, key.optional(), key.nullable().default(null)].map(isSecret)).toEqual([true, true, true]);
  expect([z.string(), z.object({ key }), z.array(key)].map(isSecret)).toEqual([false, false, false]);
});
