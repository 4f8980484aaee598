/** The flags of `edgewise call`: every tool's example can be written in them, and a mistake names its flag. */
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  argumentsInFlags,
  argumentWords,
  declaredTool,
  flagsOf,
  problemInFlags,
} from "../../src/commands/arguments.js";
import { splitCall } from "../../src/commands/command-line.js";
import { programWords, shellWord, shellWords } from "../../src/commands/paste-line.js";
import { toolHelp } from "../../src/commands/tool-help.js";
import { settings } from "../../src/config.js";
import type { AnyOperation } from "../../src/language/define.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { validateArguments, validateValues } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { failureFrom } from "../lab/outcome.js";

const services = await allServices("documents");
const workflows = new Map(await allWorkflows());
const operations = new Map(services.flatMap((service) => Object.entries<AnyOperation>(service.operations)));
const catalogue = catalogueOf(services, [...workflows]);
// A tool of every mechanism: its flags follow from its arguments.
const tools = [
  ...sampled([...operations], ([, operation]) => mechanismsOf(operation)).map(([tool]) => tool),
  ...workflows.keys(),
];
const now = Date.parse("2026-05-01T12:00:00Z");

async function schemaOf(tool: string) {
  const declared = await declaredTool(tool, catalogue);
  if (!declared) throw new Error(`${tool} has no declaration`);
  return declared;
}

const read = async (tool: string, words: readonly string[], json = {}) =>
  argumentsInFlags(tool, words, (await schemaOf(tool)).schema, ["--section"], async () => json);

/** The arguments as the check of a call leaves them. */
function checked(tool: string, args: unknown): unknown {
  const operation = operations.get(tool);
  const input = workflows.get(tool)?.input;
  return operation ? validateArguments(tool, operation, args, now) : input && validateValues(tool, input, args);
}

it("a tool's example, written in flags, means the same arguments", async () => {
  for (const tool of tools) {
    const { page, schema } = await schemaOf(tool);
    const example = resolvedExample(page.example, now);
    const words = argumentWords(example, schema);
    expect(checked(tool, await read(tool, words)), `${tool} ${words.join(" ")}`).toEqual(checked(tool, example));
  }
});

it("what a call lacks is named by a flag of the tool's help", () =>
  holdsForEach(tools, async (tool) => {
    const { schema } = await schemaOf(tool);
    const flags = flagsOf(schema);
    const { detail } = await failureFrom(() => checked(tool, {})).catch(() => ({ detail: { fields: [] } }));
    const known = new Set(flags.map(({ flag }) => flag));
    const named = (detail.fields ?? []).flatMap((one) => problemInFlags(one, flags));
    expect(named.flatMap(({ field }) => field.split(", ")).filter((field) => !known.has(field))).toEqual([]);
  }));

it("a problem names the flag, and a list says that its flag is repeated", async () => {
  const flags = flagsOf((await schemaOf("purge_submit")).schema);
  const one = (field: string, given?: string) =>
    problemInFlags({ field, ...(given === undefined ? {} : { given }), takes: "a list" }, flags);
  expect(one("body")).toEqual([{ field: "--body.objects", takes: "TEXT …; it is required" }]);
  expect(one("body", '"x"')).toEqual([{ field: "--body", given: '"x"', takes: "a list" }]);
  expect(one("body.objects", "1")[0]?.takes).toBe("a list; repeat the flag for each value");
  expect(one("body.objects[0]", "1")).toEqual([{ field: "--body.objects at [0]", given: "1", takes: "a list" }]);
});

it("help names the members of another tool's arguments, maps and items", async () => {
  const chart = await toolHelp("report_chart", catalogue);
  expect(chart).toMatch(/^ {2}--report\.period TEXT$/m);
  expect(chart).toMatch(/^ {2}--report\.filters\.NAME TEXT …$/m);
  expect(chart).toMatch(/--report\.reportName endpoint-usage-by-time --report\.period last_7d/);
  const line = ["--report.period", "last_7d", "--report.metrics", "a"];
  expect(await read("report_chart", line)).toEqual({ report: { period: "last_7d", metrics: ["a"] } });
  expect(await toolHelp("event_create", catalogue)).toMatch(/--body\.tags JSON …\n {6}.*each with \w+, \w+/);
});

it("no tool's argument has the name of one of Edgewise's own flags", () => {
  const own = [...Object.keys(settings), "output", "preview", "help"];
  for (const [tool, entry] of catalogue) {
    const names = Object.keys(entry.tool.inputSchema["properties"] as object);
    expect(
      names.filter((name) => own.includes(name) || name.includes(".") || name.includes("=")),
      tool,
    ).toEqual([]);
  }
});

it("flags: a tool's and Edgewise's own are told apart in any order", () => {
  const split = (line: string) => splitCall(line.split(" "), () => catalogue);
  expect(
    split("--section one call --output csv report_data_get --version 1 --upstream=u --reportName --read-only"),
  ).toEqual({
    tool: "report_data_get",
    own: "--section one call --output csv report_data_get --upstream=u --read-only".split(" "),
    words: "--version 1 --reportName".split(" "),
  });
  expect(split("call purge_status --purgeId p --quiet")?.words).toEqual(["--purgeId", "p"]);
  expect(split("call purge_status --section one --purgeId p --version --nobody 1 -")?.words).toEqual(
    "--purgeId p --nobody 1 -".split(" "),
  );
  // Before the tool it is never one of the tool's, even where that has an argument of the same name.
  expect(split("call --to a.csv contract_product_summary_get --to 2026-01-02 --output csv")).toEqual({
    tool: "contract_product_summary_get",
    own: "call --to a.csv contract_product_summary_get --output csv".split(" "),
    words: "--to 2026-01-02".split(" "),
  });
  expect(split("call report_chart --to a.svg --kind line")?.words).toEqual("--kind line".split(" "));
  expect([split("doctor call x"), split("call --section x"), split("operations")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("flags: lists, switches, members and JSON", async () => {
  expect(
    await read(
      "purge_submit",
      ["--body.objects", "https://a.example/", "--wait", "--body.objects=--b", "--body.type=arl"],
      { queueName: "default", body: { action: "remove" } },
    ),
  ).toEqual({
    queueName: "default",
    body: { action: "remove", objects: ["https://a.example/", "--b"], type: "arl" },
    wait: true,
  });
  expect(await read("purge_submit", ["--no-wait", "--body", '{"objects":["a"]}', "--body.type", "cpcode"])).toEqual({
    body: { objects: ["a"], type: "cpcode" },
    wait: false,
  });
  expect(await read("purge_submit", ["--body.objects", '["a","b"]'])).toEqual({ body: { objects: ["a", "b"] } });
});

it.each([
  [["--objects", "a"], /no argument --objects \(did you mean "--body\.objects"\?\)/],
  [["--sectoin", "a"], /did you mean "--section"/],
  [["--no-queueName"], /no argument --no-queueName/],
  [["--queueName"], /--queueName needs a value/],
  [["--queueName", "--wait"], /--queueName needs a value/],
  [["--queueName", "default", "--queueName", "default"], /--queueName is given 2 times/],
  [["--no-wait=1"], /--no-wait takes no value/],
  [["--body", "objects"], /--body takes an object as JSON; "objects" was given/],
  [["--body.type", "arl", "--body", '{"type":"arl"}'], /--body sets a value that is already set/],
  [["--queueName.x", "1"], /no argument --queueName\.x/],
])("says what is wrong with %j", async (words, message) => {
  await expect(read("purge_submit", words)).rejects.toThrow(message);
  await expect(read("purge_submit", words)).rejects.toMatchObject({ code: "bad_configuration" });
});

it("flags: a member named __proto__ is a plain member", async () => {
  const args = await read("report_data_get", ["--filters.__proto__", "x", "--filters.cpcode", "1"]);
  expect(Object.keys(args["filters"] as object)).toEqual(["__proto__", "cpcode"]);
});

it("words are quoted for a shell", () => {
  for (const [word, quoted] of [
    ["a", "a"],
    ["a b", "'a b'"],
    ["it's", "'it'\\''s'"],
    ["", "''"],
    ["$x", "'$x'"],
    ["https://e.example/?a=1", "'https://e.example/?a=1'"],
  ] as const)
    expect(shellWord(word, "linux")).toBe(quoted);
  expect(shellWords(["edgewise", "a b", '{"a":"it\'s"}'], "win32")).toBe('edgewise "a b" "{\\"a\\":\\"it\'s\\"}"');
});

it.each([
  ["/usr/local/bin/edgewise", ["edgewise"]],
  ["C:\\npm\\node_modules\\edgewise\\dist\\server.js", ["edgewise"]],
  ["/home/me/clone/dist/server.js", ["node", join("dist", "server.js")]],
  ["/opt/clone/dist/server.js", ["node", "/opt/clone/dist/server.js"]],
])("the program that is %s is named as a person types it", (script, words) => {
  expect(programWords(script, "/home/me/clone")).toEqual(words);
});

it("the help of a tool has all of its flags", async () => {
  for (const tool of tools) {
    const { schema } = await schemaOf(tool);
    const lines = new Set(
      (await toolHelp(tool, catalogue))
        .split("\n")
        .map((line) => line.replace(".NAME ", " ").split(" ").slice(0, 3).join(" ")),
    );
    for (const { flag } of flagsOf(schema)) expect(lines, tool).toContain(`  ${flag}`);
  }
});

it("flags: members of a value of any type, however deep", async () => {
  const words = "--report.reportName endpoint-usage-by-time --report.filters.class 5xx --report.filters.class 4xx";
  expect(await read("report_chart", words.split(" "))).toEqual({
    report: { reportName: "endpoint-usage-by-time", filters: { class: ["5xx", "4xx"] } },
  });
});
