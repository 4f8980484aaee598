/** The DNS service of today, in the same zones as the former one. */
import { dnsV2 as declared } from "../../../tools/dns/v2.js";
import { problemDetails } from "../../reply.js";
import { emulateService } from "../../service.js";
import { changes, versions } from "./v2-changes.js";
import { keys } from "./v2-keys.js";
import { records } from "./v2-records.js";
import { zones } from "./v2-zones.js";

export const dnsV2 = emulateService(declared, problemDetails("/config-dns/error-types"), {
  ...{ ...zones, ...records, ...changes, ...versions, ...keys },
});
