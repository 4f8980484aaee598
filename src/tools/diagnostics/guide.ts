/** The written part of the guide to diagnostics. */
import type { Guide } from "../../language/guide.js";
import type { diagnostics as service } from "./index.js";

export const diagnostics = {
  purpose:
    "Use it to see a problem as the edge sees it: what a name resolves to, which way packets take, what is answered for a URL, what the logs of an edge server say, what the code of an error page means. A diagnostic is run from a location or from the address of an edge server. Begin with `diagnosis_run`, which makes the usual ones at once.",
  objects: {
    location: "A place with edge servers, by its `locationId`.",
    "url debug": "What an edge server does for one URL, step by step.",
    "error translation": "The meaning of the code on an error page.",
    "user link": "A link that a visitor opens, so that what the visitor sees can be read here.",
    "ip cdn": "Whether an address belongs to the CDN.",
    "location log": "Log lines of the edge servers at a location.",
  },
  lives: [
    {
      of: "a launched diagnostic",
      moves: [
        { to: "launched", by: "diag_url_debug_launch" },
        { from: "launched", to: "launched", when: "it is polled too early, which HTTP status 200 says" },
        { from: "launched", to: "ready", when: "it has run, which HTTP status 303 says" },
      ],
    },
  ],
  limits: ["diag-dig-types", "diag-mtr-resolve", "diag-log-window"],
} satisfies Guide<typeof service>;
