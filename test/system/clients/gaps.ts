/** The gaps that are known, each with its reason and what is seen of it; a run fails on any other, and on one that is closed. */
import type { Transport } from "./clients.js";
import type { StepName } from "./steps.js";

export interface Gap {
  readonly client: string;
  readonly step: StepName;
  /** Where it is seen; everywhere unless it is said. */
  readonly transport?: Transport;
  /** A part of what is seen. */
  readonly seen: string;
  readonly reason: string;
}

const inspectors = [
  "@modelcontextprotocol/inspector",
  "@modelcontextprotocol/inspector, negotiating",
  "@modelcontextprotocol/inspector, older",
];

export const gaps: readonly Gap[] = [
  ...inspectors.flatMap((client): readonly Gap[] => [
    {
      client,
      step: "complete",
      seen: "Unsupported method: completion/complete",
      reason: "Its command line has no method for completions.",
    },
    {
      client,
      step: "ask",
      ...(client.endsWith("older") ? { transport: "stdio" } : {}),
      seen: "asked 0 times: Approval is required. Nothing was changed.",
      reason:
        "Its command line does not ask and does not declare elicitation, so the server answers with the preview and its plan id.",
    },
  ]),
  {
    client: "@mastra/mcp, older",
    step: "confirm",
    seen: "No person has approved this plan yet.",
    reason:
      "It declares elicitation even if no handler is set, and answers the question with an error. A question that fails approves nothing, and its plan waits for a person; `--approval confirm` declares that this client does not ask.",
  },
  ...(["preview", "confirm", "ask"] as const).map(
    (step): Gap => ({
      client: "@modelcontextprotocol/inspector, older",
      step,
      transport: "http",
      seen:
        step === "confirm"
          ? "there was no plan to confirm"
          : "purge_submit is not a read, and this client can only read.",
      reason: "Its command line sends no headers and so no token, and a client over HTTP without a token only reads.",
    }),
  ),
];
