/** Media that the arguments of a call choose, and the words that they put into a media type, from the call to the reply. */
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulated } from "../../src/emulator/service.js";
import type { World } from "../../src/emulator/world.js";
import type { Behaviours, Call } from "../../src/language/behaviour.js";
import { chosenBy, empty, json, op, xml } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { startRaw } from "../lab/raw.js";
import { exchange } from "../wire/exchange.js";

const cps = (name: string) => `application/vnd.<vendor>.cps.${name}+json`;
const real = (name: string) => `application/vnd.akamai.cps.${name}+json`;
const rulesType = "application/vnd.<vendor>.papirules.{ruleFormat}+json";
const Rules = z.strictObject({ rules: z.string() });

const declared = service("change", {
  name: "changes",
  document: "B",
  title: "Changes",
  about: "Changes",
  standing: { state: "alive" },
  rules: {},
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
const { change_get, change_update, change_find, change_rules_get, change_rules_replace } = declared.operations;

let seen: Call<typeof change_rules_replace>["chosen"];
const behaviours: Behaviours<typeof declared, World> = {
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
const roots = ["/changes", "/lookups", "/rules"];
const { ask } = startRaw({
  entries: [{ roots, load: () => Promise.resolve(emulated(declared, usualErrorFormat, behaviours)) }],
});

const accepts = async (...[operation, args]: Parameters<typeof exchange>) =>
  (await exchange(operation, args, { status: 200, body: "{}" })).sent[0]?.headers["accept"];
const acme = (name: string) => cps(name).replace("<vendor>", "acme");
const problem = (field: string, takes: RegExp) => ({
  code: "invalid_input",
  detail: { fields: [{ field, takes: expect.stringMatching(takes) }] },
});

describe("an answer's medium that arguments choose", () => {
  it.each([
    [{ kind: "csr" }, "csr.v2"],
    [{ kind: "csr", version: "v1" }, "csr.v1"],
    [{ kind: "info" }, "info.v5"],
    [{ kind: "info", version: "v1" }, "info.v1"],
  ])("is asked for by its exact name: %j", async (args, name) => {
    expect(await accepts(change_get, args)).toBe(acme(name));
    // Asked a second time it is not the one of another call.
    expect(await accepts(change_get, { kind: "csr" })).toBe(acme("csr.v2"));
  });

  it("a medium that the choice lacks is refused, naming those there are", async () => {
    await expect(exchange(change_get, { kind: "csr", version: "v5" })).rejects.toMatchObject(
      problem("version", /^one of "v2", "v1", with kind "csr"$/),
    );
    await expect(exchange(change_get, { kind: "csr", version: "v9" })).rejects.toMatchObject(
      problem("version", /"v5"/),
    );
    await expect(exchange(change_get, { kind: "other" })).rejects.toMatchObject(problem("kind", /"csr", "info"/));
  });

  it("is what the reply is checked by", async () => {
    const of = async (version: string, body: string) =>
      (await exchange(change_get, { kind: "csr", version }, { status: 200, body })).reply.notes;
    expect(await of("v1", '{"text":"a"}')).toEqual([]);
    expect(await of("v2", '{"text":"a"}')).toEqual([expect.stringContaining("differs")]);
  });

  it("may differ in shape alone, by the value of a path", async () => {
    const notes = async (list: string, body: string) =>
      (await exchange(change_find, { list }, { status: 200, body })).reply.notes;
    expect(await notes("countries", '["GB"]')).toEqual([]);
    expect(await notes("states", '{"states":["TX"]}')).toEqual([]);
    expect(await notes("states", '["GB"]')).toEqual([expect.stringContaining("differs")]);
    expect(await accepts(change_find, { list: "states" })).toBe("application/json");
  });

  it("is written by the emulator as Accept and the path say", async () => {
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
  it("a body is checked by and sent in the medium that is chosen for it", async () => {
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

  it("is read by the emulator as the path says", async () => {
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

  it("leaves every choice in the arguments' own schema", () => {
    const { shape } = argumentsSchema(change_update);
    expect(Object.keys(shape)).toEqual(["kind", "body", "version"]);
    expect(shape["version"]?.description).toBe("Form; v2 by default");
    expect(argumentsSchema(change_get).shape["version"]?.description).toBe("Form; the first one by default");
  });
});

describe("a word that an argument puts into a media type", () => {
  const named = "application/vnd.acme.papirules.v2023-01-05+json";

  it("a word in a media type chooses it for requests and answers", async () => {
    const ruleFormat = "v2023-01-05";
    expect(await accepts(change_rules_get, {})).toBe("application/json");
    expect(await accepts(change_rules_get, { ruleFormat })).toBe(named);
    expect(await accepts(change_rules_get, { ruleFormat, format: "xml" })).toBe("application/xml");
    const put = (more: object) => exchange(change_rules_replace, { body: { rules: "a" }, ...more }, { status: 204 });
    expect((await put({})).sent[0]?.headers["content-type"]).toBe("application/json");
    expect((await put({ ruleFormat })).sent[0]?.headers["content-type"]).toBe(named);
  });

  it("is read whatever its value", async () => {
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

  it("reaches the emulator's behaviour, and names its answer", async () => {
    const type = "application/vnd.akamai.papirules.latest+json";
    const answer = await ask({ target: "/rules", headers: { accept: type } });
    expect([answer.headers["content-type"], answer.json()]).toEqual([type, { rules: "latest" }]);
    expect((await ask({ target: "/rules" })).json()).toEqual({ rules: "plain" });
    await ask({ method: "PUT", target: "/rules", headers: { "content-type": type }, body: '{"rules":"a"}' });
    expect(seen).toEqual({ ruleFormat: "latest" });
  });
});
