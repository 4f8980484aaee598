/** The written part of the guide to certificates. */
import type { Guide } from "../../language/guide.js";
import type { certificates as service } from "./index.js";

export const certificates = {
  purpose:
    "Use it to get, renew, deploy and remove TLS certificates. An enrollment says which names a certificate has and how it is served; whatever is to happen to it is a change, which runs by itself until it waits for an input: proof of control of the names, an uploaded certificate, the review of warnings, or an acknowledgement before production. `cert_enrollment_status` says in one call what an enrollment waits for and whose move it is; `cert_names_update` adds and removes names and leaves the rest of an enrollment as it is.",
  objects: {
    enrollment:
      "What is kept of a certificate for good: its names, its contacts, its kind of validation, its network settings.",
    change: "A request, a renewal or another change that is under way.",
    "change input": "What a change waits for, with the information to decide it by.",
    "change schedule": "The window in which a change may be deployed.",
    deployment: "What is served on staging and on production.",
  },
  lives: [
    {
      of: "a change",
      shown: { by: "cert_change_get", at: "statusInfo.state" },
      moves: [
        { to: "running", by: "cert_enrollment_create", when: "or an update, or a renewal that begins by itself" },
        { from: "running", to: "awaiting-input", when: "somebody has to decide or to deliver something" },
        { from: "awaiting-input", to: "running", by: "cert_change_input_submit" },
        { from: "running", to: "completed", when: "it is deployed to production" },
        { from: "awaiting-input", to: "cancelled", by: "cert_change_cancel" },
        { from: "running", to: "cancelled", by: "cert_change_cancel" },
        { from: "awaiting-input", to: "error", by: "cert_change_input_submit", when: "after its schedule has run out" },
      ],
    },
  ],
  limits: ["cert-renewal"],
} satisfies Guide<typeof service>;
