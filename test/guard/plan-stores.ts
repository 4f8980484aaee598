/** The stores of plans that the tests run against, and directories for them. */
import { rmSync } from "node:fs";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { memoryPlanStorage, type PlanStorage } from "../../src/guard/plans/storage.js";
import { lazily } from "../../src/language/once-for.js";
import { dayMs } from "../../src/time/durations.js";
import { folder } from "../lab/files.js";
import { isSystemLane } from "../lab/run/lane.js";
import { hasPostgres } from "../state/postgres-server.js";
import { closeStates, openInstance, testDatabase } from "../state/states.js";

const directories: string[] = [];
/** A directory of its own, which `removeDirectories` removes. */
export function stateDirectory(): string {
  const directory = folder();
  directories.push(directory);
  return directory;
}
export const removeDirectories = async (): Promise<void> => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  opened = undefined;
  await closeStates();
};

async function openDatabase() {
  const { url, query } = await testDatabase();
  return { plans: (await openInstance(url)).plans, query };
}
let opened: ReturnType<typeof openDatabase> | undefined;
/** The database of a test file, of which each storage takes over the empty table. */
const database = () => {
  opened ??= openDatabase();
  return opened;
};

/** Plans in PostgreSQL; the first use waits until the plans of the storage before are gone. */
function postgresStorage(): PlanStorage {
  let emptied: PlanStorage | undefined;
  const ready = lazily(async () => {
    const { plans, query } = await database();
    await query("truncate edgewise.plans");
    emptied = plans;
    return plans;
  });
  return {
    keptMs: 7 * dayMs,
    isOfOneServer: true,
    holder: () => emptied?.holder() ?? { instance: "none yet" },
    keys: async () => (await ready()).keys(),
    entries: async () => (await ready()).entries(),
    add: async (plan) => (await ready()).add(plan),
    read: async (id) => (await ready()).read(id),
    mark: async (name, content, transaction) => (await ready()).mark(name, content, transaction),
    remove: async (id) => (await ready()).remove(id),
  };
}

export const stores: readonly (readonly [string, () => PlanStorage])[] =
  isSystemLane && hasPostgres
    ? [["in PostgreSQL", postgresStorage]]
    : [
        ["in memory", memoryPlanStorage],
        ["in a directory", () => directoryPlanStorage(stateDirectory())],
      ];
