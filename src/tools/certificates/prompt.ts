/** A prompt for renewing a certificate until the new one is on production. */
import { type Prompt, personDecides } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { Enrollment } from "./enrollment.js";

const EnrollmentIds = z
  .looseObject({ enrollments: z.array(Enrollment) })
  .transform(({ enrollments }) => enrollments.flatMap(({ location }) => /(?<!\d)\d+$/.exec(location ?? "")?.[0] ?? []))
  .catch([]);

export const renewCertificate: Prompt = {
  name: "certificate_renew",
  title: "Renew a certificate",
  description:
    "Guides the renewal of a certificate through its inputs, each approved by the user, until the new certificate is on production.",
  arguments: [
    {
      name: "enrollmentId",
      description: "The certificate's enrollment",
      form: { pattern: "[1-9]\\d{0,14}", takes: "the number of an enrollment" },
      values: { tool: "cert_enrollments_list", of: EnrollmentIds },
    },
  ],
  task: ({ enrollmentId = "" }) => `Renew the certificate of enrollment ${enrollmentId}.`,
  steps: ({ enrollmentId = "" }) => [
    `Call cert_production_deployment_get with enrollmentId ${enrollmentId}. Note when the present certificate expires.`,
    `Call cert_enrollment_status with enrollmentId ${enrollmentId}. It reports what the pending change waits for and who has to act. Without a pending change there is nothing to renew now: report when the certificate expires, and stop.`,
    "Call cert_change_input_get for the information on the decision, and show it: the CSR, the challenges, the warnings, or what is on staging. If someone else has to act first, such as a certificate authority, say so and stop.",
    `Call cert_change_input_submit with the user's decision. ${personDecides}`,
    `Call cert_enrollment_status again after some minutes. If the change waits for another input, repeat the last two steps.`,
    "Call cert_production_deployment_get. Report the renewal as done only if the expiry is later than the one that you noted.",
  ],
};
