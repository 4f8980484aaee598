/**
 * The clients that Edgewise can be set up in: their files, the form of their entries, and the surface that suits their
 * limits.
 */
import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import type { settings } from "../../config.js";

export type Platform = "darwin" | "linux" | "win32";

/** The location of a client's file: a directory that `pathOf` resolves, and the path below it. */
type ClientFilePlace = readonly ["home" | "config" | "appData" | "codex" | "project", ...string[]];

/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface SetupClient {
  readonly title: string;
  /** Its file on each platform; clients of plain HTTP have no common one. */
  readonly file?: Readonly<Record<Platform, ClientFilePlace>>;
  readonly syntax: "jsonc" | "toml";
  /** The field of the file that has the servers by name. */
  readonly key: string;
  /** Further fields of an entry, in addition to how the server is started or reached. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly surface: (typeof settings.surface.choices)[number];
  /** The maximum number of tools that it is known to support, across all servers. */
  readonly mostTools?: number;
  /** The reason for that surface. */
  readonly reason: string;
  /** Its command that adds a server, followed by the command that starts the server. */
  readonly adds?: readonly string[];
  /** A link that installs the server. */
  readonly link?: (launch: Launch) => string;
  /** How to make it read the file again. */
  readonly reload: string;
}

const everywhere = (...place: ClientFilePlace): Readonly<Record<Platform, ClientFilePlace>> => ({
  darwin: place,
  linux: place,
  win32: place,
});

const json = (value: object): string => encodeURIComponent(JSON.stringify(value));

/** A link has what starts the server, and nothing else that is known of a launch. */
const startOf = ({ command, args }: Launch): Launch => ({ command, args });

/** The name of our entry in every file. */
export const entryName = "edgewise";

// The files and their keys follow each client's documentation; the limits are reported by users.
export const setupClients = {
  "claude-code": {
    title: "Claude Code",
    // The client rewrites its user file while it runs; the project file is meant to be edited by others.
    file: everywhere("project", ".mcp.json"),
    syntax: "jsonc",
    key: "mcpServers",
    surface: "all",
    reason: "it searches long lists of tools itself and only loads the definitions that it needs.",
    adds: ["claude", "mcp", "add", "--scope", "user", entryName, "--"],
    reload: "Restart it in this directory and approve the server.",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    file: {
      darwin: ["home", "Library", "Application Support", "Claude", "claude_desktop_config.json"],
      linux: ["config", "Claude", "claude_desktop_config.json"],
      win32: ["appData", "Claude", "claude_desktop_config.json"],
    },
    syntax: "jsonc",
    key: "mcpServers",
    surface: "core",
    reason: "every listed tool takes up room in each conversation; the call tools reach the others.",
    reload: "Quit it and start it again.",
  },
  vscode: {
    title: "VS Code",
    file: {
      darwin: ["home", "Library", "Application Support", "Code", "User", "mcp.json"],
      linux: ["config", "Code", "User", "mcp.json"],
      win32: ["appData", "Code", "User", "mcp.json"],
    },
    syntax: "jsonc",
    key: "servers",
    fields: { type: "stdio" },
    surface: "core",
    mostTools: 128,
    reason: "a request takes at most 128 tools across all servers.",
    link: (launch) =>
      `https://insiders.vscode.dev/redirect/mcp/install?name=${entryName}&config=${json({ type: "stdio", ...startOf(launch) })}`,
    reload: "Start the server from the command MCP: List Servers.",
  },
  cursor: {
    title: "Cursor",
    file: everywhere("home", ".cursor", "mcp.json"),
    syntax: "jsonc",
    key: "mcpServers",
    surface: "catalogue",
    mostTools: 40,
    reason: "some versions pass on only 40 tools across all servers; newer ones take 80, enough for core.",
    link: (launch) =>
      `https://cursor.com/en/install-mcp?name=${entryName}&config=${encodeURIComponent(
        Buffer.from(JSON.stringify(startOf(launch))).toString("base64"),
      )}`,
    reload: "Enable the server in its settings, under MCP.",
  },
  codex: {
    title: "Codex",
    file: everywhere("codex", "config.toml"),
    syntax: "toml",
    key: "mcp_servers",
    surface: "core",
    mostTools: 128,
    reason: "its models take at most 128 tools across all servers.",
    adds: ["codex", "mcp", "add", entryName, "--"],
    reload: "Restart it.",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    file: everywhere("home", ".gemini", "settings.json"),
    syntax: "jsonc",
    key: "mcpServers",
    surface: "core",
    reason: "it sends every listed tool with each request; the call tools reach the others.",
    reload: "Restart it; /mcp shows the server.",
  },
  windsurf: {
    title: "Windsurf",
    file: everywhere("home", ".codeium", "windsurf", "mcp_config.json"),
    syntax: "jsonc",
    key: "mcpServers",
    surface: "core",
    mostTools: 100,
    reason: "its assistant takes at most 100 tools across all servers.",
    reload: "Refresh the servers in its settings.",
  },
  zed: {
    title: "Zed",
    file: {
      darwin: ["home", ".config", "zed", "settings.json"],
      linux: ["config", "zed", "settings.json"],
      win32: ["appData", "Zed", "settings.json"],
    },
    syntax: "jsonc",
    key: "context_servers",
    surface: "core",
    reason: "it sends every listed tool with each request; the call tools reach the others.",
    reload: "It reads the file as soon as it is saved.",
  },
  http: {
    title: "Plain HTTP",
    syntax: "jsonc",
    key: "mcpServers",
    fields: { type: "http" },
    surface: "core",
    reason: "the URL selects the surface, and this one suits the limits of most clients.",
    reload: "Start the server first; then connect the client.",
  },
} as const satisfies Readonly<Record<string, SetupClient>>;

/** A client by the name that `edgewise setup` takes. */
export const clientNamed = (name: string): SetupClient | undefined =>
  Object.hasOwn(setupClients, name) ? setupClients[name as keyof typeof setupClients] : undefined;

/** The environment on which the paths of a platform depend. */
interface Surroundings {
  readonly platform: Platform;
  readonly home: string;
  /** The directory in which the command runs. */
  readonly project: string;
  /** The variables for the locations of other programs' files. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The platform whose paths are used; all except macOS and Windows use those of Linux. */
export const platformOf = (name: NodeJS.Platform): Platform => (name === "darwin" || name === "win32" ? name : "linux");

/** @returns The absolute path of a place. */
export function clientFilePath(
  [base, ...below]: ClientFilePlace,
  { platform, home, project, variables }: Surroundings,
): string {
  const path = platform === "win32" ? win32 : posix;
  // The XDG Base Directory specification has relative paths ignored; other relative paths would depend on the caller.
  const variable = (name: string, usual: string): string => {
    const value = variables[name];
    return value !== undefined && path.isAbsolute(value) ? value : usual;
  };
  const bases: Readonly<Record<ClientFilePlace[0], string>> = {
    home,
    project,
    config: variable("XDG_CONFIG_HOME", path.join(home, ".config")),
    appData: variable("APPDATA", path.join(home, "AppData", "Roaming")),
    codex: variable("CODEX_HOME", path.join(home, ".codex")),
  };
  return path.join(bases[base], ...below);
}

/** The path of a client's file on this machine; undefined for a client without one. */
export function clientFileHere({ file }: SetupClient, variables: Surroundings["variables"]): string | undefined {
  const platform = platformOf(process.platform);
  return file && clientFilePath(file[platform], { platform, home: homedir(), project: process.cwd(), variables });
}
