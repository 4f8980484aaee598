/** What people say for DNS zones. */
import type { Said } from "../../language/guide.js";
import type { dns as service } from "./index.js";

export const dns = {
  service: "DNS; zone; name server; records of a domain",
  operations: {
    dns_zone_get:
      "show all DNS records of a domain; what does our zone look like; zone file export, download as a BIND master file; current A, CNAME, MX, TXT records; zone token and SOA serial; back up our zone; what do our name servers serve; read SOA serial, NS, MX and TXT; look up a subdomain's record in the zone; keep a copy before a change; compare records with another provider; dump, export, download, show all records of a domain; zone file; list DNS entries; what is in the zone; read DNS; is there an MX; back up DNS; serial number; token for a change; what's in our DNS; where does mail for the domain go; spit out the zone; keep a copy of DNS before I touch it; which records do we serve; check SPF, MX, TXT; before a change of DNS; our DNS entries; what are the MX, TXT and A records; where does www point; current serial; print the zone; which mail servers are set; name server entries of a domain; name server data of a domain; list of subdomains and their addresses; zone contents; which records exist",
    dns_zone_write:
      "upload a whole zone file; add a new zone or domain to DNS; replace all records at once; import a zone, migrate a domain's DNS; bulk change of a zone; host the DNS of a newly bought domain; restore a zone from a backup; rewrite the zone; create a zone; many record changes in one go; move DNS hosting here; move a domain from another DNS provider; upload, import, replace a complete zone file; create, add, host a new zone, domain; restore DNS; migrate from another DNS provider; overwrite all records; BIND file; write the whole zone; many records at once; shove a whole zone file in; we bought a domain, run its DNS here; DNS got trashed, put the backup back; put a full zone in place; move a domain's DNS over to you; new zone; many records in one go; restore DNS from a file; raise the serial and save everything; save a zone; import BIND file; take over a domain; rewrite everything in DNS; add a zone",
  },
} satisfies Said<typeof service>;
