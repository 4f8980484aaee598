/** What `npm pack` makes, installed and run by `npx edgewise` with an empty cache, no network, and nothing but Node and npm. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { needsImages } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { bareEnvironment } from "../lab/session.js";
import { deadLinksIn, filesIn, tracesIn, withClient } from "./shipped.js";

const scratch = realpathSync(folder());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const cwd = join(scratch, "elsewhere");
const libraries = join(cwd, "node_modules");
const installed = join(libraries, "edgewise");
const env = bareEnvironment({
  npm_config_cache: join(scratch, "cache"),
  npm_config_offline: "true",
  // The optional engines would have to come from the registry.
  npm_config_omit: "optional",
  npm_config_update_notifier: "false",
});

// On Windows npm is a .cmd file, which only a shell runs.
const shell = process.platform === "win32";

beforeAll(() => {
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), "{}");
  // The build has been made for all tests; without `--ignore-scripts` npm would make it again.
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch];
  const file = execFileSync("npm", pack, { env, shell, encoding: "utf8" }).trim();
  execFileSync("npm", ["install", "--silent", join(scratch, file)], { env, cwd, shell });
});

interface Manifest {
  readonly version: string;
  readonly tools: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}
const manifestOf = (name: string) => JSON.parse(readFileSync(join(installed, name), "utf8")) as Manifest;

it("is run by npx, and serves a client that starts npx", async () => {
  const printed = execFileSync("npx", ["edgewise", "--version"], { env, cwd, shell, encoding: "utf8" });
  expect(printed.trim()).toBe(`edgewise ${manifestOf("package.json").version}`);
  // The manifest beside it is that of the bundle, whose form begins with this surface.
  await withClient("npx", ["edgewise", "--surface", "core"], { env, cwd }, async (client) => {
    const { tools } = await client.listTools();
    const listed = tools.map(({ name }) => name);
    expect(listed.sort()).toEqual(
      manifestOf("manifest.json")
        .tools.map(({ name }) => name)
        .sort(),
    );
    const { content, isError } = await client.callTool({
      name: "operation_read",
      arguments: { tool: "purge_queue_get", arguments: { queueName: "default" } },
    });
    expect(isError ?? false).toBe(false);
    expect(JSON.stringify(content)).toContain("emulator");
  });
});

it("the npm package brings no library and finds an engine beside it", needsImages, async () => {
  expect(readdirSync(libraries).filter((name) => !name.startsWith("."))).toEqual(["edgewise"]);
  const { dependencies, optionalDependencies } = manifestOf("package.json");
  expect(dependencies).toBeUndefined();
  expect(Object.keys(optionalDependencies as object)).toEqual(["@duckdb/node-api", "@resvg/resvg-js"]);

  const doctor = execFileSync("npx", ["edgewise", "doctor"], { env, cwd, encoding: "utf8" });
  for (const engine of ["SQL", "Charts"])
    expect(doctor).toMatch(new RegExp(`^not set ${engine} +.* is not installed`, "m"));
  const chart = { report: { reportName: "endpoint-errors-by-time", period: "last_7d", interval: "HOUR" } };
  const kinds = () =>
    withClient(process.execPath, [join(installed, "dist/server.js"), "--emulator"], { env, cwd }, async (client) => {
      const { content } = await client.callTool({ name: "report_chart", arguments: chart });
      return (content as readonly { readonly type: string }[]).map(({ type }) => type);
    });
  expect(await kinds()).not.toContain("image");
  symlinkSync(realpathSync("node_modules/@resvg"), join(libraries, "@resvg"), "junction");
  expect(await kinds()).toContain("image");
});

it("holds the program and what is read about it, and no source", () => {
  const others = filesIn(installed).filter((name) => !/^(dist\/program\/.+|docs\/.+\.(md|svg|png))$/.test(name));
  expect(others).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "dist/THIRD_PARTY_NOTICES.txt",
    "dist/package.json",
    "dist/server.js",
    "manifest.json",
    "package.json",
  ]);
  expect(filesIn(join(installed, "dist")).filter((name) => /\.(ts|map|cache)$/.test(name))).toEqual([]);
});

it("holds every page that its pages link to", () => {
  expect(filesIn(installed)).toContain("docs/reference/purge.md");
  expect(deadLinksIn(installed)).toEqual([]);
});

it("names nothing of the machine that built it", () => {
  expect(tracesIn(installed)).toEqual([]);
});

it("says what it is, and is private while its addresses are nobody's", () => {
  const manifest = manifestOf("package.json");
  expect(manifest).toMatchObject({
    keywords: expect.arrayContaining(["mcp", "cdn"]),
    author: expect.stringMatching(/\w/),
    repository: { type: "git", url: expect.stringMatching(/^git\+https:\/\//) },
    bugs: { url: expect.stringMatching(/^https:\/\//) },
    homepage: expect.stringMatching(/^https:\/\//),
    license: "Apache-2.0",
    mcpName: expect.stringMatching(/^[\w.-]+\/edgewise$/),
  });
  const { homepage, bugs, repository, mcpName } = manifest;
  const isMadeUp = /\.example\b|"example\./.test(JSON.stringify([homepage, bugs, repository, mcpName]));
  expect(manifest["private"]).toBe(isMadeUp);
});

it("carries the license of each library whose code is in it", () => {
  const notices = readFileSync(join(installed, "dist/THIRD_PARTY_NOTICES.txt"), "utf8");
  // Names that only the library's own code has, in what the bundle says at run time.
  const marks = {
    undici: "UND_ERR_CONNECT_TIMEOUT",
    zod: "invalid_format",
    echarts: "registerTransform",
    yaml: "YAMLParseError",
    hono: "hono",
  };
  const program = filesIn(join(installed, "dist/program"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(installed, "dist/program", name), "utf8"))
    .join("\n");
  for (const [library, mark] of Object.entries(marks)) {
    const { version } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, "utf8")) as Manifest;
    expect(program.includes(mark), mark).toBe(true);
    expect(notices).toContain(`\n${library} ${version}\nLicense: `);
  }
  expect(notices).toContain(readFileSync("node_modules/echarts/NOTICE", "utf8").trim());
  // What libraries have in them of others: by a mark that a bundler left, and without one.
  expect(notices).toMatch(/\ncontent-type \d.*\n.*\nllhttp in undici\n/s);
  expect(notices).not.toContain("\najv ");
  expect(notices).toContain("SIL OPEN FONT LICENSE");
});
