/** What stays of the command that a client's entry has, when the client is set up again. */
import { describe, expect, it } from "vitest";
import { clients } from "../../../src/commands/setup/clients.js";
import { stdioLaunch } from "../../../src/commands/setup/launch.js";
import type { Fields } from "../../../src/commands/setup/merge.js";
import { readConfig } from "../../../src/config.js";

const own = { command: "/new/node", args: ["/new/dist/server.js"] };
const again = (entry: Fields, ...flags: readonly string[]) =>
  stdioLaunch(readConfig(flags, {}), clients.cursor, own, entry);
/** The words after this program, of an entry that had these. */
const wordsOf = (before: readonly string[], ...flags: readonly string[]) =>
  again({ command: "/old/node", args: ["/old/dist/server.js", ...before] }, ...flags).args.slice(1);

describe("an entry that is set up again", () => {
  it("setup again: the flags stay, the program is renewed", () => {
    const before = ["--surface", "all", "--profiles", "a,b", "--policy=/p.yaml", "--approval", "human"];
    expect(again({ command: "node", args: ["/old/dist/server.js", ...before] })).toEqual({
      command: "/new/node",
      args: ["/new/dist/server.js", ...before],
      kept: before,
    });
  });

  it("setup again: given flags replace those of the entry", () => {
    const before = ["--section", "old", "--read-only", "--edgerc=/e", "--section", "older"];
    expect(wordsOf(before, "--section", "new", "--services", "dns")).toEqual(
      "--surface catalogue --apis today --read-only --edgerc=/e --section new --services dns".split(" "),
    );
    expect(again({ command: "node", args: ["/o.js", ...before] }, "--section", "new").kept).toEqual([
      "--read-only",
      "--edgerc=/e",
    ]);
    expect(wordsOf(["--read-only", "--section", "s"], "--read-only=false")).toEqual(
      "--surface catalogue --section s".split(" "),
    );
    expect(wordsOf(["--surface=core"], "--surface", "core")).toEqual(["--surface=core"]);
    expect(wordsOf(["--surface=core"], "--surface", "all")).toEqual(["--surface", "all"]);
  });

  it("keeps words that this program does not know, each where it is", () => {
    const before = ["stdio", "--later", "value", "--section", "s", "-x", "--", "rest"];
    expect(wordsOf(before)).toEqual(["--surface", "catalogue", ...before]);
  });

  it("leaves the surface to a variable of the entry", () => {
    expect(again({ command: "edgewise", args: [], env: { EDGEWISE_SURFACE: "all" } }).args).toEqual(own.args);
    expect(again({ command: "edgewise", args: [], env: { OTHER: "all" } }).args).toContain("--surface");
  });

  it.each<[string, Fields, readonly string[]]>([
    ["Node with options", { command: "/n/node", args: ["--inspect", "/s/server.js", "--read-only"] }, ["--inspect"]],
    ["Node on Windows", { command: "C:\\n\\node.exe", args: ["C:\\e\\server.js", "--read-only"] }, []],
    ["npx", { command: "npx", args: ["-y", "edgewise@1", "--read-only"] }, []],
    ["cmd", { command: "cmd", args: ["/c", "npx", "-y", "edgewise", "--read-only"] }, []],
    ["the command itself", { command: "/usr/bin/edgewise", args: ["--read-only"] }, []],
    ["its form on Windows", { command: "C:\\npm\\edgewise.cmd", args: ["--read-only"] }, []],
    ["a program of another name", { command: "node", args: ["/s/cdn.js", "--read-only"] }, []],
  ])("that starts the server by %s becomes this program's", (_, entry, options) => {
    expect(again(entry)).toMatchObject({
      command: own.command,
      args: [...options, ...own.args, "--surface", "catalogue", "--read-only"],
    });
  });

  it("keeps nothing of an entry without a list of words", () => {
    for (const entry of [{}, { command: "node" }, { command: "node", args: "x" }, { command: 1, args: [1] }])
      expect(again(entry)).toEqual({ ...own, args: [...own.args, "--surface", "catalogue"], kept: [] });
  });

  it("is the same when it is set up a third time", () => {
    for (const flags of [[], ["--section", "new"], ["--read-only=false", "--surface", "core"]]) {
      const once = again(
        { command: "node", args: ["--inspect", "/s/server.js", "--section", "a", "--later"] },
        ...flags,
      );
      expect(again(once as unknown as Fields, ...flags).args).toEqual(once.args);
    }
  });
});
