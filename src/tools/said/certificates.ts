/** What people say for certificates. */
import type { Said } from "../../api/said.js";
import type { certificates as service } from "../certificates/index.js";

export const certificates = {
  service: "SSL certificate; TLS cert; HTTPS; CPS; padlock; enrollment",
  operations: {
    cert_enrollments_list:
      "what certificates do we have; all our SSL certs; which certs cover which domains; enrollments of a contract; every SSL cert of a contract; certificate inventory; find the enrollment of a domain; which certs are pending; find which certificates need attention this quarter",
    cert_enrollment_create:
      "order a new SSL certificate; get HTTPS for a new domain; request a Let's Encrypt, DV, OV or EV cert; start an enrollment; buy a cert; secure a new site with HTTPS; new wildcard or SAN certificate; certificate for a launch; have a new shop domain ready for encrypted visits",
    cert_enrollment_get:
      "show one certificate order; which SANs, names and contacts are on the cert; settings of an enrollment; does it have pending changes; validation type, CSR data and admin contacts of a cert; look up one enrollment; which hostnames does a cert cover",
    cert_enrollment_update:
      "add a hostname or SAN to a certificate; drop a domain from the cert; renew the cert early; change TLS versions, ciphers or contacts of an enrollment; one more domain on the cert; change organization, contact, SNI or cipher profile; force a renewal; disable old TLS; reissue; tack an extra SAN onto a cert; keep a certificate from expiring; have one more subdomain encrypted",
    cert_enrollment_delete:
      "get rid of a certificate; cancel the enrollment and stop HTTPS for its names; we no longer need this cert, remove it; retire a cert; domain was sold, drop its certificate; take a certificate off the network",
    cert_change_get:
      "how far is the certificate request; what is the renewal waiting for; status of a cert change; is the new cert issued yet; where does the issuance hang; stage of a change; does a change need input; renewal progress",
    cert_change_cancel:
      "abort a pending certificate change; call off the renewal; stop the cert request that is under way; back out of a renewal and keep the enrollment; wrong SANs in a pending change, call it off; stop an issuance; discard a pending renewal",
    cert_change_input_get:
      "download the CSR to sign; show the domain validation challenges, HTTP token or DNS TXT; which warnings does the cert change have before going on; challenges that the CA waits for; token to prove domain ownership; file or TXT record for the CA; pre-verification warnings text; what exactly must be approved; CSR for our own CA; get what must be put on the web server or in DNS to prove that we own the domain",
    cert_change_input_submit:
      "upload a signed third-party certificate; acknowledge the warnings of a cert change; say that the domain validation challenges are in place; approve or deny the deployment; domain validation is in place, go on; hand in the certificate chain from our CA; accept the warnings; confirm the change management step; approve the rollout to production; let a certificate order go on after our part is done",
    cert_change_schedule_get:
      "when will the new cert go to production; deployment window of a certificate change; at what time is the cert rolled out; planned date of a cert rollout; is the new cert scheduled; not-before and not-after of a deployment",
    cert_change_schedule_update:
      "postpone the rollout of the new cert; deploy the certificate not before Monday; set the deployment window of a cert change; push the rollout of a cert to next week; delay a new cert till after the sale; choose a night window for a cert; reschedule a rollout; keep a new certificate from going out during the sale",
    cert_deployments_list:
      "which cert is live on staging and on production; compare deployed certificates of both networks; history of what is deployed; is the new cert live everywhere; staging against production cert; serial numbers that are served",
    cert_staging_deployment_get:
      "which cert is on staging; certificate and TLS settings of the staging network; test cert before production; is the new cert testable; cert on the staging network; TLS settings before go-live",
    cert_production_deployment_get:
      "which cert do visitors get; certificate live on production and when it expires; TLS settings of the production network; expiry date of the live cert; cert that browsers see; serial and cipher settings in production; does production have the renewed cert; be sure that the renewed certificate is what browsers receive",
  },
} satisfies Said<typeof service>;
