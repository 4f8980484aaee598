/** An identity provider on loopback, with people who sign in without a page: a real authorization server, with real tokens. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import Provider from "oidc-provider";

export interface Person {
  readonly groups: readonly string[];
  /** The scopes that the provider grants, of those that are asked for. */
  readonly mayHave: readonly string[];
}

export interface Authority {
  readonly issuer: string;
  /** Who is signed in at the browser. */
  person: string;
  /** How long new access tokens live, in seconds. */
  tokenSeconds: number;
  /** Whether it answers at all. */
  isUp: boolean;
  /** How often its keys were asked for. */
  readonly keyReads: () => number;
  /** Signs with a new key from now on, which replaces the one before. */
  rotateKeys(): Promise<void>;
  /** Signs an access token with these claims in place of its own, by its present key; undefined removes one. */
  forge(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The public key, as anyone can read it. */
  readonly publicKey: () => JWK;
  close(): Promise<void>;
}

const allScopes = ["edgewise:read", "edgewise:write", "edgewise:destructive", "edgewise:approve"];

async function newKey(): Promise<{
  readonly jwk: JWK;
  readonly key: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
}> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const id = `key-${Math.random().toString(36).slice(2)}`;
  return { jwk: { ...(await exportJWK(privateKey)), kid: id, alg: "RS256", use: "sig" }, key: privateKey };
}

/** Answers the questions of a browser: who is there, and what they grant. */
async function answerInteraction(
  provider: Provider,
  people: Readonly<Record<string, Person>>,
  person: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId: person } });
  const accountId = session?.accountId ?? person;
  const grant = new provider.Grant({ accountId, clientId: params["client_id"] ?? "" });
  const asked = (params["scope"] ?? "").split(" ");
  const isGranted = (scope: string): boolean =>
    !allScopes.includes(scope) || people[accountId]?.mayHave.includes(scope) === true;
  const [granted, refused] = [asked.filter(isGranted), asked.filter((scope) => !isGranted(scope))].map((some) =>
    some.join(" "),
  );
  const resource = params["resource"] ?? "";
  grant.addOIDCScope(granted ?? "");
  grant.addResourceScope(resource, granted ?? "");
  // Otherwise it would ask again.
  grant.rejectOIDCScope(refused ?? "");
  grant.rejectResourceScope(resource, refused ?? "");
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** Starts an identity provider for these people. */
export async function startAuthority(people: Readonly<Record<string, Person>>): Promise<Authority> {
  const sockets = createServer();
  await new Promise<void>((resolve) => sockets.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  let [signing, provider] = [await newKey(), undefined as Provider | undefined];
  let keyReads = 0;

  const open = (): Provider =>
    new Provider(issuer, {
      jwks: { keys: [signing.jwk] },
      cookies: { keys: ["tests"] },
      scopes: ["openid", "offline_access", ...allScopes],
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            scope: allScopes.join(" "),
            audience: resource,
            accessTokenTTL: authority.tokenSeconds,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "RS256" } },
          }),
        },
      },
      // A client of the SDK registers with the scopes of the first challenge; many providers do not hold it to them.
      extraClientMetadata: {
        properties: ["any_scope"],
        validator: (_: unknown, __: string, ___: unknown, metadata: { scope?: string | undefined }) => {
          metadata.scope = undefined;
        },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
      extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => ({ groups: people[accountId]?.groups }),
      issueRefreshToken: () => true,
      expiresWithSession: () => false,
      rotateRefreshToken: true,
      clientDefaults: { grant_types: ["authorization_code", "refresh_token"], id_token_signed_response_alg: "RS256" },
    });
  const authority: Authority = {
    issuer,
    person: Object.keys(people)[0] ?? "",
    tokenSeconds: 3_600,
    isUp: true,
    keyReads: () => keyReads,
    async rotateKeys() {
      signing = await newKey();
      provider = open();
    },
    async forge(claims = {}, header = {}) {
      const usual = { iss: issuer, sub: "ann", client_id: "made-up", scope: "edgewise:read", jti: "made-up" };
      const nowSeconds = Math.floor(Date.now() / 1000);
      const all = { ...usual, iat: nowSeconds, exp: nowSeconds + 600, ...claims };
      return new SignJWT(JSON.parse(JSON.stringify(all)))
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: signing.jwk.kid ?? "", ...header })
        .sign(signing.key);
    },
    publicKey: () => {
      const { kty, n, e, kid = "" } = signing.jwk;
      return { kty, n, e, kid } as JWK;
    },
    close: () =>
      new Promise((resolve) => {
        sockets.close(() => resolve());
        sockets.closeAllConnections();
      }),
  };
  provider = open();
  sockets.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!authority.isUp) return void request.socket.destroy();
    if (request.url === "/jwks") keyReads += 1;
    if (!provider) return;
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    answerInteraction(provider, people, authority.person, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return authority;
}
