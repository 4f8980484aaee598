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

/** A library in the first folder whose row has the name of its package, but for what is said. */
const client = (name: string, driver: string, more: Partial<Client> = {}): Client => ({
  name,
  package: name.split(",")[0] ?? name,
  folder: ".",
  driver: `drivers/${driver}.mjs`,
  form: "library",
  ...more,
});

const older = (name: string, driver: string, more: Partial<Client>): Client =>
  client(name, driver, { folder: "older", driver: `older/${driver}.mjs`, ...more });

export const clients: readonly Client[] = [
  client("@modelcontextprotocol/client", "sdk-v2", { remark: "As it comes, it speaks the 2025 revisions." }),
  client("@modelcontextprotocol/client, negotiating", "sdk-v2-negotiating", {
    remark: "With version negotiation, over stdio it starts the server once more to find out.",
  }),
  client("@modelcontextprotocol/sdk", "sdk-v1"),
  client("@modelcontextprotocol/inspector", "inspector", { form: "command line", needsNewerNode: true }),
  client("@modelcontextprotocol/inspector, negotiating", "inspector-negotiating", {
    form: "command line",
    remark: "With `--protocol-era auto`.",
    needsNewerNode: true,
  }),
  older("@modelcontextprotocol/inspector, older", "inspector", {
    form: "command line",
    remark:
      "What npm installs on Node 20. Over HTTP it sends no headers, so it was given a server that takes no token, where clients only read and only the tools that read are listed.",
    sendsNoHeaders: true,
  }),
  client("@ai-sdk/mcp", "ai-sdk"),
  // Its package names no Node, but the `openai` that it depends on takes 22 or newer.
  client("@openai/agents", "openai-agents", {
    remark: "Its tools are called as function tools of an agent.",
    needsNewerNode: true,
  }),
  client("@mastra/mcp", "mastra", { needsNewerNode: true }),
  older("@mastra/mcp, older", "mastra", { remark: "What npm installs on Node 20." }),
  client("@langchain/mcp-adapters", "langchain", {
    remark:
      "Prompts and completions are asked of the SDK's client that its `getClient` returns; it has no function for them itself.",
  }),
  client("mcp-remote", "mcp-remote", {
    form: "bridge",
    remark: "Behind `@modelcontextprotocol/sdk`.",
    without: { stdio: "It is a bridge from a client's stdio to a server over HTTP; it starts no server." },
  }),
  client("mcporter", "mcporter", { form: "command line", needsNewerNode: true }),
  client("mcp-use", "mcp-use", {
    remark: "Its module `mcp-use/client`; the package's main module needs `langchain`, which it does not install.",
  }),
];
