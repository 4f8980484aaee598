/** Edgewise over HTTP as a team runs it, with tokens, and with its state in a directory or in a PostgreSQL of its own. */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type PostgresServer, startPostgres } from "../test/state/postgres-server.js";
import type { Endpoint } from "./http-client.js";
import { addressOf, start } from "./process.js";

export interface Server extends Endpoint {
  readonly child: ChildProcess;
}

export interface Servers {
  /** The one whose state is in a directory. */
  readonly local: Server;
  /** The same in front of an upstream. */
  readonly live: Server;
  /** Two that share a database. */
  readonly shared: readonly [Server, Server];
  /** Two that share nothing: `local` and another one. */
  readonly apart: readonly [Server, Server];
  /** The ids of the database's processes. */
  databaseProcesses(): readonly number[];
  /** The token of a second client. */
  readonly otherToken: string;
  close(): Promise<void>;
}

/**
 * Starts servers that answer from the emulator inside them, and one that asks an upstream.
 * @param upstream The origin of the upstream.
 */
export async function startServers(upstream: string): Promise<Servers> {
  const directory = mkdtempSync(join(tmpdir(), "edgewise-bench-http-"));
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  // Of as many clients as a load has, and of one more.
  const [otherToken = "", ...own] = Array.from({ length: 65 }, () => randomBytes(32).toString("hex"));
  const [token = ""] = own;
  const named = [otherToken, ...own].map((one, at) => `client-${at} ${one}\n`).join("");
  const tokens = ["--token-file", file("tokens", named), "--allow-writes"];
  const postgres: PostgresServer = await startPostgres();
  process.once("exit", postgres.removeNow);
  const keys = file("key", randomBytes(32).toString("hex"));
  const store = ["--store", await postgres.createDatabase(), "--store-key-file", keys];
  const startOne = async (state: readonly string[]): Promise<Server> => {
    const child = start(["dist/server.js", "http", "--port", "0", ...tokens, ...state]);
    process.once("exit", () => child.kill("SIGKILL"));
    return { child, url: await addressOf(child), token, tokens: own };
  };
  const local = await startOne(["--state-dir", join(directory, "state")]);
  const live = await startOne(["--state-dir", join(directory, "live"), "--upstream", upstream]);
  const shared = [await startOne(store), await startOne(store)] as const;
  const apart = [local, await startOne(["--state-dir", join(directory, "other")])] as const;
  return {
    ...{ local, live, shared, apart, otherToken },
    databaseProcesses: postgres.processes,
    async close() {
      for (const { child } of [live, ...shared, ...apart]) child.kill("SIGKILL");
      await postgres.remove();
    },
  };
}

/** A server that takes tokens of a file and of an issuer, and a token of each. */
export async function startSignIn(): Promise<{ readonly server: Server; readonly token: string; close(): void }> {
  const directory = mkdtempSync(join(tmpdir(), "edgewise-bench-sign-in-"));
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "bench", alg: "RS256", use: "sig" }] };
  const issuing = createServer((request, response) => {
    const { port } = issuing.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    response.end(JSON.stringify(request.url === "/jwks" ? jwks : { issuer, jwks_uri: `${issuer}/jwks` }));
  });
  await new Promise<void>((resolve) => issuing.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
  const fileToken = randomBytes(32).toString("hex");
  const file = join(directory, "tokens");
  writeFileSync(file, `one ${fileToken}\n`, { mode: 0o600 });
  const words = ["--token-file", file, "--oauth-issuer", issuer, "--state-dir", join(directory, "state")];
  const child = start(["dist/server.js", "http", "--port", "0", ...words]);
  process.once("exit", () => child.kill("SIGKILL"));
  const url = await addressOf(child);
  const token = await new SignJWT({ scope: "edgewise:read", client_id: "bench", groups: ["cdn"] })
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "bench" })
    .setIssuer(issuer)
    .setSubject("ann")
    .setAudience(url)
    .setExpirationTime("1h")
    .sign(privateKey);
  return {
    server: { child, url, token: fileToken },
    token,
    close() {
      child.kill("SIGKILL");
      issuing.close();
    },
  };
}
