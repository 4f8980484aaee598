/** The HTML of the approval page: plain forms that work without scripts, with every value escaped. */
import { createHash } from "node:crypto";
import { onOneLine } from "../api/marks.js";

/** What the page reads of a plan. */
export interface ShownPlan {
  readonly id: string;
  readonly tool: string;
  readonly owner: string;
  readonly awaits: string;
  readonly tier: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly preview: {
    readonly summary: string;
    readonly account: string;
    readonly network?: string;
    readonly target: string;
    readonly warnings: readonly string[];
    readonly lines: readonly string[];
    readonly digest: string;
  };
}

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:1rem}" +
  ".warning{font-weight:bold}label,button{display:block;margin:1rem 0}";
const styleHash = createHash("sha256").update(style).digest("base64");

/**
 * The headers of every answer of the page. `same-origin` sends no referrer to anyone else. With `no-referrer`, browsers
 * would send `Origin: null` with the page's own forms, and the server refuses that origin.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A value as inert text on one line, safe in an element and in a quoted attribute. */
const escaped = (text: string): string => onOneLine(text).replace(/[&<>"']/g, (one) => entities[one] ?? "");

const document = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title><style>${style}</style></head><body><h1>${escaped(title)}</h1>${main}</body></html>`;

const noteOf = (note: string | undefined): string =>
  note === undefined ? "" : `<p class="warning" role="alert">${escaped(note)}</p>`;

/** A page with one message and nothing to do. */
export const messagePage = (title: string, text: string): string => document(title, `<p>${escaped(text)}</p>`);

/** The page that asks who is there; it says nothing about the plan, not even whether there is one. */
export const secretPage = (note?: string): string =>
  document(
    "Approve a plan",
    `${noteOf(note)}<form method="post"><label>Your approver's secret <input type="password" name="secret" required` +
      ` autocomplete="off" autofocus></label><button>Show the plan</button></form>`,
  );

const listed = (names: readonly (readonly [string, string])[]): string =>
  `<dl>${names.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`;

/**
 * The page with the whole preview and the two decisions.
 * @param ticket What the forms send back, so that the secret is typed once and stands on no page.
 */
export function planPage(plan: ShownPlan, ticket: string, note?: string): string {
  const { summary, account, network, target, warnings, lines } = plan.preview;
  const decision = (name: string, more: string, label: string): string =>
    `<form method="post"><input type="hidden" name="ticket" value="${escaped(ticket)}">` +
    `<input type="hidden" name="decision" value="${name}">${more}<button>${label}</button></form>`;
  const typed =
    plan.tier === "critical"
      ? `<label>To approve, type <strong>${escaped(target)}</strong> <input name="target" required autocomplete="off"></label>`
      : "";
  return document(
    summary,
    noteOf(note) +
      warnings.map((warning) => `<p class="warning">Warning: ${escaped(warning)}</p>`).join("") +
      listed([
        ["Account", account],
        ...(network === undefined ? [] : [["Network", network] as const]),
        ["Tool", plan.tool],
        ["Tier", plan.tier],
        ["Requested by", plan.owner],
        ["Requested at", new Date(plan.createdAtMs).toISOString()],
        ["Valid until", new Date(plan.expiresAtMs).toISOString()],
        ["Plan", plan.id],
      ]) +
      `<pre>${lines.map(escaped).join("\n")}</pre>` +
      decision("approve", typed, "Approve") +
      decision("refuse", "", "Refuse"),
  );
}
