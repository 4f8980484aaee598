/** A prompt that guides a purge: the smallest set of objects, a preview that the user approves, and a check that it is done. */
import { type Prompt, personDecides } from "../../language/reading.js";

export const purgeSafely: Prompt = {
  name: "purge_safely",
  title: "Purge safely",
  description:
    "Purges content step by step: the smallest set of objects, invalidation before removal, a preview that the user approves, and a check that it is done.",
  arguments: [
    { name: "what", description: "What to purge: a campaign, pages, URLs or CP codes" },
    { name: "network", description: "production or staging", choices: ["production", "staging"] },
  ],
  task: ({ what = "", network = "" }) => `Purge this from the ${network} network of the CDN: ${what}`,
  steps: ({ network = "" }) => [
    "Find the smallest set of objects that covers it. Prefer single URLs to CP codes: a CP code purges everything under it.",
    "Prefer body.action invalidate. Use remove only when the old content must not be served even while the origin cannot be reached; say why.",
    "Call purge_queue_get for the default queue. Use the emergency queue only when the user asks for it.",
    `Call purge_submit with body.domain ${network} and without confirm. The preview shows the number of objects, the network and the account. ${personDecides}`,
    "Call purge_status with the purgeId, at the interval given by pingAfterSeconds, until purgeStatus is Done. Unknown right after a submission is normal.",
    "Report what was purged, from which network, when it was done, and the supportId.",
  ],
};

/** The same with today's API, which has cache tags and no queues. */
export const purgeSafelyToday: Prompt = {
  ...purgeSafely,
  description:
    "Purges content step by step: the smallest set of objects, invalidation before deletion, and a preview that the user approves.",
  steps: ({ network = "" }) => [
    "Find the smallest set of objects that covers it. Prefer single URLs, then cache tags, to CP codes: a CP code purges everything under it.",
    "Prefer action invalidate. Use delete only when the old content must not be served even while the origin cannot be reached; say why.",
    `Call purge_submit with network ${network} and without confirm. The preview shows the number of objects, the network and the account. ${personDecides}`,
    "Report what was purged, from which network, after how many seconds it is done by estimatedSeconds, and the supportId.",
  ],
};
