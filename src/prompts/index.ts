/** Guided work: prompts that lead an assistant through a task in which a mistake is dear. */
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

const networks = ["production", "staging"];

/** The prompts, with their arguments. */
export function listPrompts(): Prompt[] {
  return [
    {
      name: "purge_safely",
      title: "Purge safely",
      description:
        "Purges content step by step: the smallest set of objects, invalidation before removal, a preview that a person approves, and a check that it is done.",
      arguments: [
        { name: "what", description: "What has to go: a campaign, pages, URLs or CP codes", required: true },
        { name: "network", description: "production or staging", required: false },
      ],
    },
  ];
}

function purgeSafely(what: string, network: string): string {
  return [
    `Purge this from the ${network} network of the CDN: ${what}`,
    "",
    "Go step by step, and stop to ask when anything is unclear.",
    "1. Find the smallest set of objects that covers it. Prefer single URLs to CP codes: a CP code empties everything under it.",
    "2. Prefer action invalidate. Use remove only when the old content must not be served even while the origin cannot be reached; say why.",
    "3. Read purge_queue_get for the default queue. Use the emergency queue only when the person asks for it.",
    `4. Call purge_submit with domain ${network} and without confirm. Show the preview as it is: how many objects, which network, which account.`,
    "5. Wait for the person's yes. Then make the same call with confirm set to the plan id. Never change the arguments after the preview.",
    "6. Call purge_status with the purgeId, at the pace that pingAfterSeconds asks for, until purgeStatus is Done. Unknown right after a submission is normal.",
    "7. Report what was purged, when it was done, and the supportId.",
  ].join("\n");
}

/**
 * A prompt with its arguments filled in.
 * @throws ProtocolError for an unknown prompt or an argument that it cannot use.
 */
export function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  if (name !== "purge_safely")
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(name.slice(0, 80))}; there is purge_safely.`,
    );
  const { what, network = "production", ...rest } = args;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `purge_safely has no argument ${JSON.stringify(unknown.slice(0, 80))}; it takes what and network.`,
    );
  if (what === undefined || what.trim() === "")
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "purge_safely needs the argument what: the content that has to go.",
    );
  if (!networks.includes(network))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "network takes production or staging.");
  return {
    description: "Purge safely",
    messages: [{ role: "user", content: { type: "text", text: purgeSafely(what, network) } }],
  };
}

/** The values that complete a prompt's argument. */
export function completePrompt(name: string, argument: string, value: string): string[] {
  return name === "purge_safely" && argument === "network"
    ? networks.filter((network) => network.startsWith(value))
    : [];
}
