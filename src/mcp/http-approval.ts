/** The approval page: a person with an approver's secret reads a plan's whole preview and decides on it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "../api/failure.js";
import type { Bodies } from "./http-bodies.js";
import { messagePage, pageHeaders, planPage, type ShownPlan, secretPage } from "./http-page.js";
import { createTickets } from "./http-tickets.js";
import { holderOf, type TokenHolder } from "./http-tokens.js";
import { createTurns } from "./http-turns.js";

/** Where plans are found and decided on. */
export interface PlanReview {
  /** A plan and what became of it; undefined when there is none. */
  find(id: string): Promise<{ readonly plan: ShownPlan; readonly status: string } | undefined>;
  /**
   * Approves an open plan.
   * @param by The approver's name.
   * @throws Failure when it is no longer open.
   */
  approve(id: string, channel: "page", by: string): Promise<void>;
  /** Refuses an open plan for good. */
  refuse(id: string, channel: "page"): Promise<void>;
}

export interface Approval {
  /** Who may approve. Their secrets are no client's tokens. */
  readonly approvers: readonly TokenHolder[];
  readonly review: PlanReview;
  readonly now?: () => number;
  /** Waits for a time, between secrets of an address from which wrong ones came. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const maxFormBytes = 8 * 1024;

interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fields of a form; undefined when one is given twice, because two readers could take different ones. */
function fieldsOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = [...new URLSearchParams(text)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}

const isForm = (type: string | undefined): boolean => /^application\/x-www-form-urlencoded *(;|$)/i.test(type ?? "");

const none: Page = {
  status: 404,
  html: messagePage("No such plan", "There is no plan with this id. Plans end after a while: ask for a new preview."),
};

/**
 * Makes the handler of `/plans/{id}`. GET shows a form and changes nothing; a decision needs a ticket, which is issued
 * for a secret and for the preview that it then showed.
 */
export function createApprovalPage({ approvers, review, now = Date.now, pause }: Approval, bodies: Bodies) {
  const approver = holderOf(approvers);
  const tickets = createTickets(now);
  const turns = createTurns(now, pause);

  /** Why a plan cannot be decided on here; undefined when it can. */
  const closed = (plan: ShownPlan, status: string): Page | undefined => {
    if (plan.awaits !== "person")
      return { status: 409, html: messagePage("Not approved here", "This plan is approved where it was asked for.") };
    if (plan.expiresAtMs <= now())
      return { status: 409, html: messagePage("Expired", "This plan has expired; ask for a new preview.") };
    return status === "open"
      ? undefined
      : { status: 409, html: messagePage("Already decided", `The status of this plan is: ${status}.`) };
  };

  const show = async (id: string, by: string, note?: string): Promise<Page> => {
    const found = await review.find(id);
    if (!found) return none;
    const { plan, status } = found;
    const ticket = tickets.issue(by, { plan: id, digest: plan.preview.digest });
    return closed(plan, status) ?? { status: note === undefined ? 200 : 422, html: planPage(plan, ticket, note) };
  };

  const identify = async (
    id: string,
    secret: string,
    address: string,
    hasLeft: () => boolean,
  ): Promise<Page | undefined> => {
    await turns.turn(address, hasLeft);
    if (hasLeft()) return undefined;
    const by = approver(secret);
    if (by !== undefined) return show(id, by);
    turns.failed(address);
    return { status: 403, html: secretPage("That is no approver's secret. A client's token is none either.") };
  };

  const decide = async (id: string, fields: Readonly<Record<string, string>>): Promise<Page> => {
    const { ticket = "", decision, target = "" } = fields;
    const found = await review.find(id);
    const by = found && tickets.holder(ticket, { plan: id, digest: found.plan.preview.digest });
    if (!found || by === undefined)
      return { status: 403, html: secretPage("This form is no longer valid. Give your secret again to see the plan.") };
    const { plan, status } = found;
    const over = closed(plan, status);
    if (over) return over;
    if (decision !== "approve" && decision !== "refuse")
      return { status: 400, html: messagePage("Nothing was decided", "The form did not say what to do.") };
    if (decision === "approve" && plan.tier === "critical" && target.trim() !== plan.preview.target)
      return show(id, by, "What was typed is not the target, so nothing was approved.");
    // Between this check and its mark nothing else runs, so a double click decides once.
    if (!tickets.use(ticket))
      return { status: 409, html: messagePage("Already decided", "This form has been sent before.") };
    if (decision === "refuse") await review.refuse(id, "page");
    else await review.approve(id, "page", by);
    return decision === "refuse"
      ? { status: 200, html: messagePage("Refused", "The plan is refused. Nothing was sent.") }
      : { status: 200, html: messagePage("Approved", "The plan is approved. The assistant can make the call now.") };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, id: string): Promise<Page | undefined> => {
    const { method = "", headers, socket } = request;
    if (method === "GET") return { status: 200, html: secretPage() };
    if (method !== "POST")
      return {
        status: 405,
        html: messagePage("Not allowed", "This page takes GET and POST."),
        headers: { allow: "GET, POST" },
      };
    if (headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site")
      return { status: 403, html: messagePage("Refused", "This form was sent by another site.") };
    if (!isForm(headers["content-type"]))
      return { status: 415, html: messagePage("Refused", "Send the page's own form.") };
    const address = socket.remoteAddress ?? "";
    const text = await bodies.read(request, response, `address:${address}`, maxFormBytes);
    if (text === undefined) return undefined;
    if (typeof text !== "string")
      return {
        status: text.status,
        html: messagePage("Refused", text.message),
        ...(text.headers && { headers: text.headers }),
      };
    const fields = fieldsOf(text);
    if (!fields) return { status: 400, html: messagePage("Refused", "A field of the form was sent twice.") };
    const { secret } = fields;
    return secret === undefined ? decide(id, fields) : identify(id, secret, address, () => response.destroyed);
  };

  return async (request: IncomingMessage, response: ServerResponse, id: string): Promise<void> => {
    const page = /^plan_[\w-]{1,64}$/.test(id)
      ? await answer(request, response, id).catch((error: unknown): Page => {
          if (!(error instanceof Failure)) throw error;
          return { status: 409, html: messagePage("Not done", `${error.message} ${error.detail.next}`) };
        })
      : none;
    if (!page) return;
    response.writeHead(page.status, { ...pageHeaders, ...page.headers }).end(page.html);
  };
}
