/** Writes what is generated into the tree: reference pages, the tables and conversations of other pages, the list of tools, the bundle's manifest, the registry's entry. */

// First, because the program keeps what it draws while it is loaded.
import "./reference/fixed.js";

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { commandList } from "../src/commands/help.js";
import { type CatalogueCounts, catalogueCounts } from "../src/commands/operations.js";
import type { Apis } from "../src/language/service.js";
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { promptOf } from "../src/tools/guides.js";
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";
import { boxedDefinitions } from "./box.js";
import { clientsSections, clientsTable } from "./clients.js";
import { clientsPage, lastResult } from "./clients-page.js";
import { coverageTables } from "./coverage.js";
import { writeDefinitionTypes } from "./definition-types.js";
import { worldTable } from "./emulator-world.js";
import { faultsInAll } from "./guides.js";
import { drawIcon } from "./icon.js";
import { bundleManifest } from "./manifest.js";
import { limits, menuCosts } from "./menu-costs.js";
import { peers } from "./peers.js";
import { servicePage, workflowsPage } from "./reference/pages.js";
import { startRuns } from "./reference/runs.js";
import {
  alteredChange,
  chartPath,
  effectOfChange,
  forecastActivation,
  forecastChange,
  guardedChange,
  questionWithChart,
} from "./reference/transcripts.js";
import { registryEntry } from "./registry.js";
import { todayTable } from "./today.js";
import { foreignWords, headings } from "./words.js";

const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value, sorted)).digest("hex").slice(0, 12);

/** Each tool on a line: its hints, and digests of its texts and of its schema, so that a review sees which have changed. */
function listing(catalogues: Readonly<Record<Apis, ReturnType<typeof catalogueOf>>>): string {
  const rows = Object.entries(catalogues).flatMap(([setting, catalogue]) =>
    [...catalogue.values()].map(({ tool }) => {
      const { name, title, description, annotations, ...schemas } = tool;
      const hints = Object.entries(annotations).flatMap(([hint, isSet]) => (isSet ? hint.replace("Hint", "") : []));
      return [setting, name, hints.sort().join(" ") || "none", digestOf([title, description]), digestOf(schemas)];
    }),
  );
  return `${[["setting", "tool", "hints", "texts", "schema"], ...rows].map((row) => row.join("\t")).join("\n")}\n`;
}

/** The list of commands as a block of code. */
const commandsBlock = (): string => ["", ...commandList().map((line) => `    edgewise ${line}`), ""].join("\n");

const grouped = (count: number): string => count.toLocaleString("en-US");

const listed = {
  all: ["`all`, the default", "every tool, typed"],
  core: ["`core`", "the tools that most work begins with, the workflows, and the call tools"],
  catalogue: [
    "`catalogue`",
    "the tools that find and describe others, those for plans and kept results, and the call tools",
  ],
} as const;

function menuTable(costs: ReturnType<typeof menuCosts>): string {
  const rows = costs.map(({ surface, each, tokens }) => {
    const [name, what] = listed[surface];
    return `| ${name} | ${each.length} | ${grouped(tokens)} | ${grouped(limits.documents[surface])} | ${what} |`;
  });
  return ["| `--surface` | Tools | Tokens | At most | What is listed |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** What the lists of several servers cost, ours first. */
function comparison({ operations, guardedOperations }: CatalogueCounts, costs: ReturnType<typeof menuCosts>): string {
  const guard = `a preview, and an approval that is good for one call: ${guardedOperations} operations`;
  const reached = { all: "", core: ", most by the call tools", catalogue: ", by the call tools" };
  const own = costs.map(({ surface, each, sent }) => ({
    name: `**Edgewise**, \`${surface}\``,
    operations: `${operations}${reached[surface]}`,
    tools: each.length,
    tokens: sent,
    guard,
  }));
  const rows = [...own, ...peers].map(
    (one) => `| ${one.name} | ${one.operations} | ${one.tools} | ${grouped(one.tokens)} | ${one.guard} |`,
  );
  const heads = ["Server", "Operations", "Tools listed", "Tokens of the list", "Before something is destroyed"];
  return [`| ${heads.join(" | ")} |`, "|---|---|---|---|---|", ...rows].join("\n");
}

function replaceBetween(path: string, marker: string, text: string): void {
  const [start, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const whole = readFileSync(path, "utf8");
  const [before, rest] = whole.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${path} lacks the marks ${start} and ${end}`);
  writeFileSync(path, `${before}${start}\n${text}\n${end}${after}`);
}

// The pages have the answers of queries and charts, and would otherwise say that there are none.
const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { optionalDependencies: object };
for (const engine of Object.keys(optionalDependencies))
  await import(engine).catch(() => {
    console.error(`${engine} is not installed here, and the pages cannot be generated without it: run npm ci.`);
    process.exit(1);
  });

writeDefinitionTypes();
const all = await allServices();
const services = await allServices("documents");
const workflows = await allWorkflows();
const whole = catalogueOf(services, workflows);
const workflowsOfToday = await allWorkflows("today");
const wholeOfToday = catalogueOf(all, workflowsOfToday, "today");
const { resources } = await readingsOf(all);
const namesOfWorkflows = [...workflows, ...workflowsOfToday].map(([name]) => name);
const faults = [
  ...faultsInAll(all, { documents: whole, today: wholeOfToday }),
  ...foreignWords(headings(all, namesOfWorkflows, resources)),
];
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
rmSync("docs/reference", { recursive: true, force: true });
mkdirSync("docs/reference", { recursive: true });
const counts = catalogueCounts(services, whole);
const runs = startRuns(whole, "documents");
const runsOfToday = startRuns(wholeOfToday, "today");
for (const service of all) {
  writeFileSync(
    `docs/reference/${service.name}.md`,
    await servicePage(service, (tool) => (service.document === "today" || !whole.has(tool) ? runsOfToday : runs)),
  );
}
const onlyToday = workflowsOfToday.filter(([name]) => !whole.has(name));
writeFileSync(
  "docs/reference/workflows.md",
  await workflowsPage([...workflows, ...onlyToday], (tool) => (whole.has(tool) ? runs : runsOfToday)),
);
const { text: conversation, drawing = "" } = await questionWithChart(runs);
replaceBetween("README.md", "conversation", conversation);
replaceBetween("README.md", "effect", (await effectOfChange(runsOfToday)).text);
mkdirSync("docs/images", { recursive: true });
writeFileSync(chartPath, `${drawing}\n`);
replaceBetween("docs/guard.md", "run", (await guardedChange(runs)).text);
replaceBetween("docs/guard.md", "altered", (await alteredChange(runs)).text);
replaceBetween("docs/guard.md", "forecast", (await forecastChange(runsOfToday)).text);
replaceBetween("docs/guard.md", "activation", (await forecastActivation(runsOfToday)).text);
runs.close();
runsOfToday.close();
replaceBetween("docs/apis.md", "world", worldTable());
writeFileSync("test/catalogue/tools.tsv", listing({ documents: whole, today: wholeOfToday }));
replaceBetween("docs/apis.md", "coverage", coverageTables(services, counts));
replaceBetween("docs/apis.md", "today", todayTable(all, boxedDefinitions()));
replaceBetween("docs/command-line.md", "commands", commandsBlock());
replaceBetween("docs/connect.md", "clients", clientsTable());
replaceBetween("docs/connect.md", "setup", clientsSections());
const costs = menuCosts(services, workflows);
replaceBetween("docs/connect.md", "menu", menuTable(costs));
replaceBetween("docs/connect.md", "comparison", comparison(counts, costs));
writeFileSync("test/system/clients/README.md", clientsPage(lastResult()));
const asFile = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
writeFileSync(
  "manifest.json",
  asFile(
    bundleManifest(
      whole,
      (await Promise.all(services.map(({ name }) => promptOf(name)))).flatMap((prompt) => prompt ?? []),
    ),
  ),
);
await drawIcon();
writeFileSync("server.json", asFile(registryEntry()));

if (process.argv.includes("--check")) {
  const changed = execFileSync(
    "git",
    [
      "status",
      "--porcelain",
      "--",
      "docs/reference",
      "docs/apis.md",
      "docs/command-line.md",
      "docs/connect.md",
      "docs/guard.md",
      "docs/images",
      "src/definitions/box",
      "test/catalogue/tools.tsv",
      "test/system/clients/README.md",
      "README.md",
      "assets",
      "manifest.json",
      "server.json",
    ],
    { encoding: "utf8" },
  );
  if (changed !== "") {
    console.error(`Generated files are out of date; they have been written again, commit them:\n${changed}`);
    process.exitCode = 1;
  }
}
