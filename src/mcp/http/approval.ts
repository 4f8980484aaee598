/** The approval page: an approver signs in with a secret, lists the waiting plans, reads a whole preview and decides. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Approver, PlanRecord } from "../../guard/index.js";
import { Failure } from "../../language/failure.js";
import { holderOf, type TokenHolder } from "./access.js";
import { createTickets, createTurns, type TicketState, type Tickets, type Turns } from "./approvers.js";
import type { Bodies } from "./bodies.js";
import { listPage, messagePage, planPage, type ShownPlan, secretPage, type Waiting } from "./page.js";
import { pageHeaders } from "./page-frame.js";

type Status = PlanRecord["status"];

/** A message: its title, and its text about what happened and what happens next. */
type Said = readonly [title: string, text: string];

/** Access to plans and decisions. */
export interface PlanReview {
  /** A plan with its status; undefined if there is none. */
  find(id: string): Promise<{ readonly plan: ShownPlan; readonly status: Status } | undefined>;
  /** The plans that wait for a decision, newest first, and their number. */
  waiting(most: number): Promise<Waiting>;
  /**
   * Approves an open plan.
   * @returns How many more persons have to approve it.
   * @throws Failure if it is no longer open, or this person cannot approve it.
   */
  approve(id: string, channel: "page", by: Approver): Promise<number>;
  /** Refuses an open plan for good. */
  refuse(id: string, channel: "page", by: Approver): Promise<void>;
}

export interface Approval {
  /** The approvers. Their secrets are not client tokens. */
  readonly approvers: readonly TokenHolder[];
  readonly review: PlanReview;
  readonly tickets: () => Promise<TicketState>;
  readonly now?: () => number;
  /** Waits between attempts from an address that sent wrong secrets. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const maxFormBytes = 8 * 1024;

interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fields of a form; undefined if one is repeated, because it would be ambiguous. */
function fieldsOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = [...new URLSearchParams(text)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}

const isForm = (type: string | undefined): boolean => /^application\/x-www-form-urlencoded *(;|$)/i.test(type ?? "");

const rejected = (status: number, text: string): Page => ({ status, html: messagePage("Not accepted", text) });

const none = [
  "No such plan",
  "There is no plan with this id. Plans are removed some time after they end; if the change is still wanted, have the assistant preview it again.",
] as const satisfies Said;

/** Longer lists are not readable; the page shows how many plans it leaves out. */
const maxListed = 100;

const askAgain = "If it is still wanted, have the assistant preview it again.";

/** Messages for plans that are no longer open, by status. */
const ended: Readonly<Record<Exclude<Status, "open">, Said>> = {
  approved: ["Already approved", "This plan is approved, and the assistant has not made the call yet."],
  redeemed: ["Already approved", "This plan was approved, and its call is in progress."],
  sending: ["Already approved", "This plan was approved, and its call is in progress."],
  done: ["Already approved", "This plan was approved, and its call was made."],
  failed: ["Already approved", "This plan was approved, and its call failed."],
  unknown: ["Already approved", "This plan was approved. Its call was sent, and its outcome is unknown."],
  not_sent: ["Already approved", `This plan was approved, but its call was never sent. ${askAgain}`],
  refused: ["Already refused", `This plan was refused, and nothing was sent. ${askAgain}`],
  void: ["No longer valid", `This plan ended without a decision, and nothing was sent. ${askAgain}`],
  expired: ["Expired", `This plan has expired, and nothing was sent. ${askAgain}`],
};

const sentBefore: Said = ["Already decided", "This form was already sent, and its decision was recorded."];

const decided: Readonly<Record<"approve" | "firstOfTwo" | "refuse", Said>> = {
  approve: [
    "Approved",
    "The assistant can make the call now, once and before the plan expires. There is nothing more to do here.",
  ],
  firstOfTwo: [
    "Approved by you",
    "Another person has to approve this plan, too, before the assistant can make the call.",
  ],
  refuse: ["Refused", "The plan is refused permanently, and nothing was sent. There is nothing more to do here."],
};

type Fields = Readonly<Record<string, string>>;

/** A signed-in approver: their name, and their ticket for reading waiting plans. */
interface Reader {
  readonly by: string;
  readonly pass: string;
}

/** The dependencies of a decision: the plans, and the authentication of approvers. */
interface Desk {
  readonly review: PlanReview;
  /** The name of the approver with this secret. */
  readonly approver: (secret: string) => string | undefined;
  readonly tickets: Tickets;
  readonly turns: Turns;
  readonly now: () => number;
}

/** A submitted form, for one plan or for the list. */
interface Sent {
  readonly id: string | undefined;
  readonly fields: Fields;
  readonly address: string;
  readonly hasLeft: () => boolean;
}

function readerWith({ tickets }: Desk, pass: string | undefined): Reader | undefined {
  const by = pass === undefined ? undefined : tickets.holder(pass, "reading");
  return pass === undefined || by === undefined ? undefined : { by, pass };
}

/** A page with a message for a signed-in approver: its subject, and a link to the plans that still wait. */
async function message(
  { review }: Desk,
  status: number,
  [title, text]: Said,
  { plan, reader }: { readonly plan?: ShownPlan; readonly reader: Reader | undefined },
): Promise<Page> {
  // The decision is made, whether or not the other plans can be counted.
  const waiting = reader && (await review.waiting(0).catch(() => undefined));
  const list = waiting && { pass: reader.pass, count: waiting.count };
  const about = plan?.awaits === "person" ? plan.preview.summary : undefined;
  return { status, html: messagePage(title, text, { about, list }) };
}

/** Why a plan cannot be decided here; undefined if it can. */
function closed(plan: ShownPlan, status: Status, nowMs: number): Said | undefined {
  if (plan.awaits !== "person") return ["Not approved here", "This plan is approved in the client that requested it."];
  if (status !== "open") return ended[status];
  return plan.expiresAtMs <= nowMs ? ended.expired : undefined;
}

async function showPlan(desk: Desk, id: string, reader: Reader, note?: string): Promise<Page> {
  const { review, tickets, now } = desk;
  const found = await review.find(id);
  if (!found) return message(desk, 404, none, { reader });
  const { plan, status } = found;
  const over = closed(plan, status, now());
  if (over) return message(desk, 409, over, { plan, reader });
  const ticket = tickets.issue(reader.by, { plan: id, digest: plan.preview.digest });
  const html = planPage(plan, { ticket, pass: reader.pass }, now(), note);
  return { status: note === undefined ? 200 : 422, html };
}

/** The page of one plan, or of the list. */
async function show(desk: Desk, id: string | undefined, reader: Reader): Promise<Page> {
  if (id !== undefined) return showPlan(desk, id, reader);
  return { status: 200, html: listPage(await desk.review.waiting(maxListed), reader.pass, desk.now()) };
}

/** Signs in an approver by their secret; undefined if the client has disconnected. */
async function identify(desk: Desk, secret: string, { id, address, hasLeft }: Sent): Promise<Page | undefined> {
  const { turns, approver, tickets } = desk;
  await turns.turn(address, hasLeft);
  if (hasLeft()) return undefined;
  const by = approver(secret);
  if (by !== undefined) return show(desk, id, { by, pass: tickets.issue(by, "reading") });
  turns.failed(address);
  const note = "That is not an approver's secret. A client's token is not accepted here.";
  return { status: 403, html: secretPage(id !== undefined, note) };
}

async function decide(desk: Desk, id: string, fields: Fields): Promise<Page> {
  const { review, tickets, now } = desk;
  const { ticket = "", decision, target = "", pass } = fields;
  const found = await review.find(id);
  const by = found && tickets.holder(ticket, { plan: id, digest: found.plan.preview.digest });
  if (!found || by === undefined)
    return {
      status: 403,
      html: secretPage(true, "This form is no longer valid. Give your secret again to see the plan."),
    };
  const { plan, status } = found;
  const around = { plan, reader: readerWith(desk, pass) };
  const over = closed(plan, status, now());
  if (over) return message(desk, 409, over, around);
  if (decision !== "approve" && decision !== "refuse")
    return message(desk, 400, ["No decision was made", "The form did not say what to do."], around);
  if (decision === "approve" && plan.tier === "critical" && target.trim() !== plan.preview.target)
    return showPlan(
      desk,
      id,
      { by, pass: pass ?? "" },
      "The text is not the target, so nothing was approved. Type it exactly as shown.",
    );
  // Nothing else runs between this check and its mark, so a double click decides only once.
  if (!(await tickets.use(ticket))) return message(desk, 409, sentBefore, around);
  if (decision === "refuse") {
    await review.refuse(id, "page", { name: by });
    return message(desk, 200, decided.refuse, around);
  }
  const missing = await review.approve(id, "page", { name: by });
  return message(desk, 200, missing > 0 ? decided.firstOfTwo : decided.approve, around);
}

/** Handles a form: a sign-in with a secret, a decision with its ticket, or a request to read with a reading ticket. */
async function answerForm(desk: Desk, sent: Sent): Promise<Page | undefined> {
  const { id, fields } = sent;
  const { secret, ticket, pass } = fields;
  if (secret !== undefined) return identify(desk, secret, sent);
  if (id !== undefined && (ticket !== undefined || pass === undefined)) return decide(desk, id, fields);
  const reader = readerWith(desk, pass);
  const note = `This form is no longer valid. Give your secret again to see ${id === undefined ? "the plans" : "the plan"}.`;
  return reader ? show(desk, id, reader) : { status: 403, html: secretPage(id !== undefined, note) };
}

/** The response to a request that does not submit one of the page's forms; its body is not read. */
function answerWithoutForm({ method = "", headers }: IncomingMessage, id: string | undefined): Page | undefined {
  if (method === "GET" || method === "HEAD") return { status: 200, html: secretPage(id !== undefined) };
  if (method !== "POST")
    return {
      status: 405,
      html: messagePage("Not allowed", "This page takes GET, HEAD and POST."),
      headers: { allow: "GET, HEAD, POST" },
    };
  if (headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site")
    return rejected(403, "This form was sent by another site.");
  return isForm(headers["content-type"]) ? undefined : rejected(415, "Send the page's own form.");
}

/**
 * Creates the handler of `/plans` and `/plans/{id}`. GET shows a form and changes nothing. A secret opens the list or a
 * plan and gives a ticket for reading; a decision needs a separate ticket, which is issued for the preview on the page.
 */
export async function createApprovalPage(
  { approvers, review, tickets, now = Date.now, pause }: Approval,
  bodies: Bodies,
) {
  const desk: Desk = {
    review,
    approver: holderOf(approvers),
    tickets: createTickets(now, await tickets()),
    turns: createTurns(now, pause),
    now,
  };

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    id: string | undefined,
  ): Promise<Page | undefined> => {
    const early = answerWithoutForm(request, id);
    if (early) return early;
    const address = request.socket.remoteAddress ?? "";
    const text = await bodies.read(request, response, `address:${address}`, maxFormBytes);
    if (text === undefined) return undefined;
    if (typeof text !== "string")
      return { ...rejected(text.status, text.message), ...(text.headers && { headers: text.headers }) };
    const fields = fieldsOf(text);
    if (!fields) return rejected(400, "A form field was sent twice.");
    return answerForm(desk, { id, fields, address, hasLeft: () => response.destroyed });
  };

  /** @param path The path after `/plans`. */
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    // The links are relative, so that a proxy can serve the page at a different path.
    if (path === "/") return void response.writeHead(308, { ...pageHeaders, location: "../plans" }).end();
    const id = path === "" ? undefined : path.slice(1);
    const page =
      id === undefined || /^plan_[\w-]{1,64}$/.test(id)
        ? await answer(request, response, id).catch((error: unknown): Page => {
            if (!(error instanceof Failure)) throw error;
            return { status: 409, html: messagePage("Not done", `${error.message} ${error.detail.next}`) };
          })
        : { status: 404, html: messagePage(...none) };
    if (!page) return;
    response.writeHead(page.status, { ...pageHeaders, ...page.headers }).end(page.html);
  };
}
