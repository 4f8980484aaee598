/** The table of clients: where the file of each is on a platform, and that the surface it is given fits its limit. */
import { expect, it } from "vitest";
import { clientFilePath, platformOf, type SetupClient, setupClients } from "../../../src/commands/setup/clients.js";
import { menuOf } from "../../../src/engine/menu.js";
import { catalogueOfProject } from "../../lab/project.js";

const variables = { APPDATA: "C:\\u\\AppData" };
const surroundings = {
  darwin: { platform: "darwin", home: "/u", project: "/site", variables: {} },
  linux: { platform: "linux", home: "/u", project: "/site", variables: {} },
  win32: { platform: "win32", home: "C:\\u", project: "C:\\site", variables },
} as const;
const [support, config, roaming] = ["/u/Library/Application Support", "/u/.config", "C:\\u\\AppData"];
const [desktop, windsurf, ofGemini] = ["claude_desktop_config.json", "windsurf/mcp_config.json", "settings.json"];

// From the documentation of each client: on macOS, Linux and Windows.
it.each<[keyof typeof setupClients, ...(string | undefined)[]]>([
  ["claude-code", "/site/.mcp.json", "/site/.mcp.json", "C:\\site\\.mcp.json"],
  ["claude-desktop", `${support}/Claude/${desktop}`, `${config}/Claude/${desktop}`, `${roaming}\\Claude\\${desktop}`],
  ["vscode", `${support}/Code/User/mcp.json`, `${config}/Code/User/mcp.json`, `${roaming}\\Code\\User\\mcp.json`],
  ["cursor", "/u/.cursor/mcp.json", "/u/.cursor/mcp.json", "C:\\u\\.cursor\\mcp.json"],
  ["codex", "/u/.codex/config.toml", "/u/.codex/config.toml", "C:\\u\\.codex\\config.toml"],
  ["gemini-cli", `/u/.gemini/${ofGemini}`, `/u/.gemini/${ofGemini}`, `C:\\u\\.gemini\\${ofGemini}`],
  ["windsurf", ...Array(2).fill(`/u/.codeium/${windsurf}`), "C:\\u\\.codeium\\windsurf\\mcp_config.json"],
  ["zed", "/u/.config/zed/settings.json", "/u/.config/zed/settings.json", `${roaming}\\Zed\\settings.json`],
  ["http", undefined, undefined, undefined],
])("setup: the file of %s on each platform", (name, ...paths) => {
  const { file }: SetupClient = setupClients[name];
  const platforms = ["darwin", "linux", "win32"] as const;
  expect(platforms.map((platform) => file && clientFilePath(file[platform], surroundings[platform]))).toEqual(paths);
});

it("setup: every client's surface is within its limit of tools", async () => {
  const catalogue = await catalogueOfProject();
  for (const [name, { surface, mostTools = catalogue.size }] of Object.entries<SetupClient>(setupClients))
    expect(menuOf(catalogue, { surface }).listed.length, name).toBeLessThanOrEqual(mostTools);
});

it("setup: a path follows the variables of a platform, unless relative", () => {
  const { linux } = surroundings;
  const zed = (value: string) =>
    clientFilePath(setupClients.zed.file.linux, { ...linux, variables: { XDG_CONFIG_HOME: value } });
  expect(zed("/cfg")).toBe("/cfg/zed/settings.json");
  expect(zed("cfg")).toBe("/u/.config/zed/settings.json");
  expect(clientFilePath(setupClients.codex.file.linux, { ...linux, variables: { CODEX_HOME: "/c" } })).toBe(
    "/c/config.toml",
  );
  expect(platformOf("freebsd")).toBe("linux");
});

it("a link installs what starts the server, and nothing else", () => {
  const launch = { command: "edgewise", args: ["--section", "prod"], kept: ["--read-only"] };
  const configOf = (link = "") => new URL(link).searchParams.get("config") ?? "";
  const { kept: _, ...start } = launch;
  expect(JSON.parse(configOf(setupClients.vscode.link(launch)))).toEqual({ type: "stdio", ...start });
  expect(JSON.parse(Buffer.from(configOf(setupClients.cursor.link(launch)), "base64").toString())).toEqual(start);
});
