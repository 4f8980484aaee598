/** The vendor's words for those of the documents: on the wire in place of them, and never in free text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulated } from "../../src/emulator/service.js";
import { createWorld, type World } from "../../src/emulator/world.js";
import type { Behaviours } from "../../src/language/behaviour.js";
import { chosenBy, comma, json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { readVendorWords, translation, usualVendorWords } from "../../src/language/vendor-words.js";
import { z } from "../../src/language/z.js";
import { authorizer } from "../../src/wire/authorize.js";
import { callOver, exchange } from "../wire/exchange.js";

const vendorWords = ["free-ca", "vendorRuleId"] as const;
const Rule = z.strictObject({ vendorRuleId: z.string().optional(), authority: z.string(), comment: z.string() });
const declared = service("order", {
  name: "orders",
  document: "B",
  title: "Orders",
  about: "Orders",
  standing: { state: "alive" },
  rules: {},
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
  it("are in what is sent: paths, queries, names and values of a body", async () => {
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
      const load = () => Promise.resolve(emulated(declared, usualErrorFormat, behaviours));
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

  const { toWire, toDocuments } = translation(vendorWords, usualVendorWords);

  it.each([
    ["free-ca", "lets-encrypt"],
    ["free-ca-challenges-completed", "lets-encrypt-challenges-completed"],
    ["/cps/v2/free-ca-challenges", "/cps/v2/lets-encrypt-challenges"],
    ["/a/free-ca/b?c=d", "/a/lets-encrypt/b?c=d"],
    ["free-cafe", "free-cafe"],
    ["not-free-ca", "not-free-ca"],
    ["free-ca.example.com", "free-ca.example.com"],
    ["free-ca is free", "free-ca is free"],
    ["vendorRuleId", "vendorRuleId"],
  ])("stand for the whole of an identifier's beginning: %s", (documents, wire) => {
    expect(toWire(documents)).toBe(wire);
    expect(toDocuments(wire)).toBe(documents);
  });

  it("lose no member that is there under both names", () => {
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

  it("are the same after there and back, in both directions", () => {
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

  it("are configured one by one, each with a word of its own", () => {
    expect(readVendorWords("vendorRuleId=x")).toEqual({ "free-ca": "lets-encrypt", vendorRuleId: "x" });
    for (const wrong of ["", "x=y", "free-ca", "free-ca=", "free-ca=a/b", "free-ca=akaRuleId", "free-ca=.*"])
      expect(readVendorWords(wrong)).toBeUndefined();
  });
});
