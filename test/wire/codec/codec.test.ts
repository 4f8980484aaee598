/** The codecs keep what they are given, and refuse what they cannot hold, in drawn cases. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { csv, form, json, type Media, xml } from "../../../src/language/define.js";
import { CodecError } from "../../../src/language/wire.js";
import { z } from "../../../src/language/z.js";
import { reportOf, reportTable } from "../../../src/tools/reporting/csv.js";
import { decode, encode } from "../../../src/wire/codec/index.js";
import { decodeXml } from "../../../src/wire/codec/xml.js";
import { runs } from "../../lab/depth.js";
import { isSame, numeral } from "../../lab/numerals.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (encoded: Uint8Array | undefined) => new TextDecoder().decode(encoded);
const anything = json(z.unknown());
const fromJson = (text: string) => decode(anything, bytes(text));
const back = async (media: Media, value: unknown) => decode(media, (await encode(media, value)) ?? bytes(""));
const refuses = (work: Promise<unknown>, what: unknown) =>
  expect(work, JSON.stringify(what)).rejects.toBeInstanceOf(CodecError);
const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("a&b", "<x>", "]]>", '"', "0123", "1e5", "0x1f", "true", " x ", "é", "\t", "__proto__"),
);

it("JSON comes back as it went out, each number as it is written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      // Whole numbers beyond the safe range come back as text, which is tried below.
      fc.pre(!/\d{16}/.test(JSON.stringify(plain)));
      expect(await back(anything, plain)).toEqual(plain);
    }),
    { numRuns: runs(150) },
  );
  await fc.assert(
    fc.asyncProperty(numeral, async (written) => {
      const [read] = (await fromJson(`[${written}]`)) as [number | string];
      if (typeof read === "string") expect(read).toBe(written);
      else expect(isSame(String(read), written)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

it("JSON reads numbers to 2^53-1, 64 levels, and texts of any length", async () => {
  const body = "[9007199254740991,-9007199254740991,9007199254740992,-9007199254740993,1234567890123456.5]";
  const list = [9_007_199_254_740_991, -9_007_199_254_740_991, "9007199254740992", "-9007199254740993"];
  expect(await fromJson(body)).toEqual([...list, 1_234_567_890_123_456.5]);
  const [a, b, c] = ["-9007199254740993", '"', "9007199254740993"];
  expect(await fromJson('{"a":-9007199254740993,"b":"\\"","c": 9007199254740993}')).toEqual({ a, b, c });
  const nested = "[".repeat(64) + "]".repeat(64);
  expect(JSON.stringify(await fromJson(nested))).toBe(nested);
  const inText = `\\"${"[".repeat(65)}`;
  expect(await fromJson(JSON.stringify(inText))).toBe(inText);
  for (const bad of ['{"a":', "", "[1,]", "nan", `[${nested}]`]) await refuses(fromJson(bad), bad);
  const value = { long: "1".repeat(300_000), at: '\\"' };
  expect(await back(anything, value)).toEqual(value);
});

it("JSON finds the end of every text, whatever quotes and backslashes", async () => {
  const piece = fc.constantFrom("\\", '"', "[", "x".repeat(70), "9".repeat(20), "日", "a");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const value = { [pieces.join("")]: pieces.join(""), after: [pieces.join("")] };
      expect(await back(anything, value)).toEqual(value);
    }),
    { numRuns: runs(100) },
  );
});

it("JSON reads two million values at most, and pollutes nothing", async () => {
  const numbers = (count: number) => fromJson(`[${"1,".repeat(count - 1)}1]`);
  expect(await numbers(1_999_999)).toHaveLength(1_999_999);
  await expect(numbers(2_000_000)).rejects.toThrow(/more than 2000000 values/);
  await expect(fromJson(`[${"{},".repeat(2_000_000)}`)).rejects.toThrow(/more than 2000000 values/);
  await fromJson('{"__proto__":{"polluted":true}}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800"]) await refuses(encode(anything, { bad }), bad);
});

const fields = form(z.looseObject({}));

it("forms are read alike by another parser", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(words, fc.oneof(words, fc.integer(), fc.boolean(), fc.array(words, { maxLength: 3 })), {
        maxKeys: 5,
      }),
      async (value) => {
        const read = new URLSearchParams(text(await encode(fields, value)));
        const said = Object.entries(value).flatMap(([name, inner]) =>
          (Array.isArray(inner) ? inner : [inner]).map((one) => [name, String(one)]),
        );
        expect([...read]).toEqual(said);
      },
    ),
    { numRuns: runs(150) },
  );
});

it("forms leave out a field without a value, and refuse other shapes", async () => {
  expect(text(await encode(fields, { a: undefined, b: 1 }))).toBe("b=1");
  const fieldsOfNone = [{ half: "\ud800" }, { "\ud800": "half" }, { endless: Number.POSITIVE_INFINITY }, "text"];
  for (const bad of [{ deep: { a: 1 } }, ...fieldsOfNone]) await refuses(encode(fields, bad), bad);
});

const shape = z.looseObject({
  name: z.string().nullable(),
  count: z.int(),
  isOn: z.boolean(),
  note: z.string().optional(),
  item: z.array(z.looseObject({ target: z.string(), ttl: z.number() })),
});
const media = xml("thing", shape);
const written = words.map((word) => word.replace(/[\p{Cc}\ufffe\uffff]/gu, ""));

it("XML comes back as it went out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        name: fc.option(written.filter((word) => word !== "")),
        count: fc.integer(),
        isOn: fc.boolean(),
        item: fc.array(fc.record({ target: written, ttl: fc.nat() }), { minLength: 1, maxLength: 3 }),
      }),
      async (value) => {
        expect(await back(media, value)).toEqual(value);
      },
    ),
    { numRuns: runs(150) },
  );
});

it("XML: one child is a list, text like a number stays text", async () => {
  const body = "<name>0123</name><count>7</count><isOn>true</isOn><item><target>1e5</target><ttl>60</ttl></item>";
  const one = await decode(media, bytes(`<any>${body}</any>`));
  expect(one).toEqual({ name: "0123", count: 7, isOn: true, item: [{ target: "1e5", ttl: 60 }] });
});

it("XML refuses text that is not XML, and resolves no HTML entities", async () => {
  const listed = readFileSync(new URL("refused-xml.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  for (const bad of [...listed, "", "<a>".repeat(70) + "</a>".repeat(70)])
    await refuses(decode(media, bytes(bad)), bad);
  const read = await decode(media, bytes("<a><name>&#233;&#x1F600;&lt;&eacute;&constructor;</name></a>"));
  expect(read).toMatchObject({ name: "é😀<&eacute;&constructor;" });
});

it("XML: a name that no element can have is refused, others are written", async () => {
  const open = xml("thing", z.looseObject({}));
  for (const name of ["_a", "a.b:c-1", "Z9"]) expect(text(await encode(open, { [name]: 1 }))).toContain(`<${name}>1<`);
  for (const name of ["1a", "-a", "a b", "a>", "<a", "a/", ""]) await refuses(encode(open, { [name]: 1 }), name);
});

it("XML: what is exactly true or false is a boolean, and other text stays", async () => {
  const on = async (value: string) =>
    ((await decode(media, bytes(`<a><isOn>${value}</isOn></a>`))) as { isOn: unknown }).isOn;
  expect(await Promise.all(["true", " false ", "untrue", "falsely", "1"].map(on))).toEqual([
    true,
    false,
    "untrue",
    "falsely",
    "1",
  ]);
});

it("XML: text around comments, instructions and sections", async () => {
  const mixed =
    "<a><name>x\r\n<!-- <b/> -->&amp;<![CDATA[<y> &amp;]]><?z z?>\r.</name> <__proto__>1</__proto__> beside</a>";
  const read = await decode(media, bytes(mixed));
  expect(Object.entries(read as object)).toEqual([
    ["name", "x\n&<y> &amp;\n."],
    ["__proto__", "1"],
    ["#text", "  beside"],
    ["item", []],
  ]);
});

it("XML: damaged text is read, or refused with a CodecError", async () => {
  const markup =
    "< > / & ; <a> </a> <b~c=' ' \" <!-- --> <![CDATA[ ]]> <? ?> <!DOCTYPE~x~[ ] &# &#x41; &lt; hasOwnProperty=";
  const pieces = markup.split(" ").map((one) => one.replaceAll("~", " "));
  const piece = fc.constantFrom(...pieces, "x", " ", "\n", "\u0000", "\ufeff", "é");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.boolean(), async (damage, isInside) => {
      const text = isInside ? `<a><name>${damage.join("")}</name></a>` : damage.join("");
      const outcome = await decode(media, bytes(text)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CodecError);
    }),
    { numRuns: runs(150) },
  );
});

it("XML leaves attributes out, whatever their names", async () => {
  const names = ["hasOwnProperty", "__proto__", "constructor", "xmlns:x", "x:y"];
  const attributes = names.map((name) => `${name}="&lt;1"`).join(" ");
  const read = await decode(xml("a", z.looseObject({})), bytes(`<a ${attributes}><b ${attributes}>1</b></a>`));
  expect(read).toEqual({ b: "1" });
});

it("XML keeps what it can hold, and refuses to write anything else", async () => {
  const any = xml("a", z.looseObject({ list: z.array(z.string()), count: z.number() }));
  const value = { list: ["\r\n"], count: 1 };
  expect(await back(any, value)).toEqual(value);
  for (const [body, read] of [
    ["<list/><count>12345678901234567890</count>", { list: [""], count: "12345678901234567890" }],
    ["<count>1</count>", { list: [], count: 1 }],
  ] as const)
    expect(await decode(any, bytes(`<a>${body}</a>`))).toEqual(read);
  for (const bad of [{ name: "a\u0000b" }, { count: Number.NaN }, { "a><b": "markup" }])
    await refuses(encode(media, bad), bad);
});

const report = csv(z.unknown(), reportOf, reportTable);
const quote = (value: string) => (/[",\n ]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const plain = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
// Written here from the document's description, not by the emulator.
const template = readFileSync(new URL("report.csv", import.meta.url), "utf8");
const write = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  statistics: readonly (readonly string[])[],
): string => {
  const lines = (all: readonly (readonly string[])[]) => all.map((cells) => `${cells.map(quote).join(",")}\n`).join("");
  const filled = { first: columns[0], count: rows.length, columns, statistics: lines(statistics), rows: lines(rows) };
  return template.replace(/\{(\w+)\}/g, (_, name: keyof typeof filled) => String(filled[name]));
};

it("the report's CSV is read as it was written", async () => {
  const columns = fc.uniqueArray(plain, { minLength: 1, maxLength: 4 });
  const cell = fc.oneof(plain, fc.constantFrom("a,b", 'say "x"', "two words", "1.5"));
  await fc.assert(
    fc.asyncProperty(
      columns.chain((names) =>
        fc.tuple(fc.constant(names), fc.array(fc.tuple(...names.map(() => cell)), { maxLength: 6 })),
      ),
      fc.uniqueArray(fc.tuple(plain, cell), { selector: ([name]) => name, maxLength: 3 }),
      async ([names, rows], statistics) => {
        const read = (await decode(report, bytes(write(names, rows, statistics)))) as Record<string, unknown> & {
          metadata: Record<string, unknown>;
        };
        expect(read["data"]).toEqual(rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))));
        expect(read["summaryStatistics"]).toEqual(
          Object.fromEntries(statistics.map(([name, value]) => [name, { value, details: {} }])),
        );
        expect(read.metadata).toMatchObject({
          version: "1",
          rowCount: rows.length,
          objectIds: ["1", "2"],
          groupBy: [names[0]],
          availableDataEnds: null,
          filters: [{ name: "response_class", values: ["4xx", "5xx"] }],
        });
      },
    ),
    { numRuns: runs(50) },
  );
});

it("CSV: both line ends, long cells, a mark in a cell, an empty line", async () => {
  const rows = [
    ["#DATA_END", "x".repeat(100_000)],
    ["", ""],
  ];
  const sent = write(["a", "b"], rows, []).replaceAll("\n", "\r\n");
  // Group-by columns have the name groupBy, and their own as the label (document A, "Report result").
  const columns = [
    { name: "groupBy", label: "a" },
    { name: "b", label: "b" },
  ];
  const read = await decode(report, bytes(sent));
  expect(read).toMatchObject({ data: rows.map(([a, b]) => ({ a, b })), metadata: { columns } });
  expect(await decode(report, bytes(write(["a"], [["1"], [""], ["3"]], [])))).toMatchObject({
    data: [{ a: "1" }, { a: "" }, { a: "3" }],
  });
  const many = Array.from({ length: 2_016 }, (_, index) => [String(index)]);
  expect(await decode(report, bytes(write(["a"], many, [])))).toMatchObject({ metadata: { rowCount: 2_016 } });
});

const good = write(["a", "b"], [["1", "2"]], [["max", "2"]]);
it.each([
  ["its data cut short", good.replace("#DATA_END", "")],
  ["a section missing", good.replace(/#COLUMNS_START[\s\S]*#COLUMNS_END\n/, "")],
  ["a name twice", good.replace("version,1", "name,other")],
  ["a summary's value in two cells", good.replace("max,2", "max,2,3")],
  ["text behind its data", `${good}more\n`],
  ["sections in another order", good.replace(/(#SUMM[\s\S]*ICS_END\n\n)(#COLUMNS[\s\S]*COLUMNS_END\n\n)/, "$2$1")],
  ["a row too narrow", good.replace("START\n1,2\n", "START\n1\n")],
  ["a header without a name", good.replace("a,b\n", "a,\n")],
  ["a row too wide", good.replace("START\n1,2\n", "START\n1,2,3\n")],
  ["a header that pollutes", good.replace("a,b\n", "__proto__,b\n")],
  ["a header twice the same", good.replace("a,b\n", "a,a\n")],
  ["more after the end", `${good}1,2\n`],
  ["an open quote", good.replace("START\n1,2\n", 'START\n"1,2\n')],
  ["no count of rows", good.replace("rowCount,1", "rowCount,many")],
])("the report's CSV is refused with %s", async (_, bad) => {
  expect(bad).not.toBe(good);
  await refuses(decode(report, bytes(bad)), bad);
});

const sliceLength = 64 * 1024;
/** A large body is read in turns, so that nothing else waits for the whole of it, and reads as a small one does. */
const readXml = (xml: string, schema: z.ZodType = z.unknown()) => decodeXml(bytes(xml), schema);

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
  const { value, turns } = await turnsOf(readXml(xml, Streams));
  expect((value as z.infer<typeof Streams>).stream).toHaveLength(count);
  expect((value as z.infer<typeof Streams>).stream.at(-1)).toEqual({ id: "012", name: "Launch & keynote", tags: [""] });
  // Four nodes each: the element, its id, its name and its tags.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(xml.length / sliceLength) + (4 * count) / 10_000);
});

it("reads a small body at once", async () => {
  const { value, turns } = await turnsOf(readXml(`<streams>${stream}</streams>`, Streams));
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
    expect(await readXml(`${start}${pad}</pad>${element}</r>`)).toEqual({ pad, a: text });
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
  await expect(readXml(`<r>${within(0)}</r>`)).resolves.toBeDefined();
  await expect(readXml(`<r>${within(1)}</r>`)).rejects.toThrow(why);
});
