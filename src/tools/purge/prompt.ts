/** A prompt that guides a purge: the smallest set of objects, a preview that a person approves, and a check that it is done. */
import type { Prompt } from "../../api/reading.js";

export const purgeSafely: Prompt = {
  name: "purge_safely",
  title: "Purge safely",
  description:
    "Purges content step by step: the smallest set of objects, invalidation before removal, a preview that a person approves, and a check that it is done.",
  arguments: [
    { name: "what", description: "What to purge: a campaign, pages, URLs or CP codes", isRequired: true },
    {
      name: "network",
      description: "production or staging",
      isRequired: false,
      choices: ["production", "staging"],
    },
  ],
  text: ({ what = "", network = "" }) =>
    [
      `Purge this from the ${network} network of the CDN: ${what}`,
      "",
      "Go step by step, and stop to ask when anything is unclear.",
      "1. Find the smallest set of objects that covers it. Prefer single URLs to CP codes: a CP code purges everything under it.",
      "2. Prefer action invalidate. Use remove only when the old content must not be served even while the origin cannot be reached; say why.",
      "3. Call purge_queue_get for the default queue. Use the emergency queue only when the person asks for it.",
      `4. Call purge_submit with domain ${network} and without confirm. Show the preview as it is: how many objects, which network, which account.`,
      "5. Wait for the person's yes. Then make the same call with confirm set to the plan id. Never change the arguments after the preview.",
      "6. Call purge_status with the purgeId, at the interval given by pingAfterSeconds, until purgeStatus is Done. Unknown right after a submission is normal.",
      "7. Report what was purged, when it was done, and the supportId.",
    ].join("\n"),
};
