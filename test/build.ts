/** Builds `dist/` once before the tests, so that the clients in them drive what a user would run. */
import { execFileSync } from "node:child_process";

export default function setup(): void {
  execFileSync(process.execPath, ["scripts/run.mjs", "scripts/build.ts"], { stdio: "inherit" });
}
