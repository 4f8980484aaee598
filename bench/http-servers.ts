/** Edgewise over HTTP as a team runs it, with tokens, and with its state in a directory or in a PostgreSQL of its own. */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  const [token, otherToken] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const tokens = ["--token-file", file("tokens", `one ${token}\nother ${otherToken}\n`), "--allow-writes"];
  const postgres: PostgresServer = await startPostgres();
  process.once("exit", postgres.removeNow);
  const keys = file("key", randomBytes(32).toString("hex"));
  const store = ["--store", await postgres.createDatabase(), "--store-key-file", keys];
  const startOne = async (state: readonly string[]): Promise<Server> => {
    const child = start(["dist/server.js", "http", "--port", "0", ...tokens, ...state]);
    process.once("exit", () => child.kill("SIGKILL"));
    return { child, url: await addressOf(child), token };
  };
  const local = await startOne(["--state-dir", join(directory, "state")]);
  const live = await startOne(["--state-dir", join(directory, "live"), "--upstream", upstream]);
  const shared = [await startOne(store), await startOne(store)] as const;
  return {
    ...{ local, live, shared, otherToken },
    async close() {
      for (const { child } of [local, live, ...shared]) child.kill("SIGKILL");
      await postgres.remove();
    },
  };
}
