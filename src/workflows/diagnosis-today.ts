/** The diagnosis of a URL by today's diagnostics. */
import { z } from "../language/z.js";
import { edgeLocationId } from "../tools/edge-diagnostics/shapes.js";
import { CurlResponse, diagnosisBy, ErrorRates, UrlTranslation } from "./diagnosing.js";
import { lookupsToday } from "./lookups-today.js";

// The parts of each response that the findings need. The rest is evidence, in any shape.
const CurlAnswer = z.looseObject({ result: CurlResponse });
const Checked = z.looseObject({ results: z.array(z.looseObject({ isEdgeIp: z.boolean() })).min(1) });
const Statistics = z.looseObject({ result: ErrorRates });
const ErrorTranslation = z.looseObject({
  result: z.looseObject({
    reasonForFailure: z.string(),
    originIp: z.looseObject({ ip: z.string() }).optional(),
  }),
});
const LogAnswer = z.looseObject({
  result: z.looseObject({ logs: z.array(z.looseObject({ error: z.string().default("-") })) }),
});

export const diagnosisToday = diagnosisBy({
  locationId: edgeLocationId,
  listedBy: "edgediag_locations_list",
  tools: {
    isOnCdn: "edgediag_edge_ip_check",
    translateError: "edgediag_error_translation_launch",
    logs: "edgediag_logs_list",
  },
  ...lookupsToday,
  async request(steps, from, url) {
    const body = { url, edgeLocationId: from };
    const curl = await steps.call(`curl from ${from}`, "edgediag_curl_run", { body }, CurlAnswer);
    return curl && { status: curl.result.httpStatusCode, page: curl.result.responseBody };
  },
  async isOnCdn(steps, ipAddress) {
    const [step, body] = ["whether the address is on the CDN", { ipAddresses: [ipAddress] }];
    return (await steps.call(step, "edgediag_edge_ip_check", { body }, Checked))?.results[0]?.isEdgeIp;
  },
  async cpCodeOf(steps, url) {
    const step = "how the CDN maps the URL";
    const mapped = await steps.call(step, "edgediag_url_translation_get", { body: { url } }, UrlTranslation);
    return mapped && { cpCode: mapped.translatedUrl.cpCode, evidence: { translatedUrl: mapped.translatedUrl } };
  },
  async rates(steps, url) {
    const statistics = await steps.call("error statistics", "edgediag_statistic_get", { body: { url } }, Statistics);
    return statistics && { ...statistics.result, evidence: { eStats: statistics.result } };
  },
  async translateError(steps, errorCode) {
    const tool = "edgediag_error_translation_launch";
    const args = { body: { errorCode }, wait: true };
    const translation = await steps.call("translate the error", tool, args, ErrorTranslation);
    if (translation === undefined) return undefined;
    const { reasonForFailure: reason, originIp } = translation.result;
    return { reason, origin: originIp?.ip ?? "unknown", evidence: { translatedError: translation.result } };
  },
  // Log lines of today are those of one edge server: the one that the location resolves the host to.
  async logs(steps, { locationId, addresses: [edgeIp] = [] }, filter) {
    const tool = "edgediag_logs_list";
    if (edgeIp === undefined) return steps.skip("log lines", tool, "No edge address of the host is known.");
    const answer = await steps.call(`log lines from ${locationId}`, tool, { edgeIp, ...filter }, LogAnswer);
    return answer && { errors: answer.result.logs.map(({ error }) => error), evidence: { logLines: answer.result } };
  },
});
