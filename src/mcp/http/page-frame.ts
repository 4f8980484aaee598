/** The frame of the approval page: its light and dark styles, its countdown, and its Content Security Policy. */
import { createHash } from "node:crypto";
import { onOneLine } from "../../language/marks.js";

const light =
  "--ground:#fff;--panel:#f5f6f8;--text:#1b1d21;--soft:#555b64;--edge:#767d88;--hair:#d5d9df;--link:#0b57d0;" +
  "--red:#a3150f;--red-ground:#fdeceb;--green:#0f5f2b;--green-ground:#e7f5ea;--amber:#744a00;--amber-ground:#fff4d9;" +
  "--yes:#14702f;--on-yes:#fff;--no:#a3150f";
const dark =
  "--ground:#131417;--panel:#1d1f24;--text:#e8e9ec;--soft:#adb2bb;--edge:#868d98;--hair:#3a3e46;--link:#a3c3ff;" +
  "--red:#ffb3ab;--red-ground:#3d1715;--green:#9fdfae;--green-ground:#12301b;--amber:#f2cd7e;--amber-ground:#342809;" +
  "--yes:#8fd6a0;--on-yes:#0c2513;--no:#ffb3ab";

const style = [
  `:root{color-scheme:light dark;${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`,
  "*{box-sizing:border-box}",
  "body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}",
  "main,.bar>div{max-width:60rem;margin:0 auto;padding:1.25rem 1rem}main{padding-bottom:2rem}",
  "h1{font-size:1.35rem;line-height:1.35;margin:.25rem 0 1rem;font-weight:700}h1.long{font-size:1.05rem}",
  "h2{font-size:1rem;margin:1.75rem 0 .5rem}h2.call{border-top:2px solid var(--hair);padding-top:1rem}p{margin:.75rem 0}",
  ".kicker{color:var(--soft);font-size:.875rem;margin:0}",
  "dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.5rem 1.5rem;margin:1rem 0}",
  "dt{color:var(--soft);font-size:.875rem}dd{margin:0}time{white-space:nowrap}",
  ".lines{list-style:none;margin:0;padding:.5rem 0;background:var(--panel);border:1px solid var(--hair);border-radius:.5rem;" +
    "font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace}",
  ".lines li{padding:.05rem .75rem .05rem 2rem;text-indent:-1.25rem;white-space:pre-wrap}",
  "ins,del{text-decoration:none}.removed{background:var(--red-ground);color:var(--red)}",
  ".added{background:var(--green-ground);color:var(--green)}.changed{background:var(--amber-ground);color:var(--amber)}",
  ".warnings,.alert{margin:1rem 0;padding:.75rem 1rem;border:1px solid var(--amber);border-left-width:.4rem;border-radius:.5rem;" +
    "background:var(--amber-ground);color:var(--amber);font-weight:600;list-style:none}.warnings li+li{margin-top:.5rem}",
  ".alert{border-color:var(--red);background:var(--red-ground);color:var(--red)}",
  ".tier{display:inline-block;padding:0 .5rem;border:1px solid;border-radius:1rem;font-size:.8125rem;font-weight:600;color:var(--amber)}" +
    ".tier.critical{color:var(--red)}",
  "label{display:block;margin:.75rem 0 .25rem}",
  "input{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--ground);" +
    "border:1px solid var(--edge);border-radius:.5rem}",
  "button{min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;border-radius:.5rem;border:2px solid var(--link);" +
    "color:var(--link);background:transparent;cursor:pointer}",
  "button.go{background:var(--link);color:var(--ground)}button.yes{background:var(--yes);border-color:var(--yes);color:var(--on-yes)}button.no{border-color:var(--no);color:var(--no)}" +
    "button:disabled{opacity:.5;cursor:not-allowed}",
  ":focus-visible{outline:3px solid var(--link);outline-offset:2px}a{color:var(--link)}",
  ".back{margin:0 0 1rem}.back button{min-height:2.25rem;padding:.25rem .75rem;border-width:1px}",
  "form.secret{max-width:26rem}form.secret button{margin-top:1rem}",
  ".plans{list-style:none;margin:1rem 0;padding:0;display:grid;gap:1rem}.plans article{padding:1rem;border:1px solid var(--hair);" +
    "border-radius:.5rem;background:var(--panel);display:grid;grid-template-columns:1fr auto;gap:0 1.5rem;align-items:center}" +
    ".plans h2{margin:0 0 .5rem;display:-webkit-box;-webkit-box-orient:vertical;" +
    "-webkit-line-clamp:4;overflow:hidden}.plans p{margin:.25rem 0;color:var(--soft);font-size:.9375rem}",
  ".bar{position:sticky;bottom:0;max-height:50vh;overflow:auto;background:var(--panel);border-top:1px solid var(--edge)}" +
    ".bar>div{padding:.75rem 1rem;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}",
  ".bar .alert{flex:1 0 100%;margin:0}.bar .until{flex:1 1 0;margin:0;color:var(--soft);font-size:.875rem;line-height:1.375rem;" +
    "min-height:2.75rem;display:flex;align-items:center}.until span{display:inline-block}.until span::first-letter{text-transform:uppercase}",
  ".bar .typed{display:grid;grid-template-columns:minmax(8rem,20rem) auto;gap:.25rem .5rem;align-items:end}" +
    ".typed label{grid-column:1/-1;margin:0}",
  // A double click on the previous page must not press a button here.
  ".bar button{animation:arm .6s step-end}@keyframes arm{from{pointer-events:none}}",
  "@media (max-height:32rem){.bar{position:static;max-height:none}}",
  "@media (max-width:30rem){h1{font-size:1.15rem}.bar>div{gap:.5rem}.bar button{padding:.5rem .75rem}.bar .until{font-size:.8125rem}" +
    ".bar .typed{flex:1 0 100%;grid-template-columns:1fr auto}dl{grid-template-columns:1fr}" +
    "dl div{display:grid;grid-template-columns:6.5rem 1fr;align-items:baseline}.plans article{grid-template-columns:1fr;gap:.75rem}}",
].join("");

// Without it the page only shows the time that was left when it was made. It is the only script that the policy allows.
const script =
  "(()=>{const began=Date.now(),texts=[...document.querySelectorAll('[data-left]')].map(e=>[e,+e.dataset.left])," +
  "inTime=s=>s>=3600?Math.floor(s/3600)+' h '+Math.floor(s/60)%60+' min':s>=60?Math.floor(s/60)+' min '+s%60+' s':s+' s';" +
  "setInterval(()=>{const gone=Math.floor((Date.now()-began)/1000);for(const [e,left] of texts){const s=left-gone;" +
  "e.textContent=s>0?'expires in '+inTime(s):'expired';" +
  "if(s<=0)for(const b of e.closest('[data-plan]').querySelectorAll('.yes'))b.disabled=true}},1000)})()";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The headers of every response of the page. `same-origin` sends no referrer to other sites. With `no-referrer`, browsers
 * would send `Origin: null` with the page's own forms, and the server refuses that origin.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
  ].join("; "),
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

/** A value as escaped text on one line, safe in elements and quoted attributes. */
export const escaped = (text: string): string => onOneLine(text).replace(/[&<>"']/g, (one) => entities[one] ?? "");

/** A duration in whole seconds, in its two largest units. */
function inTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A time, with its date unless that is today. */
export function instant(atMs: number, nowMs: number): string {
  const [day = "", time = ""] = new Date(atMs).toISOString().split(/T|\./);
  const today = new Date(nowMs).toISOString().startsWith(day);
  return `<time datetime="${day}T${time}Z">${today ? "" : `${day} `}${time} UTC</time>`;
}

/** The time left until something expires: `expires in 4 min 20 s`. */
export function timeLeft(expiresAtMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000));
  return `<span data-left="${seconds}">${seconds > 0 ? `expires in ${inTime(seconds)}` : "expired"}</span>`;
}

/** When something expires, relative to now and as a time. */
export const expiry = (expiresAtMs: number, nowMs: number): string =>
  `${timeLeft(expiresAtMs, nowMs)} (at ${instant(expiresAtMs, nowMs)})`;

/** A form with hidden values and its content. */
export function form(
  { action, name, hidden = {} }: { readonly action?: string; readonly name?: string; readonly hidden?: object },
  inside: string,
): string {
  const values = Object.entries(hidden).map(
    ([key, value]) => `<input type="hidden" name="${key}" value="${escaped(String(value))}">`,
  );
  const to = action === undefined ? "" : ` action="${escaped(action)}"`;
  return `<form method="post"${to}${name === undefined ? "" : ` class="${name}"`}>${values.join("")}${inside}</form>`;
}

/**
 * A whole page.
 * @param parts Their HTML: the main part, and optionally a bar that stays in view.
 */
export const pageOf = (title: string, parts: { readonly main: string; readonly bar?: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
  `<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${style}</style></head>` +
  `<body data-plan><main>${parts.main}</main>${parts.bar === undefined ? "" : `<div class="bar"><div>${parts.bar}</div></div>`}` +
  `<script>${script}</script></body></html>`;
