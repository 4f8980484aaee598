/** What the pages say can be followed: links and anchors, commands with their flags, tools, settings, files, blocks of data. */
import { existsSync } from "node:fs";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { flagForms } from "../../../src/commands/command.js";
import { help } from "../../../src/commands/help.js";
import { commands } from "../../../src/commands/table.js";
import { settings } from "../../../src/config.js";
import { callToolNames } from "../../../src/engine/call-tools.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { readCommand, wordsOf } from "../../lab/command-line.js";
import { file } from "../../lab/files.js";
import { holdsForEach, lawsOver } from "../../lab/laws.js";
import { type Block, blocksOf, codesOf, deadLinksOf, generated, textOf, written } from "./pages.js";

const services = await allServices();
const ofToday = catalogueOf(services, await allWorkflows("today"), "today");
const catalogue = new Map([...ofToday, ...catalogueOf(services, await allWorkflows())]);

it("every page has whole blocks, and links that lead somewhere", () =>
  holdsForEach([...written, ...generated], (page) => {
    expect(deadLinksOf(page)).toEqual([]);
    expect(blocksOf(page).flatMap(faultsOf)).toEqual([]);
  }));

/** What is wrong with a block of data. */
function faultsOf({ language, text }: Block): string[] {
  const errors: ParseError[] = [];
  try {
    if (language === "json") JSON.parse(text);
    if (language === "jsonc") parseJsonc(text, errors, { allowTrailingComma: true });
    if (language === "toml") parseToml(text);
    if (language === "yaml") parseYaml(text);
    // A semicolon ends a statement there, also within words.
    if (language === "mermaid" && !/^(flowchart|sequenceDiagram|stateDiagram-v2)\b[^;]*$/.test(text))
      return [`no diagram: ${text}`];
  } catch (error) {
    return [`${error}: ${text}`];
  }
  return errors.map(({ offset }) => `at ${offset}: ${text}`);
}

/** What a person puts in, where a page has a word in capitals. */
const given: Readonly<Record<string, string>> = {
  N: "1",
  TIME: "2026-05-20T12:10:00Z",
  TOOL: "purge_submit",
  ARGUMENTS: "{}",
  COMMAND: "call",
};

/** The commands of the project in a page, without what only stands for something and what the shell keeps to itself. */
function commandsOf(page: string): string[] {
  const lines = blocksOf(page)
    .filter(({ language }) => ["", "sh", "bash"].includes(language))
    .flatMap(({ text }) => text.split("\n"));
  return [...lines, ...codesOf(page)]
    .flatMap((line) => line.split("&&"))
    .map((line) => line.replace(/ {2,}.*| [<>|#] .*/, "").trim())
    .filter((line) => /^(npx )?edgewise(?![\w.-])|^node dist\/server\.js/.test(line))
    .map((line) => line.replaceAll(/[[\]]| --name …| …/g, ""));
}

/** Reads a command of a page as `edgewise` does; throws what it would say. */
async function read(command: string): Promise<void> {
  const [, ...words] = wordsOf(command.replace(/^npx |^node /, "")).map((word) => given[word] ?? word);
  if (words[0] !== "help" && !words.includes("--help")) return readCommand(words, catalogue);
  const about = words.filter((word) => !word.startsWith("-") && word !== "help");
  await help(about, () => catalogue);
}

/** The flags of Edgewise and its commands, and those of other programs that the pages name. */
const flags = [
  ...Object.keys(settings).map((name) => `--${name}`),
  ...Object.values(commands).flatMap((command) => flagForms(command).map((form) => form.replace("=", ""))),
  ...["--help", "--no-wait", "--ignore-scripts", "--testFiles", "--protocol-era"],
];

const tools = new Set([...catalogue.keys(), ...callToolNames]);
const beginnings = new Set([...tools].map((tool) => tool.split("_")[0]));

describe("every page, written by hand", () =>
  lawsOver(written, (law, page) => {
    law("has commands that can be typed, whose purges invalidate", async () => {
      for (const command of commandsOf(page)) {
        await expect(read(command), command).resolves.toBeUndefined();
        // Without an action, a purge removes.
        if (command.includes("purge_submit")) expect(command).toMatch(/\baction\b\W+invalidate\b/);
      }
    });

    law("names flags, tools, files and scripts that there are", () => {
      const codes = codesOf(page);
      const named = codes.flatMap((code) => /^(--[a-zA-Z-]+)/.exec(code)?.[1] ?? []);
      expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
      const words = codes.filter((code) => /^[a-z]+(_[a-z0-9]+)+$/.test(code));
      expect(words.filter((name) => beginnings.has(name.split("_")[0]) && !tools.has(name))).toEqual([]);
      const paths = codes.filter((code) => /^(src|test|docs|scripts|bench)\/[\w./-]+$/.test(code));
      expect(paths.filter((path) => !existsSync(path))).toEqual([]);
      const scripts = [...textOf(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = ""]) => script);
      expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
    });
  }));

it("the first lines say whose APIs it is for, and README is short", async () => {
  const readme = textOf("README.md");
  const first = readme.split("\n").slice(0, 6).join(" ");
  for (const text of [first, manifest.description, await help([], () => catalogue)])
    expect(text).toMatch(/for Akamai's management APIs\b.*\bnot affiliated with Akamai/s);
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_200);
});

it("a mistyped command, a dead link and a broken block are found", async () => {
  await expect(read("edgewise plans --jsn")).rejects.toThrow("no flag --jsn");
  await expect(read("edgewise call purge_submit --queueNme default")).rejects.toThrow("no argument --queueNme");
  await expect(read("edgewise doktor")).rejects.toThrow("no command");
  expect(faultsOf({ language: "json", text: "{" })).toHaveLength(1);
  expect(faultsOf({ language: "mermaid", text: "sequenceDiagram\n  A->>B: yes; no\n" })).toHaveLength(1);
  const text = "# One\n\n## One\n\n[a](#one) [b](page.md#one-1) [c](#two) [d](gone.md) `[e](gone.md)` ![f](gone.svg)\n";
  const page = file(text, { name: "page.md" });
  expect(deadLinksOf(page)).toEqual(
    ["[c](#two)", "[d](gone.md)", "[f](gone.svg)"].map((link) => `${page}: ${link.slice(2)}`),
  );
});
