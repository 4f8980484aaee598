/** The written part of the guide to today's diagnostics. */
import type { Guide } from "../../language/guide.js";
import type { edgeDiagnostics as service } from "./index.js";

export const edgeDiagnostics = {
  purpose:
    "Use it to see a problem from the edge: what a name resolves to, the route of packets, the response to a URL, the logs of an edge server, the meaning of an error page's code, and which lines of a property's metadata a request matches. A diagnostic runs from a location or from the address of an edge server; without either, the API chooses one. Begin with `diagnosis_run`, which runs the usual ones at once.",
  objects: {
    location: "A place with edge servers, by its `id`, which other tools take as `edgeLocationId`.",
    "url health": "DNS, response, log lines and routes of one URL, in one launched check.",
    "error translation": "The meaning of the code on an error page.",
    "log search": "Log lines of one edge server that match filters.",
    "metadata trace": "Which lines of a property's metadata match a request, and at which stage.",
    "user group": "The visitors who open the same diagnostic link, with what they submit.",
    "edge ip": "Whether an address belongs to the CDN.",
  },
  lives: [
    {
      of: "a launched diagnostic",
      shown: { by: "edgediag_url_health_result", at: "executionStatus" },
      moves: [
        { to: "IN_PROGRESS", by: "edgediag_url_health_launch" },
        { from: "IN_PROGRESS", to: "SUCCESS", when: "it has run" },
        { from: "IN_PROGRESS", to: "FAILURE", when: "it could not run" },
      ],
    },
  ],
  limits: ["edgediag-one-place", "edgediag-log-subject", "edgediag-log-window", "edgediag-link-life"],
} satisfies Guide<typeof service>;
