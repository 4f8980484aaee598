/** A large XML body is read in turns, so that nothing else waits for the whole of it, and reads as a small one does. */
import { expect, it } from "vitest";
import { z } from "../../../src/language/z.js";
import { decodeXml } from "../../../src/wire/codec/xml.js";

const sliceLength = 64 * 1024;
const read = (xml: string, schema: z.ZodType = z.unknown()) => decodeXml(new TextEncoder().encode(xml), schema);

/** What comes of some work, and how often everything else that waits had its turn meanwhile. */
async function turnsOf<Value>(work: Promise<Value>): Promise<{ readonly value: Value; readonly turns: number }> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    return { value: await work, turns };
  } finally {
    clearImmediate(next);
  }
}

const stream = "<stream><id>012</id><name>Launch &amp; keynote</name><tags/></stream>";
const Streams = z.looseObject({
  stream: z.array(z.looseObject({ id: z.string(), name: z.string(), tags: z.array(z.string()) })),
});

it("XML: a large body is read in turns", async () => {
  const count = 10_000;
  const xml = `<streams>${stream.repeat(count)}</streams>`;
  const { value, turns } = await turnsOf(read(xml, Streams));
  expect((value as z.infer<typeof Streams>).stream).toHaveLength(count);
  expect((value as z.infer<typeof Streams>).stream.at(-1)).toEqual({ id: "012", name: "Launch & keynote", tags: [""] });
  // Four nodes each: the element, its id, its name and its tags.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(xml.length / sliceLength) + (4 * count) / 10_000);
});

it("reads a small body at once", async () => {
  const { value, turns } = await turnsOf(read(`<streams>${stream}</streams>`, Streams));
  expect(value).toEqual({ stream: [{ id: "012", name: "Launch & keynote", tags: [""] }] });
  expect(turns).toBeLessThan(2);
});

it.each([
  ["a line end of two characters", "<a>one\r\ntwo</a>", "one\ntwo"],
  ["two line ends of one", "<a>one\r\r\ntwo\r</a>", "one\n\ntwo\n"],
  ["a named character", "<a>one &amp; two</a>", "one & two"],
  ["a section of text", "<a>one <![CDATA[<two>]]> three</a>", "one <two> three"],
  ["a comment", "<a>one <!-- not -- this -->two</a>".replace(" -- this", ""), "one two"],
  ["a character of two halves", "<a>one \u{1f600} two</a>", "one \u{1f600} two"],
  ["a tag with attributes", "<a b=\"1>\" c='2'>one</a  >", "one"],
])("reads %s at the end of a slice as anywhere else", async (_, element, text) => {
  for (let before = 0; before <= element.length; before += 1) {
    const start = "<r><pad>";
    const pad = "x".repeat(sliceLength - start.length - "</pad>".length - before);
    expect(await read(`${start}${pad}</pad>${element}</r>`)).toEqual({ pad, a: text });
  }
});

it.each<[string, (more: number) => string, string]>([
  [
    "more names in an element than any has",
    (more) => Array.from({ length: 10_000 + more }, (_, at) => `<a${at}/>`).join(""),
    "an element with more than 10000 names",
  ],
  [
    "a comment as long as no comment is",
    (more) => `<!--${"x".repeat(1024 * 1024 + more * 100_000)}-->`,
    "a comment of more than 1048576 characters",
  ],
  [
    "a name as long as no name is",
    (more) => (more === 0 ? "" : `<${"x".repeat(1024 * 1024 + 70_000)}/>`),
    "a name, an attribute",
  ],
])("a body is refused with %s", async (_, within, why) => {
  await expect(read(`<r>${within(0)}</r>`)).resolves.toBeDefined();
  await expect(read(`<r>${within(1)}</r>`)).rejects.toThrow(why);
});
