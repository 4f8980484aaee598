/** Signing in at the approvals desk with an identity provider: what is asked, what is accepted, and what it is good for. */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import type { DeskIssuer } from "../../src/mcp/http/desk/issuer-sign-in.js";
import { type browserAt, deskFor, minute, planAt, readIn, ticketIn } from "../lab/desk.js";
import { promise } from "../lab/rules.js";

const issuer = "https://issuer.example";
const accessToken = "the-access-token";

let tokenEndpoint: Server;
let exchanged: URLSearchParams[];
/** What the token endpoint answers in place of its usual tokens. */
let answer: { readonly status?: number; readonly body?: object };
/** What differs in the claims of the ID token. */
let claims: object;
let scopes: readonly string[];
let rejection: { readonly status: number; readonly message: string } | undefined;
let sendsIssuer: boolean;
let isDown: boolean;
let isDenied: boolean;
let asked: URL;

const signIn: DeskIssuer = {
  issuer,
  clientId: "desk-client",
  scope: "edgewise:approve",
  namesResource: true,
  addressOf: ({ headers }) => `http://${headers.host}/mcp`,
  async discover() {
    if (isDown) throw new Failure("network", "The issuer does not answer.", { next: "Try again later." });
    return {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize?tenant=1`,
      token_endpoint: `http://127.0.0.1:${(tokenEndpoint.address() as AddressInfo).port}/token`,
      authorization_response_iss_parameter_supported: sendsIssuer,
    };
  },
  verify: async (token, address) => {
    expect([token, address]).toEqual([accessToken, `${desk.url.origin}/mcp`]);
    const principal = { subject: "erin", issuer, groups: [], client: "desk-client", scopes };
    return rejection ?? { principal, expiresAtMs: desk.now() + 5 * minute, tokenId: "token-1" };
  },
};
const desk = deskFor([planAt(1), planAt(2, { tool: "dns_record_set" })], {
  ...{ issuer: signIn, approvers: [] },
  isDenied: async ({ principal, tokenId }) => {
    expect([principal.subject, principal.client, tokenId]).toEqual(["erin", "desk-client", "token-1"]);
    return isDenied;
  },
});
const { pass } = desk;

beforeEach(async () => {
  [exchanged, answer, claims, scopes] = [[], {}, {}, ["edgewise:approve", "edgewise:read"]];
  [rejection, sendsIssuer, isDown, isDenied] = [undefined, true, false, false];
  tokenEndpoint = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    exchanged.push(new URLSearchParams(text));
    const idToken = new UnsecuredJWT({
      ...{ iss: issuer, aud: "desk-client", sub: "erin", nonce: asked.searchParams.get("nonce") },
      ...claims,
    }).encode();
    const body = answer.body ?? { access_token: accessToken, id_token: idToken };
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => tokenEndpoint.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => void tokenEndpoint.close(() => resolve())));

const path = (at: number) => `/plans/${planAt(at).id}`;

/** Goes to the issuer, which records the request. */
async function began(query = "") {
  const browser = desk.stranger();
  const { status, headers } = await browser.get(`/plans/sign-in${query}`);
  expect(status).toBe(303);
  asked = new URL(String(headers["location"]));
  return browser;
}

/** Comes back from the issuer with its response, or with other parameters. */
const back = (browser: ReturnType<typeof browserAt>, more: Record<string, string | undefined> = {}) => {
  const usual = { code: "the-code", state: asked.searchParams.get("state") ?? "", iss: issuer };
  const pairs = Object.entries({ ...usual, ...more }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return browser.get(`/plans/signed-in?${new URLSearchParams(pairs)}`);
};

async function signedIn() {
  const browser = await began();
  await back(browser);
  return browser;
}

describe("the way to the identity provider", () => {
  it("is a link without a form for a secret, which would not be accepted", async () => {
    const browser = desk.stranger();
    const { text } = await browser.get(path(1));
    expect(text).toContain(`<a class="button go" href="sign-in?plan=${planAt(1).id}">Sign in</a>`);
    expect(text).not.toContain("<form");
    expect((await browser.signIn("")).status).toBe(403);
  });

  it("a sign-in asks for a code with a challenge and nothing guessable", async () => {
    await began();
    const { state, nonce, code_challenge, ...others } = Object.fromEntries(asked.searchParams);
    expect([asked.origin + asked.pathname, others]).toEqual([
      `${issuer}/authorize`,
      {
        tenant: "1",
        response_type: "code",
        client_id: "desk-client",
        redirect_uri: `${desk.url.origin}/plans/signed-in`,
        scope: "openid edgewise:approve",
        code_challenge_method: "S256",
        resource: `${desk.url.origin}/mcp`,
      },
    ]);
    for (const one of [state, nonce, code_challenge]) expect(one).toMatch(/^[\w-]{43}$/);
    expect(new Set([state, nonce, code_challenge]).size).toBe(3);
  });

  it("leads back to the plan that was asked for, and to nothing else", async () => {
    const ofPlan = await back(await began(`?plan=${planAt(1).id}`));
    expect([ofPlan.status, ofPlan.headers["location"]]).toEqual([303, planAt(1).id]);
    for (const query of ["", "?plan=//evil.example", "?plan=../mcp"])
      expect((await back(await began(query))).headers["location"]).toBe("../plans");
  });

  it("says that the issuer does not answer", async () => {
    isDown = true;
    const { status, text } = await desk.stranger().get("/plans/sign-in");
    expect([status, readIn(text).includes("does not answer")]).toEqual([503, true]);
  });
});

describe("the way back", () => {
  it("a code is exchanged with the server's verifier; no token is kept", async () => {
    const browser = await began();
    await back(browser);
    const { code_verifier: verifier = "", ...others } = Object.fromEntries(exchanged[0] ?? []);
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(asked.searchParams.get("code_challenge"));
    expect(others).toEqual({
      grant_type: "authorization_code",
      code: "the-code",
      redirect_uri: `${desk.url.origin}/plans/signed-in`,
      client_id: "desk-client",
      resource: `${desk.url.origin}/mcp`,
    });
    expect([...browser.jar.keys()]).toEqual([`edgewise-desk-${desk.url.port}`]);
    expect((await browser.get("/plans")).text).toContain("Signed in as <strong>erin</strong>");
  });

  it(promise("desk-state-sealed", "a sign-in that is old, begun elsewhere or for another use fails"), async () => {
    const victim = await began();
    const state = asked.searchParams.get("state") ?? "";
    const attacker = await began();
    const refusals = [
      await back(desk.stranger(), { state }),
      await back(victim),
      await back(attacker, { state: undefined }),
      await back(attacker, { state: "x" }),
    ];
    const late = await began();
    pass(10 * minute);
    refusals.push(await back(late));
    for (const { status, text } of refusals)
      expect([status, readIn(text).includes("You are not signed in")]).toEqual([403, true]);
    expect(exchanged).toEqual([]);
  });

  it.each([
    ["the issuer is another one", { iss: "https://evil.example" }],
    ["the issuer is missing, although it always names itself", { iss: undefined }],
    ["access was denied", { error: "access_denied", code: undefined }],
  ])("is refused if %s", async (_, more) => {
    const browser = await began();
    const { status, text } = await back(browser, more);
    expect([status, readIn(text).includes("You are not signed in"), exchanged]).toEqual([403, true, []]);
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
  });

  it("needs no iss from an issuer that does not send one", async () => {
    sendsIssuer = false;
    expect((await back(await began(), { iss: undefined })).status).toBe(303);
  });

  it("shows an error of the issuer only as plain text", async () => {
    const { status, text } = await back(await began(), { error: "<b>invalid</b>", error_description: "<b>x</b>" });
    expect([status, text.includes("<b>")]).toEqual([502, false]);
  });

  it("is no session before it is completed", async () => {
    const browser = await began();
    browser.jar.set(`edgewise-desk-${desk.url.port}`, browser.jar.get(`edgewise-sign-in-${desk.url.port}`) ?? "");
    const { status, text } = await browser.get("/plans");
    expect([browser.jar.size, status, text.includes("REMOVE")]).toEqual([2, 200, false]);
  });

  it("can be used once", async () => {
    const browser = await began();
    await back(browser);
    expect((await back(browser)).status).toBe(403);
    expect(exchanged).toHaveLength(1);
  });

  it.each<[string, () => void]>([
    ["the issuer refuses the code", () => (answer = { status: 400, body: { error: "invalid_grant" } })],
    ["there is no ID token", () => (answer = { body: { access_token: accessToken } })],
    ["there is no access token", () => (answer = { body: { id_token: "x" } })],
    ["the ID token is none", () => (answer = { body: { access_token: accessToken, id_token: "x" } })],
    ["the ID token is for another sign-in", () => (claims = { nonce: "x" })],
    ["the ID token is for another client", () => (claims = { aud: "other" })],
    ["the ID token is of another issuer", () => (claims = { iss: "https://evil.example" })],
  ])("gives no session if %s", async (_, prepare) => {
    prepare();
    const browser = await began();
    const { status, text } = await back(browser);
    expect([status, readIn(text).includes("no tokens for this sign-in"), browser.jar.size]).toEqual([502, true, 0]);
  });

  it.each([401, 503])("a refused access token (%i) gives no session and says why", async (status) => {
    rejection = { status, message: "The token is not accepted because." };
    const browser = await began();
    const answered = await back(browser);
    expect([answered.status, browser.jar.size]).toEqual([status === 503 ? 503 : 403, 0]);
    expect(readIn(answered.text)).toContain("The token is not accepted because.");
  });

  it(promise("desk-scope", "a missing scope is named, with a sign-in that asks for the user"), async () => {
    scopes = ["edgewise:read", "edgewise:write", "edgewise:destructive", "edgewise:approver"];
    const browser = await began(`?plan=${planAt(1).id}`);
    const { status, text } = await back(browser);
    expect([status, browser.jar.size]).toEqual([403, 0]);
    expect(readIn(text)).toContain("The token of erin does not have the scope edgewise:approve");
    const [, link = ""] = /href="(sign-in[^"]*)"/.exec(text) ?? [];
    await began(`?${link.replaceAll("&amp;", "&").split("?")[1]}`);
    expect(asked.searchParams.get("prompt")).toBe("login");
  });
});

describe("a session with the identity provider", () => {
  it("lasts as long as the token", async () => {
    const browser = await signedIn();
    pass(5 * minute - 1);
    expect((await browser.get("/plans")).text).toContain("REMOVE");
    pass(1);
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
  });

  it("ends when an operator denies the token", async () => {
    const browser = await signedIn();
    isDenied = true;
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
    expect((await back(await began())).status).toBe(403);
  });

  it("decides in the name of the subject of that issuer", async () => {
    const browser = await signedIn();
    const ticket = ticketIn((await browser.get(path(1))).text);
    await browser.post(path(1), { ticket, decision: "approve", reason: "Agreed" });
    expect(desk.kept.acts).toEqual([`approve ${planAt(1).id} page erin${issuer} Agreed`]);
  });

  it("a session decides on calls in its scopes and counts the others", async () => {
    scopes = ["edgewise:approve:zones"];
    const browser = await signedIn();
    const { text } = await browser.get("/plans");
    expect([text.includes("REMOVE thing 2"), text.includes("REMOVE thing 1")]).toEqual([true, false]);
    expect(readIn(text)).toMatch(/1 plan waits for a decision .*1 more plan waits that you may not decide on/);
    const foreign = await browser.get(path(1));
    expect([foreign.status, foreign.text.includes("REMOVE")]).toEqual([403, false]);
    const ticket = ticketIn((await browser.get(path(2))).text);
    expect((await browser.post(path(1), { ticket, decision: "refuse" })).status).toBe(403);
    expect((await browser.post(path(2), { ticket, decision: "approve" })).status).toBe(303);
    expect(desk.kept.acts).toEqual([`approve ${planAt(2).id} page erin${issuer} -`]);
  });

  it("a sign-out leaves nothing, and the next sign-in asks for the user", async () => {
    const browser = await signedIn();
    const { text } = await browser.post("/plans/sign-out", {});
    expect(browser.jar.size).toBe(0);
    expect(text).toContain('href="sign-in?as=anyone"');
  });
});
