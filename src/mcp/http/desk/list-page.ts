/** The page with the list: what waits for a decision, what is about to expire first, and what was decided lately. */
import { type DeskPage, escapeHtml, expiryHtml, linkBelow, pageOf, plural } from "./frame.js";
import type { PlanReview, ShownRecord, WaitingPlans } from "./review.js";
import { type DeskSession, mayDecide } from "./session.js";
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

interface Listed extends WaitingPlans, Pick<PlanReview, "serviceOf"> {
  readonly decided: readonly ShownRecord[];
  /** The version of what was read, or an earlier one. */
  readonly version: string;
}

/** Longer lists are not readable; the page says how many plans it leaves out. */
const maxListed = 100;
const maxDecided = 20;

export async function readList(review: PlanReview): Promise<Listed> {
  const version = await review.version();
  const waiting = await review.waiting(maxListed);
  // Read after the waiting ones, so that a plan that is decided on at this moment is in one of the lists.
  const decided = await review.decidedLately(maxDecided);
  const listed = new Set(waiting.records.map(({ plan }) => plan.id));
  // One that waits for its second approval is listed above.
  return {
    ...waiting,
    decided: decided.filter(({ plan, status }) => status !== "open" && !listed.has(plan.id)),
    version,
    serviceOf: review.serviceOf,
  };
}

/** Approvals so far, and why this person cannot give one. */
function stateOf(record: ShownRecord, session: DeskSession, nowMs: number): string {
  const soFar = approvedSoFar(record);
  const lines = [
    ...(soFar === undefined ? [] : [`<strong>${soFar}</strong>`]),
    ...decisionItems(record, nowMs),
    ...[approvalObstacle(record, session) ?? []].flat(),
  ];
  return lines.map((line) => `<p>${line}</p>`).join("");
}

function card(record: ShownRecord, session: DeskSession, nowMs: number): string {
  const { id, tool, tier, preview, expiresAtMs, ticket, breaks } = record.plan;
  const networks = networkNames(preview);
  const facts = [
    escapeHtml(tool),
    ...(networks === "" ? [] : [`<strong>${escapeHtml(networks)}</strong>`]),
    tierHtml(tier),
    ...(ticket === undefined ? [] : [`ticket ${escapeHtml(ticket)}`]),
    ...(breaks === undefined ? [] : [`<strong>breaks ${escapeHtml(breaks.join(", "))}</strong>`]),
  ];
  const from = requestSourceHtml(record.plan);
  const plan = escapeHtml(id);
  return (
    `<li id="${plan}" data-plan><article aria-labelledby="of-${plan}"><div><h2 id="of-${plan}">${escapeHtml(preview.summary)}</h2>` +
    `<p>${facts.join(" · ")}</p><p>${escapeHtml(preview.account)}</p>` +
    `<p>Requested by <strong>${requesterHtml(record.plan)}</strong>${from === undefined ? "" : ` with ${from}`}</p>` +
    `<p class="until">${expiryHtml(expiresAtMs, nowMs)}</p><div class="state" id="state-${plan}" data-live>${stateOf(record, session, nowMs)}</div></div>` +
    `<a class="button go" href="${linkBelow("list", encodeURIComponent(id))}" aria-describedby="of-${plan}">Review</a></article></li>`
  );
}

/** One decision: what, by whom and why, and what became of it. */
function decidedItem(record: ShownRecord, nowMs: number): string {
  const { plan, status, outcome } = record;
  const [verdict] = endMessage(record, nowMs) ?? [approvedSoFar(record) ?? "Waiting"];
  const became = outcome === undefined || status === "refused" ? [] : [escapeHtml(`Outcome: ${outcome}.`)];
  const paragraphs = [...decisionItems(record, nowMs), ...became].map((line) => `<p class="said">${line}</p>`).join("");
  return (
    `<li data-decided="${escapeHtml(plan.id)}"><p><span class="verdict ${escapeHtml(status)}">${verdict}</span> ` +
    `<a href="${linkBelow("list", encodeURIComponent(plan.id))}">${escapeHtml(plan.preview.summary)}</a></p><div>${paragraphs}` +
    `<p>${escapeHtml(plan.tool)}, requested by ${requesterHtml(plan)}</p></div></li>`
  );
}

const waitingFor = (count: number): string =>
  count === 0
    ? "No plan waits for a decision"
    : `${plural(count, "plan")} ${count === 1 ? "waits" : "wait"} for a decision`;

function notListed(count: number, others: number): string {
  const older = `${plural(count, "older plan")} ${count === 1 ? "is" : "are"} not listed here; each has its own URL.`;
  const foreign = `${plural(others, "more plan")} ${others === 1 ? "waits" : "wait"} that you may not decide on, because your sign-in approves the calls of certain services only.`;
  return `${count > 0 ? `<p>${older}</p>` : ""}${others > 0 ? `<p>${foreign}</p>` : ""}`;
}

/** What is about to expire comes first, so that a new plan comes last and moves nothing. */
export function listPage(listed: Listed, session: DeskSession, nowMs: number): DeskPage {
  const { records, count, decided, version, serviceOf } = listed;
  const isDecidable = ({ plan }: ShownRecord): boolean => mayDecide(session, serviceOf(plan.tool));
  const decidableRecords = records.filter(isDecidable);
  const urgentFirst = decidableRecords.toSorted((one, other) => one.plan.expiresAtMs - other.plan.expiresAtMs);
  const ownDecided = decided.filter(isDecidable);
  const others = records.length - decidableRecords.length;
  const title = waitingFor(count - others);
  return pageOf(200, "list", {
    title,
    by: session.who.subject,
    live: { version, events: linkBelow("list", "events") },
    main:
      `<h1 id="count" data-live>${title}</h1>` +
      `<p class="live"><span id="live" role="status">Changes that an assistant requests and a person has to approve are listed here.</span> <a href="">Reload</a></p>` +
      `<p id="news" class="unseen" role="log"></p>` +
      `<ul class="plans" id="plans">${urgentFirst.map((record) => card(record, session, nowMs)).join("")}</ul>` +
      `<div id="rest" data-live>${notListed(count - records.length, others)}</div>` +
      `<section aria-labelledby="decided-lately"><h2 id="decided-lately">Decided lately</h2><ul class="decided" id="decided" data-live>` +
      `${ownDecided.map((record) => decidedItem(record, nowMs)).join("") || "<li>Nothing yet.</li>"}</ul></section>`,
  });
}
