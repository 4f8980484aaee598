/** Waits for the build before a file of tests that run the program. */
import { existsSync, readFileSync } from "node:fs";
import { inject } from "vitest";
import { until } from "../time.js";

const end = inject("buildEnd");
const code = (): string => (existsSync(end) ? readFileSync(end, "utf8") : "");
// The full stop says that the file is written whole.
await until(() => code().endsWith("."));
if (code() !== "0.") throw new Error("npm run build failed; its output is above");
