/** The signature against the published vectors, and against the vendor's own library. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import EdgeGrid from "akamai-edgegrid";
import fc from "fast-check";
import { expect, it } from "vitest";
import { freshStamp, sign } from "../../src/wire/sign.js";
import { runs } from "../lab/depth.js";

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}
type Keys = Parameters<typeof sign>[1];
type Moment = Parameters<typeof sign>[2];
const file = JSON.parse(readFileSync(new URL("../oracles/edgegrid.json", import.meta.url), "utf8")) as {
  sets: Record<string, Keys & Moment>;
  vectors: (Request & { name: string; set: string; authorization: string })[];
};
const signature = ({ url, headers = {}, body, ...rest }: Request, keys: Keys, moment: Moment): string => {
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  return sign({ ...rest, url: new URL(url), headers, ...bytes }, keys, moment);
};

it("the published vectors: 14 of the Python library, 12 of the Node one", () => {
  const count = (set: string) => file.vectors.filter((vector) => vector.set === set).length;
  expect([count("python"), count("node")]).toEqual([14, 12]);
});

it.each(file.vectors)("$set: $name", ({ set, authorization, ...request }) => {
  const keys = file.sets[set] ?? expect.fail(set);
  expect(signature(request, keys, keys)).toBe(authorization);
});

const keys = {
  clientToken: "akab-client-token",
  clientSecret: "secret-of-the-client-text=",
  accessToken: "akab-access-token",
};

it("the vendor's library signs random requests the same", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("GET", "POST", "PUT", "DELETE"),
      fc
        .array(fc.stringMatching(/^[a-z0-9.~-]{1,8}$/), { minLength: 1, maxLength: 4 })
        .filter((parts) => parts.every((part) => !/^\.+$/.test(part))),
      fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ maxLength: 10 })), { maxLength: 3 }),
      fc.string({ unit: "binary-ascii", maxLength: 200 }),
      (method, parts, query, body) => {
        const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
        const url = new URL(`https://host.luna.akamaiapis.net/${parts.join("/")}${search ? `?${search}` : ""}`);
        const isSent = method === "POST" && body !== "";
        const { clientToken, clientSecret, accessToken } = keys;
        const origin = "https://host.luna.akamaiapis.net";
        const peer = new EdgeGrid(clientToken, clientSecret, accessToken, origin, false, 131_072);
        peer.auth({ path: url.pathname + url.search, method, headers: {}, body: isSent ? body : "" });
        const { Authorization: theirs } = (peer.request as { headers: { Authorization: string } }).headers;
        const [, timestamp = "", nonce = ""] = /timestamp=([^;]+);nonce=([^;]+);/.exec(theirs) ?? [];
        const moment = { timestamp, nonce };
        const sent = { method, url: url.href, body: isSent ? body : undefined };
        expect(signature(sent, keys, moment)).toBe(theirs);
      },
    ),
    { numRuns: runs(30) },
  );
});

const own = { clientToken: "t", clientSecret: "s", accessToken: "a", maxBodyBytes: 4 };
const moment = { timestamp: "20260501T12:00:00+0000", nonce: "n" };
const url = "https://h.example/x";
const signed = (method: string, body: string, by: Keys = own) => signature({ method, url, body }, by, moment);

it("signing takes the first bytes of a body, and of a POST alone", () => {
  expect(signed("POST", "éé")).toBe(signed("POST", "ééx"));
  expect(signed("POST", "ééx")).not.toBe(signed("POST", "éxé"));
  const { maxBodyBytes: _, ...usual } = own;
  const long = "a".repeat(131_072);
  expect(signed("POST", `${long}b`, usual)).toBe(signed("POST", long, usual));
  expect(signed("POST", `${long.slice(1)}b`, usual)).not.toBe(signed("POST", long, usual));
  expect(signed("PUT", "one")).toBe(signed("PUT", "two"));
  expect(signed("POST", "one")).not.toBe(signed("POST", "two"));
  expect(signed("POST", "")).toBe(signature({ method: "POST", url }, own, moment));
});

it("signing makes the key of each second and of each secret anew", () => {
  const at = (second: string, clientSecret: string) => {
    const timestamp = `20260501T12:00:${second}+0000`;
    return signature({ method: "GET", url }, { ...own, clientSecret }, { timestamp, nonce: "n" });
  };
  const of = (header: string) => header.split("signature=")[1];
  // The published scheme, step by step (public facts A, 0.1).
  const expected = (second: string, secret: string) => {
    const timestamp = `20260501T12:00:${second}+0000`;
    const hmac = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64");
    const unsigned = `EG1-HMAC-SHA256 client_token=t;access_token=a;timestamp=${timestamp};nonce=n;`;
    return hmac(hmac(secret, timestamp), ["GET", "https", "h.example", "/x", "", "", unsigned].join("\t"));
  };
  for (const [second, secret] of [
    ["00", "s"],
    ["01", "s"],
    ["01", "other"],
    ["00", "s"],
    ["00", ""],
    // As long as a block of the hash, which a key fills, and longer, where its hash takes its place.
    ["00", "k".repeat(64)],
    ["00", "k".repeat(65)],
    ["00", "é".repeat(100)],
  ] as const)
    expect(of(at(second, secret))).toBe(expected(second, secret));
});

it("signing takes the named headers in order, whatever case and space", () => {
  const withHeaders = (headers: Record<string, string>, headersToSign: string[]) =>
    signature({ method: "GET", url, headers }, { ...own, headersToSign }, moment);
  const first = withHeaders({ "X-One": "a b", "x-two": "c" }, ["x-one", "x-two"]);
  expect(withHeaders({ "x-one": "  a \t  b ", "X-TWO": "c" }, ["X-One", "x-none", "X-Two"])).toBe(first);
  expect(withHeaders({ "X-One": "a b", "x-two": "c", "x-three": "d" }, ["x-one", "x-two"])).toBe(first);
  expect(withHeaders({ "X-One": "a b", "x-two": "c" }, ["x-two", "x-one"])).not.toBe(first);
  expect(withHeaders({ "X-One": "ab", "x-two": "c" }, ["x-one", "x-two"])).not.toBe(first);
  expect(withHeaders({ "X-One": "a b" }, [])).toBe(withHeaders({}, ["x-one"]));
});

it("signing uses a separate timestamp for each request, to the second", () => {
  const at = (time: string) => freshStamp(Date.parse(time)).timestamp;
  expect([
    at("2026-05-01T12:34:56.999Z"),
    at("2026-05-01T12:34:57.000Z"),
    at("2026-05-01T12:34:57.999Z"),
    at("2026-05-01T12:34:56.000Z"),
  ]).toEqual(["56", "57", "57", "56"].map((second) => `20260501T12:34:${second}+0000`));
  const [one, two] = [freshStamp(0), freshStamp(0)];
  expect(one.timestamp).toBe("19700101T00:00:00+0000");
  expect(one.nonce).not.toBe(two.nonce);
});
