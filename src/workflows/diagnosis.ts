/** The diagnosis of a URL by the diagnostics of the documents. */
import { z } from "../language/z.js";
import { locationId } from "../tools/diagnostics/shapes.js";
import { CurlResponse, diagnosisBy, ErrorRates, UrlTranslation } from "./diagnosing.js";
import { lookups } from "./lookups.js";

// The parts of each response that the findings need. The rest is evidence, in any shape.
const CurlAnswer = z.looseObject({ curlResults: CurlResponse });
const CdnMembership = z.looseObject({ isCdnIp: z.boolean() });
const Statistics = z.looseObject({ eStats: ErrorRates });
const ErrorTranslation = z.looseObject({
  translatedError: z.looseObject({ reasonForFailure: z.string(), originHostname: z.string(), originIp: z.string() }),
});
const LogAnswer = z.looseObject({ logLines: z.looseObject({ headers: z.string(), logs: z.array(z.string()) }) });

/** The values of the column for errors in tab-separated log lines. */
function errorsIn({ headers, logs }: z.output<typeof LogAnswer>["logLines"]): readonly string[] {
  const index = headers.split("\t").findIndex((one) => one.toLowerCase() === "error");
  return logs.map((line) => line.split("\t")[index] ?? "-");
}

export const diagnosis = diagnosisBy({
  locationId,
  listedBy: "diag_locations_list",
  tools: {
    isOnCdn: "diag_ip_cdn_check",
    translateError: "diag_error_translation_get",
    logs: "diag_location_logs_list",
  },
  ...lookups,
  async request(steps, from, url) {
    const args = { locationId: from, body: { url } };
    const curl = await steps.call(`curl from ${from}`, "diag_location_curl_run", args, CurlAnswer);
    return curl && { status: curl.curlResults.httpStatusCode, page: curl.curlResults.responseBody };
  },
  async isOnCdn(steps, ipAddress) {
    const step = "whether the address is on the CDN";
    return (await steps.call(step, "diag_ip_cdn_check", { ipAddress }, CdnMembership))?.isCdnIp;
  },
  async cpCodeOf(steps, url) {
    const step = "how the CDN maps the URL";
    const mapped = await steps.call(step, "diag_url_translation_get", { url }, UrlTranslation);
    return mapped && { cpCode: mapped.translatedUrl.cpCode, evidence: mapped };
  },
  async rates(steps, url) {
    const statistics = await steps.call("error statistics", "diag_url_statistic_get", { url }, Statistics);
    return statistics && { ...statistics.eStats, evidence: statistics };
  },
  async translateError(steps, errorCode) {
    const tool = "diag_error_translation_get";
    const translation = await steps.call("translate the error", tool, { errorCode }, ErrorTranslation);
    if (translation === undefined) return undefined;
    const { reasonForFailure, originHostname, originIp } = translation.translatedError;
    return { reason: reasonForFailure, origin: `${originHostname} (${originIp})`, evidence: translation };
  },
  async logs(steps, at, filter) {
    const args = { locationId: at.locationId, maxLogLines: 20, ...filter };
    const answer = await steps.call(`log lines from ${at.locationId}`, "diag_location_logs_list", args, LogAnswer);
    return answer && { errors: errorsIn(answer.logLines), evidence: answer };
  },
});
