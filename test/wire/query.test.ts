/** What a query says comes out as it went in, in each style, and no value can add a parameter of its own. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { comma, json, op, pairs, repeat } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { resolveRequest } from "../../src/wire/request.js";
import { checkedWith } from "../lab/checked.js";
import { runs } from "../lab/depth.js";

const texts = z.array(z.string());
const operation: AnyOperation = op("GET /x", {
  does: "Reads.",
  query: {
    plain: z.string().optional(),
    list: comma(texts.optional()),
    many: repeat(texts.optional()),
    named: pairs(z.record(z.string(), texts).optional()),
  },
  returns: { 200: json(z.unknown()) },
  example: {},
});
const target = { origin: "https://host.example", vendor: "akamai", accountSwitchKey: "1-ABC:1-DEF&plain=x" };
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
  fc.constantFrom("a&b=c", "a+b", "%41", "a=b", "x\r\ny", "é", "#"),
);
const within = (query: Record<string, unknown>) => resolveRequest("x_get", operation, checkedWith({ query }), target);

it("query: plain, repeated, comma-separated and paired values arrive", async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.dictionary(text, fc.array(text, { minLength: 1, maxLength: 3 }), { minKeys: 1, maxKeys: 3 }),
      async (plain, list, named) => {
        const isSeparable =
          list.every((item) => !item.includes(",")) &&
          Object.entries(named).every(
            ([key, items]) => !/[,=]/.test(key) && items.every((item) => !item.includes(",")),
          );
        const attempt = within({ plain, list, many: list, named });
        if (!isSeparable) {
          await expect(attempt).rejects.toBeInstanceOf(Failure);
          return;
        }
        const { url } = await attempt;
        const read = url.searchParams;
        expect([...new Set(read.keys())]).toEqual(["plain", "list", "many", "named", "accountSwitchKey"]);
        expect(read.get("plain")).toBe(plain);
        expect(read.getAll("many")).toEqual(list);
        expect(read.get("list")?.split(",")).toEqual(list);
        const written = Object.entries(named).flatMap(([key, items]) => items.map((item) => `${key}=${item}`));
        expect(read.get("named")?.split(",")).toEqual(written);
        expect(read.getAll("accountSwitchKey")).toEqual(["1-ABC:1-DEF&plain=x"]);
      },
    ),
    { numRuns: runs(150) },
  );
});
