/** A file with three profiles, of which one reads alone and one has a command that fails, in front of an emulator. */
import { afterAll, beforeAll } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { file } from "../lab/files.js";
import { bareEnvironment, startProcess } from "../lab/session.js";
import { typed } from "./typed.js";

const { host, clientToken, clientSecret, accessToken } = demoCredentials;
const print = `process.stdout.write(${JSON.stringify(JSON.stringify({ host, clientToken, clientSecret, accessToken }))})`;
const command = (script: string) => ({ command: [process.execPath, "-e", script] });

/** What the failing command writes. */
export const secret = "a-secret-that-nobody-may-see";

/** Starts the emulator before the tests of a file; the path of the configuration is there from then on. */
export function profiled() {
  let config = "";
  let emulator: Awaited<ReturnType<typeof startProcess>>;
  beforeAll(async () => {
    emulator = await startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);
    const fail = `console.log("${secret}"); console.error("${secret}"); process.exit(9)`;
    const profiles = {
      reading: { credential: command(print), baseUrl: emulator.match, highestTier: "read", timeZone: "Asia/Tokyo" },
      writing: { credential: command(print), baseUrl: emulator.match },
      broken: { credential: command(fail) },
    };
    config = file({ defaultProfile: "reading", profiles }, { name: "edgewise.json" });
  });
  afterAll(() => void emulator.child.kill("SIGTERM"));
  return {
    path: () => config,
    run: (...args: readonly string[]) => typed(["--config", config, "--state-dir", "memory", ...args]),
  };
}
