/** An instance of the engine that reaches no file, no network and no setting. */
import type * as Engine from "@duckdb/node-api";

/** The engine's own limit of memory; it does not count a single large value. */
const engineMemory = "256MB";

const closed: Readonly<Record<string, string>> = {
  threads: "2",
  memory_limit: engineMemory,
  // Without a place for it, nothing is ever written to disk.
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
};

/** A text as a statement has it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Opens a new instance in memory, does something with a connection to it, and closes both.
 * @param files The files that it may read, and no others.
 */
export async function inInstance<T>(
  { DuckDBInstance }: typeof Engine,
  files: readonly string[],
  work: (connection: Engine.DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", closed);
  const connection = await instance.connect();
  try {
    // The engine takes the list only while it could still read everything.
    await connection.run(`set allowed_paths = [${files.map(literal).join(", ")}]`);
    await connection.run("set enable_external_access = false");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Takes the last settings, after which none can be changed.
 * @param timeZone A name that has been checked: it becomes part of a statement.
 */
export async function lock(connection: Engine.DuckDBConnection, timeZone: string): Promise<void> {
  await connection.run(`set timezone='${timeZone}'`);
  await connection.run("set lock_configuration=true");
}
