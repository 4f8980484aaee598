/** The page of one plan: the whole preview, who asked and why, and the decision, or what became of the plan. */
import {
  alertHtml,
  type DeskPage,
  definitionList,
  escapeHtml,
  expiryHtml,
  linkBelow,
  pageOf,
  timeHtml,
  timeLeftHtml,
} from "./frame.js";
import type { ShownPlan, ShownRecord } from "./review.js";
import type { DeskSession } from "./session.js";
import {
  approvalObstacle,
  approvedSoFar,
  decisionItems,
  endMessage,
  networkNames,
  requesterHtml,
  requestSourceHtml,
  tierHtml,
} from "./words.js";

type DeskLineKind = NonNullable<ShownPlan["preview"]["outline"]>[number]["is"];
interface Part {
  readonly is: DeskLineKind | undefined;
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
const sections: Partial<Readonly<Record<DeskLineKind, string>>> = {
  ...{ difference: "What changes", removed: "What changes", changed: "What changes", added: "What changes" },
  ...{ request: "What is sent", now: "What is there now" },
};

/** A changed value as `name: before → after`, with the two marked; unmarked if it is unclear where they begin. */
function changedValue(line: string): string {
  const [, name = "", before = "", after] = /^(.*?: )?(.*?) → (.*)$/s.exec(line) ?? [];
  return after === undefined || after.includes(" → ")
    ? escapeHtml(line)
    : `${escapeHtml(name)}<del>${escapeHtml(before)}</del> → <ins>${escapeHtml(after)}</ins>`;
}

/** A line of a difference: removals and additions have a sign in their text, changes get one. */
function changeLine(is: DeskLineKind | undefined, line: string): string {
  const text = line.trim();
  if (is === "removed") return `<li class="removed"><del>${escapeHtml(text)}</del></li>`;
  if (is === "added") return `<li class="added"><ins>${escapeHtml(text)}</ins></li>`;
  return is === "changed" ? `<li class="changed">~ ${changedValue(text)}</li>` : `<li>${escapeHtml(text)}</li>`;
}

/** The heading of a part of a preview; undefined if it needs none. */
const headingOf = ({ is }: Part): string | undefined => (is === undefined ? "The whole preview" : sections[is]);

/** A part of a preview without a heading. */
const partAlone = ({ is, lines }: Part): string =>
  is === "warning"
    ? `<ul class="warnings">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`
    : lines
        .map((line) => (is === "call" ? `<h2 class="call">${escapeHtml(line)}</h2>` : `<p>${escapeHtml(line)}</p>`))
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

/** What was sent with a form that did not decide, and why it did not. */
export interface RejectedDecision {
  readonly status: number;
  readonly note?: string;
  readonly reason?: string;
  readonly isTargetWrong?: boolean;
  readonly isReasonMissing?: boolean;
}

const maxReasonLength = 500;

const reasonField = (reason: string, isNeeded: boolean, isMissing: boolean): string =>
  `<div class="field"><label for="reason">Reason, for the record (${isNeeded ? "needed to approve" : "optional"})</label>` +
  `<textarea id="reason" name="reason" rows="1" maxlength="${maxReasonLength}"${isMissing ? ' aria-invalid="true" aria-describedby="note" autofocus' : ""}>${escapeHtml(reason)}</textarea></div>`;

const targetField = (target: string, isWrong: boolean): string =>
  `<div class="field"><label for="target">This call is critical. To approve it, type <strong>${escapeHtml(target)}</strong></label>` +
  `<input id="target" name="target" required autocomplete="off" autocapitalize="off" spellcheck="false"${isWrong ? ' aria-invalid="true" aria-describedby="note" autofocus' : ""}></div>`;

/**
 * The bar of the decision. Approve comes before Refuse, because Enter in the field of the target presses the first
 * button of a form; the target has been typed then.
 */
function decisionBar(
  record: ShownRecord,
  session: DeskSession,
  ticket: string,
  nowMs: number,
  rejection?: RejectedDecision,
): string {
  const { tier, preview, expiresAtMs, breaks } = record.plan;
  const whyNot = approvalObstacle(record, session);
  const soFar = approvedSoFar(record);
  const verdict = whyNot ?? (soFar === undefined ? "" : `${soFar}.`);
  const approve = `<button class="yes" name="decision" value="approve">Approve</button>`;
  return (
    `${alertHtml(rejection?.note)}<form method="post" class="decide" data-plan><input type="hidden" name="ticket" value="${escapeHtml(ticket)}">` +
    reasonField(rejection?.reason ?? "", breaks !== undefined, rejection?.isReasonMissing === true) +
    (whyNot === undefined && tier === "critical"
      ? targetField(preview.target, rejection?.isTargetWrong === true)
      : "") +
    `<div class="act"><p class="until"><span id="verdict" role="status">${verdict}</span> ${timeLeftHtml(expiresAtMs, nowMs)}</p>` +
    `<div class="buttons">${whyNot === undefined ? approve : ""}<button class="no" name="decision" value="refuse" formnovalidate>Refuse</button></div></div></form>`
  );
}

/** The decisions on a plan that still waits; there may be none. */
function decisionsSoFar(record: ShownRecord, nowMs: number): string {
  const lines = decisionItems(record, nowMs);
  return lines.length === 0
    ? ""
    : `<h2>Decisions so far</h2><ul>${lines.map((line) => `<li>${line}</li>`).join("")}</ul>`;
}

/** What became of a plan, above its preview. */
function verdictOf(record: ShownRecord, nowMs: number): string {
  const end = endMessage(record, nowMs);
  if (end === undefined) return "";
  const [title, text] = end;
  const { status, outcome } = record;
  const isSettled = status === "done" || status === "failed";
  const lines = [
    escapeHtml(isSettled && outcome !== undefined ? `${text} The outcome: ${outcome}.` : text),
    ...decisionItems(record, nowMs),
  ];
  return `<div class="end ${escapeHtml(status)}"><h2 id="end">${title}</h2>${lines.map((line) => `<p>${line}</p>`).join("")}</div>`;
}

const longSentence = 280;

interface PageContext {
  readonly session: DeskSession;
  /** For one decision on the shown preview. */
  readonly ticket: string;
  /** The version of what was read, or an earlier one. */
  readonly version: string;
  readonly nowMs: number;
}

export function planPage(
  record: ShownRecord,
  { session, ticket, version, nowMs }: PageContext,
  rejection?: RejectedDecision,
): DeskPage {
  const { plan } = record;
  const { id, tool, tier, owner, preview, createdAtMs, expiresAtMs, why } = plan;
  const { summary, account } = preview;
  const networks = networkNames(preview);
  const from = requestSourceHtml(plan);
  const end = endMessage(record, nowMs);
  const [verdict] = end ?? ["Approve"];
  return pageOf(rejection?.status ?? 200, "below", {
    title: `${verdict}: ${tool}${networks === "" ? "" : ` on ${networks}`}`,
    by: session.who.subject,
    live: { version, events: linkBelow("below", "events") },
    main:
      `<p class="back"><a href="../plans">All waiting plans</a></p>` +
      `<h1${summary.length > longSentence ? ' class="long"' : ""}>${escapeHtml(summary)}</h1>${verdictOf(record, nowMs)}` +
      definitionList([
        ["Account", escapeHtml(account)],
        ...(networks === "" ? [] : [["Network", `<strong>${escapeHtml(networks)}</strong>`] as const]),
        ["Requested by", requesterHtml(plan)],
        ...(from === undefined ? [] : [["With", from] as const]),
        ...(end === undefined ? [["Valid", expiryHtml(expiresAtMs, nowMs)] as const] : []),
      ]) +
      (why === undefined ? "" : definitionList([["Why it needs an approval", escapeHtml(why)]])) +
      wholeOf(plan) +
      `<h2>About this plan</h2>` +
      definitionList([
        ["Tool", escapeHtml(tool)],
        ["Tier", tierHtml(tier)],
        ["Plan", escapeHtml(id)],
        ["Requested", `at ${timeHtml(createdAtMs, nowMs)} as ${escapeHtml(owner)}`],
      ]) +
      (end === undefined ? `<div id="decisions" data-live>${decisionsSoFar(record, nowMs)}</div>` : ""),
    ...(end === undefined ? { bar: decisionBar(record, session, ticket, nowMs, rejection) } : {}),
  });
}
