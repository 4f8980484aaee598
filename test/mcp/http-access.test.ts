/** Who a client is over HTTP, what it may do, and that no client reaches what is another's. */
import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { Server, type ServerContext } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { check } from "../../src/calls/check.js";
import { holderOf, parseTokens } from "../../src/mcp/http/access.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { isReadOnlyFor, ownerOf } from "../../src/mcp/owner.js";
import { serverFactory } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { runs } from "../lab/depth.js";
import { ask, calling, callSlow, list, modern, openSession } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";

const token = (of: string): string => `${of}-${createHash("sha256").update(of).digest("hex").slice(0, 32)}`;
const clients = ["alice", "bob"].map((name) => ({ name, token: token(name) }));
const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });

let close = async (): Promise<void> => undefined;
afterEach(() => close());

/** A server whose every call answers whose it is and whether it only reads. */
function tell() {
  const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [] }));
  server.setRequestHandler("tools/call", async (_, ctx: ServerContext) => ({
    content: [{ type: "text", text: JSON.stringify({ owner: ownerOf(ctx), isReadOnly: isReadOnlyFor(ctx) }) }],
  }));
  return server;
}

async function start(more: object = {}): Promise<URL> {
  const usual = { build: tell, host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined };
  const served = await serveHttp({ ...usual, ...more });
  close = served.close;
  return new URL(served.url);
}

/** What a call learns of its caller, in either era. */
async function told(url: URL, headers: Record<string, string>, session?: Record<string, string>) {
  const plain = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "slow", arguments: {} } };
  const own = session ?? calling;
  const { text } = await ask(url, {
    headers: { ...own, ...headers },
    body: session ? JSON.stringify(plain) : callSlow,
  });
  const [, json = "null"] = /"text":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return JSON.parse(JSON.parse(json)) as { readonly owner: string; readonly isReadOnly: boolean };
}

describe("a token file", () => {
  const [a, b] = [token("a"), token("b")];

  it("holds named tokens, tokens without a name, comments and empty lines", () => {
    expect(parseTokens(`# clients\n\nalice ${a}\r\n  ${b}  \n`, "--token-file", "client")).toEqual([
      { name: "alice", token: a },
      { name: "client-2", token: b },
    ]);
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
  ])("is refused with %s, and what it holds is not shown", (_, text, why) => {
    const parse = () => parseTokens(text, "--token-file", "client");
    expect(parse).toThrow(
      expect.objectContaining({ code: "bad_configuration", message: expect.stringContaining("--token-file") }),
    );
    try {
      parse();
    } catch (error) {
      const said = JSON.stringify({ ...(error as object), message: (error as Error).message });
      expect(said).toContain(why);
      for (const secret of [a, b, a.slice(0, 31)]) expect(said).not.toContain(secret);
    }
  });

  it("takes a token of 32 characters", () => {
    expect(parseTokens(a.slice(0, 32), "--token-file", "client")).toHaveLength(1);
  });

  const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
  const made = (length: number, of: (at: number) => string) => Array.from({ length }, (_, at) => of(at)).join("");
  const lengths = [32, 33, 48, 64, 200];
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
    [
      "a random piece of up to sixteen characters, again and again",
      (length) =>
        Array.from({ length: 16 }, (__, at) =>
          randomBytes(8)
            .toString("hex")
            .slice(0, at + 1)
            .repeat(length)
            .slice(0, length),
        ),
    ],
    [
      "two to five characters at random",
      (length) => [2, 3, 4, 5].map((few) => made(length, () => `${randomInt(few)}`)),
    ],
    [
      "rows of characters",
      (length) => [
        ...[1, -1, 2, 3].map((step) => made(length, (at) => printable[(at * step + 94 * length) % 94] ?? "")),
        made(length, (at) => "0123456789"[at % 10] ?? ""),
      ],
    ],
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

  it("gives the holder of each token, and nobody for any other text", () => {
    const holder = holderOf(clients);
    expect(clients.map((client) => holder(client.token))).toEqual(["alice", "bob"]);
    for (const other of ["", "x", token("alice").slice(1), `${token("alice")}x`, token("ALICE"), "alice"])
      expect([other, holder(other)]).toEqual([other, undefined]);
  });
});

describe("a principal", () => {
  it("is the holder of the token, and without a token file it is anonymous", async () => {
    const url = await start({ clients });
    expect([(await told(url, as("alice"))).owner, (await told(url, as("bob"))).owner]).toEqual([
      "client:alice",
      "client:bob",
    ]);
    await close();
    expect((await told(await start(), {})).owner).toBe("client:anonymous");
  });

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
    const answer = await ask(url, { headers: { ...modern, ...headers } });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect(answer.text).not.toContain(token("alice"));
  });

  it("is not found by a token in the query", async () => {
    const url = await start({ clients });
    expect((await ask(url, { headers: modern, path: `/mcp?access_token=${token("alice")}` })).status).toBe(401);
  });

  it("is asked for when a server that knows no tokens gets one", async () => {
    const url = await start();
    expect((await ask(url, { headers: { ...modern, ...as("alice") } })).status).toBe(401);
    expect((await ask(url, { headers: modern })).status).toBe(200);
  });

  it("is one owner with its token, in all of its sessions and without one", async () => {
    const url = await start({ clients });
    const [one, two] = [await openSession(url, as("alice")), await openSession(url, as("alice"))];
    for (const session of [one, two, undefined])
      expect((await told(url, as("alice"), session)).owner).toBe("client:alice");
  });

  it("is each session by itself without a token", async () => {
    const url = await start({});
    const [one, two] = [await openSession(url, {}), await openSession(url, {})];
    const owners = [await told(url, {}, one), await told(url, {}, two)].map(({ owner }) => owner);
    expect(owners).toEqual([one, two].map((own) => `client:anonymous/session:${own["mcp-session-id"]}`));
  });
});

describe("a session of another principal", () => {
  it("is answered like one that does not exist, and goes on for its own", async () => {
    const url = await start({ clients });
    const own = await openSession(url, as("alice"));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
    const missing = await ask(url, { headers: { ...own, ...as("bob"), "mcp-session-id": "unknown" }, body });
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await ask(url, { method, headers: { ...own, ...as("bob") }, body });
      expect([method, answer.status, answer.text]).toEqual([method, 404, missing.text]);
    }
    expect((await told(url, as("alice"), own)).owner).toBe("client:alice");
  });

  it(promise("client-by-token", "is no way to its owner for ten clients with the same request ids"), async () => {
    const many = Array.from({ length: 10 }, (_, index) => ({ name: `c${index}`, token: token(`c${index}`) }));
    const url = await start({ clients: many });
    const owners = await Promise.all(
      many.map(async ({ name }) => [
        name,
        (await told(url, as(name))).owner,
        (await told(url, as(name), await openSession(url, as(name)))).owner,
      ]),
    );
    for (const [name, plain, inSession] of owners)
      expect([plain, inSession?.split("/")[0]]).toEqual([`client:${name}`, `client:${name}`]);
  });
});

describe("making changes", () => {
  it.each([
    ["a server without --allow-writes", {}, true],
    ["a token and --allow-writes", { allowsWrites: true }, false],
  ])("with %s", async (_, more, isReadOnly) => {
    const url = await start({ clients, ...more });
    expect((await told(url, as("alice"))).isReadOnly).toBe(isReadOnly);
    expect((await told(url, as("alice"), await openSession(url, as("alice")))).isReadOnly).toBe(isReadOnly);
  });

  it(promise("writes-need-token", "is never for clients without a token"), async () => {
    const url = await start({ allowsWrites: true });
    expect((await told(url, {})).isReadOnly).toBe(true);
    expect((await told(url, {}, await openSession(url))).isReadOnly).toBe(true);
  });

  it.each(["true", "TRUE", "1", "yes", "", "false, true"])(
    "is taken away by X-Edgewise-Read-Only: %j",
    async (value) => {
      const url = await start({ clients, allowsWrites: true });
      expect((await told(url, { ...as("alice"), "x-edgewise-read-only": value })).isReadOnly).toBe(true);
    },
  );

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

describe("the product's own server", async () => {
  const services = await allServices("documents");
  const catalogue = catalogueOf(services);
  const surface = {
    catalogue,
    readings: await readingsOf(services),
    version: "1",
    isEmulated: true,
    isReadOnly: false,
    engine: () => Promise.reject(new Error("not needed")),
  };
  const meta = (JSON.parse(list) as { params: { _meta: object } }).params._meta;
  const discover = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: meta } });
  interface Listed {
    readonly result: {
      readonly tools: readonly { readonly name: string; readonly annotations: { readonly readOnlyHint: boolean } }[];
      readonly cacheScope: string;
      readonly instructions: string;
    };
  }
  const get = async (url: URL, headers: Record<string, string>, body = list, method = "tools/list") =>
    (JSON.parse((await ask(url, { headers: { ...modern, "mcp-method": method, ...headers }, body })).text) as Listed)
      .result;

  it("a read-only client's list has reads alone, and lists stay private", async () => {
    const url = await start({ build: serverFactory(surface), clients, allowsWrites: true });
    const all = await get(url, as("alice"));
    const reads = await get(url, { ...as("bob"), "x-edgewise-read-only": "true" });
    expect(all.tools).toHaveLength(catalogue.size);
    expect(reads.tools.length).toBeGreaterThan(50);
    expect(reads.tools.filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([]);
    expect(all.tools.filter(({ annotations }) => annotations.readOnlyHint)).toHaveLength(reads.tools.length);
    expect([all.cacheScope, reads.cacheScope]).toEqual(["private", "private"]);
  });

  it("says to a client who only reads that it does", async () => {
    const url = await start({ build: serverFactory(surface), clients, allowsWrites: true });
    const all = await get(url, as("alice"), discover, "server/discover");
    const tight = { ...as("alice"), "x-edgewise-read-only": "true" };
    const reads = await get(url, tight, discover, "server/discover");
    expect([all.instructions.includes("only read"), reads.instructions.includes("This client can only read.")]).toEqual(
      [false, true],
    );
    expect([all.cacheScope, reads.cacheScope]).toEqual(["private", "private"]);
  });

  it("keeps a list public that is the same for all", async () => {
    const url = await start({ build: serverFactory({ ...surface, isReadOnly: true }), clients });
    expect((await get(url, as("alice"))).cacheScope).toBe("public");
  });

  const operations = services.flatMap(({ name: service, operations: own }) =>
    Object.entries(own).map(([tool, declared]) => ({ service, tool, declared })),
  );

  it("prepares no write for a caller who only reads, in the whole catalogue", async () => {
    const reader = { context: { isReadOnly: false } as never, caller: { isReadOnly: true } };
    const refused: string[] = [];
    for (const found of operations)
      await check(reader, found.tool, found, { "no such argument": 1 }, {}).catch((error) => {
        if (error.code !== "not_allowed") return expect(error.code).toBe("invalid_input");
        refused.push(found.tool);
        expect(error.detail.next).toContain("right to make changes");
      });
    const writes = [...catalogue.values()].filter(({ effect }) => effect !== "read").map(({ tool }) => tool.name);
    expect(refused.sort()).toEqual(writes.sort());
    expect(writes.length).toBeGreaterThan(20);
  });
});

describe("requests that are not quite HTTP", () => {
  it("pass no encoding, whatever it is", async () => {
    const url = await start();
    for (const encoding of ["gzip", "br", "identity"])
      expect((await ask(url, { headers: { ...modern, "content-encoding": encoding } })).status).toBe(415);
  });

  it("get no permissive CORS answer to a preflight", async () => {
    const url = await start();
    const answer = await ask(url, {
      method: "OPTIONS",
      headers: { origin: url.origin, "access-control-request-method": "POST" },
    });
    expect([answer.status, Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))]).toEqual([
      405,
      [],
    ]);
  });

  it("cannot say where they came from", async () => {
    const url = await start();
    const forwarded = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-for": "192.0.2.1",
      forwarded: "host=evil.example",
    };
    expect((await ask(url, { headers: { ...modern, ...forwarded } })).status).toBe(200);
    expect(
      (await ask(url, { headers: { ...modern, host: "evil.example", "x-forwarded-host": url.host } })).status,
    ).toBe(403);
  });
});
