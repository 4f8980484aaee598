/** Undocumented members: which are refused as misspellings of known names, which are sent, and the note on those. */
import { expect, it } from "vitest";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { markSchema } from "../../src/language/marks.js";
import { closedObject, openObject } from "../../src/language/open-object.js";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { unknownMembers } from "../../src/schema/unknown-members.js";
import { rowsOf } from "../lab/tables.js";

const Circle = openObject({ kind: z.literal("circle"), radius: z.number() });
const Square = openObject({
  kind: z.literal("square"),
  width: z.number(),
  grid: openObject({ size: z.int() }).optional(),
});
const Whole = openObject({
  ttl: z.int().optional(),
  id: z.string().optional(),
  hostname: z.string().optional(),
  shapes: z.array(z.discriminatedUnion("kind", [Circle, Square])).optional(),
  mark: z.union([z.string(), openObject({ text: z.string() })]).optional(),
  sides: z.intersection(openObject({ left: z.int() }), openObject({ right: z.int() })).optional(),
  options: z.looseObject({ size: z.int().optional() }).optional(),
  byName: z.record(z.string(), openObject({ weight: z.number() })).optional(),
  grants: z.array(closedObject("it could give a right", { role: z.string() })).optional(),
  stamp: markSchema(z.string(), { alsoNamed: ["etag"] }).optional(),
});
const operation: AnyOperation = op("POST /things", {
  does: "Makes a thing.",
  body: json(Whole),
  returns: { 201: json(z.unknown()) },
  effect: "create",
  shownBy: "things_list",
  example: {},
});

function checked(body: unknown) {
  try {
    const { body: sent, notes, unknown } = validateArguments("thing_create", operation, { body });
    return { sent, notes, unknown };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.detail;
  }
}

it.each(rowsOf<[string, unknown, string]>("schema/unknown-members.tsv", "unknown"))(
  "an unknown member %s is sent as given, with a note",
  (_, body, place) => {
    const note = `Undocumented, sent as given: ${place}`;
    expect(checked(body)).toEqual({ sent: body, notes: [note], unknown: note });
  },
);

it("a free-form object has no unknown members", () => {
  const body = { options: { sizes: 1, anything: true }, byName: { colours: { weight: 1 } }, ttl: 1 };
  expect(checked(body)).toEqual({ sent: body, notes: [], unknown: undefined });
});

it("unknown members: three are named, the others counted", () => {
  const body = { shapes: Array.from({ length: 5 }, () => ({ kind: "circle", radius: 1, hue: 7 })), colour: "red" };
  expect(checked(body)).toMatchObject({
    unknown: expect.stringContaining(": body.colour, body.shapes[0].hue, body.shapes[1].hue and 3 more."),
  });
});

it("an unknown member is sent without conversion", () => {
  expect(checked({ colour: "true", measures: ["7"] })).toMatchObject({ sent: { colour: "true", measures: ["7"] } });
});

it.each(rowsOf<[string, unknown, string, string]>("schema/unknown-members.tsv", "slip"))(
  "a typo %s is refused with the known name",
  (_, body, field, name) => {
    const detail = checked(body);
    expect(detail).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
    const [problem] = "fields" in detail ? (detail.fields ?? []).filter((one) => one.field === field) : [];
    expect(problem?.takes).toMatch(
      new RegExp(`^nothing: there is no such argument \\(did you mean "${name}"\\?\\); known: `),
    );
    expect("mends" in detail && detail.mends?.all).toContainEqual(expect.objectContaining({ name }));
  },
);

it.each(rowsOf<[string, unknown]>("schema/unknown-members.tsv", "no slip"))("no typo: a member %s", (_, body) => {
  expect(checked(body)).toMatchObject({ sent: body, unknown: expect.stringContaining("sent as given") });
});

it("a closed object refuses an unknown member", () => {
  expect(checked({ grants: [{ role: "reader", everything: true }] })).toMatchObject({
    fields: [
      {
        field: "body.grants[0].everything",
        takes: "nothing: there is no such argument; known: role; no unknown fields, because it could give a right",
      },
    ],
  });
});

it("objects derived from an open one have unknown members, too", () => {
  const objects = [Circle.extend({ more: z.string().optional() }), Circle.omit({ radius: true }), Circle.partial()];
  const value = { kind: "circle", radiance: 1 };
  expect(objects.map((one) => unknownMembers(one, value).map(({ names }) => names))).toEqual([
    [["radiance"]],
    [["radiance"]],
    [["radiance"]],
  ]);
});
