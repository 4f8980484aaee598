/** Numbers in arguments: each is sent as it was typed, or refused by its field, whichever way it arrives. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { argumentsFrom, argumentsInFlags } from "../../src/commands/arguments.js";
import { innerCall } from "../../src/engine/call-tools.js";
import { Failure } from "../../src/language/failure.js";
import { memberAt } from "../../src/language/member.js";
import { z } from "../../src/language/z.js";
import { readMessage } from "../../src/mcp/message.js";
import { validateValues } from "../../src/schema/arguments.js";
import { jsonText } from "../../src/wire/codec/json.js";
import { runs } from "../lab/depth.js";
import { isSame, numeral } from "../lab/numerals.js";

const tool = z.strictObject({ body: z.looseObject({ size: z.number().optional() }) });
const bodies = [
  (number: string) => `{"near":"${number}","other":[{"id":${number}}]}`,
  (number: string) => `{"size":${number}}`,
];
const listed = { properties: { body: { type: "object", additionalProperties: true } } };

/** The arguments as they arrive by each door that reads text. */
async function arrivals(body: string): Promise<readonly unknown[]> {
  const message = (args: string) =>
    memberAt(readMessage(`\ufeff{"id":1,"params":{"name":"x","arguments":${args}}}`), "value.params.arguments");
  const text = JSON.stringify(`{"body":${body}}`);
  return [
    message(`{"body":${body}}`),
    message(`{"body":${JSON.stringify(body)}}`),
    memberAt(innerCall("operation_read", { tool: "x", arguments: JSON.parse(text) as string }), "args"),
    argumentsFrom(`{"body":${body}}`),
    await argumentsInFlags("x", ["--body", body], listed, [], async () => ({})),
  ];
}

it("a number is sent as typed or refused by its field, at every door", async () => {
  await fc.assert(
    fc.asyncProperty(numeral, fc.constantFrom(...bodies), async (number, bodyOf) => {
      const isHeld = Object.is(Number(number), -0)
        ? false
        : Number.isFinite(Number(number)) && isSame(String(Number(number)), number);
      for (const args of await arrivals(bodyOf(number))) {
        const sent = (() => {
          try {
            return jsonText(validateValues("x", tool, args));
          } catch (error) {
            return error instanceof Failure ? error : Promise.reject(error);
          }
        })();
        const written = isHeld
          ? bodyOf(JSON.stringify(Number(number))).replace(/"near":"[^"]*"/, `"near":"${number}"`)
          : "";
        if (isHeld) expect(sent).toBe(`{"body":${written}}`);
        else
          expect(sent).toMatchObject({
            message: expect.stringMatching(/body\.(other\[0\]\.id|size): .*(rounded|given)/),
          });
      }
    }),
    { numRuns: runs(200) },
  );
});

it("the id of a message, and a text that holds digits, stay what they are", () => {
  expect(readMessage('{"id":9007199254740993,"params":{"arguments":{"a":"1e400, 9007199254740993"}}}')).toEqual({
    // biome-ignore lint/correctness/noPrecisionLoss: what plain parsing makes of it
    value: { id: 9007199254740993, params: { arguments: { a: "1e400, 9007199254740993" } } },
  });
});
