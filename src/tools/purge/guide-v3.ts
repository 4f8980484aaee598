/** The written part of the guide to purging content with today's API. */
import type { Guide } from "../../language/guide.js";
import type { purgeV3 as service } from "./v3.js";

export const purgeV3 = {
  purpose:
    "Use it when visitors must not be served what the edge has cached: after a correction, a legal request or a release. `invalidate` makes the edge ask the origin whether an object has changed, and `delete` makes it fetch the object again, which costs the origin more. A cache tag purges every object that the origin marked with it. Try it on `staging` first if a mistake would be expensive.",
  objects: {
    purge:
      "A request to purge URLs, CP codes or cache tags on one network, done within seconds. A cache tag is a word that the origin put on objects in the header Edge-Cache-Tag.",
  },
  lives: [
    {
      of: "a purge",
      moves: [
        { to: "accepted", by: "purge_submit" },
        { from: "accepted", to: "done", when: "estimatedSeconds have passed" },
      ],
    },
  ],
  limits: ["purge-v3-201-only", "purge-v3-object-types", "purge_submit"],
} satisfies Guide<typeof service>;
