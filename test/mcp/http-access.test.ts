/** Who a client is over HTTP, what it may do, and that no client reaches what is another's. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { Server, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createHolderLookup, parseTokens } from "../../src/mcp/http/access.js";
import { createDenialCheck, type TokenDenial } from "../../src/mcp/http/token-denials.js";
import { isReadOnlyFor, requestOwner } from "../../src/mcp/owner.js";
import { serverFactory } from "../../src/mcp/server.js";
import { runs } from "../lab/depth.js";
import { failureFrom } from "../lab/outcome.js";
import {
  as,
  ask,
  calling,
  callSlow,
  clientsOf,
  contentOf,
  message,
  modern,
  modernly,
  openSession,
  resultIn,
  slowCall,
  startHttp,
  token,
} from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { surfaceWith } from "../profiles/two.js";

const clients = clientsOf("alice", "bob");

/** A server that answers each call with its owner and whether it can only read. */
function build() {
  const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [] }));
  server.setRequestHandler("tools/call", async (_, ctx: ServerContext) => ({
    content: [{ type: "text", text: JSON.stringify({ owner: requestOwner(ctx), isReadOnly: isReadOnlyFor(ctx) }) }],
  }));
  return server;
}
const start = async (more: Partial<Parameters<typeof startHttp>[0]> = {}) => (await startHttp({ build, ...more })).url;

/** The owner and the rights that a call has, in either era. */
async function told(url: URL, headers: Record<string, string>, session?: Record<string, string>) {
  const body = session ? slowCall() : callSlow;
  const { text } = await ask(url, { headers: { ...(session ?? calling), ...headers }, body });
  const [{ text: said }] = resultIn<{ content: [{ text: string }] }>(text).content;
  return JSON.parse(said) as { readonly owner: string; readonly isReadOnly: boolean };
}

describe("a token file", () => {
  const [a, b] = [token("a"), token("b")];

  it("holds named tokens, tokens without a name, comments and empty lines", () => {
    expect(parseTokens(`# clients\n\nalice ${a}\r\n  ${b}  \n`, "--token-file", "client")).toEqual([
      { name: "alice", token: a },
      { name: "client-2", token: b },
    ]);
    expect(parseTokens(a.slice(0, 32), "--token-file", "client")).toHaveLength(1);
  });

  it.each([
    ["a token of 31 characters", a.slice(0, 31), "line 1 is shorter than 32"],
    ["nothing", "# none\n\n", "has no tokens"],
    ["three words on a line", `alice ${a} ${b}`, "Line 1 has more than"],
    ["a name twice", `alice ${a}\nalice ${b}`, "Line 2 repeats a name"],
    ["a name that another line gets by its number", `client-2 ${a}\n${b}`, "Line 2 repeats a name"],
    ["a token twice", `alice ${a}\nbob ${a}`, "Line 2 repeats a token"],
    ["a name twice in other letters", `alice ${a}\nALICE ${b}`, "Line 2 repeats a name"],
    ["the name of those without a token", `anonymous ${a}`, "clients without a token"],
    ["the name of those without a token in other letters", `Anonymous ${a}`, "clients without a token"],
    ["a name with other characters", `al/ice ${a}`, "name on line 1"],
    ["a token with other characters", `alice ${"é".repeat(32)}`, "invalid in a header"],
  ])("is refused with %s, and what it holds is not shown", async (_, text, why) => {
    const { code, message, detail } = await failureFrom(() => parseTokens(text, "--token-file", "client"));
    expect([code, message]).toEqual(["bad_configuration", expect.stringContaining("--token-file")]);
    const said = JSON.stringify({ message, detail });
    expect(said).toContain(why);
    for (const secret of [a, b, a.slice(0, 31)]) expect(said).not.toContain(secret);
  });

  const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
  const made = (length: number, of: (at: number) => string) => Array.from({ length }, (_, at) => of(at)).join("");
  const lengths = [32, 33, 48, 64, 200];
  const row = (length: number, step: number, of: readonly string[]) =>
    made(length, (at) => of[(at * step + of.length * length) % of.length] ?? "");
  const pieces = (length: number) =>
    Array.from({ length: 16 }, (_, at) =>
      randomBytes(8)
        .toString("hex")
        .slice(0, at + 1),
    ).map((piece) => piece.repeat(length).slice(0, length));
  const isTaken = (text: string): boolean => {
    try {
      return parseTokens(`alice ${text}`, "--token-file", "client").length === 1;
    } catch (error) {
      expect(JSON.stringify(error)).toContain("could be guessed");
      return false;
    }
  };
  it.each<[string, (length: number) => readonly string[]]>([
    ["one character", (length) => printable.map((one) => one.repeat(length))],
    ["a random piece of up to sixteen characters, again and again", pieces],
    [
      "two to five characters at random",
      (length) => [2, 3, 4, 5].map((few) => made(length, () => `${randomInt(few)}`)),
    ],
    ["rows of characters", (length) => [1, -1, 2, 3].map((step) => row(length, step, printable))],
    ["a row of digits", (length) => [row(length, 1, [..."0123456789"])]],
    ["a name and what fills the line", (length) => ["alice-", "administrator"].map((name) => name.padEnd(length, "x"))],
    ["a number behind zeros", (length) => ["1", "carol-7"].map((end) => end.padStart(length, "0"))],
    ["a word again and again, with a digit", (length) => [`${"password".repeat(25).slice(0, length)}1`]],
  ])(promise("token-not-repetitive", "is refused with %s, however long"), (_, weak) => {
    for (const length of lengths) for (const text of weak(length)) expect([text, isTaken(text)]).toEqual([text, false]);
  });

  it("a token needs six different characters and twenty not in a pattern", () => {
    const mixed = "q7Zk2mX9vB4tN8wR5yH3";
    const filled = (fresh: number) => `${mixed.slice(0, fresh - 1)}`.padEnd(40, mixed[fresh - 2]);
    expect([isTaken(filled(20)), isTaken(filled(19))]).toEqual([true, false]);
    const of = (few: number) => "abcdef".slice(0, few) + made(64, (at) => "abcdef"[(at * at + (at >> 2)) % few] ?? "");
    expect([isTaken(of(6)), isTaken(of(5))]).toEqual([true, false]);
  });

  it.each<[string, () => string]>([
    ["openssl rand -hex 16", () => randomBytes(16).toString("hex")],
    ["openssl rand -hex 32", () => randomBytes(32).toString("hex")],
    ["openssl rand -base64 24", () => randomBytes(24).toString("base64")],
    ["uuidgen", randomUUID],
    ["32 random digits", () => made(32, () => `${randomInt(10)}`)],
  ])("takes each random token from %s", (_, random) => {
    for (let count = 0; count < runs(300); count += 1) {
      const text = random();
      expect([text, isTaken(text)]).toEqual([text, true]);
    }
  });

  it("finds the holder of each token, and none for any other text", () => {
    const holder = createHolderLookup(clients);
    expect(clients.map((client) => holder(client.token))).toEqual(["alice", "bob"]);
    for (const other of ["", "x", token("alice").slice(1), `${token("alice")}x`, token("ALICE"), "alice"])
      expect([other, holder(other)]).toEqual([other, undefined]);
  });
});

describe("a principal", () => {
  it.each([
    ["no token", {}],
    ["an empty one", { authorization: "" }],
    ["the name only", { authorization: "Bearer alice" }],
    ["a scheme only", { authorization: "Bearer" }],
    ["more than the token", { authorization: `Bearer ${token("alice")}x` }],
    ["another scheme", { authorization: `Basic ${token("alice")}` }],
    ["two in one header", { authorization: `Bearer ${token("alice")} ${token("bob")}` }],
    ["two, with a comma", { authorization: `Bearer ${token("alice")}, Bearer ${token("bob")}` }],
  ])("is not found in a request with %s", async (_, headers: Record<string, string>) => {
    const url = await start({ clients });
    const path = `/mcp?access_token=${token("alice")}`;
    const answer = await ask(url, { path, headers: { ...modern, ...headers } });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect(answer.text).not.toContain(token("alice"));
  });

  it("is anonymous on a server without tokens, which asks for none", async () => {
    const url = await start();
    expect((await ask(url, { headers: { ...modern, ...as("alice") } })).status).toBe(401);
    expect((await told(url, {})).owner).toBe("client:anonymous");
    const sessions = [await openSession(url), await openSession(url)];
    for (const own of sessions)
      expect((await told(url, {}, own)).owner).toBe(`client:anonymous/session:${own["mcp-session-id"]}`);
  });

  it(promise("client-by-token", "is the holder of its token, for ten clients with the same request ids"), async () => {
    const names = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const url = await start({ clients: clientsOf(...names) });
    await Promise.all(
      names.map(async (name) => {
        const own = [undefined, await openSession(url, as(name)), await openSession(url, as(name))];
        for (const session of own) expect((await told(url, as(name), session)).owner).toBe(`client:${name}`);
      }),
    );
  });
});

it("another's session is answered like one that does not exist", async () => {
  const url = await start({ clients });
  const own = await openSession(url, as("alice"));
  const body = message("tools/list");
  const missing = await ask(url, { headers: { ...own, ...as("bob"), "mcp-session-id": "unknown" }, body });
  for (const method of ["POST", "GET", "DELETE"]) {
    const answer = await ask(url, { method, headers: { ...own, ...as("bob") }, body });
    expect([method, answer.status, answer.text]).toEqual([method, 404, missing.text]);
  }
  expect((await told(url, as("alice"), own)).owner).toBe("client:alice");
});

describe("making changes", () => {
  const reads = async (url: URL, headers = {}) => [
    (await told(url, headers)).isReadOnly,
    (await told(url, headers, await openSession(url, headers))).isReadOnly,
  ];

  it(promise("writes-need-token", "is for clients with a token where the server allows it"), async () => {
    expect(await reads(await start({ allowsWrites: true }))).toEqual([true, true]);
    expect(await reads(await start({ clients }), as("alice"))).toEqual([true, true]);
    const url = await start({ clients, allowsWrites: true });
    expect(await reads(url, as("alice"))).toEqual([false, false]);
    for (const value of ["true", "TRUE", "1", "yes", "", "false, true"])
      expect([value, await reads(url, { ...as("alice"), "x-edgewise-read-only": value })]).toEqual([
        value,
        [true, true],
      ]);
  });

  it(promise("rights-in-no-header", "is given by no header"), async () => {
    const url = await start({ clients });
    for (const name of ["x-edgewise-read-only", "x-edgewise-allow-writes", "x-edgewise-scopes"])
      for (const value of ["false", "true", "write"])
        expect([name, value, await told(url, { ...as("alice"), [name]: value })]).toEqual([
          name,
          value,
          { owner: "client:alice", isReadOnly: true },
        ]);
  });
});

/** The effects of each tool are a law of the catalogue. */
it(promise("http-reads-only", "a client who only reads is refused every write, in both eras"), async () => {
  const { surface } = await surfaceWith(["--emulator"]);
  const url = await start({ build: serverFactory(surface), clients, allowsWrites: true });
  const session = await openSession(url, as("alice"));
  const reading = { ...as("alice"), "x-edgewise-read-only": "true" };
  for (const wanted of ["create", "update", "destructive"]) {
    const operations = [...surface.catalogue.values()].filter(({ service }) => service !== "workflows");
    const name = operations.find(({ effect }) => effect === wanted)?.tool.name ?? "";
    const params = { name, arguments: {} };
    const { headers, body } = modernly("tools/call", params);
    const answerTo = async (own: object, sent = body) =>
      contentOf((await ask(url, { headers: { ...own }, body: sent })).text);
    for (const refused of [
      await answerTo({ ...headers, ...reading }),
      await answerTo({ ...session, ...reading }, message("tools/call", params)),
    ])
      expect([name, refused]).toMatchObject([name, { error: "not_allowed", why: expect.anything() }]);
    expect([name, (await answerTo({ ...headers, ...as("alice") }))["error"]]).not.toEqual([name, "not_allowed"]);
  }
});

it(promise("long-time-refused", "too long a time is refused at once with its limit, blocking nobody"), async () => {
  const { surface } = await surfaceWith(["--emulator"]);
  const url = await start({ build: serverFactory(surface), clients });
  const args = { reportName: "hits-by-time", version: "1", start: `x${" ".repeat(260_000)}x`, end: "2026-05-02" };
  const { headers, body } = modernly("tools/call", { name: "report_data_get", arguments: args });
  const [answer, health] = await Promise.all([
    ask(url, { headers: { ...headers, ...as("alice") }, body }),
    ask(url, { path: "/healthz", method: "GET" }),
  ]);
  expect(health.status).toBe(200);
  expect(contentOf(answer.text)).toMatchObject({
    error: "invalid_input",
    fields: [{ field: "start", given: "260002 characters", takes: "at most 64 characters" }],
  });
});

it("a read-only client's list has only reads, and lists stay private", async () => {
  const { surface } = await surfaceWith(["--emulator"]);
  const url = await start({ build: serverFactory(surface), clients, allowsWrites: true });
  const tight = { ...as("alice"), "x-edgewise-read-only": "true" };
  const get = async (at: URL, more: object, method = "tools/list") => {
    const { headers, body } = modernly(method);
    const { text } = await ask(at, { headers: { ...headers, ...more }, body });
    return resultIn<{ tools: unknown[]; cacheScope: string; instructions: string }>(text);
  };
  const reads = [...surface.catalogue.values()].filter(({ effect, holdsCalls }) => effect === "read" || holdsCalls);
  const [all, some] = [await get(url, as("alice")), await get(url, tight)];
  expect([all.tools.length, some.tools.length]).toEqual([surface.catalogue.size, reads.length]);
  expect(some.tools).toEqual(reads.map(({ tool: { name } }) => expect.objectContaining({ name })));
  expect([all.cacheScope, some.cacheScope]).toEqual(["private", "private"]);
  const said = [await get(url, as("alice"), "server/discover"), await get(url, tight, "server/discover")];
  expect(said.map(({ instructions }) => instructions.includes("only read"))).toEqual([false, true]);
  const same = await start({ build: serverFactory({ ...surface, isReadOnly: true }), clients });
  const list = await get(same, as("alice"));
  expect([list.cacheScope, list.tools.length]).toEqual(["public", reads.length]);
});

const of = (subject: string, issuer?: string, more: { client?: string; tokenId?: string } = {}) => ({
  principal: { subject, ...(issuer === undefined ? {} : { issuer }), client: more.client, groups: [], scopes: [] },
  tokenId: more.tokenId,
});

it("denied names of a file match in any case, issuer subjects exactly", async () => {
  const denied: TokenDenial[] = [
    { kind: "subject", value: "Ann" },
    { kind: "client", value: "App" },
    { kind: "jti", value: "J1" },
  ];
  const isDenied = createDenialCheck(async () => denied);
  const issuer = "https://login.example.com";
  const verdicts = [
    ["the name", of("Ann"), "denied"],
    ["the name in other letters", of("ann"), "denied"],
    ["another name", of("anna"), undefined],
    ["the subject", of("Ann", issuer), "denied"],
    ["another subject in other letters", of("ann", issuer), undefined],
    ["the client", of("x", issuer, { client: "App" }), "denied"],
    ["another client in other letters", of("x", issuer, { client: "app" }), undefined],
    ["the id", of("x", issuer, { tokenId: "J1" }), "denied"],
    ["a subject that is the name of a client", of("App"), undefined],
  ] as const;
  for (const [what, one, verdict] of verdicts) expect([what, await isDenied(one)]).toEqual([what, verdict]);
});
