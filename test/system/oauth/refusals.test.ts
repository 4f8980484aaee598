/** The tokens that are refused, each with its reason and what a client needs for another one; and what is public. */
import { createHmac, randomBytes } from "node:crypto";
import { exportSPKI, importJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file } from "../../lab/files.js";
import { ask, initialize, list, listen, modern, modernly, openSession } from "../../lab/raw-http.js";
import { promise } from "../../lab/rules.js";
import { eventually } from "../../lab/time.js";
import { typed } from "../typed.js";
import { type Authority, startAuthority } from "./authority.js";
import { type Served, serveFor } from "./served.js";

let authority: Authority;
let other: Authority;
let served: Served;
const fileToken = randomBytes(32).toString("hex");
beforeAll(async () => {
  [authority, other] = [await startAuthority({}), await startAuthority({})];
  served = await serveFor(authority, ["--token-file", file(`machine ${fileToken}\n`)]);
});
afterAll(async () => {
  await served?.stop();
  await authority?.close();
  await other?.close();
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
/** A token for this server, but for what is changed. */
const forge = (claims: object = {}, header: object = {}) =>
  authority.forge({ aud: served.url.href, ...claims }, { ...header });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const listWith = (token: string, url = served.url) => ask(url, { headers: { ...modern, ...bearer(token) } });
const metadataOf = ({ origin, pathname }: URL): string => `${origin}/.well-known/oauth-protected-resource${pathname}`;

/** A token whose header and claims are right, with another signature. */
async function unsigned(header: object, sign: (text: string) => string | Promise<string>): Promise<string> {
  const [, claims = ""] = (await forge()).split(".");
  const text = `${encoded({ typ: "at+jwt", ...header })}.${claims}`;
  return `${text}.${await sign(text)}`;
}

it("accepts a token for this address, of this issuer and type", async () => {
  const audiences = { aud: ["https://else.example", served.url.href] };
  for (const [claims, header] of [[], [audiences], [{}, { typ: "application/at+JWT" }]])
    expect((await listWith(await forge(claims, header))).status).toBe(200);
});

const refused: Readonly<Record<string, readonly [() => Promise<string>, RegExp]>> = {
  "no JWT, such as a refresh token": [async () => randomBytes(32).toString("base64url"), /cannot be read as a JWT/],
  "alg none": [() => unsigned({ alg: "none" }, () => ""), /asymmetric/],
  "HS256 with the public key as the secret": [
    () =>
      unsigned({ alg: "HS256", kid: authority.publicKey().kid }, async (text) => {
        const key = await importJWK(authority.publicKey(), "RS256", { extractable: true });
        return createHmac("sha256", await exportSPKI(key as never))
          .update(text)
          .digest("base64url");
      }),
    /asymmetric/,
  ],
  "altered claims": [
    async () => {
      const [header, , signature] = (await forge()).split(".");
      const claims = { iss: authority.issuer, sub: "ann", aud: served.url.href, exp: nowSeconds() + 60 };
      return `${header}.${encoded(claims)}.${signature}`;
    },
    /signature/,
  ],
  "another issuer": [() => other.forge({ aud: served.url.href }), /issuer/],
  "another issuer that says to be this one": [
    () => other.forge({ aud: served.url.href, iss: authority.issuer }),
    /no such key/,
  ],
  "another issuer that says to be this one, with its key id": [
    () => other.forge({ aud: served.url.href, iss: authority.issuer }, { kid: authority.publicKey().kid }),
    /signature/,
  ],
  "no issuer": [() => forge({ iss: null }), /issuer/],
  "another resource": [() => forge({ aud: "https://else.example/mcp" }), /another resource/],
  "another address of this server": [() => forge({ aud: `${served.url.href}/core` }), /another resource/],
  "no audience": [() => forge({ aud: undefined }), /aud/],
  "an ID token's type": [() => forge({}, { typ: "JWT" }), /typ/],
  "no type": [() => forge({}, { typ: undefined }), /typ/],
  "an expiry that is over": [() => forge({ exp: nowSeconds() - 1 }), /expired/],
  "no expiry": [() => forge({ exp: undefined }), /exp/],
  "a time before which it is not valid": [() => forge({ nbf: nowSeconds() + 60 }), /not valid yet/],
  "no subject": [() => forge({ sub: undefined }), /sub/],
};

describe("a token is refused with its reason and a challenge", () => {
  it.each(Object.entries(refused))("with %s", async (_, [token, why]) => {
    const given = await token();
    const { status, headers, text } = await listWith(given);
    expect([status, text]).toEqual([401, expect.stringMatching(why)]);
    const challenge = String(headers["www-authenticate"]);
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain(`resource_metadata="${metadataOf(served.url)}"`);
    expect(challenge).toContain('scope="edgewise:read"');
    expect(`${text}${challenge}${served.stderr()}`).not.toContain(given);
  });

  it("in every request of either era, and without one", async () => {
    const token = await forge({ exp: nowSeconds() - 1 });
    const requests = [
      { headers: modern, body: list },
      { headers: {}, body: initialize },
      { headers: { "mcp-session-id": "made-up" }, method: "GET" },
      { headers: { "mcp-session-id": "made-up" }, method: "DELETE" },
    ];
    for (const { headers, ...more } of requests)
      for (const own of [bearer(token), {}, { authorization: "Basic YTpi" }]) {
        const answer = await ask(served.url, { ...more, headers: { ...headers, ...own } });
        expect([answer.status, answer.headers["www-authenticate"]]).toEqual([
          401,
          expect.stringContaining(`resource_metadata="${metadataOf(served.url)}"`),
        ]);
      }
  });

  it("asks for an expired token's scopes, and for no error without one", async () => {
    const { headers } = await listWith(await forge({ exp: nowSeconds() - 1, scope: "edgewise:read edgewise:write" }));
    expect(headers["www-authenticate"]).toContain('scope="edgewise:read edgewise:write"');
    // RFC 6750, section 3.1
    const { headers: first } = await ask(served.url, { headers: modern });
    expect(first["www-authenticate"]).not.toContain("error");
  });

  it("if it leaves out its groups, because there are too many", async () => {
    const { status, text } = await listWith(await forge({ _claim_names: { groups: "src1" } }));
    expect([status, text]).toEqual([403, expect.stringContaining("too many")]);
  });
});

const call = (name: string, args: object = {}) => modernly("tools/call", { name, arguments: args });

describe("the scopes of a token", () => {
  const of = async (scope: string, name: string, args: object = {}, path = served.url.pathname) => {
    const url = new URL(path, served.url);
    const { headers, body } = call(name, args);
    const own = bearer(await forge({ scope, aud: url.href }));
    return ask(url, { headers: { ...headers, ...own }, body });
  };
  it.each([
    ["purge_queue_get", { queueName: "default" }, "edgewise:read"],
    ["purge_submit", { queueName: "default", body: { objects: ["https://www.example.com/"] } }, "edgewise:destructive"],
    ["call_batch", { tool: "purge_queue_get", arguments: [{ queueName: "default" }] }, "edgewise:read"],
  ])("decide on %s", async (name, args, needed) => {
    for (const scope of ["", "edgewise:approve", `${needed}:dns`, "openid"]) {
      const { status, headers } = await of(scope, name, args);
      expect([scope, status]).toEqual([scope, 403]);
      const challenge = String(headers["www-authenticate"]);
      expect(challenge).toContain('error="insufficient_scope"');
      expect(challenge).toContain(`resource_metadata="${metadataOf(served.url)}"`);
      const [, asked = ""] = /scope="([^"]*)"/.exec(challenge) ?? [];
      expect(asked.split(" ")).toEqual([...scope.split(" ").filter((one) => /^edgewise/.test(one)), needed]);
    }
    for (const scope of [`edgewise:read ${needed}`, `edgewise:read:purge ${needed}:purge`]) {
      const { status, text } = await of(scope, name, args);
      expect([scope, status]).toEqual([scope, 200]);
      expect(text).not.toContain('"code":"not_allowed"');
    }
  });

  it("decide on what a call tool calls", async () => {
    const inner = { tool: "purge_queue_get", arguments: { queueName: "default" } };
    expect((await of("edgewise:write", "operation_read", inner, "/mcp/catalogue")).status).toBe(403);
    expect((await of("edgewise:read", "operation_read", inner, "/mcp/catalogue")).status).toBe(200);
  });

  it(promise("scope-per-step", "hold for the steps of a call, whose failure names the scope"), async () => {
    const { status, text } = await of("edgewise:read:purge", "change_timeline", {});
    expect([status, text]).toEqual([200, expect.stringContaining("edgewise:read")]);
    const batch = { tool: "dns_zone_get", arguments: [{ zoneName: "example.com" }] };
    expect((await of("edgewise:read:purge", "call_batch", batch)).status).toBe(403);
  });

  it("hold for what is read by its address", async () => {
    const token = bearer(await forge({ scope: "edgewise:write" }));
    for (const [method, params] of [
      ["resources/read", { uri: "operation://purge_submit" }],
      ["prompts/get", { name: "none" }],
      ["subscriptions/listen", { notifications: {} }],
    ] as const) {
      const { headers, body } = modernly(method, params);
      const own = { ...headers, "mcp-name": "none", ...token };
      expect([method, (await ask(served.url, { headers: own, body })).status]).toEqual([method, 403]);
    }
  });

  it("do not shorten the list", async () => {
    const whole = JSON.parse((await listWith(await forge({ scope: "edgewise:read edgewise:write" }))).text);
    const least = JSON.parse((await listWith(await forge({ scope: "" }))).text);
    expect(least.result.tools).toEqual(whole.result.tools);
  });
});

it("looks up a token of the file first, which needs no scope", async () => {
  const { headers, body } = call("purge_submit", { queueName: "default", body: { objects: ["https://a.example/"] } });
  const { status, text } = await ask(served.url, { headers: { ...headers, ...bearer(fileToken) }, body });
  expect([status, text]).toEqual([200, expect.stringContaining("plan_")]);
});

describe("the metadata", () => {
  const at = (path: string, more: object = {}) => ask(served.url, { method: "GET", path, ...more });
  const known = "/.well-known/oauth-protected-resource";

  it.each([
    ["", "/mcp"],
    ["/", "/mcp"],
    ["/mcp", "/mcp"],
    ["/mcp/core", "/mcp/core"],
    ["/mcp/services/purge,dns/readonly", "/mcp/services/purge,dns/readonly"],
  ])("at the well-known URL with %j is about %s, as it was typed", async (suffix, path) => {
    const { status, text, headers } = await at(`${known}${suffix}`, { headers: { origin: "https://page.example" } });
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
    expect(JSON.parse(text)).toEqual({
      resource: `${served.url.origin}${path}`,
      authorization_servers: [authority.issuer],
      scopes_supported: ["edgewise:read", "edgewise:write", "edgewise:destructive"],
      bearer_methods_supported: ["header"],
      resource_name: "Edgewise",
    });
  });

  it("is about nothing else, and answers a browser that asks first", async () => {
    expect((await at(`${known}/else`)).status).toBe(404);
    expect((await at(`${known}/mcp/nothing`)).status).toBe(404);
    expect((await at(known, { headers: { host: "else.example" } })).status).toBe(403);
    expect((await at(known, { method: "OPTIONS", body: "", headers: { "content-length": "0" } })).status).toBe(204);
    expect((await ask(served.url, { path: known, body: "{}" })).status).toBe(405);
  });

  it("leaves the endpoint itself closed to pages of others", async () => {
    const headers = { ...modern, ...bearer(await forge()), origin: "https://page.example" };
    expect((await ask(served.url, { headers })).status).toBe(403);
  });
});

describe("the keys of the issuer", () => {
  it("are read once for many tokens, and again when it signs with another", async () => {
    const before = authority.keyReads();
    for (let at = 0; at < 20; at += 1) expect((await listWith(await forge({ jti: `${at}` }))).status).toBe(200);
    expect(authority.keyReads() - before).toBe(0);
    const old = await forge({ jti: "old" });
    await authority.rotateKeys();
    const next = await forge({ jti: "next" });
    await eventually(async () => expect((await listWith(next)).status).toBe(200));
    expect(authority.keyReads() - before).toBeLessThanOrEqual(2);
    expect((await listWith(old)).status).toBe(401);
  });

  it("issuer down: unreadable keys give 503, and a missing token 401", async () => {
    const fresh = await serveFor(authority);
    const token = await authority.forge({ aud: fresh.url.href });
    authority.isUp = false;
    try {
      const { status, headers, text } = await listWith(token, fresh.url);
      expect([status, headers["retry-after"]]).toEqual([503, "5"]);
      expect(text).toContain(authority.issuer);
      expect((await ask(fresh.url, { headers: modern })).status).toBe(401);
      const ready = await fetch(new URL("/readyz", fresh.url));
      expect([ready.status, await ready.json()]).toEqual([503, { status: "not ready", failed: ["issuer"] }]);
      // What was verified before is still known.
      expect((await listWith(await forge({ jti: "next" }))).status).not.toBe(401);
    } finally {
      authority.isUp = true;
    }
    expect((await listWith(token, fresh.url)).status).toBe(200);
    const readiness = async () => (await fetch(new URL("/readyz", fresh.url))).status;
    await eventually(async () => expect(await readiness()).toBe(200));
    await fresh.stop();
  });
});

describe("a provider whose tokens look different", () => {
  const flags = [
    ...["--oauth-audience", "api://edgewise", "--oauth-typ", "JWT,none"],
    ...["--oauth-claims", "subject=oid,groups=roles", "--oauth-scope-prefix", "api://edgewise/"],
  ];
  let differently: Served;
  beforeAll(async () => {
    differently = await serveFor(authority, flags);
  });
  afterAll(() => differently?.stop());
  const usual = { aud: "api://edgewise", oid: "4711", sub: "pairwise", scope: undefined, scp: "edgewise:read" };

  it("is understood as it is configured, and nothing else for that", async () => {
    for (const [status, claims, header] of [
      [200, {}],
      [200, {}, { typ: undefined }],
      [200, { scp: ["edgewise:read", "api://edgewise/edgewise:write"] }],
      [200, { _claim_names: { groups: "src1" } }],
      // An ID token, another type, another audience, no subject.
      [401, { scp: undefined }],
      [401, {}, { typ: "at+jwt" }],
      [401, { aud: differently.url.href }],
      [401, { oid: undefined }],
    ] as const) {
      const token = await authority.forge({ ...usual, ...claims }, header ?? { typ: "JWT" });
      expect([claims, header, (await listWith(token, differently.url)).status]).toEqual([claims, header, status]);
    }
  });

  it("is asked for scopes by the names that it knows", async () => {
    const { headers } = await ask(differently.url, { headers: modern });
    expect(headers["www-authenticate"]).toContain('scope="api://edgewise/edgewise:read"');
  });
});

describe("the settings", () => {
  it.each([
    [["--oauth-issuer", "http://issuer.example"], /--oauth-issuer takes/],
    [["--oauth-issuer", "issuer.example"], /--oauth-issuer takes/],
    [["--oauth-claims", "name=sub"], /--oauth-claims takes/],
    [["--oauth-resource", "http://edgewise.example/mcp"], /--oauth-resource takes/],
    [["--oauth-resource", "https://edgewise.example/mcp/"], /--oauth-resource takes/],
    [["--host", "0.0.0.0"], /needs --oauth-resource/],
    [["--allowed-hosts", "edgewise.example"], /needs --oauth-resource/],
  ])("%j are refused at the start", async (flags, why) => {
    const words = ["http", "--port", "0", "--oauth-issuer", "https://issuer.example", ...flags];
    expect(await typed(words)).toMatchObject({ status: 78, stderr: expect.stringMatching(why) });
  });

  it("name the address behind a proxy, for tokens, challenges and metadata", async () => {
    const resource = "https://edgewise.example/cdn/mcp";
    const behind = await serveFor(authority, ["--oauth-resource", resource, "--allowed-hosts", "edgewise.example"]);
    const headers = { ...modern, host: "edgewise.example" };
    const { headers: refusal } = await ask(behind.url, { headers });
    const metadata = "/.well-known/oauth-protected-resource/cdn/mcp";
    expect(refusal["www-authenticate"]).toContain(`resource_metadata="https://edgewise.example${metadata}"`);
    for (const path of [metadata, "/.well-known/oauth-protected-resource"])
      expect(JSON.parse((await ask(behind.url, { method: "GET", path })).text).resource).toBe(resource);
    const own = { ...headers, ...bearer(await authority.forge({ aud: resource })) };
    expect((await ask(behind.url, { headers: own })).status).toBe(200);
    await behind.stop();
  });
});

it(
  promise("stream-ends-with-token", "ends a listening stream when its token expires, and that of a session"),
  async () => {
    const token = bearer(await forge({ exp: nowSeconds() + 2, scope: "edgewise:read" }));
    const session = await openSession(served.url, token);
    const stream = await listen(served.url, { ...session, ...token });
    expect(stream.statusCode).toBe(200);
    await new Promise((resolve) => stream.once("close", resolve).once("error", () => undefined));
    const next = bearer(await forge({ jti: "refreshed" }));
    const again = await listen(served.url, { ...session, ...next });
    expect(again.statusCode).toBe(200);
    again.destroy();
  },
);

const claimOf: Readonly<Record<string, string>> = { subject: "sub", client: "client_id" };
it.each(["subject", "client", "jti"])("refuses a token that is denied by its %s", async (kind) => {
  const own = await forge({ sub: "ann", client_id: "made-up", jti: "made-up", [claimOf[kind] ?? kind]: `a-${kind}` });
  expect((await listWith(own)).status).toBe(200);
  await typed(["tokens", "deny", `--${kind}`, `a-${kind}`, "--state-dir", served.stateDir]);
  await eventually(async () => {
    const { status, headers } = await listWith(own);
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });
  expect((await listWith(await forge({ sub: "another", client_id: "another", jti: "another" }))).status).toBe(200);
});

it("the call limit admits requests at once, whether a token is known", async () => {
  const token = await forge({ jti: "at once" });
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(Array.from({ length: 60 }, () => listWith(token)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  }
});
