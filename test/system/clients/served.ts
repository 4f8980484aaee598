/** The built server as each client is given it, behind a tap that writes down the revision of the protocol that it hears. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startProcess } from "../../lab/session.js";
import type { Transport } from "./clients.js";

export interface Served {
  /** What a driver opens. */
  readonly target: object;
  /** The revisions that requests have named, the newest at the end. */
  revisions(): readonly string[];
  stop(): Promise<void>;
}

/** Passes HTTP on as it comes and notes the header that names the revision. */
async function tapped(upstream: URL, note: (revision: string) => void) {
  const proxy = createServer((incoming, answer) => {
    const { "mcp-protocol-version": revision } = incoming.headers;
    if (typeof revision === "string") note(revision);
    const outgoing = request(
      new URL(incoming.url ?? "/", upstream),
      { method: incoming.method, headers: { ...incoming.headers, host: upstream.host } },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address() as AddressInfo;
  return { proxy, url: `http://127.0.0.1:${port}${upstream.pathname}` };
}

/** The server over stdio: the client starts it, as often as it likes, and its plans are kept in the same home. */
function overStdio(env: Record<string, string>): Served {
  const record = join(mkdtempSync(join(tmpdir(), "edgewise-tap-")), "revisions");
  const args = [resolve("test/system/clients/tap.mjs"), record, resolve("dist/server.js")];
  return {
    target: { kind: "stdio", command: process.execPath, args, env },
    revisions: () =>
      existsSync(record)
        ? readFileSync(record, "utf8")
            .trim()
            .split("\n")
            .map((line) => line.split(" ")[1] ?? "")
        : [],
    stop: async () => undefined,
  };
}

const token = "a-token-for-one-run-of-the-clients-on-this-machine";

/** Only a client with a token makes changes. */
function tokenFlags(): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "edgewise-token-")), "tokens");
  writeFileSync(file, `clients ${token}\n`, { mode: 0o600 });
  return ["--token-file", file, "--allow-writes"];
}

async function overHttp(env: Record<string, string>, takesToken: boolean): Promise<Served> {
  const flags = ["http", "--port", "0", ...(takesToken ? tokenFlags() : [])];
  const { child, match } = await startProcess(flags, env, /serving MCP at (\S+)/);
  const heard: string[] = [];
  const { proxy, url } = await tapped(new URL(match), (revision) => heard.push(revision));
  return {
    target: { kind: "http", url, token },
    revisions: () => heard,
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** A server of its own for one round of a client. */
export const serve = (transport: Transport, env: Record<string, string>, takesToken: boolean): Promise<Served> =>
  transport === "stdio" ? Promise.resolve(overStdio(env)) : overHttp(env, takesToken);
