/** Several instances of the built server on one database, behind a plain round-robin proxy. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, request as send } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { file } from "../lab/files.js";
import {
  bareEnvironment,
  environmentOf,
  type HttpServer,
  type Start,
  startEmulator,
  startProcess,
} from "../lab/session.js";
import { type PostgresServer, startPostgres } from "../state/postgres-server.js";

export type Process = Awaited<ReturnType<typeof startProcess>>;

export interface Instances {
  /** The address of the proxy, which takes the next instance for each request. */
  readonly url: URL;
  readonly token: string;
  /** The token of another client. */
  readonly otherToken: string;
  readonly processes: Process[];
  readonly postgres: PostgresServer;
  /** The settings with which a command shares their state. */
  readonly shared: readonly string[];
  /** Has all requests go to one instance from now on; undefined takes them in turn again. */
  keepTo(at: number | undefined): void;
  /** Starts another one, with settings of its own. */
  startOne(own?: readonly string[]): Promise<Process>;
  close(): Promise<void>;
}

/** A proxy that knows nothing of MCP: it passes each request on to the next target, and ends with either side. */
async function startProxy(targets: () => readonly string[]) {
  let next = 0;
  let kept: number | undefined;
  const proxy = createServer((request, response) => {
    const all = targets();
    next += 1;
    const target = new URL(request.url ?? "/", all[kept ?? next % all.length]);
    const { method, headers } = request;
    const passed = send(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    passed.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once("close", () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    host: `127.0.0.1:${port}`,
    keepTo: (at: number | undefined) => {
      kept = at;
    },
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

// Its input ends with the process of the tests, whose exit nobody hears when the run ends it.
const watch = `cat > /dev/null; kill -QUIT $(head -n 1 "$0/data/postmaster.pid"); sleep 1; rm -rf "$0"`;

let server: Promise<PostgresServer> | undefined;
/** The PostgreSQL server of this process of the tests, which its files use one after the other. */
export async function ownPostgres(): Promise<PostgresServer> {
  server ??= startPostgres().then((started) => {
    const watcher = spawn("sh", ["-c", watch, started.directory], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    watcher.unref();
    (watcher.stdin as Socket).unref();
    return started;
  });
  return server;
}

/** Starts instances in place of one server over HTTP; they share an emulator, because each has only its own otherwise. */
export async function serveInstances(
  count: number,
  { flags = [], env }: Pick<Start, "flags" | "env">,
): Promise<HttpServer> {
  const isScripted = flags.includes("--upstream");
  const emulator = isScripted ? undefined : await startEmulator();
  const own = [
    ...flags.filter((flag) => flag !== "--emulator"),
    ...(emulator === undefined ? [] : ["--upstream", emulator.match]),
  ];
  const { environment, ...around } = environmentOf(own, env);
  const instances = await startInstances(count, { flags: own, environment });
  return {
    ...{ environment, ...around, url: instances.url, token: instances.token },
    stderr: () => instances.processes.map(({ stderr }) => stderr()).join(""),
    async stop() {
      await instances.close();
      emulator?.child.kill("SIGKILL");
    },
  };
}

/** Ends a process as its operator does. */
const ended = (child: Process["child"]): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

/** Starts instances that share an upstream, a database and keys. */
export async function startInstances(
  count: number,
  {
    flags,
    environment = bareEnvironment(),
  }: {
    /** The settings of each, with the upstream. */
    readonly flags: readonly string[];
    readonly environment?: Record<string, string>;
  },
): Promise<Instances> {
  const postgres = await ownPostgres();
  const database = await postgres.createDatabase();
  const [token, otherToken] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const shared = ["--store", database, "--store-key-file", file(randomBytes(32).toString("hex"))];
  const tokens = file(`test ${token}\nother ${otherToken}\n`);
  const processes: Process[] = [];
  const proxy = await startProxy(() => processes.map(({ match }) => match));
  const startOne = async (own: readonly string[] = []): Promise<Process> => {
    const words = ["http", "--port", "0", "--token-file", tokens, "--allow-writes", "--allowed-hosts", proxy.host];
    const started = await startProcess([...words, ...shared, ...flags, ...own], environment, /serving MCP at (\S+)/);
    processes.push(started);
    return started;
  };
  await Promise.all(Array.from({ length: count }, () => startOne()));
  return {
    ...{ url: proxy.url, keepTo: proxy.keepTo, token, otherToken, processes, postgres, shared, startOne },
    async close() {
      await Promise.all(processes.map(({ child }) => ended(child)));
      proxy.close();
    },
  };
}
