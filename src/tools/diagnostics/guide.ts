/** The text of the guide to diagnostics. */
import type { Guide } from "../../language/guide.js";
import type { diagnostics as service } from "./index.js";

export const diagnostics = {
  purpose:
    "Use it to see a problem from the edge: what a name resolves to, the route of packets, the response to a URL, the logs of an edge server, the meaning of an error page's code. A diagnostic runs from a location or from the address of an edge server. Begin with `diagnosis_run`, which runs the usual ones at once.",
  objects: {
    location: "A place with edge servers, by its `locationId`.",
    "url debug": "What an edge server does for one URL, step by step.",
    "error translation": "The meaning of the code on an error page.",
    "user link": "A link that a visitor opens, so that the visitor's data can be read here.",
    "ip cdn": "Whether an address belongs to the CDN.",
    "location log": "Log lines of the edge servers at a location.",
  },
  lives: [
    {
      of: "a launched diagnostic",
      moves: [
        { to: "launched", by: "diag_url_debug_launch" },
        { from: "launched", to: "launched", when: "it is polled too early (HTTP status 200)" },
        { from: "launched", to: "ready", when: "it has run (HTTP status 303)" },
      ],
    },
  ],
  limits: ["diag-dig-types", "diag-mtr-resolve", "diag-log-window"],
} satisfies Guide<typeof service>;
