/** The written part of the guide to secure provisioning. */
import type { Guide } from "../../language/guide.js";
import type { secureProvisioning as service } from "./index.js";

export const secureProvisioning = {
  purpose:
    "Use it if an account still orders a certificate and its secure edge hostname in one request. The request goes to production without staging or an acknowledgement on the way, so everything has to be right before it is made. Later changes to the certificate are made through its enrollment.",
  objects: {
    request: "An order for a certificate with an edge hostname, identified by its `spsId`.",
    "edge host": "A secure edge hostname for a certificate that is already enrolled.",
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
