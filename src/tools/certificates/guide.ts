/** The text of the guide to certificates. */
import type { Guide } from "../../language/guide.js";
import type { certificates as service } from "./index.js";

export const certificates = {
  purpose:
    "Use it to get, renew, deploy and remove TLS certificates. An enrollment defines the names of a certificate and how it is served; anything that happens to it is a change, which runs by itself until it waits for an input: proof of control of the names, an uploaded certificate, the review of warnings, or an acknowledgement before production. `cert_enrollment_status` reports in one call what an enrollment waits for and who has to act; `cert_names_update` adds and removes names and leaves the rest of an enrollment unchanged.",
  objects: {
    enrollment: "The permanent part of a certificate: its names, contacts, kind of validation, and network settings.",
    change: "A request, a renewal or another change in progress.",
    "change input": "The input that a change waits for, with the information for the decision.",
    "change schedule": "The window in which a change may be deployed.",
    deployment: "The certificates that are served on staging and on production.",
  },
  lives: [
    {
      of: "a change",
      shown: { by: "cert_change_get", at: "statusInfo.state" },
      moves: [
        { to: "running", by: "cert_enrollment_create", when: "or an update, or an automatic renewal" },
        { from: "running", to: "awaiting-input", when: "a decision or an upload is needed" },
        { from: "awaiting-input", to: "running", by: "cert_change_input_submit" },
        { from: "running", to: "completed", when: "it is deployed to production" },
        { from: "awaiting-input", to: "cancelled", by: "cert_change_cancel" },
        { from: "running", to: "cancelled", by: "cert_change_cancel" },
        { from: "awaiting-input", to: "error", by: "cert_change_input_submit", when: "after its schedule has expired" },
      ],
    },
  ],
  limits: ["cert-renewal"],
} satisfies Guide<typeof service>;
