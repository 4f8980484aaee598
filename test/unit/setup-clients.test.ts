/** The table of clients: where the file of each is on a platform, and that the surface it is given fits its limit. */
import { describe, expect, it } from "vitest";
import { type Client, clients, type Platform, pathOf, platformOf } from "../../src/commands/setup/clients.js";
import { menuOf } from "../../src/mcp/menu.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const surroundings = {
  darwin: { platform: "darwin", home: "/Users/ada", project: "/Users/ada/site", variables: {} },
  linux: { platform: "linux", home: "/home/ada", project: "/home/ada/site", variables: {} },
  win32: {
    platform: "win32",
    home: "C:\\Users\\ada",
    project: "C:\\site",
    variables: { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" },
  },
} as const;

// From the documentation of each client.
const paths: Readonly<Record<keyof typeof clients, Readonly<Record<Platform, string>> | undefined>> = {
  "claude-code": {
    darwin: "/Users/ada/site/.mcp.json",
    linux: "/home/ada/site/.mcp.json",
    win32: "C:\\site\\.mcp.json",
  },
  "claude-desktop": {
    darwin: "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
    linux: "/home/ada/.config/Claude/claude_desktop_config.json",
    win32: "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
  },
  vscode: {
    darwin: "/Users/ada/Library/Application Support/Code/User/mcp.json",
    linux: "/home/ada/.config/Code/User/mcp.json",
    win32: "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json",
  },
  cursor: {
    darwin: "/Users/ada/.cursor/mcp.json",
    linux: "/home/ada/.cursor/mcp.json",
    win32: "C:\\Users\\ada\\.cursor\\mcp.json",
  },
  codex: {
    darwin: "/Users/ada/.codex/config.toml",
    linux: "/home/ada/.codex/config.toml",
    win32: "C:\\Users\\ada\\.codex\\config.toml",
  },
  "gemini-cli": {
    darwin: "/Users/ada/.gemini/settings.json",
    linux: "/home/ada/.gemini/settings.json",
    win32: "C:\\Users\\ada\\.gemini\\settings.json",
  },
  windsurf: {
    darwin: "/Users/ada/.codeium/windsurf/mcp_config.json",
    linux: "/home/ada/.codeium/windsurf/mcp_config.json",
    win32: "C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json",
  },
  zed: {
    darwin: "/Users/ada/.config/zed/settings.json",
    linux: "/home/ada/.config/zed/settings.json",
    win32: "C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json",
  },
  http: undefined,
};

const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());

describe.each(Object.entries(clients) as [keyof typeof clients, Client][])("%s", (name, client) => {
  it.each(["darwin", "linux", "win32"] as const)("has its file where its documentation says, on %s", (platform) => {
    expect(client.file && pathOf(client.file[platform], surroundings[platform])).toBe(paths[name]?.[platform]);
  });

  it("is given a surface that leaves its limit unbroken", () => {
    const { length } = menuOf(catalogue, { surface: client.surface }).listed;
    expect(length).toBeLessThanOrEqual(client.mostTools ?? catalogue.size);
  });
});

it("follows the variables of a platform, and ignores a relative path in one", () => {
  const { linux } = surroundings;
  const zed = (value: string) => pathOf(clients.zed.file.linux, { ...linux, variables: { XDG_CONFIG_HOME: value } });
  expect(zed("/cfg")).toBe("/cfg/zed/settings.json");
  expect(zed("cfg")).toBe("/home/ada/.config/zed/settings.json");
  expect(pathOf(clients.codex.file.linux, { ...linux, variables: { CODEX_HOME: "/c" } })).toBe("/c/config.toml");
  expect(platformOf("freebsd")).toBe("linux");
});
