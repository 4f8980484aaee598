/** Directories are made with those above them, and where a file system lets none be made the attempt ends. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { makeDirectory } from "../../src/system/file-access.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { keptMode } from "../lab/users.js";

const fresh = (): string => folder();
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const codeOf = (make: () => void): string => {
  try {
    make();
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
  return "made";
};

describe("a directory", () => {
  it("is made with those above it, all in the mode that is asked for, and left as it is when it is there", () => {
    const root = fresh();
    makeDirectory(join(root, "a", "b", "c"), 0o700);
    expect(["a", "a/b", "a/b/c"].map((path) => modeOf(join(root, path)))).toEqual(Array(3).fill(keptMode(0o700)));
    makeDirectory(join(root, "a", "b"), 0o755);
    expect(modeOf(join(root, "a", "b"))).toBe(keptMode(0o700));
    makeDirectory("/");
  });

  it("is made from where the process is when its path is relative", () => {
    const root = fresh();
    makeDirectory(join(relative(process.cwd(), root), "x", "y"));
    expect(statSync(join(root, "x", "y")).isDirectory()).toBe(true);
  });

  it(
    "may be one that a link points to, for which Windows asks for a right, and is never a file, below a file, or where a link points to nothing",
    needs.modes,
    () => {
      const root = fresh();
      writeFileSync(join(root, "file"), "");
      makeDirectory(join(root, "real"));
      symlinkSync(join(root, "real"), join(root, "link"));
      symlinkSync(join(root, "none"), join(root, "dangling"));
      makeDirectory(join(root, "link", "in"));
      expect(readdirSync(join(root, "real"))).toEqual(["in"]);
      const refused = ["file", "file/in", "dangling", "dangling/in"].map((path) =>
        codeOf(() => makeDirectory(join(root, path))),
      );
      expect(refused).toEqual(["EEXIST", "ENOTDIR", "EEXIST", "EEXIST"]);
    },
  );
});

// In a process of its own, because what never ends would take the tests with it.
describe("below /proc, where the system calls every new directory missing", needs.proc, () => {
  const script = join(fresh(), "process.mjs");
  buildSync({
    stdin: {
      contents: `
        import { openAudit } from "./src/audit/index.js";
        import { secretFiles } from "./src/secrets/files.js";
        import { replaceClientFile } from "./src/commands/setup/file.js";
        import { privateDirectory } from "./src/system/private-directory.js";
        import { openLocalState } from "./src/state/local.js";
        const none = "/proc/none/of/these";
        const log = [];
        const told = (line) => log.push(line);
        const state = openLocalState({ directory: none, results: undefined, log: told });
        const audit = openAudit({ open: state.openJournal, place: state.auditPlace, log: told, secrets: [] });
        const call = { who: "w", account: "a", tool: "t", tier: "guarded", args: "x" };
        for (const make of [
          async () => privateDirectory(none, { what: "The plans", need: "Calls need them" }).create("plan", "x"),
          async () => secretFiles(none)({ tokenName: undefined, account: "a" }).create("tool"),
          async () => replaceClientFile({ path: none + "/mcp.json", text: "" }, "{}", 0),
          async () => audit.intent(call),
        ])
          log.push(await make().then(() => "made", ({ message, detail }) => [message, detail?.why, detail?.next].join(" ")));
        console.log(JSON.stringify(log));`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });

  it("plans, secrets, audit lines and clients' files end with the path and what to do", () => {
    const { stdout, signal } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 20_000 });
    expect(signal).toBeNull();
    const said = JSON.parse(stdout) as string[];
    expect(said).toEqual([
      expect.stringMatching(
        /^The plans cannot be stored in .*\/proc\/none.* does not allow a directory there\..* --state-dir/,
      ),
      expect.stringMatching(/^The secret .* cannot be stored in .*\/proc\/none.* --secret-dir/),
      expect.stringMatching(/^\/proc\/none\/of\/these\/mcp\.json cannot be written; .*Check the permissions/),
      expect.stringMatching(
        /^edgewise: audit lines cannot be written to \/proc\/none.* does not allow a directory there\)$/,
      ),
      expect.stringMatching(/\/proc\/none.* does not allow a directory there\).* --state-dir/),
    ]);
  });
});

it("is made in no other way: nothing that is shipped asks Node for the directories above", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.c?ts$/.test(path));
  const asking = files.filter((path) =>
    /\bmkdir(?:Sync)?\([^;]*\brecursive\b/.test(readFileSync(join("src", path), "utf8")),
  );
  expect(asking).toEqual([]);
});
