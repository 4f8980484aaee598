/** What the diagnostics find of the account: places and hosts by what names them, and what requests to the hosts meet. */
import { STATUS_CODES } from "node:http";
import { Refusal, type Wording } from "../problem.js";
import { instant } from "../values.js";
import type { World } from "../world.js";
import { type Host, hosts, type Location, locations } from "./account.js";
import { failingShare, responseMix } from "./report-series.js";

/** The diagnostics' own shape of failures, whose members are all required (public facts A, 0.2). */
export const diagnosticWording: Wording = ({ status, detail, more: { field } }, { method, url }, world) => {
  const title = STATUS_CODES[status] ?? "";
  const type = `https://problems.luna.${world.vendor}apis.net/diagnostic-tools/${title.toLowerCase().replaceAll(" ", "-")}`;
  const requestTime = instant(world.now());
  const errors = field === undefined ? [] : [{ fieldName: field, error: detail }];
  return { body: { type, title, status, detail, instance: url.href, method, requestTime, errors } };
};
export const refusal = (status: 400 | 404, detail: string, field: string): Refusal =>
  new Refusal(status, STATUS_CODES[status] ?? "", detail, { field });

/** A location by its id. */
export function locationOf(locationId: string): Location {
  const found = locations.find(({ id }) => id === locationId);
  if (!found) throw refusal(404, `There is no location ${locationId}`, "locationId");
  return found;
}

/** The location of an edge address; refuses an address that is not on the edge. */
export function edgeOf(ipAddress: string): Location {
  const found = locations.find(({ edgeIp }) => edgeIp === ipAddress);
  if (!found) throw refusal(400, `${ipAddress} is not an edge address`, "ipAddress");
  return found;
}

/** The host of a URL on the CDN. */
export function hostOf(url: string): Host {
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  const found = hosts.find((host) => host.name === name);
  if (!found) throw refusal(400, "The URL is not served by the CDN", "url");
  return found;
}

/** How a request ended: its status, and its error as the log writes it, which is a dash when there is none. */
export interface Outcome {
  readonly status: number;
  readonly error: string;
}
/** What an error page with a reference code stands for. */
export const failed = {
  status: 503,
  error: "ERR_CONNECT_FAIL|113",
  reason: "The edge server could not connect to the origin server.",
} as const;
export const outcomeOf = (status: number): Outcome => (status === failed.status ? failed : { status, error: "-" });

/** One request as the logs have it: its response code has the share that the reports give it. */
export function loggedOutcome(world: World, host: Host, atMs: number, share: number): Outcome {
  let left = share;
  for (const [code, part] of Object.entries(responseMix(world, String(host.cpCode), atMs))) {
    left -= part;
    if (left < 0) return outcomeOf(Number(code));
  }
  return outcomeOf(200);
}

/** Whether a request is among those that fail because of what goes wrong at that instant. */
export function isFailing(world: World, host: Host, atMs: number): boolean {
  return world.noise("failing", host.name, atMs) < failingShare(world, String(host.cpCode), atMs);
}

/** The reference code of an error page: its third part is the instant in seconds, its last names the host. */
export function referenceOf(location: Location, host: Host, atMs: number): string {
  const address = location.edgeIp.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `9.${address.join("")}.${Math.floor(atMs / 1000)}.${host.serialNumber.toString(16)}`;
}

/** The edge location, the host and the instant that a reference code stands for; refuses a code that no edge server gave. */
export function referenced(world: World, errorCode: string) {
  const [, address = "", seconds = "", serial = ""] = errorCode.toLowerCase().split(".");
  const edgeIp = (address.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)).join(".");
  const location = locations.find((one) => one.edgeIp === edgeIp);
  const host = hosts.find(({ serialNumber }) => serialNumber.toString(16) === serial);
  const atMs = Number(seconds) * 1000;
  if (!location || !host || atMs > world.now()) throw refusal(404, "No log lines are there of this error", "errorCode");
  return { location, host, atMs };
}
