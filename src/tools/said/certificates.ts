/** What people say for certificates. */
import type { Said } from "../../api/said.js";
import type { certificates as service } from "../certificates/index.js";

export const certificates = {
  service: "SSL certificate; TLS cert; HTTPS; CPS; padlock; enrollment",
  operations: {
    cert_enrollments_list:
      "what certificates do we have; all our SSL certs; which certs cover which domains; enrollments of a contract",
    cert_enrollment_create:
      "order a new SSL certificate; get HTTPS for a new domain; request a Let's Encrypt, DV, OV or EV cert; start an enrollment",
    cert_enrollment_get:
      "show one certificate order; which SANs, names and contacts are on the cert; settings of an enrollment; does it have pending changes",
    cert_enrollment_update:
      "add a hostname or SAN to a certificate; drop a domain from the cert; renew the cert early; change TLS versions, ciphers or contacts of an enrollment",
    cert_enrollment_delete:
      "get rid of a certificate; cancel the enrollment and stop HTTPS for its names; we no longer need this cert, remove it",
    cert_change_get:
      "how far is the certificate request; what is the renewal waiting for; status of a cert change; is the new cert issued yet",
    cert_change_cancel:
      "abort a pending certificate change; call off the renewal; stop the cert request that is under way",
    cert_change_input_get:
      "download the CSR to sign; show the domain validation challenges, HTTP token or DNS TXT; which warnings does the cert change have before going on",
    cert_change_input_submit:
      "upload a signed third-party certificate; acknowledge the warnings of a cert change; say that the domain validation challenges are in place; approve or deny the deployment",
    cert_change_schedule_get:
      "when will the new cert go to production; deployment window of a certificate change; at what time is the cert rolled out",
    cert_change_schedule_update:
      "postpone the rollout of the new cert; deploy the certificate not before Monday; set the deployment window of a cert change",
    cert_deployments_list:
      "which cert is live on staging and on production; compare deployed certificates of both networks; history of what is deployed",
    cert_staging_deployment_get:
      "which cert is on staging; certificate and TLS settings of the staging network; test cert before production",
    cert_production_deployment_get:
      "which cert do visitors get; certificate live on production and when it expires; TLS settings of the production network",
  },
} satisfies Said<typeof service>;
