/** Diagnoses a URL from several edge locations, and reports findings as plain sentences with their evidence. */
import { workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { errorCode, locationId, Url } from "../tools/diagnostics/shapes.js";
import { type Steps, startSteps } from "./steps.js";

// The parts of each response that the findings need. The rest is evidence, in any shape.
const Locations = z.looseObject({ locations: z.array(z.unknown()) });
const Location = z.looseObject({ id: locationId });
const DigAnswer = z.looseObject({
  digInfo: z.looseObject({ answerSection: z.array(z.looseObject({ recordType: z.string(), value: z.string() })) }),
});
const CurlAnswer = z.looseObject({
  curlResults: z.looseObject({ httpStatusCode: z.int(), responseBody: z.string().catch("") }),
});
const CdnMembership = z.looseObject({ isCdnIp: z.boolean() });
const UrlTranslation = z.looseObject({ translatedUrl: z.looseObject({ cpCode: z.int() }) });
const Statistics = z.looseObject({
  eStats: z.looseObject({
    edgeHits: z.number(),
    edgeFailurePercentage: z.number(),
    originHits: z.number(),
    originFailurePercentage: z.number(),
  }),
});
const ErrorTranslation = z.looseObject({
  translatedError: z.looseObject({ reasonForFailure: z.string(), originHostname: z.string(), originIp: z.string() }),
});
const LogAnswer = z.looseObject({ logLines: z.looseObject({ headers: z.string(), logs: z.array(z.string()) }) });

/** The observations from one location; a field is missing if its step failed. */
interface Observation {
  readonly locationId: string;
  readonly addresses?: readonly string[];
  readonly status?: number;
  readonly reference?: string;
}

const defaultCount = 3;

/** The reference code on an error page, whose punctuation may be encoded as numeric entities. */
function referenceIn(page: string): string | undefined {
  const text = page.replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)));
  return /Reference\s*#\s*(\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+)/i.exec(text)?.[1];
}

/** Locations spread over the list, which the API returns in no particular order. */
function spreadOut<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step)).slice(0, count);
}

async function observe(steps: Steps, locationId: string, url: string): Promise<Observation> {
  const hostName = new URL(url).hostname;
  const [dig, curl] = await Promise.all([
    steps.call(`dig from ${locationId}`, "diag_location_dig_run", { locationId, hostName }, DigAnswer),
    steps.call(`curl from ${locationId}`, "diag_location_curl_run", { locationId, body: { url } }, CurlAnswer),
  ]);
  const reference = curl && referenceIn(curl.curlResults.responseBody);
  const addresses = dig?.digInfo.answerSection.filter(({ recordType }) => /^A(AAA)?$/.test(recordType));
  return {
    locationId,
    ...(addresses === undefined ? {} : { addresses: addresses.map(({ value }) => value) }),
    ...(curl === undefined ? {} : { status: curl.curlResults.httpStatusCode }),
    ...(reference === undefined ? {} : { reference }),
  };
}

/** The locations to use: the given ones, or some that are far apart. */
async function locationsToAsk(steps: Steps, given: readonly string[] | undefined): Promise<readonly string[]> {
  if (given !== undefined) return [...new Set(given)];
  const listed = await steps.call("choose locations", "diag_locations_list", {}, Locations);
  const usable = (listed?.locations ?? []).flatMap((entry) => Location.safeParse(entry).data ?? []);
  return spreadOut(usable, defaultCount).map(({ id }) => id);
}

const isFailing = (status: number): boolean => status >= 400;
const locationsOf = (observations: readonly Observation[]): string =>
  observations.map(({ locationId }) => locationId).join(", ");

function* dnsFindings(
  observations: readonly Observation[],
  hostName: string,
  isCdn: boolean | undefined,
): Generator<string> {
  const unresolved = observations.filter(({ addresses }) => addresses?.length === 0);
  if (unresolved.length > 0) yield `DNS: ${hostName} has no address when resolved from ${locationsOf(unresolved)}.`;
  if (isCdn === false)
    yield `DNS: ${hostName} does not resolve to the CDN, so visitors' traffic does not pass through it.`;
}

function* responseFindings(observations: readonly Observation[]): Generator<string> {
  const answered = observations.filter(({ status }) => status !== undefined);
  const statuses = new Set(answered.map(({ status }) => status as number));
  for (const status of [...statuses].filter(isFailing)) {
    const failing = answered.filter((one) => one.status === status);
    yield `Responses: ${failing.length} of ${answered.length} locations get ${status} (${locationsOf(failing)}).`;
  }
  if (answered.length > 0 && ![...statuses].some(isFailing))
    yield `Responses: all ${answered.length} locations get ${[...statuses].join(" or ")}; the problem does not occur there now.`;
}

function* statisticsFindings({ eStats }: z.output<typeof Statistics>): Generator<string> {
  const { edgeHits, edgeFailurePercentage: edge, originHits, originFailurePercentage: origin } = eStats;
  yield `Error statistics: ${edge}% of ${edgeHits} recent requests failed at the edge, and ${origin}% of ${originHits} at the origin.`;
  if (edge >= 1 && origin >= edge / 2)
    yield "Error statistics: the errors come from the origin; the edge passes them on.";
  else if (edge >= 1)
    yield "Error statistics: the origin is healthy; the errors are generated at the edge, for example by its rules or its security settings.";
}

/** The values of one column of the log lines with their counts, most frequent first. */
function countedColumn({ headers, logs }: z.output<typeof LogAnswer>["logLines"], label: string) {
  const index = headers.split("\t").findIndex((one) => one.toLowerCase() === label);
  const counts = new Map<string, number>();
  for (const line of logs) {
    const value = line.split("\t")[index] ?? "-";
    if (value !== "-" && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function* logFindings({ logLines }: z.output<typeof LogAnswer>, place: string): Generator<string> {
  for (const [error, count] of countedColumn(logLines, "error").slice(0, 3))
    yield `Log lines: ${error} in ${count} of ${logLines.logs.length} lines from ${place}.`;
}

/** Log lines of the URL's CP code, from a location where it fails or else from the first one. */
async function readLogs(steps: Steps, observations: readonly Observation[], cpCode: number | undefined) {
  const failing = observations.find(({ status }) => status !== undefined && isFailing(status));
  const place = (failing ?? observations[0])?.locationId;
  if (place === undefined || cpCode === undefined)
    return steps.skip("log lines", "diag_location_logs_list", "The CP code or a location is not known.");
  const args = {
    locationId: place,
    cpCode,
    maxLogLines: 20,
    ...(failing?.status === undefined ? {} : { httpStatusCode: failing.status }),
  };
  const answer = await steps.call(`log lines from ${place}`, "diag_location_logs_list", args, LogAnswer);
  return answer && { place, answer };
}

const url = Url.refine((text) => URL.canParse(text), "a URL with a usable host and port");

export const diagnosis = workflow({
  title: "Diagnosis of a URL",
  does: "Finds out what is wrong with a URL, from several edge locations: DNS, responses, error pages, error statistics, log lines. Takes some seconds.",
  input: z.strictObject({
    url: url.describe("The URL that fails"),
    locations: z
      .array(locationId)
      .min(1)
      .max(6)
      .optional()
      .describe("From diag_locations_list; default three far apart"),
    errorCode: errorCode.optional().describe("Reference code that a visitor saw"),
  }),
  steps: [
    "Choose locations: the given ones, or some that are far apart.",
    "From each, resolve the host (dig) and request the URL (curl).",
    "Check whether the host's address belongs to the CDN.",
    "Look up how the CDN maps the URL: CP code and origin.",
    "Read the error statistics of the URL.",
    "Explain the reference code of a received error page, or the given code.",
    "Read log lines of the URL's CP code from a location where it fails.",
  ],
  example: { url: "http://api.shop.example/cart" },

  async run({ url: target, locations, errorCode: given }, context) {
    const steps = startSteps(context);
    const hostName = new URL(target).hostname;
    const chosen = await locationsToAsk(steps, locations);
    const [observations, urlTranslation, statistics] = await Promise.all([
      Promise.all(chosen.map((id) => observe(steps, id, target))),
      steps.call("how the CDN maps the URL", "diag_url_translation_get", { url: target }, UrlTranslation),
      steps.call("error statistics", "diag_url_statistic_get", { url: target }, Statistics),
    ]);

    const [ipAddress] = observations.flatMap(({ addresses = [] }) => addresses);
    const membership = ipAddress
      ? await steps.call("whether the address is on the CDN", "diag_ip_cdn_check", { ipAddress }, CdnMembership)
      : steps.skip("whether the address is on the CDN", "diag_ip_cdn_check", "No location found an address.");

    const reference = given ?? observations.find((one) => one.reference !== undefined)?.reference;
    const errorTranslation = reference
      ? await steps.call(
          "translate the error",
          "diag_error_translation_get",
          { errorCode: reference },
          ErrorTranslation,
        )
      : steps.skip(
          "translate the error",
          "diag_error_translation_get",
          "No error page with a reference code was received.",
        );

    const logs = await readLogs(steps, observations, urlTranslation?.translatedUrl.cpCode);

    const findings = [...dnsFindings(observations, hostName, membership?.isCdnIp), ...responseFindings(observations)];
    if (errorTranslation) {
      const { reasonForFailure, originHostname, originIp } = errorTranslation.translatedError;
      findings.push(`Error page ${reference}: ${reasonForFailure} Origin: ${originHostname} (${originIp}).`);
    }
    if (statistics) findings.push(...statisticsFindings(statistics));
    if (logs) findings.push(...logFindings(logs.answer, logs.place));
    const unfinished = steps.record.filter(({ outcome }) => outcome === "failed").length;
    if (unfinished > 0)
      findings.push(`${unfinished} step(s) failed, so the diagnosis is incomplete; see steps for details.`);

    return {
      url: target,
      findings,
      steps: steps.record,
      evidence: {
        locations: observations,
        ...(membership === undefined ? {} : { isCdnIp: membership.isCdnIp, address: ipAddress }),
        ...(urlTranslation ?? {}),
        ...(statistics ?? {}),
        ...(errorTranslation ?? {}),
        ...(logs?.answer ?? {}),
      },
    };
  },
});
