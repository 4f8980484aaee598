/** Diagnoses a URL from several edge locations, and reports findings as plain sentences with their evidence. */
import { workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { errorCode, Url } from "../tools/diagnostics/shapes.js";
import type { Lookups } from "./lookups.js";
import { type Steps, startSteps } from "./steps.js";

// The parts of responses that the findings need and that are the same in both generations; the rest is in any shape.
export const CurlResponse = z.looseObject({ httpStatusCode: z.int(), responseBody: z.string().catch("") });
export const UrlTranslation = z.looseObject({ translatedUrl: z.looseObject({ cpCode: z.int() }) });
export const ErrorRates = z.looseObject({
  edgeHits: z.number(),
  edgeFailurePercentage: z.number(),
  originHits: z.number(),
  originFailurePercentage: z.number(),
});

/** What an API answered, in the parts that the findings need, and as the evidence shows it. */
type WithEvidence<T> = T & { readonly evidence: Readonly<Record<string, unknown>> };
type Rates = z.output<typeof ErrorRates>;
interface Cause {
  readonly reason: string;
  readonly origin: string;
}
interface LogErrors {
  /** The errors of the log lines; a dash or nothing for a line without one. */
  readonly errors: readonly string[];
}

/** The calls of a diagnosis to one generation of the API; each is undefined if its step failed. */
export interface Diagnostics extends Lookups {
  /** The form of a location's id, and the tool that lists the locations. */
  readonly locationId: z.ZodType<string>;
  readonly listedBy: string;
  /** The tools of the steps that may be skipped. */
  readonly tools: { readonly isOnCdn: string; readonly translateError: string; readonly logs: string };
  readonly request: (
    steps: Steps,
    from: string,
    url: string,
  ) => Promise<{ readonly status: number; readonly page: string } | undefined>;
  readonly isOnCdn: (steps: Steps, ipAddress: string) => Promise<boolean | undefined>;
  readonly cpCodeOf: (steps: Steps, url: string) => Promise<WithEvidence<{ readonly cpCode: number }> | undefined>;
  readonly rates: (steps: Steps, url: string) => Promise<WithEvidence<Rates> | undefined>;
  readonly translateError: (steps: Steps, errorCode: string) => Promise<WithEvidence<Cause> | undefined>;
  /** Log lines of a CP code from where a host was observed; of one status if it is given. */
  readonly logs: (
    steps: Steps,
    at: LocationObservation,
    filter: { readonly cpCode: number; readonly httpStatusCode?: number },
  ) => Promise<WithEvidence<LogErrors> | undefined>;
}

/** The observations from one location; a field is missing if its step failed. */
export interface LocationObservation {
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

async function observe(
  diagnostics: Diagnostics,
  steps: Steps,
  locationId: string,
  url: string,
): Promise<LocationObservation> {
  const hostName = new URL(url).hostname;
  const [addresses, response] = await Promise.all([
    diagnostics.addresses(steps, locationId, hostName),
    diagnostics.request(steps, locationId, url),
  ]);
  const reference = response && referenceIn(response.page);
  return {
    locationId,
    ...(addresses === undefined ? {} : { addresses }),
    ...(response === undefined ? {} : { status: response.status }),
    ...(reference === undefined ? {} : { reference }),
  };
}

/** The locations to use: the given ones, or some that are far apart. */
async function locationsToAsk(diagnostics: Diagnostics, steps: Steps, given: readonly string[] | undefined) {
  if (given !== undefined) return [...new Set(given)];
  return spreadOut((await diagnostics.locations(steps)) ?? [], defaultCount);
}

const isFailing = (status: number): boolean => status >= 400;
const locationsOf = (observations: readonly LocationObservation[]): string =>
  observations.map(({ locationId }) => locationId).join(", ");

function* dnsFindings(
  observations: readonly LocationObservation[],
  hostName: string,
  isCdn: boolean | undefined,
): Generator<string> {
  const unresolved = observations.filter(({ addresses }) => addresses?.length === 0);
  if (unresolved.length > 0) yield `DNS: ${hostName} has no address when resolved from ${locationsOf(unresolved)}.`;
  if (isCdn === false)
    yield `DNS: ${hostName} does not resolve to the CDN, so visitors' traffic does not pass through it.`;
}

function* responseFindings(observations: readonly LocationObservation[]): Generator<string> {
  const answered = observations.filter(({ status }) => status !== undefined);
  const statuses = new Set(answered.map(({ status }) => status as number));
  for (const status of [...statuses].filter(isFailing)) {
    const failing = answered.filter((one) => one.status === status);
    yield `Responses: ${failing.length} of ${answered.length} locations get ${status} (${locationsOf(failing)}).`;
  }
  if (answered.length > 0 && ![...statuses].some(isFailing))
    yield `Responses: all ${answered.length} locations get ${[...statuses].join(" or ")}; the problem does not occur there now.`;
}

function* statisticsFindings(rates: Rates): Generator<string> {
  const { edgeHits, edgeFailurePercentage: edge, originHits, originFailurePercentage: origin } = rates;
  yield `Error statistics: ${edge}% of ${edgeHits} recent requests failed at the edge, and ${origin}% of ${originHits} at the origin.`;
  if (edge >= 1 && origin >= edge / 2)
    yield "Error statistics: the errors come from the origin; the edge passes them on.";
  else if (edge >= 1)
    yield "Error statistics: the origin is healthy; the errors are generated at the edge, for example by its rules or its security settings.";
}

/** The errors of log lines with their counts, most frequent first. */
function countErrors(errors: readonly string[]) {
  const counts = new Map<string, number>();
  for (const error of errors) if (error !== "-" && error !== "") counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function* logFindings({ errors }: LogErrors, place: string): Generator<string> {
  for (const [error, count] of countErrors(errors).slice(0, 3))
    yield `Log lines: ${error} in ${count} of ${errors.length} lines from ${place}.`;
}

/** Log lines of the URL's CP code, from a location where it fails or else from the first one. */
async function readLogs(
  diagnostics: Diagnostics,
  steps: Steps,
  observations: readonly LocationObservation[],
  cpCode?: number,
) {
  const failing = observations.find(({ status }) => status !== undefined && isFailing(status));
  const at = failing ?? observations[0];
  if (at === undefined || cpCode === undefined)
    return steps.skip("log lines", diagnostics.tools.logs, "The CP code or a location is not known.");
  const httpStatusCode = failing?.status;
  const found = await diagnostics.logs(steps, at, {
    cpCode,
    ...(httpStatusCode === undefined ? {} : { httpStatusCode }),
  });
  return found && { place: at.locationId, found };
}

const url = Url.refine((text) => URL.canParse(text), "a URL with a usable host and port");

/** The diagnosis by one generation of the API. */
export const diagnosisBy = (diagnostics: Diagnostics) =>
  workflow({
    title: "Diagnosis of a URL",
    does: "Finds out what is wrong with a URL, from several edge locations: DNS, responses, error pages, error statistics, log lines. Takes some seconds.",
    input: z.strictObject({
      url: url.describe("The URL that fails"),
      locations: z
        .array(diagnostics.locationId)
        .min(1)
        .max(6)
        .optional()
        .describe(`From ${diagnostics.listedBy}; default three far apart`),
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

    async run({ url: target, locations, errorCode: givenCode }, context) {
      const steps = startSteps(context);
      const hostName = new URL(target).hostname;
      const chosen = await locationsToAsk(diagnostics, steps, locations);
      const [observations, mapping, rates] = await Promise.all([
        Promise.all(chosen.map((id) => observe(diagnostics, steps, id, target))),
        diagnostics.cpCodeOf(steps, target),
        diagnostics.rates(steps, target),
      ]);

      const [address] = observations.flatMap(({ addresses = [] }) => addresses);
      const isCdnIp = address
        ? await diagnostics.isOnCdn(steps, address)
        : steps.skip("whether the address is on the CDN", diagnostics.tools.isOnCdn, "No location found an address.");

      const reference = givenCode ?? observations.find((one) => one.reference !== undefined)?.reference;
      const noCode = "No error page with a reference code was received.";
      const cause = reference
        ? await diagnostics.translateError(steps, reference)
        : steps.skip("translate the error", diagnostics.tools.translateError, noCode);

      const logs = await readLogs(diagnostics, steps, observations, mapping?.cpCode);

      const findings = [...dnsFindings(observations, hostName, isCdnIp), ...responseFindings(observations)];
      if (cause) findings.push(`Error page ${reference}: ${cause.reason} Origin: ${cause.origin}.`);
      if (rates) findings.push(...statisticsFindings(rates));
      if (logs) findings.push(...logFindings(logs.found, logs.place));
      const unfinished = steps.record.filter(({ outcome }) => outcome === "failed").length;
      if (unfinished > 0)
        findings.push(`${unfinished} step(s) failed, so the diagnosis is incomplete; see steps for details.`);

      return {
        url: target,
        findings,
        steps: steps.record,
        evidence: {
          locations: observations,
          ...(isCdnIp === undefined ? {} : { isCdnIp, address }),
          ...mapping?.evidence,
          ...rates?.evidence,
          ...cause?.evidence,
          ...logs?.found.evidence,
        },
      };
    },
  });
