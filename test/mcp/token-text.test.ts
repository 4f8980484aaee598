/** The exact form of a token: its text as it was signed, and times that are bounded. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { CompactSign, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenVerifier } from "../../src/mcp/http/oauth/verifier.js";
import { usualClaims } from "../../src/policy/claims.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";

const address = "https://edgewise.example/mcp";
const nowSeconds = () => Math.floor(Date.now() / 1000);
const daySeconds = 24 * 60 * 60;
/** Keys whose signatures end in two and in four bits that no byte has. */
const algorithms = ["ES256", "RS256"] as const;
const keys = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]>();
let issuer = "";
let jwks = "";
const issuing = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(request.url === "/jwks" ? jwks : JSON.stringify({ issuer, jwks_uri: keysAt ?? `${issuer}/jwks` }));
});
let keysAt: string | undefined;
beforeAll(async () => {
  const published: unknown[] = [];
  for (const alg of algorithms) {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    keys.set(alg, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid: alg, alg });
  }
  jwks = JSON.stringify({ keys: published });
  await new Promise<void>((resolve) => issuing.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
});
afterAll(() => void issuing.close());

const newVerifier = () =>
  createTokenVerifier({ issuers: [issuer], audiences: [], types: ["at+jwt"], claims: usualClaims, scopePrefix: "" });
const headerOf = (alg: string) => ({ alg, kid: alg, typ: "at+jwt" });
const keyOf = (alg: string) => keys.get(alg) ?? expect.fail();
const claims = () => ({ iss: issuer, sub: "ann", aud: address, exp: nowSeconds() + 60, scope: "edgewise:read" });
const signed = (alg: string): Promise<string> =>
  new SignJWT(claims()).setProtectedHeader(headerOf(alg)).sign(keyOf(alg));
/** A token with claims as text: JSON has numbers that JavaScript cannot represent. */
const signedText = (text: string): Promise<string> =>
  new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(headerOf("ES256")).sign(keyOf("ES256"));
const isAccepted = async (verifier: ReturnType<typeof newVerifier>, token: string): Promise<boolean> =>
  "principal" in (await verifier.verify(token, address));

describe("the text of a token", () => {
  it.each(algorithms)(
    promise("token-text-signed", "is accepted as it was signed, and with no change to it (%s)"),
    async (alg) => {
      const [verifier, token] = [newVerifier(), await signed(alg)];
      expect(await isAccepted(verifier, token)).toBe(true);
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.~!%";
      const ends = [0, ...[...token.matchAll(/\./g)].map(({ index }) => index), token.length];
      const place = fc.oneof(fc.nat(token.length), fc.constantFrom(...ends, ...ends.slice(1).map((at) => at - 1)));
      const change = fc.tuple(place, fc.nat(2), fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 2 }));
      await fc.assert(
        fc.asyncProperty(change, async ([at, removed, added]) => {
          const changed = token.slice(0, at) + added + token.slice(at + removed);
          fc.pre(changed !== token);
          expect([changed, await isAccepted(verifier, changed)]).toEqual([changed, false]);
        }),
        {
          numRuns: runs(30),
          examples: [[[token.length, 0, "=="]], [[token.length, 0, "="]], [[token.length, 0, "."]]],
        },
      );
      const last = [...alphabet].map((letter) => `${token.slice(0, -1)}${letter}`).filter((one) => one !== token);
      for (const one of last) expect([one, await isAccepted(verifier, one)]).toEqual([one, false]);
    },
  );
});

describe("the times of a token", () => {
  const withTime = (name: string, value: string) =>
    signedText(JSON.stringify({ ...claims(), [name]: "HERE" }).replace('"HERE"', value));

  it(promise("token-times-bounded", "are numbers that end within ten years"), async () => {
    const verifier = newVerifier();
    const far = nowSeconds() + 3_660 * daySeconds;
    const hostile = ["1e400", "-1e400", "1e300", "-1", `${far}`, `${Date.now()}`, '"9999999999"', "true", "[]", "null"];
    const accepted: string[] = [];
    for (const name of ["exp", "nbf", "iat"])
      for (const value of hostile)
        if (await isAccepted(verifier, await withTime(name, value))) accepted.push(`${name} ${value}`);
    expect(accepted).toEqual([]);
  });

  it("may have fractions of seconds, and be years away", async () => {
    const verifier = newVerifier();
    for (const [name, value] of [
      ["exp", nowSeconds() + 60.5],
      ["exp", nowSeconds() + 3_640 * daySeconds],
      ["nbf", nowSeconds() - 1],
      ["iat", nowSeconds() - 400 * daySeconds],
    ] as const)
      expect([name, await isAccepted(verifier, await withTime(name, String(value)))]).toEqual([name, true]);
  });

  it("are refused with what is expected", async () => {
    expect(await newVerifier().verify(await withTime("exp", "1e400"), address)).toMatchObject({
      status: 401,
      message: expect.stringMatching(/^The claim exp of the token is no time in seconds within ten years\./),
    });
  });
});

it("asks an issuer again whose metadata could not be used", async () => {
  const [verifier, token] = [newVerifier(), await signed("ES256")];
  keysAt = "no URL";
  expect(await verifier.verify(token, address)).toMatchObject({ status: 503 });
  keysAt = undefined;
  expect(await isAccepted(verifier, token)).toBe(true);
});
