import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { Counts } from "./test/lab/run/counts.js";
import { pace } from "./test/lab/run/pace.js";
import { compiledSources } from "./test/lab/run/sources.js";
import { canStartPostgres } from "./test/state/postgres-server.js";

/** The files in which an operation is known by its name alone, which may be another one with the other setting. */
const ofBothSettings = [
  "test/schema/absent.test.ts",
  "test/mcp/listed-schemas.test.ts",
  "test/catalogue/laws.test.ts",
  "test/catalogue/guards.test.ts",
  "test/catalogue/removals.test.ts",
  "test/catalogue/write-back.test.ts",
  "test/emulator/unknown-members.test.ts",
  "test/emulator/shared-ids.test.ts",
  "test/emulator/time.test.ts",
  "test/emulator/authors.test.ts",
  "test/catalogue/sentences.test.ts",
  "test/catalogue/guides.test.ts",
  "test/catalogue/id-origins.test.ts",
  "test/catalogue/answers.test.ts",
  "test/guard/restore.test.ts",
  "test/guard/facts.test.ts",
  "test/tools/purge/size.test.ts",
  "test/tools/transcripts.test.ts",
  "test/catalogue/tasks/tasks.test.ts",
  "test/search/sentences.test.ts",
  "test/site/questions.test.ts",
];

/** The files whose clients over HTTP must not notice that there are several instances behind a proxy. */
const overHttp = ["subscriptions", "kept-results", "scenarios"].map((name) => `test/system/quick/${name}.test.ts`);

/** The files whose stores are also held in PostgreSQL. */
const onStores = [
  ...["plan-asked", "plan-persons", "plans"].map((name) => `test/guard/${name}.test.ts`),
  "test/adversary/plan-model.test.ts",
  ...["laws", "retention"].map((name) => `test/state/${name}.test.ts`),
];

/** The files about the APIs of today. */
const todays = "test/**/*.today.test.ts";

/** Beside what each file is set up with: it waits for the program. */
const built = "test/lab/run/built.ts";

const nowhere = ["**/node_modules/**"];

export default defineConfig({
  plugins: [compiledSources()],
  test: {
    // `npm test` runs the first three, `npm run test:system` the others: what starts servers, browsers or databases.
    projects: [
      {
        extends: true,
        test: {
          name: "documents",
          include: ["test/**/*.test.ts"],
          exclude: [todays, "test/system/**", ...nowhere],
          provide: { apis: "documents" },
        },
      },
      {
        extends: true,
        test: {
          name: "today",
          include: [...ofBothSettings, todays],
          provide: { apis: "today" },
        },
      },
      {
        extends: true,
        test: {
          name: "program",
          include: ["test/system/quick/*.test.ts"],
          provide: { apis: "documents" },
          setupFiles: [built],
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          exclude: ["test/system/quick/!(scenarios|subscriptions|kept-results).test.ts", ...nowhere],
          provide: { apis: "documents" },
          setupFiles: [built],
          env: { TEST_LANE: "system" },
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: canStartPostgres ? onStores : [],
          provide: { apis: "documents" },
          env: { TEST_LANE: "system" },
        },
      },
      {
        extends: true,
        test: {
          name: "instances",
          include: canStartPostgres ? overHttp : [],
          provide: { apis: "documents" },
          setupFiles: [built],
          env: { TEST_LANE: "system", TEST_INSTANCES: "2" },
        },
      },
    ],
    globalSetup: ["test/lab/run/folders.ts", "test/lab/run/sources.ts", "test/lab/run/build.ts"],
    // A project adds to these.
    setupFiles: ["test/lab/run/seed.ts"],
    testTimeout: 120_000 * pace,
    hookTimeout: 120_000 * pace,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    // A law names all that it finds: a list that is cut to its length says nothing to one who adds an operation.
    chaiConfig: { truncateThreshold: 400 },
    // On two cores both: the files that drive servers wait for two fifths of their time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", new Counts()],
    // The files of a worker share its modules: loading the declarations anew for each took half of the time. So a test
    // restores what it changes, and no module may remember one test in the next.
    isolate: false,
  },
});
