/** A prompt that guides the renewal of a certificate until the new one is on production. */
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
    "Takes the renewal of a certificate through what it waits for, each input approved by a person, until the new certificate is on production.",
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
    `Call cert_production_deployment_get with enrollmentId ${enrollmentId}. Note when the certificate that is in use expires.`,
    `Call cert_enrollment_status with enrollmentId ${enrollmentId}. It says what the pending change waits for and whose move it is. Without a pending change there is nothing to renew now: say when the certificate expires, and stop.`,
    "Call cert_change_input_get for what is to be decided, and show it: the request to sign, the challenges, the warnings, or what is on staging. Where somebody else has to act first, such as a certificate authority, say so and stop.",
    `Call cert_change_input_submit with what the person has decided. ${personDecides}`,
    `Call cert_enrollment_status again after some minutes. Where the change waits for something else, take the last two steps again.`,
    "Call cert_production_deployment_get. Report the renewal as done only when the expiry is later than the one that you noted.",
  ],
};
