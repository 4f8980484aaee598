/** The account as the diagnostics see it: lookup of locations and hosts, and the outcomes of requests to the hosts. */
import { STATUS_CODES } from "node:http";
import { findIn } from "../../primitives/store.js";
import { type ErrorFormat, orRefuse, RequestRefusal } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { type AccountHost, type EdgeLocation, edgeAt, locations, stagingEdge, trafficProperties } from "../account.js";
import { servedHosts } from "../properties/served.js";
import type { EdgeNetwork } from "../properties/world.js";
import { failingShare, responseMix } from "../reporting/series.js";

/** The diagnostics' own error format, whose members are all required (public facts A, 0.2). */
export const diagnosticErrorFormat: ErrorFormat = ({ status, detail, extras: { field } }, { method, url }, world) => {
  const title = STATUS_CODES[status] ?? "";
  const type = `https://problems.luna.${world.vendor}apis.net/diagnostic-tools/${title.toLowerCase().replaceAll(" ", "-")}`;
  const requestTime = instant(world.now());
  const errors = field === undefined ? [] : [{ fieldName: field, error: detail }];
  return { body: { type, title, status, detail, instance: url.href, method, requestTime, errors } };
};
export const refusal = (status: 400 | 404, detail: string, field: string): RequestRefusal =>
  new RequestRefusal(status, STATUS_CODES[status] ?? "", detail, { field });

/** A location by its id. */
export const locationOf = (locationId: string): EdgeLocation =>
  findIn(locations, { id: locationId }, () => refusal(404, `There is no location ${locationId}`, "locationId"));

/** The location of an edge address; refuses an address that is not on the edge. */
export const edgeOf = (ipAddress: string): EdgeLocation =>
  orRefuse(edgeAt(ipAddress), () => refusal(400, `${ipAddress} is not an edge address`, "ipAddress"));

/** The edge server that a diagnostic runs from; the one in Frankfurt unless a place is named. */
export function serverFor({ edgeLocationId, edgeIp }: ServerChoice): EdgeLocation {
  if (edgeLocationId !== undefined && edgeIp !== undefined)
    throw refusal(400, "Provide either edgeLocationId or edgeIp", "edgeLocationId");
  return edgeIp === undefined ? locationOf(edgeLocationId ?? "frankfurt-germany") : edgeOf(edgeIp);
}
interface ServerChoice {
  readonly edgeLocationId?: string | undefined;
  readonly edgeIp?: string | undefined;
}

/** The network that an edge server belongs to. */
export const networkOf = (location: EdgeLocation): EdgeNetwork => (location === stagingEdge ? "STAGING" : "PRODUCTION");

/** The host of a URL on the CDN. */
export function hostOf(world: World, url: string, network: EdgeNetwork = "PRODUCTION"): AccountHost {
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  return findIn(servedHosts(world, network), { name }, () => refusal(400, "The URL is not served by the CDN", "url"));
}

/** A traffic management property of a domain, with its addresses. */
export function trafficPropertyOf(path: { readonly property: string; readonly domain: string }) {
  const { property, domain } = path;
  const missing = () => refusal(404, `There is no property ${property} of ${domain}`, "property");
  const { testIps, targetIps } = findIn(trafficProperties, { property, domain }, missing);
  return { property, domain, testIps: [...testIps], targetIps: [...targetIps] };
}

/** The outcome of a request: its status, and its error as logged, which is a dash if there is none. */
export interface RequestOutcome {
  readonly status: number;
  readonly error: string;
}
/** The failure behind an error page with a reference code. */
export const originFailure = {
  status: 503,
  error: "ERR_CONNECT_FAIL|113",
  reason: "The edge server could not connect to the origin server.",
} as const;
export const outcomeOf = (status: number): RequestOutcome =>
  status === originFailure.status ? originFailure : { status, error: "-" };

/** The outcome of one logged request: response codes have the same shares as in the reports. */
export function loggedOutcome(world: World, host: AccountHost, atMs: number, share: number): RequestOutcome {
  let left = share;
  for (const [code, part] of Object.entries(responseMix(world, String(host.cpCode), atMs))) {
    left -= part;
    if (left < 0) return outcomeOf(Number(code));
  }
  return outcomeOf(200);
}

/** Whether a request at that instant is one of those that fail. */
export function isFailing(world: World, host: AccountHost, atMs: number): boolean {
  return world.noise("failing", host.name, atMs) < failingShare(world, String(host.cpCode), atMs);
}

/** The reference code of an error page: its third part is the instant in seconds, its last names the host. */
export function referenceOf(location: EdgeLocation, host: AccountHost, atMs: number): string {
  const address = location.edgeIp.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `9.${address.join("")}.${Math.floor(atMs / 1000)}.${host.serialNumber.toString(16)}`;
}

/** The edge location, the host and the instant of a reference code; refuses a code that no edge server issued. */
export function readReference(world: World, errorCode: string) {
  const [, address = "", seconds = "", serial = ""] = errorCode.toLowerCase().split(".");
  const edgeIp = (address.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)).join(".");
  const location = edgeAt(edgeIp);
  const served = location === undefined ? [] : servedHosts(world, networkOf(location));
  const host = served.find(({ serialNumber }) => serialNumber.toString(16) === serial);
  const atMs = Number(seconds) * 1000;
  if (!location || !host || atMs > world.now()) throw refusal(404, "There are no log lines of this error", "errorCode");
  return { location, host, atMs };
}
