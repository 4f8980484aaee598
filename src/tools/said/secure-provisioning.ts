/** What people say for certificates requested together with their edge hostnames. */
import type { Said } from "../../api/said.js";
import type { secureProvisioning as service } from "../secure-provisioning.js";

export const secureProvisioning = {
  service: "secure provisioning; SPS; certificate with secure edge hostname in one order",
  operations: {
    sps_requests_list:
      "where are our SPS requests; all secure provisioning orders and how far they are; open requests for cert with edge hostname",
    sps_request_create:
      "order a cert together with a secure edge hostname; add names to a SAN cert via SPS, modSan; one request for certificate plus edge host",
    sps_request_get: "how far is one SPS request; status of a secure provisioning order by its spsId",
    sps_edge_host_create:
      "make a secure edge hostname for a name on an existing cert; HTTPS edge host for a certificate that we already have; edgekey name on an enrolled certificate",
  },
} satisfies Said<typeof service>;
