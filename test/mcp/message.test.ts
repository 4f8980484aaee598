/** The size of a message at both transports: what is refused before it is parsed, and what is not. */
import { describe, expect, it } from "vitest";
import { mostInJson, sizeOfJson } from "../../src/language/json-size.js";
import { createLines, maxMessageBytes, type OversizedMessage, oversized } from "../../src/mcp/message.js";
import { promise } from "../lab/rules.js";

const call = (args: string, id = '"a"'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":${args}}}`;
const list = (items: number): string => `[${Array(items).fill("{}").join()}]`;
const names = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"n${at}":1`).join()}}`;
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("a message", () => {
  it.each([
    ["the most names", call(names(mostInJson.items)), call(names(mostInJson.items + 1))],
    ["the deepest value", call(nested(mostInJson.levels - 2)), call(nested(mostInJson.levels - 1))],
    [
      "the most values",
      call(`{"a":[${Array(9).fill(list(9_990)).join()}]}`),
      call(`{"a":[${Array(11).fill(list(9_990)).join()}]}`),
    ],
  ])(promise("message-bounds", "with %s is taken, and none with more"), (_, most, more) => {
    expect(oversized(most)).toBeUndefined();
    expect(oversized(more)).toMatchObject({ id: "a", message: expect.stringContaining("can have at most") });
  });

  it("is refused for what stands around the arguments as well", () => {
    expect(oversized(`{"id":1,"method":"tools/list","params":{"_meta":${names(5_000)}}}`)).toMatchObject({ id: 1 });
    const long = JSON.stringify("x".repeat(300_000));
    expect(oversized(`{"id":2,"method":"tools/call","params":{"name":${long}}}`)).toMatchObject({ id: 2 });
    expect(oversized(call(`{"body":${long}}`))).toBeUndefined();
  });

  it("is counted without what is in its texts", () => {
    expect(sizeOfJson(JSON.stringify({ a: '[[[{"b":1,,,}]]]\\', b: ['"', "\\"] }))).toMatchObject({
      levels: 2,
      items: 2,
      members: 2,
      values: 5,
    });
  });

  it("that is no JSON is left to the parser", () => {
    for (const text of ["", "]", '{"id":', '"', "[1,"]) expect(oversized(text)).toBeUndefined();
  });
});

it("lines arrive whole however they are cut, and those that are too large are refused in their turn", () => {
  const arrived: (string | OversizedMessage)[] = [];
  const take = createLines(
    (line) => arrived.push(line.toString()),
    (refused) => arrived.push(refused),
  );
  const huge = "x".repeat(maxMessageBytes + 1);
  const whole = Buffer.from(`one\ntw\u00f6\n${call(nested(600), "7")}\n${huge}\nlast\n`);
  for (let at = 0; at < whole.length; at += 65_521) take(whole.subarray(at, at + 65_521));
  expect(arrived).toEqual([
    "one\n",
    "tw\u00f6\n",
    { id: 7, message: expect.stringContaining("levels of objects and lists") },
    { id: null, message: `A message can have at most ${maxMessageBytes} bytes.` },
    "last\n",
  ]);
});
