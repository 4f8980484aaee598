/** Mechanisms from the call to the reply and back on the emulator: chosen media, values in forms of their own, and the vendor's words. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Behaviours, Call } from "../../src/emulator/behaviour.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulateService } from "../../src/emulator/service.js";
import { createWorld, type World } from "../../src/emulator/world.js";
import { chosenBy, comma, empty, formNested, json, jsonParam, op, xml } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { readVendorWords, usualVendorWords, vendorTranslation } from "../../src/language/vendor-words.js";
import { z } from "../../src/language/z.js";
import { wholeSchema } from "../../src/mcp/tool.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { UsDate } from "../../src/tools/fields.js";
import { authorizer } from "../../src/wire/authorize.js";
import { startRaw } from "../lab/raw.js";
import { rowsOf } from "../lab/tables.js";
import { callOver, exchange } from "../wire/exchange.js";

const madeUp = { document: "B", title: "Things", about: "Things", standing: { state: "alive" }, rules: {} } as const;
const cps = (name: string) => `application/vnd.<vendor>.cps.${name}+json`;
const real = (name: string) => `application/vnd.akamai.cps.${name}+json`;
const rulesType = "application/vnd.<vendor>.papirules.{ruleFormat}+json";
const Rules = z.strictObject({ rules: z.string() });

const changing = service("change", {
  ...madeUp,
  name: "changes",
  operations: {
    change_get: op("GET /changes/{kind}", {
      does: "Reads.",
      path: { kind: z.enum(["csr", "info"]) },
      returns: {
        200: chosenBy("kind", {
          csr: chosenBy("version", {
            v2: json({ rsa: z.string() }, cps("csr.v2")),
            v1: json({ text: z.string() }, cps("csr.v1")),
          }),
          info: chosenBy("version", {
            v5: json({ five: z.int() }, cps("info.v5")),
            v1: json({ one: z.int() }, cps("info.v1")),
          }),
        }),
      },
      example: { kind: "csr" },
    }),
    change_update: op("POST /changes/{kind}", {
      does: "Writes.",
      effect: "update",
      shownBy: "change_get",
      path: { kind: z.enum(["ack", "chain"]) },
      body: chosenBy("kind", {
        ack: json({ acknowledgement: z.enum(["acknowledge", "deny"]) }, cps("acknowledgement.v1")),
        chain: json({ certificate: z.string(), count: z.int() }, cps("chain.v2")),
      }),
      returns: {
        200: chosenBy("version", {
          v2: json({ id: z.int() }, cps("change-id.v2")),
          v1: json({ change: z.string() }, cps("change-id.v1")),
        }),
        202: json({ later: z.boolean() }),
      },
      example: { kind: "ack", body: { acknowledgement: "deny" } },
    }),
    change_find: op("GET /lookups/{list}", {
      does: "Looks up.",
      path: { list: z.enum(["countries", "states"]) },
      returns: {
        200: chosenBy("list", {
          countries: json(z.array(z.string())),
          states: json(z.strictObject({ states: z.array(z.string()) })),
        }),
      },
      example: { list: "countries" },
    }),
    change_rules_get: op("GET /rules", {
      does: "Reads rules.",
      returns: { 200: [json(Rules), xml("rules", Rules), json(Rules, rulesType)] },
      example: {},
    }),
    change_rules_replace: op("PUT /rules", {
      does: "Writes rules.",
      effect: "update",
      shownBy: "change_rules_get",
      body: [json(Rules), json(Rules, rulesType)],
      returns: { 204: empty },
      example: { body: { rules: "a" } },
    }),
  },
});
const { change_get, change_update, change_find, change_rules_get, change_rules_replace } = changing.operations;

let seen: Call<typeof change_rules_replace>["chosen"];
const changes: Behaviours<typeof changing, World> = {
  change_get: ({ path, chosen }) => {
    const isFirst = chosen?.["version"] === "v1";
    if (path.kind === "csr") return { status: 200, body: isFirst ? { text: "a" } : { rsa: "a" } };
    return { status: 200, body: isFirst ? { one: 1 } : { five: 5 } };
  },
  change_update: ({ body, chosen }) => {
    const id = "count" in body ? body.count : 7;
    return { status: 200, body: chosen?.["version"] === "v1" ? { change: `c${id}` } : { id } };
  },
  change_find: ({ path }) => ({ status: 200, body: path.list === "countries" ? ["GB"] : { states: ["TX"] } }),
  change_rules_get: ({ chosen }) => ({ status: 200, body: { rules: chosen?.["ruleFormat"] ?? "plain" } }),
  change_rules_replace: ({ chosen }) => {
    seen = chosen;
    return { status: 204, body: undefined };
  },
};

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

const wishing = service("wish", {
  ...madeUp,
  name: "wishes",
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
const { wish_get } = wishing.operations;
const wishes: Behaviours<typeof wishing, World> = {
  wish_get: ({ query }) => ({ status: 200, body: query }),
  wish_create: ({ body }) => ({ status: 200, body }),
};
const { ask } = startRaw({
  entries: [
    {
      roots: ["/changes", "/lookups", "/rules"],
      load: async () => emulateService(changing, usualErrorFormat, changes),
    },
    { roots: ["/wishes"], load: async () => emulateService(wishing, usualErrorFormat, wishes) },
  ],
});

const accepts = async (...[operation, args]: Parameters<typeof exchange>) =>
  (await exchange(operation, args, { status: 200, body: "{}" })).sent[0]?.headers["accept"];
const acme = (name: string) => cps(name).replace("<vendor>", "acme");
const problem = (field: string, takes: RegExp) => ({
  code: "invalid_input",
  detail: { fields: [{ field, takes: expect.stringMatching(takes) }] },
});

describe("an answer's medium that arguments choose", () => {
  it("a medium that is no choice is refused with those that are", async () => {
    await expect(exchange(change_get, { kind: "csr", version: "v5" })).rejects.toMatchObject(
      problem("version", /^one of "v2", "v1", with kind "csr"$/),
    );
    await expect(exchange(change_get, { kind: "csr", version: "v9" })).rejects.toMatchObject(
      problem("version", /"v5"/),
    );
    await expect(exchange(change_get, { kind: "other" })).rejects.toMatchObject(problem("kind", /"csr", "info"/));
  });

  it("a reply is validated by the medium that was chosen", async () => {
    const of = async (version: string, body: string) =>
      (await exchange(change_get, { kind: "csr", version }, { status: 200, body })).reply.notes;
    expect(await of("v1", '{"text":"a"}')).toEqual([]);
    expect(await of("v2", '{"text":"a"}')).toEqual([expect.stringContaining("differs")]);
  });

  it("media may differ in shape alone, by the value of a path", async () => {
    const notes = async (list: string, body: string) =>
      (await exchange(change_find, { list }, { status: 200, body })).reply.notes;
    expect(await notes("countries", '["GB"]')).toEqual([]);
    expect(await notes("states", '{"states":["TX"]}')).toEqual([]);
    expect(await notes("states", '["GB"]')).toEqual([expect.stringContaining("differs")]);
    expect(await accepts(change_find, { list: "states" })).toBe("application/json");
  });

  it("the emulator answers in the medium that Accept and the path say", async () => {
    const get = async (kind: string, accept: string) => {
      const answer = await ask({ target: `/changes/${kind}`, headers: { accept } });
      return [answer.status, answer.headers["content-type"], answer.text];
    };
    expect(await get("csr", real("csr.v1"))).toEqual([200, real("csr.v1"), '{"text":"a"}']);
    expect(await get("csr", "*/*")).toEqual([200, real("csr.v2"), '{"rsa":"a"}']);
    expect(await get("info", real("info.v1"))).toEqual([200, real("info.v1"), '{"one":1}']);
    expect((await get("info", real("csr.v1")))[0]).toBe(406);
    expect((await ask({ target: "/lookups/states" })).json()).toEqual({ states: ["TX"] });
  });
});

describe("a body's medium that an argument chooses", () => {
  it("a body is validated by, and sent in, the medium that was chosen", async () => {
    const ack = { kind: "ack", body: { acknowledgement: "deny" } };
    const { sent } = await exchange(change_update, { ...ack, version: "v1" }, { status: 200, body: "{}" });
    expect(sent[0]?.headers).toMatchObject({
      "content-type": acme("acknowledgement.v1"),
      accept: acme("change-id.v1"),
    });
    await expect(exchange(change_update, { kind: "chain", body: { certificate: "c" } })).rejects.toMatchObject(
      problem("body.count", /a number/),
    );
    await expect(exchange(change_update, { kind: "ack", body: { certificate: "c", count: 1 } })).rejects.toMatchObject({
      detail: { fields: expect.arrayContaining([expect.objectContaining({ field: "body.acknowledgement" })]) },
    });
    const text = await exchange(
      change_update,
      { kind: "chain", body: { certificate: "c", count: "2" } },
      { status: 202 },
    );
    expect(text.body).toBe('{"certificate":"c","count":2}');
  });

  it("the emulator reads a body in the medium that the path says", async () => {
    const post = (kind: string, type: string, body: string) =>
      ask({
        method: "POST",
        target: `/changes/${kind}`,
        headers: { "content-type": real(type), accept: real("change-id.v1") },
        body,
      });
    expect((await post("chain", "chain.v2", '{"certificate":"c","count":2}')).json()).toEqual({ change: "c2" });
    expect((await post("ack", "chain.v2", '{"certificate":"c","count":2}')).status).toBe(415);
    expect((await post("ack", "acknowledgement.v1", '{"certificate":"c","count":2}')).status).toBe(400);
  });

  it("the arguments' own schema has every choice", () => {
    const { shape } = argumentsSchema(change_update);
    expect(Object.keys(shape)).toEqual(["kind", "body", "version"]);
    expect(shape["version"]?.description).toBe("Form; v2 by default");
    expect(argumentsSchema(change_get).shape["version"]?.description).toBe("Form; the first one by default");
  });
});

describe("a word that an argument puts into a media type", () => {
  it("an answer is read whatever the word in its media type", async () => {
    const headers = { "content-type": "application/vnd.acme.papirules.v2024-02-12+json" };
    const { reply } = await exchange(
      change_rules_get,
      { ruleFormat: "latest" },
      { status: 200, headers, body: '{"rules":"a"}' },
    );
    expect(reply).toMatchObject({ body: { rules: "a" }, notes: [] });
  });

  it.each(["a b", "a;q=0", "a, */*", "a/b", "a\r\nx: 1", "é", "+json", "x".repeat(65)])(
    "is refused as %j, which could be more than a word",
    async (ruleFormat) => {
      await expect(exchange(change_rules_get, { ruleFormat })).rejects.toMatchObject(
        problem("ruleFormat", /part of a media type/),
      );
    },
  );

  it("the word reaches the emulator's behaviour, and types its answer", async () => {
    const type = "application/vnd.akamai.papirules.latest+json";
    const answer = await ask({ target: "/rules", headers: { accept: type } });
    expect([answer.headers["content-type"], answer.json()]).toEqual([type, { rules: "latest" }]);
    expect((await ask({ target: "/rules" })).json()).toEqual({ rules: "plain" });
    await ask({ method: "PUT", target: "/rules", headers: { "content-type": type }, body: '{"rules":"a"}' });
    expect(seen).toEqual({ ruleFormat: "latest" });
  });
});

const sentBy = async (...[operation, args]: Parameters<typeof exchange>) => {
  const { sent, body } = await exchange(operation, args, { status: 200, body: "{}" });
  const url = sent[0]?.url;
  return { target: `${url?.pathname}${url?.search}`, query: url?.searchParams, body };
};

describe("a query value that is JSON", () => {
  it.each(["{", "names", "", '{"names":1}'])("is refused by the emulator as %j", async (filter) => {
    const query = new URLSearchParams({ filter, either: "1" });
    expect((await ask({ target: `/wishes?${query}` })).json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining("filter"),
    });
  });

  it("a query value that is JSON is listed with its schema", () => {
    expect(argumentsSchema(wish_get).shape["filter"]).toBe(Filter);
    expect(wholeSchema(wish_get)["properties"]).toMatchObject({ filter: { type: "object" }, from: { type: "string" } });
  });
});

describe("a date in the American form", () => {
  it.each(rowsOf<[string, string]>("language/mechanisms.tsv", "American date"))(
    "an American date is made of %s",
    async (from, written) => {
      const { target, query } = await sentBy(wish_get, { filter: { names: [] }, either: 1, from });
      expect(query?.get("from")).toBe(written);
      expect((await ask({ target })).json()).toMatchObject({ from: written });
    },
  );

  it.each(rowsOf<[string]>("language/mechanisms.tsv", "no date"))("is refused as %s", async (from) => {
    await expect(exchange(wish_get, { filter: { names: [] }, either: 1, from })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "from", takes: expect.stringContaining("2026-05-01") }] },
    });
  });
});

describe("a form whose nested members are fields", () => {
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

  it("a sentence about a member is not made for an empty list", async () => {
    expect(await notes({ warnings: [] })).toEqual([]);
    expect(await notes({ warnings: [0] })).toEqual(["There are warnings."]);
  });

  it("a sentence about a member finds names with dots and colons", async () => {
    expect(await notes({ options: { "mapDetails:serial.Number": 7, "map:slot": "a" } })).toEqual([
      "It is 7.",
      'The slot is "a".',
    ]);
  });
});

const vendorWords = ["free-ca", "vendorRuleId"] as const;
const Rule = z.strictObject({ vendorRuleId: z.string().optional(), authority: z.string(), comment: z.string() });
const declared = service("order", {
  ...madeUp,
  name: "orders",
  vendorWords,
  operations: {
    order_get: op("GET /orders/{input}", {
      does: "Reads.",
      path: { input: z.enum(["free-ca-challenges", "other-csr"]) },
      returns: {
        200: chosenBy("input", {
          "free-ca-challenges": json(z.strictObject({ update: z.string() })),
          "other-csr": json(z.strictObject({ csr: z.string() })),
        }),
      },
      example: { input: "other-csr" },
    }),
    order_create: op("POST /orders", {
      does: "Writes.",
      effect: "create",
      shownBy: "order_get",
      query: { authority: z.string().optional(), several: comma(z.array(z.string()).optional()) },
      body: json(z.strictObject({ rules: z.array(Rule) })),
      returns: { 201: json(z.strictObject({ rules: z.array(Rule), query: z.unknown() })) },
      example: { body: { rules: [] } },
    }),
  },
});
const { order_get, order_create } = declared.operations;
const link = "/orders/free-ca-challenges?a=1";
const behaviours: Behaviours<typeof declared, World> = {
  order_get: ({ path }) => ({ status: 200, body: path.input === "other-csr" ? { csr: "c" } : { update: link } }),
  order_create: ({ body, query }) => ({ status: 201, body: { ...body, query }, headers: { location: link } }),
};

const rule = { vendorRuleId: "free-ca", authority: "free-ca", comment: "Not the free-ca one" };
const wired = { akaRuleId: "lets-encrypt", authority: "lets-encrypt", comment: "Not the free-ca one" };
const body = { rules: [rule] };

describe("the vendor's words", () => {
  it("the vendor's words are in all parts of a request", async () => {
    const answer = {
      status: 201,
      headers: { location: "https://h.example/orders/lets-encrypt-challenges" },
      body: JSON.stringify({ rules: [wired], query: { link: "/a/lets-encrypt/b" } }),
    };
    const sent = await exchange(order_create, { authority: "free-ca", several: ["x", "free-ca"], body }, answer);
    expect(sent.sent[0]?.url.search).toBe("?authority=lets-encrypt&several=x%2Clets-encrypt");
    expect(sent.body).toBe(JSON.stringify({ rules: [wired] }));
    expect(sent.reply).toMatchObject({
      body: { rules: [rule], query: { link: "/a/free-ca/b" } },
      location: "https://h.example/orders/free-ca-challenges",
      notes: [],
    });
    const got = await exchange(order_get, { input: "free-ca-challenges" }, { status: 200, body: '{"update":"/x"}' });
    expect(got.sent[0]?.url.pathname).toBe("/orders/lets-encrypt-challenges");
    expect(got.reply.notes).toEqual([]);
  });

  it.each([undefined, { "free-ca": "other-ca", vendorRuleId: "otherId" }])(
    "are understood by the emulator, which answers in them: %j",
    async (words) => {
      const given = words === undefined ? {} : { vendorWords: words };
      const load = () => Promise.resolve(emulateService(declared, usualErrorFormat, behaviours));
      const world = createWorld(given);
      const emulator = createEmulator({ world, entries: [{ roots: ["/orders"], load }] });
      const texts: string[] = [];
      const send: typeof emulator.send = async (request) => {
        const response = await emulator.send(request);
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) chunks.push(chunk);
        texts.push(`${request.url.pathname} ${Buffer.concat(chunks)} ${response.headers["location"]}`);
        return {
          ...response,
          body: (async function* () {
            yield* chunks;
          })(),
        };
      };
      const options = {
        target: { origin: `https://${demoCredentials.host}`, vendor: "akamai", ...given },
        authorize: authorizer(undefined, demoCredentials),
      };
      const several = ["free-ca"];
      expect(await callOver(send, order_create, { body, several }, options)).toMatchObject({
        body: { rules: [rule], query: { several } },
        location: link,
        notes: [],
      });
      expect((await callOver(send, order_get, { input: "free-ca-challenges" }, options)).body).toEqual({
        update: link,
      });
      expect((await callOver(send, order_get, { input: "other-csr" }, options)).body).toEqual({ csr: "c" });
      const real = words ?? usualVendorWords;
      expect(texts[0]).toContain(`"${real.vendorRuleId}":"${real["free-ca"]}"`);
      expect(texts[0]).toContain(`/orders/${real["free-ca"]}-challenges`);
      expect(texts[1]).toContain(`/orders/${real["free-ca"]}-challenges {`);
    },
  );

  const { toWire, toDocuments } = vendorTranslation(vendorWords, usualVendorWords);

  it.each(rowsOf<[string, string]>("language/mechanisms.tsv", "vendor word"))(
    "a word is replaced only at the beginning of an identifier: %s",
    (documents, wire) => {
      expect(toWire(documents)).toBe(wire);
      expect(toDocuments(wire)).toBe(documents);
    },
  );

  it("translating loses no member that exists under both names", () => {
    expect(toWire({ vendorRuleId: 1, akaRuleId: 2 })).toEqual({ vendorRuleId: 1, akaRuleId: 2 });
  });

  // A side's own words, and everything else that neither side has as a word.
  const valueWith = (ca: string, name: string) =>
    fc.letrec((tie) => ({
      text: fc
        .array(fc.constantFrom(ca, "-challenges", "/", "-", " ", "a", "?", "#", "free", "ca", "lets", "7"), {
          maxLength: 6,
        })
        .map((parts) => parts.join("")),
      value: fc.oneof(
        { maxDepth: 3 },
        tie("text"),
        fc.integer(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("members"),
      ),
      members: fc.dictionary(fc.constantFrom(name, "a", ca), tie("value"), { maxKeys: 3 }),
    })).value;

  it("translating there and back changes nothing, in both directions", () => {
    const check = (there: <T>(value: T) => T, back: <T>(value: T) => T) => (value: unknown) => {
      expect(back(there(value))).toEqual(value);
    };
    fc.assert(
      fc.property(
        valueWith("free-ca", "vendorRuleId").filter((one) => !JSON.stringify(one).includes("lets-")),
        check(toWire, toDocuments),
      ),
    );
    fc.assert(
      fc.property(
        valueWith("lets-encrypt", "akaRuleId").filter((one) => !JSON.stringify(one).includes("free-ca")),
        check(toDocuments, toWire),
      ),
    );
  });

  it("the vendor's words are configured one by one", () => {
    expect(readVendorWords("vendorRuleId=x")).toEqual({ "free-ca": "lets-encrypt", vendorRuleId: "x" });
    for (const wrong of ["", "x=y", "free-ca", "free-ca=", "free-ca=a/b", "free-ca=akaRuleId", "free-ca=.*"])
      expect(readVendorWords(wrong)).toBeUndefined();
  });
});
