/** The written part of the guide to purging content. */
import type { Guide } from "../../language/guide.js";
import type { purge as service } from "./index.js";

export const purge = {
  purpose:
    "Use it when visitors must not be served what the edge has cached: after a correction, a legal request or a release. `invalidate` makes the edge ask the origin whether an object has changed, and `remove` makes it fetch the object again, which costs the origin more. Try it on `staging` first if a mistake would be expensive, and read the queue before a large purge.",
  objects: {
    purge: "A request to purge URLs, ARLs or CP codes on one network, known by its `purgeId`.",
    queue: "Purge requests that wait to be processed; there is a `default` and an `emergency` queue.",
  },
  lives: [
    {
      of: "a purge",
      shown: { by: "purge_status", at: "purgeStatus" },
      moves: [
        { to: "Unknown", by: "purge_submit" },
        { from: "Unknown", to: "In-Progress", when: "the request becomes visible" },
        { from: "In-Progress", to: "Done", when: "every edge server has purged" },
      ],
    },
  ],
  limits: ["purge-201-only", "purge-two-queues", "purge_submit"],
} satisfies Guide<typeof service>;
