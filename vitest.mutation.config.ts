import { defineConfig } from "vitest/config";

/** The fast tests of what is mutated; those that start processes would take hours. */
export default defineConfig({
  test: {
    include: [
      "test/guard/**/*.test.ts",
      "test/policy/**/*.test.ts",
      "test/calls/approval.test.ts",
      "test/client/sign.test.ts",
      "test/client/mechanisms-*.test.ts",
      "test/property/{path,query}.test.ts",
      "test/wire/client.test.ts",
      "test/unit/{secret,limits}.test.ts",
    ],
    exclude: ["test/guard/plan-processes.test.ts"],
    testTimeout: 20_000,
    isolate: false,
  },
});
