/** The clients that the built server is held against: the package of each, its driver, and what it needs. */

export const transports = ["stdio", "http"] as const;
export type Transport = (typeof transports)[number];

export interface Client {
  /** How the page and the gaps call it; the package's name, and what else tells two rows apart. */
  readonly name: string;
  readonly package: string;
  /** The folder below `test/system/clients` whose `node_modules` has the package. */
  readonly folder: "." | "older";
  readonly driver: string;
  /** What is driven: the functions of a library, or a command line that starts anew for each step. */
  readonly form: "library" | "command line" | "bridge";
  /** How it is driven, where that is not as its own guide has it, or what tells it from another row. */
  readonly remark?: string;
  /** It does not run on the Node that the project needs; its package says which it takes. */
  readonly needsNewerNode?: true;
  /** It sends no headers, so it is given a server over HTTP that takes no token, where clients only read. */
  readonly sendsNoHeaders?: true;
  /** Why a transport cannot be tried. */
  readonly without?: Partial<Readonly<Record<Transport, string>>>;
}

export const clients: readonly Client[] = [
  {
    name: "@modelcontextprotocol/client",
    package: "@modelcontextprotocol/client",
    folder: ".",
    driver: "drivers/sdk-v2.mjs",
    form: "library",
    remark: "As it comes, it speaks the 2025 revisions.",
  },
  {
    name: "@modelcontextprotocol/client, negotiating",
    package: "@modelcontextprotocol/client",
    folder: ".",
    driver: "drivers/sdk-v2-negotiating.mjs",
    form: "library",
    remark: "With version negotiation, over stdio it starts the server once more to find out.",
  },
  {
    name: "@modelcontextprotocol/sdk",
    package: "@modelcontextprotocol/sdk",
    folder: ".",
    driver: "drivers/sdk-v1.mjs",
    form: "library",
  },
  {
    name: "@modelcontextprotocol/inspector",
    package: "@modelcontextprotocol/inspector",
    folder: ".",
    driver: "drivers/inspector.mjs",
    form: "command line",
    needsNewerNode: true,
  },
  {
    name: "@modelcontextprotocol/inspector, negotiating",
    package: "@modelcontextprotocol/inspector",
    folder: ".",
    driver: "drivers/inspector-negotiating.mjs",
    form: "command line",
    remark: "With `--protocol-era auto`.",
    needsNewerNode: true,
  },
  {
    name: "@modelcontextprotocol/inspector, older",
    package: "@modelcontextprotocol/inspector",
    folder: "older",
    driver: "older/inspector.mjs",
    form: "command line",
    remark:
      "What npm installs on Node 20. Over HTTP it sends no headers, so it was given a server that takes no token, where clients only read and only the tools that read are listed.",
    sendsNoHeaders: true,
  },
  { name: "@ai-sdk/mcp", package: "@ai-sdk/mcp", folder: ".", driver: "drivers/ai-sdk.mjs", form: "library" },
  {
    name: "@openai/agents",
    package: "@openai/agents",
    folder: ".",
    driver: "drivers/openai-agents.mjs",
    form: "library",
    remark: "Its tools are called as function tools of an agent.",
    // Its package names no Node, but the `openai` that it depends on takes 22 or newer.
    needsNewerNode: true,
  },
  {
    name: "@mastra/mcp",
    package: "@mastra/mcp",
    folder: ".",
    driver: "drivers/mastra.mjs",
    form: "library",
    needsNewerNode: true,
  },
  {
    name: "@mastra/mcp, older",
    package: "@mastra/mcp",
    folder: "older",
    driver: "older/mastra.mjs",
    form: "library",
    remark: "What npm installs on Node 20.",
  },
  {
    name: "@langchain/mcp-adapters",
    package: "@langchain/mcp-adapters",
    folder: ".",
    driver: "drivers/langchain.mjs",
    form: "library",
    remark:
      "Prompts and completions are asked of the SDK's client that its `getClient` returns; it has no function for them itself.",
  },
  {
    name: "mcp-remote",
    package: "mcp-remote",
    folder: ".",
    driver: "drivers/mcp-remote.mjs",
    form: "bridge",
    remark: "Behind `@modelcontextprotocol/sdk`.",
    without: { stdio: "It is a bridge from a client's stdio to a server over HTTP; it starts no server." },
  },
  {
    name: "mcporter",
    package: "mcporter",
    folder: ".",
    driver: "drivers/mcporter.mjs",
    form: "command line",
    needsNewerNode: true,
  },
  {
    name: "mcp-use",
    package: "mcp-use",
    folder: ".",
    driver: "drivers/mcp-use.mjs",
    form: "library",
    remark: "Its module `mcp-use/client`; the package's main module needs `langchain`, which it does not install.",
  },
];
