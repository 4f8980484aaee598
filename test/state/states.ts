/** The stores of state that the laws run against: memory, a directory and, where there is a server, PostgreSQL. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { lazily } from "../../src/language/once-for.js";
import { createResultStore } from "../../src/rows/result-store.js";
import { createRowFiles } from "../../src/rows/row-file.js";
import type { State } from "../../src/state/index.js";
import { keysFrom } from "../../src/state/keys.js";
import { openLocalState } from "../../src/state/local.js";
import { openPostgresState, type PostgresStateOptions } from "../../src/state/postgres/index.js";
import { folder } from "../lab/files.js";
import { isSystemLane } from "../lab/run/lane.js";
import { hasBouncer, hasPostgres, postgresForTests, startBouncer } from "./postgres-server.js";

const limits = { maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 60_000 };
const results = () => createResultStore({ ...limits, maxDiskBytesPerOwner: 1e9, maxDiskBytes: 1e9 });
const cleanups: (() => unknown)[] = [];

/** Opens states that share what they keep, as processes or instances do. */
export type OpenShared = () => Promise<State>;

/** The keys of all instances of the tests. */
const testKeys = keysFrom([randomBytes(32)]);

/** Opens an instance on a database. */
export async function openInstance(
  url: string,
  own: Partial<Pick<PostgresStateOptions, "keptMs" | "log">> = {},
): Promise<State> {
  const rowFiles = createRowFiles({ maxBytes: 1e9, secrets: [] });
  const opened = await openPostgresState({
    ...{ url, keys: testKeys, rowFiles, log: () => undefined, ...own },
    results: { local: results(), maxBytesPerOwner: limits.maxBytesPerOwner, maxBytes: limits.maxBytes },
    ttlMs: limits.ttlMs,
  });
  // A test may have closed it as a process that ends does.
  const state = { ...opened, close: lazily(opened.close) };
  cleanups.push(state.close, rowFiles.close);
  return state;
}

let server: ReturnType<typeof postgresForTests> | undefined;
/** A server for the databases of a test file, started with the first one. */
export async function testDatabase(): Promise<{
  readonly url: string;
  query(sql: string): ReturnType<typeof queryOf>;
}> {
  server ??= postgresForTests();
  const running = await server;
  const url = await running.createDatabase();
  return { url, query: (sql) => running.query(url, sql) };
}
const queryOf = async (url: string, sql: string) => (await (server as NonNullable<typeof server>)).query(url, sql);

function inMemory(): OpenShared {
  const state = openLocalState({ directory: undefined, results: results(), log: () => undefined });
  return async () => state;
}

function inDirectory(): OpenShared {
  const directory = folder();
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return async () => openLocalState({ directory, results: results(), log: () => undefined });
}

/** Instances on a database that is made for the first of them. */
const onDatabase = (create: () => Promise<string>) => (): OpenShared => {
  const url = lazily(create);
  return async () => openInstance(await url());
};
const inPostgres = onDatabase(async () => (await testDatabase()).url);
const behindBouncer = onDatabase(async () => {
  const bouncer = await startBouncer((await testDatabase()).url);
  cleanups.push(bouncer.stop);
  return bouncer.url;
});

/** Each store, by how it is named in a test: what opens states that share one, and whether several instances can. */
export const states: readonly (readonly [string, () => OpenShared])[] =
  isSystemLane && hasPostgres
    ? [
        ["in PostgreSQL", inPostgres],
        ...(hasBouncer ? [["in PostgreSQL behind PgBouncer", behindBouncer] as const] : []),
      ]
    : [
        ["in memory", inMemory],
        ["in a directory", inDirectory],
      ];

/** Closes the states that were opened. */
export async function closeOpened(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}

/** Closes and removes all that was opened, and the server. */
export async function closeStates(): Promise<void> {
  await closeOpened();
  await (await server)?.remove();
  server = undefined;
}
