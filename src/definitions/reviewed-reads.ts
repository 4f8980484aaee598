/**
 * The routes that only read although their method or a word of theirs says otherwise: each was reviewed in the definition with
 * that digest, by what it does and not by its name. Those that start a job, probe a host that the caller names, acknowledge
 * what they return, or advance a state are not among them.
 */
const ofAppsec = [
  "GET /appsec/v1/configs/{configId}/failover-hostnames",
  "POST /appsec/v1/configs/{configId}/versions/diff",
  "GET /appsec/v1/configs/{configId}/versions/{versionNumber}/security-policies/{policyId}/rapid-rules/{ruleId}/lock",
  "GET /appsec/v1/configs/{configId}/versions/{versionNumber}/security-policies/{policyId}/rules/upgrade-details",
];

const reviewed: Readonly<Record<string, readonly string[]>> = {
  // /apikey-manager-api/v1
  "7be722c11dd8aa3f362fd8819d3755a447aa33091df6b08e2899686ff681594a": [
    "POST /apikey-manager-api/v1/reports/{reportName}/versions/{reportVersion}/report-data",
  ],
  // /appsec/v1; the first digest is without a file that earlier versions of this program did not read.
  "39fec7cf8fd2b4781ac38f6258c6edfe7e2d3633bb5540634942921fe3ce078d": ofAppsec,
  "289e17999d4d45e03f879e7ba92effafaa0e6b2dc9f7abc2692858a3327f0937": ofAppsec,
  // /cam/v1
  "731420b82ec12bdd2acd27bb27a23c7acdc838ac186e69458bd396d847eab637": [
    "GET /cam/v1/access-key-create-requests/{requestId}",
    "GET /cam/v1/access-key-version-create-requests/{requestId}",
  ],
  // /chinacdn/v1
  "4b23cd17b886439f4d008a26ce9529cbfdc8e76dc9244c469c463bc9e337ea87": [
    "GET /chinacdn/v1/current-provision-states",
    "GET /chinacdn/v1/edge-hostnames/{edgehostname}/deprovision-policy",
    "GET /chinacdn/v1/property-hostnames/{hostname}/provision-state-changes/current",
    "GET /chinacdn/v1/property-hostnames/{hostname}/provision-state-changes/{changeId}",
  ],
  // /config-dns/v2
  af4fa5b4e12f8545202dd9ae32fbb1e493e3db2520b0a669322146fa50b07656: [
    "POST /config-dns/v2/changelists/search",
    "POST /config-dns/v2/keys/used-by",
    "GET /config-dns/v2/zones/create-requests/{requestId}",
    "GET /config-dns/v2/zones/create-requests/{requestId}/result",
    "GET /config-dns/v2/zones/delete-requests/{requestId}",
    "GET /config-dns/v2/zones/delete-requests/{requestId}/result",
    "POST /config-dns/v2/zones/dns-sec-status",
    "POST /config-dns/v2/zones/zone-transfer-status",
  ],
  // /crux/v1
  "763d4be5f8d78cf7be81abdafec6ee36d4d34e6b148d04aedf9ae291f14295af": [
    "GET /crux/v1/device-posture/inventory/summary/device-screen-lock",
    "POST /crux/v1/mgmt-pop/directories/search",
  ],
  // /edge-diagnostics/v1
  bf5cbec81aee00b86ca00cdf69cd3ac8d4abb3e4c91e70aba29e446c6508e742: [
    "POST /edge-diagnostics/v1/dig",
    "POST /edge-diagnostics/v1/estats",
    "POST /edge-diagnostics/v1/locate-ip",
    "POST /edge-diagnostics/v1/mtr",
    "POST /edge-diagnostics/v1/translated-url",
    "POST /edge-diagnostics/v1/verify-edge-ip",
    "POST /edge-diagnostics/v1/verify-locate-ip",
  ],
  // /edgeworkers/v1
  "8a5a551b49cdaa7143ebe7584fe55edcd972c8b79f3ca431822e9ec3ccf9b8e9": [
    "POST /edgeworkers/v1/ids/{edgeWorkerId}/revisions/{revisionId}/compare",
  ],
  // /etp-report/v3
  "8764a089c73a2239a6ea815232c9cf5583c22ce6f5b73f9c52ebb5583ac72381": [
    "POST /etp-report/v3/configs/{configId}/access-logs/details",
    "POST /etp-report/v3/configs/{configId}/dns-activities/details",
    "POST /etp-report/v3/configs/{configId}/network-traffic/connections/details",
    "POST /etp-report/v3/configs/{configId}/proxy-traffic/transactions/details",
    "POST /etp-report/v3/configs/{configId}/sinkhole-events/details",
    "POST /etp-report/v3/configs/{configId}/threat-events/details",
  ],
  // /firewall-rules-manager/v1
  "73aaf5a2e208d2657f82a6bd592c90ea7a86dc4081747ca524e9a7de33fbe294": ["GET /firewall-rules-manager/v1/cidr-blocks"],
  // /identity-management/v3
  b0f979314be19419d84f4af80c50cf3946649e292b0766e3185f6c6bb8dfe93d: [
    "GET /identity-management/v3/user-admin/groups/move/{sourceGroupId}/{destinationGroupId}/affected-users",
    "POST /identity-management/v3/users/{username}/allowed-cpcodes",
  ],
  // /ip-protect/v1
  adcc6eb3a38b63239d994c8dc02056d0c96c65e8bc37ca8bfb91e5512c857d01: [
    "POST /ip-protect/v1/policy-domains/vips",
    "POST /ip-protect/v1/policy-domains/vips/health-stats",
  ],
  // /media-delivery-reports/v1
  "495e34a76a5941df6cd6dfd5984090b6ed53c873ec3e27560ec11bc2eb4cfc82": [
    "GET /media-delivery-reports/v1/adaptive-media-delivery/data",
    "GET /media-delivery-reports/v1/adaptive-media-delivery/realtime-data",
    "GET /media-delivery-reports/v1/delivery/httpcd/data",
    "GET /media-delivery-reports/v1/delivery/httpdl/data",
    "GET /media-delivery-reports/v1/delivery/ocp/data",
    "GET /media-delivery-reports/v1/download-delivery/data",
    "GET /media-delivery-reports/v1/download-delivery/realtime-data",
    "GET /media-delivery-reports/v1/object-delivery/data",
    "GET /media-delivery-reports/v1/wholesale-delivery/data",
    "GET /media-delivery-reports/v1/wholesale-delivery/data/realtime",
  ],
  // /papi/v1
  da92d114b5f34f70aa640d7906589a9e3e7e42d06ae70b71e91fea96c6b52fea: ["POST /papi/v1/search/find-by-value"],
  // /prolexic-analytics/v2
  "95912bef671a3bd7619be4ba73a33c9d9ca3d2725ef68b2e7f201c4d4e01df10": [
    "GET /prolexic-analytics/v2/attack-reports/contract/{contract}/start/{start}/end/{end}",
    "POST /prolexic-analytics/v2/metrics",
  ],
};

/** The routes that were reviewed in the definition with a digest; empty for a definition that was not. */
export const reviewedReads = (digest: string): readonly string[] =>
  Object.hasOwn(reviewed, digest) ? (reviewed[digest] ?? []) : [];
