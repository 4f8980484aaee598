/** What was measured of other servers for the same vendor's APIs, and of generators of such servers, in November 2026. */
export interface Peer {
  readonly name: string;
  /** How many operations can be reached, and in which way where there is not a tool for each. */
  readonly operations: string;
  readonly tools: number;
  /** The o200k tokens of the whole list of tools. */
  readonly tokens: number;
  /** What it does when it is told to delete, purge or activate. */
  readonly guard: string;
}

export const peers: readonly Peer[] = [
  {
    name: "alecs-mcp-server-akamai, 3560f72",
    operations: "one a tool; 60 tools list no arguments",
    tools: 220,
    tokens: 18_189,
    guard: "`confirm` is listed as required for the deletion of a property, which is done without it",
  },
  {
    name: "raj-mcp-akamai a63f135, its property server",
    operations: "one a tool",
    tools: 33,
    tokens: 3_792,
    guard: "the present state is checked; no one is asked",
  },
  {
    name: "akamai-mcp-server 3.0.0",
    operations: "1,157, nearly all behind one tool",
    tools: 55,
    tokens: 8_927,
    guard: "one tool asks for a confirmation; nothing else does",
  },
  { name: "openapi-mcp-generator 4.0.1", operations: "462", tools: 462, tokens: 256_166, guard: "nothing" },
  { name: "@ivotoby/openapi-mcp-server 1.16.1, all", operations: "462", tools: 462, tokens: 304_642, guard: "nothing" },
  {
    name: "@ivotoby/openapi-mcp-server 1.16.1, dynamic",
    operations: "462, by three tools",
    tools: 3,
    tokens: 205,
    guard: "nothing",
  },
  { name: "fastmcp 4.20.16", operations: "456 of 462", tools: 456, tokens: 550_964, guard: "nothing" },
];
