/** What people say for certificates requested together with their edge hostnames. */
import type { Said } from "../../language/guide.js";
import type { secureProvisioning as service } from "./index.js";

export const secureProvisioning = {
  service: "secure provisioning; SPS; certificate with secure edge hostname in one order",
  operations: {
    sps_requests_list:
      "where are our SPS requests; all secure provisioning orders and how far they are; open requests for cert with edge hostname; orders of cert plus edge host that we placed; overview of secure provisioning orders; HTTPS onboarding requests and their states; list SPS orders; how are our secure provisioning orders doing; status of all requests; pending provisioning requests; secure hostname requests; how are our https orders coming along; all bundles ordered so far; our orders for cert and hostname together; how are provisioning jobs coming on; orders since a date; which SPS orders failed; orders of secure hosts; all provisioning tickets",
    sps_request_create:
      "order a cert together with a secure edge hostname; add names to a SAN cert via SPS, modSan; one request for certificate plus edge host; HTTPS onboarding of a new hostname with cert and edge host in one go; more names on a shared SAN cert; bundle order; new SAN cert plus edge hostname at once; order both; SPS order; provision HTTPS for a hostname; enhanced TLS hostname with cert; submit a provisioning request; modSan; get https and an edge name in one swoop; put another name on the shared cert by an order; order cert plus edge name in one step; form with company address, contacts and CSR data; single or SAN; add names to an existing cert by provisioning; secure delivery for a new host, classic way; order secure host and SSL at once; provisioning ticket; company and contact form",
    sps_request_get:
      "how far is one SPS request; status of a secure provisioning order by its spsId; state of one HTTPS onboarding order; is the bundle of cert and edge host ready; one SPS order by id; is it done; how far is order; single provisioning request; spsId; how's that https order coming along; did one bundle go through; one order's workflow step; has order number gone through; state of a provisioning job; why is it stuck; one provisioning ticket; order status",
    sps_edge_host_create:
      "make a secure edge hostname for a name on an existing cert; HTTPS edge host for a certificate that we already have; edgekey name on an enrolled certificate; TLS edge hostname for an existing enrollment; another secure hostname on the same cert; edge host without a new certificate; https edge hostname for an already enrolled cert; edgekey.net hostname with our cert; reuse the certificate for a new edge host; secure edge hostname, no new cert; got the cert already, just need the secure edge name; reuse a cert for another secure hostname; another TLS edge name without a new certificate; map one more host to an enrolled cert; only the hostname, the cert is there already; secure host for an existing SSL; edge name only",
  },
} satisfies Said<typeof service>;
