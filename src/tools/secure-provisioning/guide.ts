/** The written part of the guide to secure provisioning. */
import type { Guide } from "../../language/guide.js";
import type { secureProvisioning as service } from "./index.js";

export const secureProvisioning = {
  purpose:
    "Use it where an account still orders a certificate and the secure edge hostname for it in one request. The request goes to production by itself, with neither staging nor an acknowledgement on the way, so everything has to be right before it is made. Later changes of the certificate belong to its enrollment.",
  objects: {
    request: "An order of a certificate with an edge hostname, by its `spsId`.",
    "edge host": "A secure edge hostname without an order of a certificate.",
  },
  lives: [
    {
      of: "a request",
      moves: [
        { to: "running", by: "sps_request_create" },
        { from: "running", to: "complete", when: "certificate and edge hostname are on production" },
        { from: "running", to: "cancelled", when: "the change of its enrollment is cancelled" },
      ],
    },
  ],
  limits: ["sps-after"],
} satisfies Guide<typeof service>;
