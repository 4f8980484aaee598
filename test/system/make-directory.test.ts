/** Where the system calls every new directory missing, as below /proc, each store ends with what to do. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { needs } from "../lab/needs.js";
import { bundled } from "./bundled.js";

const text = `
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
  console.log(JSON.stringify(log));`;

// In a process of its own, because what never ends would take the tests with it.
it("below /proc, stores end with the path and what to do", needs.proc, async () => {
  const script = await bundled({ text });
  const { stdout, signal } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 100_000 });
  expect(signal).toBeNull();
  expect(JSON.parse(stdout)).toEqual([
    expect.stringMatching(/\/proc\/none.* --state-dir/),
    expect.stringMatching(/\/proc\/none.* --secret-dir/),
    expect.stringMatching(/^\/proc\/none\/of\/these\/mcp\.json cannot be written/),
    expect.stringMatching(/audit lines cannot be written to \/proc\/none/),
    expect.stringMatching(/\/proc\/none.* --state-dir/),
  ]);
});
