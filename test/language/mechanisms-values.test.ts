/** Values that are written in a form of their own: JSON in a query, American dates, nested fields, names with dots. */
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulated } from "../../src/emulator/service.js";
import type { World } from "../../src/emulator/world.js";
import type { Behaviours } from "../../src/language/behaviour.js";
import { empty, formNested, json, jsonParam, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { wholeSchema } from "../../src/mcp/tool.js";
import { UsDate } from "../../src/tools/fields.js";
import { startRaw } from "../lab/raw.js";
import { exchange } from "../wire/exchange.js";

const does = "Does something.";
const Filter = z.strictObject({ names: z.array(z.string()), most: z.int().optional() });
const Request = z.strictObject({
  cnameHostname: z.array(z.string()),
  "issuer-kind": z.string().optional(),
  csr: z.strictObject({
    cn: z.string(),
    "sans-list": z.array(z.string()).optional(),
    contact: z.strictObject({ email: z.string(), isMain: z.boolean() }).optional(),
  }),
});

const declared = service("wish", {
  name: "wishes",
  document: "B",
  title: "Wishes",
  about: "Wishes",
  standing: { state: "alive" },
  rules: {},
  operations: {
    wish_get: op("GET /wishes", {
      does,
      query: {
        filter: jsonParam(Filter),
        either: jsonParam(z.union([z.int(), z.array(z.int())])),
        from: UsDate.optional(),
      },
      returns: { 200: json(z.unknown()) },
      example: { filter: { names: [] }, either: 1 },
    }),
    wish_create: op("POST /wishes", {
      does,
      effect: "create",
      shownBy: "wish_get",
      body: formNested(".", Request),
      returns: { 200: json(z.unknown()), 202: empty },
      example: { body: { cnameHostname: ["a"], csr: { cn: "a" } } },
    }),
  },
});
const { wish_get, wish_create } = declared.operations;
const behaviours: Behaviours<typeof declared, World> = {
  wish_get: ({ query }) => ({ status: 200, body: query }),
  wish_create: ({ body }) => ({ status: 200, body }),
};
const load = () => Promise.resolve(emulated(declared, usualErrorFormat, behaviours));
const { ask } = startRaw({ entries: [{ roots: ["/wishes"], load }] });

const sentBy = async (...[operation, args]: Parameters<typeof exchange>) => {
  const { sent, body } = await exchange(operation, args, { status: 200, body: "{}" });
  const url = sent[0]?.url;
  return { target: `${url?.pathname}${url?.search}`, query: url?.searchParams, body };
};

describe("a query value that is JSON", () => {
  const args = { filter: { names: ["a,b=c&d", "ü"], most: 3 }, either: [1, 2] };

  it("is one parameter, which the emulator reads back", async () => {
    const { target, query } = await sentBy(wish_get, args);
    expect(target).toBe(
      "/wishes?filter=%7B%22names%22%3A%5B%22a%2Cb%3Dc%26d%22%2C%22%C3%BC%22%5D%2C%22most%22%3A3%7D&either=%5B1%2C2%5D",
    );
    expect(query?.get("filter")).toBe('{"names":["a,b=c&d","ü"],"most":3}');
    expect((await ask({ target })).json()).toEqual(args);
  });

  it.each(["{", "names", "", '{"names":1}'])("is refused by the emulator as %j", async (filter) => {
    const query = new URLSearchParams({ filter, either: "1" });
    expect((await ask({ target: `/wishes?${query}` })).json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining("filter"),
    });
  });

  it("is listed as its schema says", () => {
    expect(argumentsSchema(wish_get).shape["filter"]).toBe(Filter);
    expect(wholeSchema(wish_get)["properties"]).toMatchObject({ filter: { type: "object" }, from: { type: "string" } });
  });
});

describe("a date in the American form", () => {
  it.each([
    ["2026-05-01", "05/01/2026"],
    ["05/01/2026", "05/01/2026"],
    ["05/01/2026:23:59", "05/01/2026:23:59"],
    ["2026-05-01T12:30Z", "05/01/2026:12:30"],
    ["2026-05-01T12:30:00.000Z", "05/01/2026:12:30"],
    ["2026-05-01T12:30", "05/01/2026:12:30"],
    ["2026-05-01T23:30:00-02:00", "05/02/2026:01:30"],
    ["2026-05-01T00:30+0100", "04/30/2026:23:30"],
  ])("is made of %s", async (from, written) => {
    const { target, query } = await sentBy(wish_get, { filter: { names: [] }, either: 1, from });
    expect(query?.get("from")).toBe(written);
    expect((await ask({ target })).json()).toMatchObject({ from: written });
  });

  it.each([
    "31/05/2026",
    "02/30/2026",
    "5/1/2026",
    "2026-02-30",
    "05/01/2026:24:61",
    "2026-05-01T12:30:01Z",
    "2026-05-01T12:30:00.5Z",
    "today",
  ])("is refused as %s", async (from) => {
    await expect(exchange(wish_get, { filter: { names: [] }, either: 1, from })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "from", takes: expect.stringContaining("2026-05-01") }] },
    });
  });
});

describe("a form whose nested members are fields", () => {
  const whole = {
    cnameHostname: ["a.example", "b.example"],
    "issuer-kind": "x y",
    csr: { cn: "a", "sans-list": ["b", "c"], contact: { email: "a@b", isMain: true } },
  };

  it("joins names, repeats lists, and is read back as it was", async () => {
    const { body } = await sentBy(wish_create, { body: whole });
    expect(body).toBe(
      "cnameHostname=a.example&cnameHostname=b.example&issuer-kind=x+y&csr.cn=a&csr.sans-list=b&csr.sans-list=c&csr.contact.email=a%40b&csr.contact.isMain=true",
    );
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await ask({ method: "POST", target: "/wishes", headers, body: body ?? "" })).json()).toEqual(whole);
  });

  it.each(["csr.other=a", "csr.=a", "csr=a", "other.cn=a", "csr.cn=b", "csr.contact.isMain=maybe"])(
    "is refused by the emulator with the field %s",
    async (field) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = `cnameHostname=a&csr.cn=a&${field}`;
      expect((await ask({ method: "POST", target: "/wishes", headers, body })).status).toBe(400);
    },
  );
});

describe("a sentence about a member", () => {
  const telling = op("GET /x", {
    does,
    memberNotes: [
      { when: "warnings", says: "There are warnings." },
      { when: ["options", "mapDetails:serial.Number"], says: "It is {options.mapDetails:serial\\.Number}." },
      { when: "options.map:slot", says: "The slot is {options.map:slot}." },
    ],
    returns: { 200: json(z.unknown()) },
    example: {},
  });
  const notes = async (body: object) =>
    (await exchange(telling, {}, { status: 200, body: JSON.stringify(body) })).reply.notes;

  it("is not said of an empty list", async () => {
    expect(await notes({ warnings: [] })).toEqual([]);
    expect(await notes({ warnings: [0] })).toEqual(["There are warnings."]);
  });

  it("finds names with dots and colons", async () => {
    expect(await notes({ options: { "mapDetails:serial.Number": 7, "map:slot": "a" } })).toEqual([
      "It is 7.",
      'The slot is "a".',
    ]);
  });
});
