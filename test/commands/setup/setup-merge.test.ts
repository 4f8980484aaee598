/** Our entry in a client's file: whatever else the file holds, or the entry had, stays, or nothing is written. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findNodeAtLocation, parse, parseTree } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { setupClients } from "../../../src/commands/setup/clients.js";
import { readClientFile, replaceClientFile } from "../../../src/commands/setup/file.js";
import { stdioLaunch } from "../../../src/commands/setup/launch.js";
import { applyEdits, type EntryFields, mergeEntry } from "../../../src/commands/setup/merge.js";
import { readConfig } from "../../../src/config.js";
import { Failure } from "../../../src/language/failure.js";
import { runs } from "../../lab/depth.js";
import { file, folder } from "../../lab/files.js";

const fields = { command: "/usr/bin/node", args: ["/opt/edgewise/dist/server.js", "--surface", "core"] };
const inJson = (text: string) => applyEdits(text, mergeEntry(text, setupClients.cursor, fields, "the file"));
const inToml = (text: string) => applyEdits(text, mergeEntry(text, setupClients.codex, fields, "the file"));

type Json = Record<string, unknown>;

/** Writes a value with the given white space and comments between its tokens, used in turn. */
function spelled(value: unknown, gaps: readonly string[], hasTrailingCommas: boolean): string {
  let next = 0;
  const gap = (): string => gaps[next++ % gaps.length] ?? "";
  const spell = (one: unknown): string => {
    if (typeof one !== "object" || one === null) return JSON.stringify(one);
    const isList = Array.isArray(one);
    const members = isList
      ? one.map((member) => gap() + spell(member) + gap())
      : Object.entries(one).map(
          ([name, member]) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${spell(member)}${gap()}`,
        );
    const end = hasTrailingCommas && members.length > 0 ? `,${gap()}` : "";
    const inside = members.length === 0 ? gap() : members.join(",") + end;
    return isList ? `[${inside}]` : `{${inside}}`;
  };
  return gap() + spell(value) + gap();
}

const gaps = fc.array(
  fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", '/* kept, {"x": */', ' // kept: "mcpServers"\n    '),
  { minLength: 1, maxLength: 12 },
);
const name = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((text) => !["mcpServers", "edgewise", "__proto__"].includes(text));
// The parser that this test compares with loses a member called __proto__.
const values = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
const members = fc.dictionary(name, values, { maxKeys: 4 }) as fc.Arbitrary<Json>;
const ours = fc.option(
  fc.record(
    { command: fc.constantFrom("old", fields.command), args: fc.constant(["x"]), env: fc.constant({ A: "b" }) },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const documents = fc
  .record({ before: members, after: members, servers: fc.option(fc.tuple(members, ours, members), { nil: undefined }) })
  .map(({ before, after, servers }): Json => {
    if (!servers) return { ...before, ...after };
    const [first, own, last] = servers;
    return { ...before, mcpServers: { ...first, ...(own ? { edgewise: own } : {}), ...last }, ...after };
  });

const commentsIn = (text: string): readonly string[] => text.match(/\/\* kept.*?\*\/|\/\/ kept.*/g) ?? [];
const textAt = (text: string, path: string[]): string | undefined => {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, path);
  return node && text.slice(node.offset, node.offset + node.length);
};
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

describe("JSON with comments", () => {
  it("JSON: all else in a client's file stays byte for byte", () => {
    fc.assert(
      fc.property(documents, gaps, fc.boolean(), (document, between, hasTrailingCommas) => {
        const text = spelled(document, between, hasTrailingCommas);
        const result = inJson(text);
        const servers = isRecord(document["mcpServers"]) ? document["mcpServers"] : {};
        const own = isRecord(servers["edgewise"]) ? servers["edgewise"] : {};
        expect(parse(result, [], { allowTrailingComma: true })).toEqual(
          // Through the text, because a number such as -0 is another one after it.
          JSON.parse(JSON.stringify({ ...document, mcpServers: { ...servers, edgewise: { ...own, ...fields } } })),
        );
        const others = [
          ...Object.keys(document).flatMap((key) => (key === "mcpServers" ? [] : [[key]])),
          ...Object.keys(servers).flatMap((key) => (key === "edgewise" ? [] : [["mcpServers", key]])),
          ...Object.keys(own).flatMap((key) => (key in fields ? [] : [["mcpServers", "edgewise", key]])),
        ];
        for (const path of others) expect(textAt(result, path)).toBe(textAt(text, path));
        // A comment inside of the old arguments goes with them.
        if (!own["args"]) expect(commentsIn(result)).toEqual(commentsIn(text));
        expect(mergeEntry(result, setupClients.cursor, fields, "the file")).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });

  it("lays the entry out as the file is laid out", () => {
    expect(inJson('{\n\t"mcpServers": {\n\t\t"a": {} // last\n\t}\n}\n')).toBe(
      `{\n\t"mcpServers": {\n\t\t"a": {}, // last\n\t\t"edgewise": {\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": [\n\t\t\t\t"/opt/edgewise/dist/server.js",\n\t\t\t\t"--surface",\n\t\t\t\t"core"\n\t\t\t]\n\t\t}\n\t}\n}\n`,
    );
    expect(inJson('{"a":1}')).toMatch(/^\{"a":1, "mcpServers": \{"edgewise":.*\}\}$/);
    expect(inJson('{\r\n  "a": 1\r\n}')).not.toMatch(/[^\r]\n/);
  });

  it.each([
    ["{", /not valid JSON/],
    ['{"a": 1} trailing', /not valid JSON/],
    ["[]", /not valid JSON/],
    ['{"mcpServers": []}', /something else at mcpServers/],
    ['{"mcpServers": {"edgewise": 1}}', /something else at mcpServers/],
    ['{"mcpServers": {}, "mcpServers": {"a": {}}}', /cannot be added safely/],
    ['{"mcpServers": {"edgewise": {"url": "https://h.example/mcp"}}}', /with url, for a server elsewhere/],
  ])("refuses %s", (text, message) => {
    expect(() => inJson(text)).toThrow(Failure);
    expect(() => inJson(text)).toThrow(message);
  });
});

// Each at most once, because a table that is defined twice is no TOML.
const sections = fc.shuffledSubarray([
  'model = "o4" # kept\n',
  "[mcp_servers.other]\ncommand = 'x'\n",
  '[profiles."a.b"]\ntext = """\n[mcp_servers.edgewise]\ncommand = "not ours"\n"""\n',
  "[[list]]\nwhen = 2026-01-01T00:00:00Z\nbig = 9223372036854775807\n",
  "# [mcp_servers.edgewise]\n\n",
  "[tables]\nnested = [\n  [1, 2],\n  [3],\n]\n",
  "[mcp_servers.other.env]\nTOKEN = 'kept'\n",
]);
const ownTables = fc.constantFrom(
  "",
  '[mcp_servers.edgewise]\ncommand = "old # one" # why\nargs = [\n  "a", # kept\n  "b",\n]\nenabled = true\n',
  "[ mcp_servers . 'edgewise' ]\n",
  "[mcp_servers.edgewise.env]\nA = 'b'\n",
  "[mcp_servers]\nedgewise = { command = 'x' }\n",
);

describe("TOML", () => {
  it("TOML: all else in a client's file stays, or it is refused", () => {
    let merged = 0;
    fc.assert(
      fc.property(sections, ownTables, fc.nat(4), fc.boolean(), (others, own, place, isWindows) => {
        const ended = (text: string) => (isWindows ? text.replaceAll("\n", "\r\n") : text);
        const [start, rest] = [others.slice(0, place), others.slice(place)].map((part) => ended(part.join("")));
        const text = `${start}${ended(own)}${rest}`;
        let result: string;
        try {
          result = inToml(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          return;
        }
        merged += 1;
        expect(result.startsWith(start ?? "")).toBe(true);
        expect(own === "" ? result.includes(text) : result.includes(rest ?? "")).toBe(true);
        if (isWindows && text !== "") expect(result).not.toMatch(/[^\r]\n/);
        expect(mergeEntry(result, setupClients.codex, fields, "the file")).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
    expect(merged).toBeGreaterThan(10);
  });

  it("TOML: an entry keeps its comments and its other keys", () => {
    const own = '[mcp_servers.edgewise]\ncommand = "old # one" # why\nargs = [\n  "a",\n]\nenabled = true\n\n[other]\n';
    expect(inToml(own)).toBe(
      '[mcp_servers.edgewise]\ncommand = "/usr/bin/node" # why\nargs = ["/opt/edgewise/dist/server.js", "--surface", "core"]\nenabled = true\n\n[other]\n',
    );
  });

  it.each([
    ["a = ", /not valid TOML/],
    ["mcp_servers = { a = { command = 'x' } }\n", /cannot be added safely/],
    ["mcp_servers = 1\n", /something else at mcp_servers/],
    ["[mcp_servers.edgewise]\nurl = 'https://h.example/mcp'\n", /with url, for a server elsewhere/],
  ])("refuses %s", (text, message) => {
    expect(() => inToml(text)).toThrow(message);
  });
});

const own = { command: "/new/node", args: ["/new/dist/server.js"] };
const again = (entry: EntryFields, ...flags: readonly string[]) =>
  stdioLaunch(readConfig(flags, {}), setupClients.cursor, own, entry);
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
    const given = ["--section", "new", "--services", "dns"];
    expect(again({ command: "node", args: ["/o.js", ...before] }, "--section", "new").kept).toEqual([
      "--read-only",
      "--edgerc=/e",
    ]);
    for (const [had, flags, words] of [
      [before, given, "--surface catalogue --apis today --read-only --edgerc=/e --section new --services dns"],
      [["--read-only", "--section", "s"], ["--read-only=false"], "--surface catalogue --section s"],
      [["--surface=core"], ["--surface", "core"], "--surface=core"],
      [["--surface=core"], ["--surface", "all"], "--surface all"],
    ] as const)
      expect(wordsOf(had, ...flags).join(" ")).toBe(words);
  });

  it("keeps words that this program does not know, each where it is", () => {
    const before = ["stdio", "--later", "value", "--section", "s", "-x", "--", "rest"];
    expect(wordsOf(before)).toEqual(["--surface", "catalogue", ...before]);
  });

  it("leaves the surface to a variable of the entry", () => {
    expect(again({ command: "edgewise", args: [], env: { EDGEWISE_SURFACE: "all" } }).args).toEqual(own.args);
    expect(again({ command: "edgewise", args: [], env: { OTHER: "all" } }).args).toContain("--surface");
  });

  it.each<[string, EntryFields, readonly string[]]>([
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
      expect(again(once as unknown as EntryFields, ...flags).args).toEqual(once.args);
    }
  });
});

it.each<[string, string | undefined, (path: string) => void, readonly string[]]>([
  ["was written anew", "{}", (path) => writeFileSync(path, '{"theirs": 1}'), ["mcp.json"]],
  ["was removed", "{}", (path) => rmSync(path), []],
  ["came into being", undefined, (path) => writeFileSync(path, '{"theirs": 1}'), ["mcp.json"]],
])("one that %s meanwhile", (_, before, meanwhile, files) => {
  const directory = folder();
  const path = join(directory, "mcp.json");
  if (before !== undefined) writeFileSync(path, before);
  const read = readClientFile(path);
  meanwhile(path);
  expect(() => replaceClientFile(read, '{"ours": 1}', 0)).toThrow(/changed by another program in the meantime/);
  expect(readdirSync(directory)).toEqual(files);
  if (files.length > 0) expect(readFileSync(path, "utf8")).toBe('{"theirs": 1}');
});

it.each([
  ["linux", "Run chmod u+w PATH."],
  ["darwin", "Run chmod u+w PATH."],
  ["win32", 'Run attrib -r "PATH".'],
] as const)("one that is read-only is left so, with what changes that on %s", (platform, next) => {
  const path = file("{}", { name: "mcp.json", mode: 0o400 });
  const replace = () => replaceClientFile(readClientFile(path), '{"ours": 1}', 0, platform);
  const detail = expect.objectContaining({ next: next.replace("PATH", path) });
  expect(replace).toThrow(expect.objectContaining({ detail }));
  expect(readFileSync(path, "utf8")).toBe("{}");
});
