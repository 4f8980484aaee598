/** The HTML of the approval page: plain forms that work without scripts, with every value escaped. */
import type { Plan } from "../../guard/index.js";
import { principalOf } from "../../guard/plan.js";
import { escaped, expiry, form, instant, pageOf, timeLeft } from "./page-frame.js";

type Preview = Plan["preview"];

/** The parts of a plan that the page shows. */
export interface ShownPlan extends Pick<Plan, "id" | "tool" | "owner" | "awaits" | "createdAtMs" | "expiresAtMs"> {
  readonly tier: string;
  readonly preview: Pick<
    Preview,
    "summary" | "account" | "network" | "target" | "warnings" | "lines" | "digest" | "outline" | "actsOn"
  >;
}

/** The waiting plans: the newest of them, and their number. */
export interface Waiting {
  readonly plans: readonly ShownPlan[];
  readonly count: number;
}

const alert = (note: string | undefined): string =>
  note === undefined ? "" : `<p class="alert" role="alert" id="note">${escaped(note)}</p>`;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The subject of a message for a signed-in approver, and the form that opens the list. */
interface Around {
  /** The plan's summary. */
  readonly about?: string | undefined;
  /** The fields that open the list, and the number of plans in it. */
  readonly list?: { readonly pass: string; readonly count: number } | undefined;
}

const waiting = (count: number, noun: string): string =>
  `${plural(count, noun)} ${count === 1 ? "waits" : "wait"} for a decision`;

const toList = ({ pass, count }: NonNullable<Around["list"]>): string =>
  `<p>${count === 0 ? "No other plan waits for a decision" : waiting(count, "more plan")}.</p>` +
  form({ action: "../plans", name: "back", hidden: { pass } }, "<button>Show all waiting plans</button>");

/**
 * A page with a message and no decision.
 * @param text What happened, and what happens next.
 */
export const messagePage = (title: string, text: string, { about, list }: Around = {}): string =>
  pageOf(title, {
    main:
      `<p class="kicker">Edgewise</p><h1>${escaped(title)}</h1>` +
      (about === undefined ? "" : `<p class="kicker">${escaped(about)}</p>`) +
      `<p>${escaped(text)}</p>${list ? toList(list) : ""}`,
  });

/** The sign-in page; it reveals nothing about plans, not even whether one exists. */
export const secretPage = (isOfOne: boolean, note?: string): string =>
  pageOf(isOfOne ? "Approve a plan" : "Plans that wait", {
    main:
      `<p class="kicker">Edgewise</p><h1>${isOfOne ? "Approve a plan" : "Plans that wait for a decision"}</h1>${alert(note)}` +
      form(
        { name: "secret" },
        `<label for="secret">Your approver's secret</label><input type="password" id="secret" name="secret" required` +
          ` autocomplete="off" autofocus><button class="go">${isOfOne ? "Show the plan" : "Show the plans"}</button>`,
      ),
  });

const networksOf = ({ actsOn, network }: Preview | ShownPlan["preview"]): string =>
  (actsOn ?? (network === undefined ? [] : [network])).map((one) => one.toUpperCase()).join(" and ");

const tierOf = (tier: string): string =>
  `<span class="${tier === "critical" ? "tier critical" : "tier"}">${escaped(tier)}</span>`;

const requestedBy = (owner: string): string => escaped(principalOf(owner));

function card(plan: ShownPlan, pass: string, nowMs: number): string {
  const { id, tool, tier, owner, preview, expiresAtMs } = plan;
  const networks = networksOf(preview);
  const facts = [escaped(tool), ...(networks === "" ? [] : [`<strong>${escaped(networks)}</strong>`]), tierOf(tier)];
  return (
    `<li><article><div><h2 id="${escaped(id)}">${escaped(preview.summary)}</h2><p>${facts.join(" · ")}</p>` +
    `<p>${escaped(preview.account)}</p><p>Requested by ${requestedBy(owner)} · ${expiry(expiresAtMs, nowMs)}</p>` +
    `</div>${form({ action: `plans/${encodeURIComponent(id)}`, hidden: { pass } }, `<button class="go" aria-describedby="${escaped(id)}">Review</button>`)}</article></li>`
  );
}

/**
 * The list of waiting plans.
 * @param pass The fields that open a plan, so that the secret is typed once and is on no page.
 */
export function listPage({ plans, count }: Waiting, pass: string, nowMs: number): string {
  const title = count === 0 ? "No plan waits for a decision" : waiting(count, "plan");
  const more = count - plans.length;
  const rest = `${plural(more, "older plan")} ${more === 1 ? "is" : "are"} not listed here; the newest come first, and each has its own URL.`;
  return pageOf(title, {
    main:
      `<p class="kicker">Edgewise</p><h1>${title}</h1>` +
      (count === 0 ? "<p>Changes that an assistant requests and a person has to approve are listed here.</p>" : "") +
      `<ul class="plans">${plans.map((plan) => card(plan, pass, nowMs)).join("")}</ul>${more > 0 ? `<p>${rest}</p>` : ""}` +
      form({ name: "back", hidden: { pass } }, "<button>Refresh</button>"),
  });
}

const described = (names: readonly (readonly [string, string])[]): string =>
  `<dl>${names.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>`;

type Kind = NonNullable<Preview["outline"]>[number]["is"];
interface Part {
  readonly is: Kind | undefined;
  readonly lines: readonly string[];
}

/** The lines of a preview by kind; a single run after the warnings if their kinds are not known. */
function partsOf({ lines, warnings, outline = [] }: ShownPlan["preview"]): readonly Part[] {
  const known = outline.reduce((sum, { count }) => sum + count, 0);
  if (known !== lines.length)
    return [
      { is: "warning", lines: warnings.map((one) => `Warning: ${one}`) },
      { is: undefined, lines },
    ];
  let at = 0;
  return outline.map(({ is, count }) => {
    at += count;
    return { is, lines: lines.slice(at - count, at) };
  });
}

/** The section of each kind of line. */
const sections: Partial<Readonly<Record<Kind, string>>> = {
  ...{ difference: "What changes", removed: "What changes", changed: "What changes", added: "What changes" },
  ...{ request: "What is sent", now: "What is there now" },
};

/** A line of a difference: removals and additions have a sign in their text, changes get one. */
const changeLine = (is: Kind | undefined, line: string): string => {
  const text = escaped(line.trim());
  if (is === "removed") return `<li class="removed"><del>${text}</del></li>`;
  if (is === "added") return `<li class="added"><ins>${text}</ins></li>`;
  return is === "changed" ? `<li class="changed">~ ${text}</li>` : `<li>${text}</li>`;
};

/** The heading of a part of a preview; undefined if it needs none. */
const headingOf = ({ is }: Part): string | undefined => (is === undefined ? "The whole preview" : sections[is]);

/** A part of a preview without a heading. */
const partAlone = ({ is, lines }: Part): string =>
  is === "warning"
    ? `<ul class="warnings">${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`
    : lines
        .map((line) => (is === "call" ? `<h2 class="call">${escaped(line)}</h2>` : `<p>${escaped(line)}</p>`))
        .join("");

/** The lines of a preview in order, without the summary and the account, which are above them. */
function wholeOf({ preview }: ShownPlan): string {
  const parts = partsOf(preview).filter(({ is, lines }) => lines.length > 0 && is !== "summary" && is !== "account");
  const headings = parts.map(headingOf);
  const html = parts.map((part, at) => {
    const heading = headings[at];
    if (heading === undefined) return partAlone(part);
    const items = part.lines.map((line) => changeLine(part.is, line)).join("");
    const begins = heading === headings[at - 1] ? "" : `<h2>${heading}</h2><ul class="lines">`;
    return `${begins}${items}${heading === headings[at + 1] ? "" : "</ul>"}`;
  });
  return html.join("");
}

/** The fields that the two forms of a decision submit. */
interface PlanForms {
  /** For one decision on the shown preview. */
  readonly ticket: string;
  /** For returning to the list; the fields that opened it. */
  readonly pass: string;
}

const longSentence = 280;

/** The page with the whole preview and, in a bar that stays in view, the buttons of the decision. */
export function planPage(plan: ShownPlan, { ticket, pass }: PlanForms, nowMs: number, note?: string): string {
  const { id, tool, tier, owner, preview, createdAtMs, expiresAtMs } = plan;
  const { summary, account, target } = preview;
  const networks = networksOf(preview);
  const isCritical = tier === "critical";
  const decision = (name: string, label: string, typed = ""): string =>
    form(
      { ...(typed === "" ? {} : { name: "typed" }), hidden: { ticket, pass, decision: name } },
      `${typed}<button class="${name === "approve" ? "yes" : "no"}">${label}</button>`,
    );
  const typed = isCritical
    ? `<label for="target">This call is critical. To approve it, type <strong>${escaped(target)}</strong></label>` +
      `<input id="target" name="target" required autocomplete="off" autocapitalize="off" spellcheck="false"${note === undefined ? "" : ' aria-invalid="true" aria-describedby="note" autofocus'}>`
    : "";
  return pageOf(`Approve: ${tool}${networks === "" ? "" : ` on ${networks}`}`, {
    main:
      form({ action: "../plans", name: "back", hidden: { pass } }, "<button>All waiting plans</button>") +
      `<h1${summary.length > longSentence ? ' class="long"' : ""}>${escaped(summary)}</h1>` +
      described([
        ["Account", escaped(account)],
        ...(networks === "" ? [] : [["Network", `<strong>${escaped(networks)}</strong>`] as const]),
        ["Requested by", requestedBy(owner)],
        ["Valid", expiry(expiresAtMs, nowMs)],
      ]) +
      wholeOf(plan) +
      `<h2>About this plan</h2>` +
      described([
        ["Tool", escaped(tool)],
        ["Tier", tierOf(tier)],
        ["Plan", escaped(id)],
        ["Requested", `at ${instant(createdAtMs, nowMs)} as ${escaped(owner)}`],
      ]),
    bar:
      `${alert(note)}${decision("refuse", "Refuse")}<p class="until">${timeLeft(expiresAtMs, nowMs)}</p>` +
      decision("approve", "Approve", typed),
  });
}
