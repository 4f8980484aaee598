/** The frame of the desk's pages: their head, the headers of their responses, their script and style, and escaped values. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { lazily } from "../../../language/once-for.js";
import { onOneLine } from "../../../text/marks.js";

/** A file that the pages load: its text, and how they name it and check that it is the one they were made for. */
export interface Asset {
  readonly text: string;
  readonly type: string;
  readonly address: string;
  readonly integrity: string;
}

function assetOf(name: string, type: string): Asset {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
  const digest = createHash("sha256").update(text).digest();
  return {
    text,
    type: `${type}; charset=utf-8`,
    address: `${name}?${digest.toString("hex").slice(0, 16)}`,
    integrity: `sha256-${digest.toString("base64")}`,
  };
}

export const assets = {
  "desk.js": lazily(() => assetOf("desk.js", "text/javascript")),
  "desk.css": lazily(() => assetOf("desk.css", "text/css")),
  "desk.svg": lazily(() => assetOf("desk.svg", "image/svg+xml")),
} as const;

/** The headers of a file, whose address changes with its text. */
export const assetHeaders = ({ type }: Asset): Readonly<Record<string, string>> => ({
  "content-type": type,
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
});

/**
 * The headers of every page. `same-origin` sends no referrer to other sites. With `no-referrer`, browsers would send
 * `Origin: null` with the page's own forms, and the server refuses that origin.
 */
const headersWith = (nonce: string): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...["img-src 'self'", "connect-src 'self'"],
    ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
});

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A value as escaped text on one line, safe in elements and quoted attributes. */
export const escapeHtml = (text: string): string => onOneLine(text).replace(/[&<>"']/g, (one) => entities[one] ?? "");

/** The response to a request of the desk. */
export interface DeskPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Where a page is: the list itself, or below it. Links are relative, so that a proxy can put them below another path. */
export type PageLevel = "list" | "below";

/** The link from a page to a place below the list. */
export const linkBelow = (level: PageLevel, path: string): string => (level === "list" ? `plans/${path}` : path);
/** The link from a page to the list. */
export const linkToList = (level: PageLevel): string => (level === "list" ? "plans" : "../plans");

/** What stays up to date without a reload: the version that is shown, and the stream of newer ones. */
interface Live {
  readonly version: string;
  readonly events: string;
}

export interface PageParts {
  readonly title: string;
  /** The HTML of the main part. */
  readonly main: string;
  /** The HTML of a bar that stays in view. */
  readonly bar?: string;
  /** Who is signed in. */
  readonly by?: string | undefined;
  readonly live?: Live | undefined;
  readonly headers?: DeskPage["headers"] | undefined;
}

const signedIn = (level: PageLevel, by: string): string =>
  `<form method="post" action="${linkBelow(level, "sign-out")}"><span>Signed in as <strong>${escapeHtml(by)}</strong></span>` +
  "<button>Sign out</button></form>";

export function pageOf(status: number, level: PageLevel, { title, main, bar, by, live, headers }: PageParts): DeskPage {
  const nonce = randomBytes(16).toString("base64");
  const [script, style, icon] = [assets["desk.js"](), assets["desk.css"](), assets["desk.svg"]()];
  const link = ({ address }: Asset): string => linkBelow(level, address);
  const alive = live ? ` data-version="${escapeHtml(live.version)}" data-events="${escapeHtml(live.events)}"` : "";
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>` +
    `<link rel="icon" href="${link(icon)}" type="image/svg+xml">` +
    `<link rel="stylesheet" href="${link(style)}" integrity="${style.integrity}" nonce="${nonce}">` +
    `<script type="module" src="${link(script)}" integrity="${script.integrity}" nonce="${nonce}"></script></head>` +
    `<body${alive}><header><div class="wide"><a href="${linkToList(level)}">Edgewise approvals</a>${by === undefined ? "" : signedIn(level, by)}</div></header>` +
    `<main><div class="page wide">${main}</div>${bar === undefined ? "" : `<section class="bar" aria-label="Decision"><div class="wide">${bar}</div></section>`}</main></body></html>`;
  return { status, html, headers: { ...headersWith(nonce), ...headers } };
}

/** A response that leads elsewhere. */
export const redirect = (location: string, cookies: readonly string[] = []): DeskPage => ({
  status: 303,
  html: "",
  headers: { location, "cache-control": "no-store", ...(cookies.length === 0 ? {} : { "set-cookie": cookies }) },
});

/** A duration in whole seconds, in its two largest units. */
function inTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A time, with its date unless that is today. */
export function timeHtml(atMs: number, nowMs: number): string {
  const [day = "", time = ""] = new Date(atMs).toISOString().split(/T|\./);
  const today = new Date(nowMs).toISOString().startsWith(day);
  return `<time datetime="${day}T${time}Z">${today ? "" : `${day} `}${time} UTC</time>`;
}

/** The time left until something expires: `expires in 4 min 20 s`. */
export function timeLeftHtml(expiresAtMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000));
  return `<span data-left="${seconds}">${seconds > 0 ? `expires in ${inTime(seconds)}` : "expired"}</span>`;
}

/** When something expires, relative to now and as a time. */
export const expiryHtml = (expiresAtMs: number, nowMs: number): string =>
  `${timeLeftHtml(expiresAtMs, nowMs)} (at ${timeHtml(expiresAtMs, nowMs)})`;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A list of names and values; the values are HTML. */
export const definitionList = (names: readonly (readonly [string, string])[]): string =>
  `<dl>${names.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>`;

export const alertHtml = (note: string | undefined): string =>
  note === undefined ? "" : `<p class="alert" role="alert" id="note">${escapeHtml(note)}</p>`;
