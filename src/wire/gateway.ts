/**
 * Refusals by the gateway in front of the API, which authenticates and authorizes each request before a service sees
 * it.
 */
import type { FailureCode } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { z } from "../language/z.js";

/** Why the gateway refused a request, and what to do about it. */
export interface GatewayRefusal {
  readonly code: Extract<FailureCode, "unauthorized" | "forbidden">;
  readonly what: string;
  readonly next: string;
  /** Whether an earlier copy of the request was let through, so that a change may have been made. */
  readonly isOfCopy?: true;
}

const noGrant: GatewayRefusal = {
  code: "forbidden",
  what: "was refused by the gateway: the API client has no grant for this service",
  next: "Add the grant to the API client, and check the account switch key if one is set.",
};
const credential: GatewayRefusal = {
  code: "unauthorized",
  what: "was refused by the gateway: the credential was not accepted",
  next: "Check that host, client_token, client_secret and access_token belong to one API client, and that it is active.",
};
// The difference between two clocks, response time included, that is too small to be the cause.
const closeSeconds = 10;

/** What to do about a rejected timestamp, by how far this machine's clock is from the response's Date. */
function adviceOnClock(headers: Readonly<Record<string, string>>, nowMs: number): string {
  const valid = "a signature is valid for about 30 seconds";
  const seconds = Math.round((nowMs - Date.parse(headers["date"] ?? "")) / 1000);
  if (Number.isNaN(seconds)) return `Synchronize this machine's clock with NTP: ${valid}.`;
  if (Math.abs(seconds) <= closeSeconds)
    return `This machine's clock agrees with the upstream's, so look for a proxy that delays requests: ${valid}.`;
  const side = seconds > 0 ? "ahead of" : "behind";
  return `This machine's clock is ${Math.abs(seconds)} s ${side} the upstream's: synchronize it with NTP, because ${valid}.`;
}

const timestamp = {
  code: "unauthorized",
  what: "was refused by the gateway: the signature's timestamp was not accepted",
} as const;
/** The causes that the detail names (public facts A, 0.2); any other detail is about the credential. */
const refusalsByDetail: readonly (readonly [pattern: RegExp, refusal: GatewayRefusal])[] = [
  [
    /nonce/i,
    {
      code: "unauthorized",
      what: "was refused by the gateway: it had already received the signature's nonce",
      next: "Look for a proxy that sends requests twice.",
      isOfCopy: true,
    },
  ],
  [
    /signature/i,
    {
      code: "unauthorized",
      what: "was refused by the gateway: the signature does not match the request",
      next: "Check that client_secret was copied completely, and look for a proxy that rewrites the host, the URL or the body.",
    },
  ],
];

const text = z.string();
// Only the gateway's problems have these fields (public facts A, 0.2).
const GatewayProblem = z.object({ serverIp: text, clientIp: text, requestId: text, requestTime: text, method: text });
const gatewayType = /^\/-\/pep-(authn|authz)\//;

/** The path of a problem's type, whatever its host; undefined for a type that is not a URL. */
function typePath(type: unknown): string | undefined {
  const base = "https://host.invalid";
  return typeof type === "string" && URL.canParse(type, base) ? new URL(type, base).pathname : undefined;
}

/**
 * Recognizes a refusal by the gateway, by its problem's type or by fields that only its problems have.
 * @param upstream The decoded body of the error.
 * @param answer The headers of the response, and when it arrived, in milliseconds since 1970.
 * @returns undefined for any other error, such as a service's own refusal.
 */
export function gatewayRefusal(
  status: number | undefined,
  upstream: unknown,
  answer: { readonly headers: Readonly<Record<string, string>>; readonly nowMs: number } = { headers: {}, nowMs: 0 },
): GatewayRefusal | undefined {
  if (status !== 400 && status !== 401 && status !== 403) return undefined;
  const [type, detail] = [memberAt(upstream, "type"), memberAt(upstream, "detail")];
  const [, byType] = gatewayType.exec(typePath(type) ?? "") ?? [];
  const isByMembers = type === undefined && GatewayProblem.safeParse(upstream).success;
  if (byType === undefined && !isByMembers) return undefined;
  if (byType === "authz" || (isByMembers && status === 403)) return noGrant;
  if (typeof detail === "string" && /timestamp/i.test(detail))
    return { ...timestamp, next: adviceOnClock(answer.headers, answer.nowMs) };
  return refusalsByDetail.find(([pattern]) => typeof detail === "string" && pattern.test(detail))?.[1] ?? credential;
}
