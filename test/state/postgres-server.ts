/** A real PostgreSQL server in a temporary directory, on loopback, which tests can stop, kill, freeze, fill and restore. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { eventually } from "../lab/time.js";

/** The directory of the server's programs: the newest that Debian installs, or that of `postgres` in the path. */
function programsOf(): string | undefined {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const [newest] = versions.sort((a, b) => Number(b) - Number(a)).map((one) => `/usr/lib/postgresql/${one}/bin`);
  if (newest !== undefined && existsSync(join(newest, "initdb"))) return newest;
  return (process.env["PATH"] ?? "").split(":").find((folder) => existsSync(join(folder, "initdb")));
}

const programs = programsOf();
/** The URL of a server that is running already, in which databases may be created. */
const given = process.env["EDGEWISE_TEST_POSTGRES"];
/** Whether there is a server for tests that only need a database. */
export const hasPostgres = given !== undefined || programs !== undefined;
/** Whether tests can start a server, and stop it. */
export const canStartPostgres = programs !== undefined;

/** The user that the server runs as: it refuses to run as root. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

/**
 * A free port below those that the kernel gives out: a port of those could be taken by another test
 * before the server listens on it, or while it is stopped.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as Readonly<Record<string, unknown>>[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

let databases = 0;
async function createDatabase(of: string): Promise<string> {
  databases += 1;
  const name = `edgewise_${process.pid}_${databases}`;
  await query(of, `create database ${name}`);
  const url = new URL(of);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates databases in the given server, or in one that is started for the caller. */
export async function postgresForTests(): Promise<Pick<PostgresServer, "createDatabase" | "query" | "remove">> {
  if (given === undefined) return startPostgres();
  return { createDatabase: () => createDatabase(given), query, remove: async () => undefined };
}

/** Whether PgBouncer is installed. */
export const hasBouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));

/**
 * Starts PgBouncer in transaction mode in front of a database, with fewer connections than an instance opens.
 * @returns the URL of the database behind it, and what ends it.
 */
export async function startBouncer(url: string): Promise<{ readonly url: string; stop(): void }> {
  const { hostname, port: serverPort, pathname, username } = new URL(url);
  const user = serverUser();
  const directory = mkdtempSync(join(tmpdir(), "edgewise-bouncer-"));
  const port = await freePort();
  const file = join(directory, "pgbouncer.ini");
  const name = pathname.slice(1);
  const settings = [
    "[databases]",
    `${name} = host=${hostname} port=${serverPort} dbname=${name} user=${username}`,
    "[pgbouncer]",
    ...["listen_addr=127.0.0.1", `listen_port=${port}`, "auth_type=any", "pool_mode=transaction"],
    ...["default_pool_size=4", `unix_socket_dir=${directory}`, ""],
  ];
  writeFileSync(file, settings.join("\n"));
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [directory, file]) chownSync(path, user.uid, user.gid);
  const bouncer = spawn(hasBouncer ?? "", [file], { ...user, cwd: directory, stdio: "ignore" });
  const behind = new URL(url);
  behind.port = String(port);
  await untilUp(behind.href);
  return {
    url: behind.href,
    stop: () => {
      bouncer.kill("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until a server accepts connections.
 * @param keepRunning Starts it again if it has ended.
 */
const untilUp = (url: string, keepRunning: () => void = () => undefined) =>
  eventually(() => {
    keepRunning();
    return query(url, "select 1");
  });

/** Whether this machine lets the tests have a small disk. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "edgewise-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place], { stdio: "ignore" });
    execFileSync("umount", [place], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Starts a server with its own data.
 * @param diskMb The size of its disk, if it has one of its own.
 * @param primary The URL of the server that it is a standby of.
 */
export async function startPostgres({ diskMb, primary }: { readonly diskMb?: number; readonly primary?: string } = {}) {
  if (programs === undefined) throw new Error("No PostgreSQL server is installed.");
  const user = serverUser();
  const directory = mkdtempSync(join(tmpdir(), "edgewise-postgres-"));
  if (diskMb !== undefined)
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m,mode=0700`, "tmpfs", directory], { stdio: "ignore" });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const run = (program: string, args: readonly string[]): void =>
    void execFileSync(join(programs, program), args, { ...user, cwd: directory, stdio: "pipe" });
  if (primary === undefined) run("initdb", ["-D", data, "-A", "trust", "-U", "edgewise", "--no-sync"]);
  else run("pg_basebackup", ["-D", data, "-d", primary, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]);
  const port = await freePort();
  const url = `postgres://edgewise@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "max_connections=60", "shared_buffers=16MB"];
    const args = ["-D", data, "-k", directory, ...settings.flatMap((one) => ["-c", one])];
    const run = (): void => {
      server = spawn(join(programs, "postgres"), args, { ...user, cwd: directory, stdio: "ignore", detached: true });
    };
    run();
    // It ends at once while a process of the one that was killed still holds its memory.
    await untilUp(url, () => {
      if (hasEnded()) run();
    });
    const [answering] = await query(url, "show data_directory");
    if (answering?.["data_directory"] !== data) throw new Error(`Another server listens on port ${port}.`);
  };
  const processes = (): number[] => {
    if (server?.pid === undefined) return [];
    // Its children have other sessions, so they are found by their parent.
    const children = execFileSync("sh", ["-c", `pgrep -P ${server.pid} || true`], { encoding: "utf8" });
    return [server.pid, ...children.split("\n").filter(Boolean).map(Number)];
  };
  /** Sends a signal to the server, or to all of its processes. */
  const signal = (name: NodeJS.Signals, isForAll = false): void => {
    if (server?.pid === undefined) return;
    for (const pid of isForAll ? processes() : [server.pid])
      try {
        process.kill(pid, name);
      } catch {
        // It has ended in the meantime.
      }
  };
  const hasEnded = (): boolean => server === undefined || server.exitCode !== null || server.signalCode !== null;
  const ended = (): Promise<void> =>
    new Promise((resolve) => {
      if (hasEnded()) resolve();
      else server?.once("exit", () => resolve());
    });
  const stop = async (): Promise<void> => {
    // Immediate: it ends without waiting for its connections, and recovers at the next start.
    signal("SIGQUIT");
    await ended();
  };

  await start();
  return {
    /** The URL of a new, empty database. */
    createDatabase: () => createDatabase(url),
    /** Runs SQL in a database, as the tests' own look at it. */
    query,
    start,
    stop,
    /** Ends all of its processes as a crash of the machine would. */
    async kill(): Promise<void> {
      // One that is stopped begins no process between the list of its processes and their end.
      signal("SIGSTOP");
      signal("SIGKILL", true);
      await ended();
      rmSync(join(data, "postmaster.pid"), { force: true });
    },
    /** Stops it from answering, until it is continued. */
    freeze: () => signal("SIGSTOP", true),
    thaw: () => signal("SIGCONT", true),
    /** Copies its data while it is stopped, and puts a copy back. */
    copyData: (to: string) => execFileSync("cp", ["-a", data, to]),
    restoreData(from: string): void {
      rmSync(data, { recursive: true, force: true });
      execFileSync("cp", ["-a", from, data]);
    },
    directory,
    processes,
    /** The URL of one of its databases at this server. */
    urlOf: (database: string) => Object.assign(new URL(url), { pathname: new URL(database).pathname }).href,
    /** Stops it and removes its data. */
    async remove(): Promise<void> {
      signal("SIGCONT", true);
      await stop();
      if (diskMb !== undefined) execFileSync("umount", [directory], { stdio: "ignore" });
      rmSync(directory, { recursive: true, force: true });
    },
    /** The same for a process that exits, which cannot wait. */
    removeNow(): void {
      signal("SIGKILL", true);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
