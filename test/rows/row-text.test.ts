/** Rows as CSV: which cells are quoted in a file and in a line of a result, so that a reader finds the same cells again. */
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { csvLine, rowLines } from "../../src/rows/row-text.js";

const inFile = (...cells: readonly unknown[]): string =>
  rowLines("csv", Object.keys(cells), [Object.fromEntries(Object.entries(cells))])[1] ?? "";

it.each<[unknown, string, string]>([
  ["plain", "plain,x", "plain,x"],
  ['a "b"', '"a ""b""",x', '"a ""b""",x'],
  ["a,b", '"a,b",x', '"a,b",x'],
  // A reader may end a row at any of the three line ends; a line of a result stays one line.
  ["a\nb", '"a\nb",x', '"""a\\nb""",x'],
  ["a\rb", '"a\rb",x', '"""a\\rb""",x'],
  ["a\r\nb", '"a\r\nb",x', '"""a\\r\\nb""",x'],
  ["\r", '"\r",x', '"""\\r""",x'],
  [" a", " a,x", '" a",x'],
  ["a ", "a ,x", '"a ",x'],
  ["", ",x", '"",x'],
  [null, ",x", ",x"],
  [undefined, ",x", ",x"],
  [0, "0,x", "0,x"],
  [{ a: 1 }, '"{""a"":1}",x', '"{""a"":1}",x'],
  // What begins like a line of ours.
  ["Note: x", '"Note: x",x', '"Note: x",x'],
  ["Approval is required", '"Approval is required",x', '"Approval is required",x'],
  ["other: x", "other: x,x", '"other: x",x'],
])("%j is quoted in a file where a reader needs it, and in a line", (cell, file, line) => {
  expect([inFile(cell, "x"), csvLine([cell, "x"])]).toEqual([file, line]);
});

it("has names of columns quoted like cells", () => {
  expect(rowLines("csv", ['a "b"', "c\rd"], [])).toEqual(['"a ""b""","c\rd"']);
});

it.each(["\n", "\r", "\r\n"])("is read again by a reader that ends rows at %j", (end) => {
  const cells = ["a\rb", "c\nd", "e\r\nf", 'g"h', "i,j", "k"];
  expect(parse(`${inFile(...cells)}${end}`, { record_delimiter: end })).toEqual([cells]);
});

it.each([
  ["a|b", "a\\|b"],
  // A backslash at the end would escape the border of the cell.
  ["a\\", "a\\\\"],
  ["a\\|b", "a\\\\\\|b"],
  ["a\nb\r\nc\rd", "a<br>b<br>c<br>d"],
  [{ a: [1] }, '{"a":[1]}'],
  [null, ""],
])("%j stays in its cell of a Markdown table", (cell, text) => {
  expect(rowLines("markdown", ["c"], [{ c: cell }])).toEqual(["| c |", "| --- |", `| ${text} |`]);
});
