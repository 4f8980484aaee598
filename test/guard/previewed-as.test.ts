/** A change that needs no approval by itself is previewed by what it declares, and its stamp may be quoted. */
import { expect, it } from "vitest";
import { json, op } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { z } from "../../src/language/z.js";
import { EntityTag } from "../../src/tools/fields.js";
import { madeOf } from "../catalogue/preview-law.js";

const Document = z.looseObject({ etag: z.string(), parts: z.array(z.looseObject({ name: z.string() })) });
const write = op("PUT /documents/{id}", {
  does: "Writes a document.",
  path: { id: z.int() },
  headers: { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } },
  body: json({ parts: z.array(z.looseObject({ name: z.string() })) }),
  returns: { 200: json(Document) },
  effect: "update",
  shownBy: "document_get",
  lock: { field: "ifMatch", from: "document_get", at: "body.etag" },
  guard: { kind: "overwrite", when: "asked", thing: "document", replaces: "body.parts" },
  example: { id: 1 },
});
const parts = (count: number, last = "same") =>
  Array.from({ length: count }, (_, at) => ({ name: `p${at}`, text: at === count - 1 ? last : "same" }));
const state = (count: number) => ({ body: { etag: "7ab", parts: parts(count) }, schemas: [Document] });

it("shows the difference, although nothing guards it", async () => {
  expect(guardOf(write)).toBeUndefined();
  const made = await madeOf(write, { id: 1, body: { parts: parts(3, "other") } }, state(3));
  expect(made?.preview).toMatchObject({ changes: 1 });
  expect(made?.preview.lines.join("\n")).toContain("text same → other");
});

it("does not repeat below the changes what nobody would read again", async () => {
  const linesFor = async (count: number) =>
    (await madeOf(write, { id: 1, body: { parts: parts(count, "other") } }, state(count)))?.preview.lines ?? [];
  expect((await linesFor(100)).filter((line) => line.includes("p7")).length).toBeGreaterThan(0);
  const many = await linesFor(1_001);
  expect(many.length).toBeLessThan(30);
  expect(many.join("\n")).toMatch(/body.parts: 2,002 values, compared above/);
});

it.each(["7ab", '"7ab"', "*"])("a preview accepts %s as the present stamp", async (ifMatch) => {
  expect(await madeOf(write, { id: 1, ifMatch, body: { parts: parts(1) } }, state(1))).toBeDefined();
});

it("refuses another stamp", async () => {
  expect(await madeOf(write, { id: 1, ifMatch: "7a", body: { parts: parts(1) } }, state(1))).toBeUndefined();
});
