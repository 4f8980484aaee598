/** The size of a message at both transports: what is refused before it is parsed, and what is not. */
import { describe, expect, it } from "vitest";
import { createLineSplitter, maxMessageBytes, readMessage } from "../../src/mcp/message.js";
import { mostInJson, sizeOfJson } from "../../src/text/json-size.js";
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
    expect(readMessage(most)).toHaveProperty("value");
    expect(readMessage(more)).toMatchObject({ id: "a", message: expect.stringContaining("can have at most") });
  });

  it("is also refused for what surrounds its arguments", () => {
    expect(readMessage(`{"id":1,"method":"tools/list","params":{"_meta":${names(5_000)}}}`)).toMatchObject({ id: 1 });
    const long = JSON.stringify("x".repeat(300_000));
    expect(readMessage(`{"id":2,"method":"tools/call","params":{"name":${long}}}`)).toMatchObject({ id: 2 });
    expect(readMessage(call(`{"body":${long}}`))).toHaveProperty("value");
  });

  it("is counted without the content of its strings", () => {
    expect(sizeOfJson(JSON.stringify({ a: '[[[{"b":1,,,}]]]\\', b: ['"', "\\"] }))).toMatchObject({
      levels: 2,
      items: 2,
      members: 2,
      values: 5,
    });
  });

  it("is refused with its code if it is not JSON, an object or a list", () => {
    for (const text of ["", "]", '{"id":', '"', "[1,"])
      expect(readMessage(text)).toMatchObject({ code: -32_700, id: null });
    for (const text of ["1", "null", '"a"']) expect(readMessage(text)).toMatchObject({ code: -32_600, id: null });
    expect(readMessage("\ufeff{}")).toEqual({ value: {} });
  });
});

it("empty arguments are left out, and null arguments of a prompt", () => {
  const paramsOf = (method: string, args: unknown) => {
    const read = readMessage(JSON.stringify([{ method, params: { name: "x", arguments: args } }]));
    return "value" in read ? (read.value as { params: object }[])[0]?.params : read;
  };
  for (const method of ["tools/call", "prompts/get"])
    for (const none of [null, ""]) expect(paramsOf(method, none)).toEqual({ name: "x" });
  expect(paramsOf("tools/call", { a: null })).toEqual({ name: "x", arguments: { a: null } });
  expect(paramsOf("prompts/get", { a: null, b: "" })).toEqual({ name: "x", arguments: { b: "" } });
});

it("lines arrive whole however they are cut; large ones are refused", () => {
  const arrived: unknown[] = [];
  const take = createLineSplitter(
    (line) => arrived.push(line),
    ({ id, message }) => arrived.push({ id, message }),
  );
  const huge = "x".repeat(maxMessageBytes + 1);
  const whole = Buffer.concat([
    Buffer.from(`one\r\n\n \r\ntw\u00f6\n${huge}\n`),
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from("last\n"),
  ]);
  for (let at = 0; at < whole.length; at += 65_521) take(whole.subarray(at, at + 65_521));
  expect(arrived).toEqual([
    "one",
    "tw\u00f6",
    { id: null, message: `A message can have at most ${maxMessageBytes} bytes.` },
    { id: null, message: "The message is not UTF-8." },
    "last",
  ]);
});
