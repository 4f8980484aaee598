/**
 * The POSTs that only read: each was reviewed in the definition with that digest, by what it does and not by its name. Those
 * that start a job, probe a host that the caller names, or advance a state are not among them.
 */
const reviewed: Readonly<Record<string, readonly string[]>> = {
  // /apikey-manager-api/v1
  "7be722c11dd8aa3f362fd8819d3755a447aa33091df6b08e2899686ff681594a": [
    "/apikey-manager-api/v1/reports/{reportName}/versions/{reportVersion}/report-data",
  ],
  // /appsec/v1
  "39fec7cf8fd2b4781ac38f6258c6edfe7e2d3633bb5540634942921fe3ce078d": ["/appsec/v1/configs/{configId}/versions/diff"],
  // /config-dns/v2
  af4fa5b4e12f8545202dd9ae32fbb1e493e3db2520b0a669322146fa50b07656: [
    "/config-dns/v2/changelists/search",
    "/config-dns/v2/keys/used-by",
    "/config-dns/v2/zones/dns-sec-status",
    "/config-dns/v2/zones/zone-transfer-status",
  ],
  // /crux/v1
  "763d4be5f8d78cf7be81abdafec6ee36d4d34e6b148d04aedf9ae291f14295af": ["/crux/v1/mgmt-pop/directories/search"],
  // /edge-diagnostics/v1
  bf5cbec81aee00b86ca00cdf69cd3ac8d4abb3e4c91e70aba29e446c6508e742: [
    "/edge-diagnostics/v1/dig",
    "/edge-diagnostics/v1/estats",
    "/edge-diagnostics/v1/locate-ip",
    "/edge-diagnostics/v1/mtr",
    "/edge-diagnostics/v1/translated-url",
    "/edge-diagnostics/v1/verify-edge-ip",
    "/edge-diagnostics/v1/verify-locate-ip",
  ],
  // /edgeworkers/v1
  "8a5a551b49cdaa7143ebe7584fe55edcd972c8b79f3ca431822e9ec3ccf9b8e9": [
    "/edgeworkers/v1/ids/{edgeWorkerId}/revisions/{revisionId}/compare",
  ],
  // /etp-report/v3
  "8764a089c73a2239a6ea815232c9cf5583c22ce6f5b73f9c52ebb5583ac72381": [
    "/etp-report/v3/configs/{configId}/access-logs/details",
    "/etp-report/v3/configs/{configId}/dns-activities/details",
    "/etp-report/v3/configs/{configId}/network-traffic/connections/details",
    "/etp-report/v3/configs/{configId}/proxy-traffic/transactions/details",
    "/etp-report/v3/configs/{configId}/sinkhole-events/details",
    "/etp-report/v3/configs/{configId}/threat-events/details",
  ],
  // /identity-management/v3
  b0f979314be19419d84f4af80c50cf3946649e292b0766e3185f6c6bb8dfe93d: [
    "/identity-management/v3/users/{username}/allowed-cpcodes",
  ],
  // /ip-protect/v1
  adcc6eb3a38b63239d994c8dc02056d0c96c65e8bc37ca8bfb91e5512c857d01: [
    "/ip-protect/v1/policy-domains/vips",
    "/ip-protect/v1/policy-domains/vips/health-stats",
  ],
  // /papi/v1
  da92d114b5f34f70aa640d7906589a9e3e7e42d06ae70b71e91fea96c6b52fea: ["/papi/v1/search/find-by-value"],
  // /prolexic-analytics/v2
  "95912bef671a3bd7619be4ba73a33c9d9ca3d2725ef68b2e7f201c4d4e01df10": ["/prolexic-analytics/v2/metrics"],
};

/** The full paths of the POSTs that read, in the definition with a digest; empty for a definition that was not reviewed. */
export const reviewedReads = (digest: string): readonly string[] =>
  Object.hasOwn(reviewed, digest) ? (reviewed[digest] ?? []) : [];
