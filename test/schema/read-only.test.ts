/** Writing back what was read: what is accepted, and what of it is sent. */
import { expect, it } from "vitest";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { openObject } from "../../src/language/open-object.js";
import { readOnly, repeated, withReadOnlyMembers } from "../../src/language/read-only.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";

const Part = z.looseObject({ size: z.int(), label: z.string().nullable() });
const Thing = z.looseObject({ id: z.int(), name: z.string(), made: z.string(), parts: z.array(Part) });
const replace: AnyOperation = op("PUT /things/{id}", {
  does: "Replaces a thing.",
  path: { id: z.int() },
  body: json(
    withReadOnlyMembers(
      {
        id: repeated(z.int().optional()),
        name: z.string(),
        parts: z.array(openObject(withReadOnlyMembers({ size: z.int() }, Part))).optional(),
        shared: readOnly(z.string().optional()),
      },
      Thing,
    ),
  ),
  returns: { 200: json(Thing) },
  effect: "update",
  shownBy: "thing_get",
  example: { id: 1, body: { name: "n" } },
});
const checked = (body: object) => validateArguments("thing_replace", replace, { id: 1, body });

it("writing back sends nothing that the API sets", () => {
  const parts = [
    { size: 1, label: null },
    { size: 2, label: "b" },
  ];
  const { body, notes } = checked({ id: 1, name: "n", made: 7, parts, shared: "s" });
  expect(body).toEqual({ id: 1, name: "n", parts: [{ size: 1 }, { size: 2 }] });
  expect(notes).toEqual(["Not sent, because the API sets them itself: body.shared, body.made, body.parts[].label."]);
});

it("writing back sends unknown members, with a note", () => {
  const { body, notes } = checked({ name: "n", parts: [], colour: "red" });
  expect(body).toEqual({ name: "n", parts: [], colour: "red" });
  expect(notes).toEqual(["Undocumented, sent as given: body.colour."]);
});

it("an unsent member takes any value, a sent one only its type", () => {
  expect(checked({ name: "n", made: { at: [null] } }).body).toEqual({ name: "n" });
  expect(() => checked({ name: "n", id: "seven" })).toThrow("body.id");
});

it("the note names the first of many members that are not sent", () => {
  const many = openObject(withReadOnlyMembers({ name: z.string() }, ...["a", "b", "c", "d", "e", "f", "g"]));
  const operation: AnyOperation = { ...replace, spec: { ...replace.spec, body: json(many) } };
  const body = { name: "n", a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 };
  expect(validateArguments("thing_replace", operation, { id: 1, body }).notes).toEqual([
    "Not sent, because the API sets them itself: body.a, body.b, body.c, body.d, body.e and 2 more.",
  ]);
});

it("an error names the members that are sent, not read-only ones", () => {
  expect(() => checked({ name: "n", nmae: "m", prts: [] })).toThrow(
    /prts: .*did you mean "parts"\?\); known: name, parts(?!,)/,
  );
});
