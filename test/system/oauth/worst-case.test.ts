/** A subject without rights, with every token that it can get: it changes nothing, and sees nothing of what is another's. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, initialize, message, modernly } from "../../lab/raw-http.js";
import { promise } from "../../lab/rules.js";
import { type Authority, startAuthority } from "./authority.js";
import { connectAs, type Served, type SignedIn, serveFor, Wallet } from "./served.js";

const all = ["edgewise:read", "edgewise:write", "edgewise:destructive"];
const secretName = "only-ann-knows";
const purge = { queueName: "default", body: { objects: [`https://www.example.com/${secretName}.jpg`] } };

let authority: Authority;
let other: Authority;
let served: Served;
let ann: SignedIn;
/** What ann has: a plan, a kept result, a session and what it follows. */
const hers = { plan: "", result: "", session: "", live: "" };
/** Who has no rights, and who has all but is somebody else. */
let [eve, mallory] = [new Wallet(), new Wallet()];
beforeAll(async () => {
  const people = {
    ann: { groups: [], mayHave: all },
    eve: { groups: [], mayHave: [] },
    mallory: { groups: [], mayHave: all },
  };
  [authority, other] = [await startAuthority(people), await startAuthority(people)];
  served = await serveFor(authority);
  authority.person = "ann";
  ann = await connectAs(served.url, "2025");
  const previewed = await ann.call("purge_submit", purge);
  hers.plan = /plan_[\w-]{22}/.exec(previewed.text)?.[0] ?? "";
  hers.live = "live://cert_change_get?enrollmentId=10003&changeId=20003";
  hers.result = /result:\/\/([\w-]+)/.exec((await ann.call("report_types_list", { max_tokens: 200 })).text)?.[1] ?? "";
  hers.session = ann.sessionId() ?? "";
  [eve, mallory] = [await walletOf("eve"), await walletOf("mallory")];
});
afterAll(async () => {
  await ann?.close();
  await served?.stop();
  await authority?.close();
  await other?.close();
});

/** What a person has after they have signed in with all scopes that they get. */
async function walletOf(person: string): Promise<Wallet> {
  authority.person = person;
  const { wallet, call, close } = await connectAs(served.url, "2026");
  await call("purge_submit", purge).catch(() => undefined);
  await close();
  return wallet;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
/** A token with another character in its signature, which is not the last: of that, some bits mean nothing. */
const flipped = (token: string): string => `${token.slice(0, -9)}${token.at(-9) === "A" ? "B" : "A"}${token.slice(-8)}`;
/** Every token that a subject without rights can get or make. */
const tokens: Readonly<Record<string, () => Promise<string> | string>> = {
  "its access token": () => eve.kept?.access_token ?? "",
  "its ID token": () => authority.forge({ sub: "eve", aud: "its client", scope: undefined }, { typ: "JWT" }),
  "its refresh token": () => eve.kept?.refresh_token ?? "",
  "a token for another resource": () =>
    authority.forge({ sub: "eve", aud: "https://else.example", scope: all.join(" ") }),
  "a token that has expired": () =>
    authority.forge({ sub: "eve", aud: served.url.href, scope: all.join(" "), exp: nowSeconds() - 1 }),
  "an altered token": () => flipped(eve.kept?.access_token ?? ""),
  "a token of its own with all scopes": () => {
    const [header, , signature] = (eve.kept?.access_token ?? "").split(".");
    const claims = { ...decodeJwt(eve.kept?.access_token ?? ""), scope: all.join(" "), sub: "ann" };
    return `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`;
  },
  "another issuer's token for ann": () =>
    other.forge({ sub: "ann", aud: served.url.href, scope: all.join(" "), iss: authority.issuer }),
  "another issuer's own token for ann": () => other.forge({ sub: "ann", aud: served.url.href, scope: all.join(" ") }),
  "no token": () => "",
};

const inSession = () => ({ "mcp-session-id": hers.session, "mcp-protocol-version": "2025-11-25" });
const plainly = (method: string, more: object) => ({ headers: inSession(), body: message(method, more) });
/** What it tries to do with each: to change something, and to reach what is ann's, in either era. */
const attempts = () =>
  [
    ["purge_submit", { ...purge, confirm: hers.plan }],
    ["purge_submit", purge],
    ["dns_zone_delete", { zoneName: "example.com" }],
    ["call_batch", { tool: "purge_submit", arguments: [purge] }],
    ["change_restore", { plan: hers.plan }],
    ["plan_get", { plan: hers.plan }],
    ["result_get", { handle: hers.result }],
    ["purge_queue_get", { queueName: "default" }],
  ].flatMap(([tool, args]) => {
    const call = { name: String(tool), arguments: args };
    return [modernly("tools/call", call), plainly("tools/call", call)];
  });
const namedBy = (name: string, { headers, body }: ReturnType<typeof modernly>) => ({
  headers: { ...headers, "mcp-name": name },
  body,
});
const reads = () =>
  [`plan://${hers.plan}`, `result://${hers.result}`, hers.live].flatMap((uri) => [
    namedBy(uri, modernly("resources/read", { uri })),
    plainly("resources/read", { uri }),
    plainly("resources/subscribe", { uri }),
  ]);
const streams = () => [
  { method: "GET", headers: inSession() },
  { method: "DELETE", headers: inSession() },
];

const bearer = (token: string): Record<string, string> => (token === "" ? {} : { authorization: `Bearer ${token}` });

/** What is ann's stands as it was. */
async function isUntouched(): Promise<void> {
  const { text } = await ann.call("plan_get", { plan: hers.plan });
  expect(text).toMatch(/^HTTP open/);
  expect(ann.sessionId()).toBe(hers.session);
}

it("is tried with what ann really has", async () => {
  expect(Object.values(hers).filter((one) => one === "")).toEqual([]);
  await isUntouched();
});

describe.each(Object.entries(tokens))("with %s", (name, token) => {
  it(promise("no-scope-no-access", "a subject without rights is refused, and changes and sees nothing"), async () => {
    const given = await token();
    const isGood = name === "its access token";
    for (const attempt of [...attempts(), ...reads(), ...streams()]) {
      const { headers, ...more } = attempt;
      const { status, text } = await ask(served.url, { ...more, headers: { ...headers, ...bearer(given) } });
      // Its own token is a good one without a scope; the session of another does not exist for it.
      expect([JSON.stringify(more), status]).toEqual([
        JSON.stringify(more),
        isGood ? expect.toBeOneOf([403, 404, 200]) : 401,
      ]);
      if (status === 200) expect(text).toMatch(/"code":"(not_allowed|not_found|invalid_input)"|"error":/);
      expect(text).not.toContain(secretName);
    }
    const opened = await ask(served.url, { headers: bearer(given), body: initialize });
    expect(opened.status).toBe(isGood ? 200 : 401);
    await isUntouched();
  });
});

it(promise("scopes-own-only", "a subject with all rights reaches nothing that is another's"), async () => {
  const given = mallory.kept?.access_token ?? "";
  expect(decodeJwt(given)["scope"]).toContain("edgewise:destructive");
  const own = attempts().filter(({ body }) => body.includes(hers.plan) || body.includes(hers.result));
  for (const { headers, ...more } of [...own, ...reads(), ...streams()]) {
    const { status, text } = await ask(served.url, { ...more, headers: { ...headers, ...bearer(given) } });
    expect([JSON.stringify(more), status]).toEqual([JSON.stringify(more), expect.toBeOneOf([200, 400, 404])]);
    if (!JSON.stringify(more).includes(hers.live)) expect(text).not.toContain(`"status":201`);
    expect(text.replaceAll(JSON.stringify(purge).slice(1, -1), "")).not.toMatch(
      new RegExp(`INVALIDATE.*${secretName}`),
    );
  }
  await isUntouched();
});
