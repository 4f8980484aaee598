/**
 * The approvals desk at `/plans`: approvers sign in, see what waits and what was decided, and decide on plans. It hides
 * the browser, with its cookies, forms and streams, from the guard. A decision is made by a person who is signed in and
 * may decide on the service, on the preview as it was shown, and once.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { lacksReason } from "../../../guard/plans/persons.js";
import { Failure } from "../../../language/failure.js";
import { hourMs } from "../../../time/durations.js";
import { createHolderLookup, rejectRequest, type TokenHolder } from "../access.js";
import type { BodyReader } from "../bodies.js";
import { assetHeaders, assets, type DeskPage, linkToList, type PageLevel, redirect } from "./frame.js";
import {
  beginSignIn,
  completeSignIn,
  type DeskIssuer,
  type FailedSignIn,
  redirectUriOf,
  signInMs,
  signInProgressOf,
} from "./issuer-sign-in.js";
import { listPage, readList } from "./list-page.js";
import { messagePage, type SignInMethods, signInPage } from "./message-pages.js";
import { planPage, type RejectedDecision } from "./plan-page.js";
import type { PlanReview, ShownRecord } from "./review.js";
import { createSeals } from "./seal.js";
import {
  approverOf,
  type Cookies,
  createCookies,
  createSessionEndings,
  type DeskSession,
  type DeskSessionState,
  mayDecide,
  type SessionEndings,
  type SignInDenialCheck,
  sessionWithSecret,
  sessionWithToken,
} from "./session.js";
import { createTickets, type TicketState, type Tickets } from "./tickets.js";
import { createTurns, type Turns } from "./turns.js";
import { createWatch, endStream, type Watch } from "./watch.js";
import { endMessage, type PageMessage } from "./words.js";

export interface DeskOptions {
  /** The approvers with a secret, which is not a client's token. */
  readonly approvers: readonly TokenHolder[];
  /** The identity provider with which others sign in. */
  readonly issuer?: DeskIssuer | undefined;
  readonly review: PlanReview;
  readonly state: () => Promise<DeskState>;
  readonly isDenied: SignInDenialCheck;
  /** Waits between attempts from an address that sent wrong secrets. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** What the desk needs of the state of all instances. */
export interface DeskState extends TicketState, DeskSessionState {}

interface DeskParts {
  readonly review: PlanReview;
  /** The name of the approver with this secret. */
  readonly approver: (secret: string) => string | undefined;
  readonly issuer: DeskIssuer | undefined;
  readonly signInMethods: SignInMethods;
  readonly cookies: Cookies;
  readonly tickets: Tickets;
  readonly turns: Turns;
  readonly watch: Watch;
  readonly endings: SessionEndings;
  readonly now: () => number;
}

type FormFields = Readonly<Record<string, string>>;

/** A request with what it brings. */
interface DeskExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The session of its cookie, if that has not ended; looked up when a page needs it. */
  readonly session: () => Promise<DeskSession | undefined>;
  /** The fields of its form; none for a GET. */
  readonly fields: FormFields;
}

/** Answers a request with a page; undefined if it was answered, or its client has left. */
type Answer = (desk: DeskParts, exchange: DeskExchange) => Promise<DeskPage | undefined>;

const maxFormBytes = 8 * 1024;

/** How long a sign-in with a secret lasts, as long as most tokens do. */
const secretSessionMs = hourMs;

/** The fields of a form; undefined if one is repeated, because it would be ambiguous. */
function fieldsOf(text: string): FormFields | undefined {
  const pairs = [...new URLSearchParams(text)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}

const isForm = (type: string | undefined): boolean => /^application\/x-www-form-urlencoded *(;|$)/i.test(type ?? "");

const planIn = (text: string | undefined): string | undefined =>
  text !== undefined && /^plan_[\w-]{1,64}$/.test(text) ? text : undefined;

const noSuchPlan: PageMessage = [
  "No such plan",
  "There is no plan with this id. Plans are removed some time after they end; if the change is still wanted, have the assistant preview it again.",
];
const notApprovedHere: PageMessage = ["Not approved here", "This plan is approved in the client that requested it."];
const notYours: PageMessage = [
  "You may not decide on this plan",
  "Your sign-in approves the calls of certain services only, and this plan's is not among them.",
];
const notAccepted = (status: number, text: string, headers: DeskPage["headers"] = {}): DeskPage =>
  messagePage(status, "below", ["Not accepted", text], { headers });

const showList: Answer = async ({ review, signInMethods, now }, exchange) => {
  const session = await exchange.session();
  return session
    ? listPage(await readList(review), session, now())
    : signInPage(200, "list", signInMethods, { plan: undefined });
};

/** A plan as it was read for a page. */
type FoundPlan = ShownRecord & { readonly version: string };

/** A plan that a person may decide on, or has decided on; otherwise the page that says why not. */
async function planFor({ review }: DeskParts, id: string, session: DeskSession): Promise<FoundPlan | DeskPage> {
  const subject = session.who.subject;
  const version = await review.version();
  const record = await review.find(id);
  if (!record) return messagePage(404, "below", noSuchPlan, { by: subject });
  if (record.plan.awaits !== "person") return messagePage(409, "below", notApprovedHere, { by: subject });
  return mayDecide(session, review.serviceOf(record.plan.tool))
    ? { ...record, version }
    : messagePage(403, "below", notYours, { by: subject });
}

const pageOfPlan = (
  { tickets, now }: DeskParts,
  { version, ...record }: FoundPlan,
  session: DeskSession,
  rejection?: RejectedDecision,
): DeskPage =>
  planPage(record, { session, ticket: tickets.issue(session, record.plan), version, nowMs: now() }, rejection);

const showPlan =
  (id: string): Answer =>
  async (desk, exchange) => {
    const session = await exchange.session();
    if (!session) return signInPage(200, "below", desk.signInMethods, { plan: id });
    const found = await planFor(desk, id, session);
    return "plan" in found ? pageOfPlan(desk, found, session) : found;
  };

/** Why a decision cannot be made; undefined if it can. */
function objection(
  { tickets, now }: DeskParts,
  record: ShownRecord,
  session: DeskSession,
  { ticket = "", decision, target = "", reason }: FormFields,
): Omit<RejectedDecision, "reason"> | undefined {
  const { plan } = record;
  if (endMessage(record, now())) return { status: 409 };
  if (!tickets.isFor(ticket, session, plan))
    return { status: 403, note: "This page was made for another sign-in, so nothing was decided. Decide again." };
  if (decision !== "approve" && decision !== "refuse")
    return { status: 400, note: "The form did not say what to do, so nothing was decided." };
  if (decision === "approve" && plan.tier === "critical" && target.trim() !== plan.preview.target)
    return {
      status: 422,
      note: "The text is not the target, so nothing was approved. Type it exactly as shown.",
      isTargetWrong: true,
    };
  if (decision === "approve" && lacksReason(plan, { reason }))
    return {
      status: 422,
      note: "Approving this call needs a reason, because it breaks a freeze; nothing was approved. Write why.",
      isReasonMissing: true,
    };
  return undefined;
}

/** Carries out a decision to which there is no objection, and shows the plan as it is afterwards. */
async function carryOut(
  desk: DeskParts,
  record: ShownRecord,
  session: DeskSession,
  { decision, reason = "" }: FormFields,
) {
  const { review } = desk;
  const { id } = record.plan;
  const by = approverOf(session, reason === "" ? undefined : reason);
  try {
    if (decision === "refuse") await review.refuse(id, "page", by);
    else await review.approve(id, "page", by);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const after = await planFor(desk, id, session);
    const note = `${error.message} ${error.detail.next}`;
    return "plan" in after ? pageOfPlan(desk, after, session, { status: 409, note, reason }) : after;
  }
  return redirect(id);
}

const expiredNote = "Your sign-in has expired, and nothing was decided. Sign in again to see the plan.";

const decide =
  (id: string): Answer =>
  async (desk, { fields, ...exchange }) => {
    const session = await exchange.session();
    if (!session) return signInPage(403, "below", desk.signInMethods, { plan: id }, { note: expiredNote });
    const record = await planFor(desk, id, session);
    if (!("plan" in record)) return record;
    const formFields = { ...fields, reason: (fields["reason"] ?? "").trim().replaceAll(/\s+/g, " ") };
    const rejection = objection(desk, record, session, fields);
    if (rejection) return pageOfPlan(desk, record, session, { ...rejection, reason: formFields.reason });
    // Nothing else runs between this check and its mark, so a double click decides only once.
    if (await desk.tickets.use(fields["ticket"] ?? "", session)) return carryOut(desk, record, session, formFields);
    return pageOfPlan(desk, record, session, { status: 409 });
  };

/** Where a sign-in leads, from a path below the list. */
const afterSignIn = (destination: string | undefined): string => planIn(destination) ?? linkToList("below");

const deniedSignIn: PageMessage = ["You are not signed in", "An operator has denied this sign-in."];

const signInWithSecret: Answer = async (desk, { request, response, fields }) => {
  const { turns, approver, cookies, signInMethods, now, endings } = desk;
  const address = request.socket.remoteAddress ?? "";
  const hasLeft = (): boolean => response.destroyed;
  await turns.turn(address, hasLeft);
  if (hasLeft()) return undefined;
  const { secret = "", plan: destination } = fields;
  const subject = approver(secret);
  if (subject === undefined) {
    turns.countFailure(address);
    const note = "That is not an approver's secret. A client's token is not accepted here.";
    return signInPage(403, "below", signInMethods, { plan: planIn(destination) }, { note });
  }
  const session = sessionWithSecret(subject, now() + secretSessionMs);
  if (await endings.isDenied(session)) return messagePage(403, "below", deniedSignIn);
  const isSecure = request.headers.origin?.startsWith("https:") === true;
  return redirect(afterSignIn(destination), [
    cookies.keep("session", request, session, { atMs: session.expiresAtMs, isSecure }),
  ]);
};

const startSignIn: Answer = async ({ issuer, cookies, now }, { request }) => {
  if (!issuer) return redirect(linkToList("below"));
  const { searchParams } = new URL(request.url ?? "", "http://desk.invalid");
  const destination = { plan: planIn(searchParams.get("plan") ?? undefined), isAnew: searchParams.has("as") };
  const { location, progress } = await beginSignIn(issuer, request, destination);
  const until = { atMs: now() + signInMs, isSecure: progress.address.startsWith("https:") };
  return redirect(location, [cookies.keep("sign-in", request, progress, until)]);
};

const finishSignIn: Answer = async ({ issuer, cookies, endings }, { request }) => {
  if (!issuer) return redirect(linkToList("below"));
  const progress = signInProgressOf(cookies.read("sign-in", request));
  const completed = await completeSignIn(issuer, request, progress);
  const removedCookie = cookies.forget("sign-in", request);
  const destination = progress?.plan;
  const failurePage = ({ status, said, isAnew }: FailedSignIn): DeskPage => {
    const signIn = { plan: destination, ...(isAnew === undefined ? {} : { isAnew }) };
    return messagePage(status, "below", said, { signIn, headers: { "set-cookie": [removedCookie] } });
  };
  if ("said" in completed) return failurePage(completed);
  const session = sessionWithToken(completed);
  if (await endings.isDenied(session)) return failurePage({ status: 403, said: deniedSignIn });
  const isSecure = progress !== undefined && redirectUriOf(progress.address).startsWith("https:");
  return redirect(afterSignIn(destination), [
    cookies.keep("session", request, session, { atMs: session.expiresAtMs, isSecure }),
    removedCookie,
  ]);
};

const signOut: Answer = async ({ cookies, endings }, exchange) => {
  const session = await exchange.session();
  if (session) await endings.end(session);
  return messagePage(
    200,
    "below",
    ["You are signed out", "This browser keeps nothing of the sign-in. The identity provider may still know you."],
    {
      signIn: { plan: undefined, isAnew: true },
      headers: { "set-cookie": [cookies.forget("session", exchange.request)] },
    },
  );
};

const streamEvents: Answer = async ({ watch }, { response, ...exchange }) => {
  const session = await exchange.session();
  if (!session) return void endStream(response);
  const rejection = watch.open(response, session);
  return rejection && void rejectRequest(response, rejection);
};

const serveAsset =
  (name: keyof typeof assets): Answer =>
  async (_, { response }) => {
    const found = assets[name]();
    return void response.writeHead(200, assetHeaders(found)).end(found.text);
  };

type Route = { readonly GET?: Answer; readonly POST?: Answer };

const fixedRoutes: Readonly<Record<string, Route>> = {
  "": { GET: showList },
  "/events": { GET: streamEvents },
  "/sign-in": { GET: startSignIn, POST: signInWithSecret },
  "/signed-in": { GET: finishSignIn },
  "/sign-out": { POST: signOut },
  "/desk.js": { GET: serveAsset("desk.js") },
  "/desk.css": { GET: serveAsset("desk.css") },
  "/desk.svg": { GET: serveAsset("desk.svg") },
};

/** @param path The path after `/plans`. */
function routeOf(path: string): Route | undefined {
  if (Object.hasOwn(fixedRoutes, path)) return fixedRoutes[path];
  const id = planIn(path.slice(1));
  return id === undefined ? undefined : { GET: showPlan(id), POST: decide(id) };
}

/** The fields of a request's form; a page if it is not a form of the desk; undefined if its client has left. */
async function formOf(
  { request, response }: Pick<DeskExchange, "request" | "response">,
  bodies: BodyReader,
): Promise<{ readonly fields: FormFields } | DeskPage | undefined> {
  const { headers, socket } = request;
  if (headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site")
    return notAccepted(403, "This form was sent by another site.");
  if (!isForm(headers["content-type"])) return notAccepted(415, "Send the page's own form.");
  const text = await bodies.read(request, response, `address:${socket.remoteAddress ?? ""}`, maxFormBytes);
  if (text === undefined) return undefined;
  if (typeof text !== "string") return notAccepted(text.status, text.message, text.headers);
  const fields = fieldsOf(text);
  return fields ? { fields } : notAccepted(400, "A form field was sent twice.");
}

/** Answers with what a failure says, such as that the store or the issuer cannot be reached. */
function pageOfFailure(error: unknown, level: PageLevel): DeskPage {
  if (!(error instanceof Failure)) throw error;
  const { code, message, detail } = error;
  return messagePage(code === "network" ? 503 : 409, level, ["Not done", `${message} ${detail.next}`]);
}

async function answerRequest(
  desk: DeskParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  bodies: BodyReader,
) {
  const route = routeOf(path);
  const session = async (): Promise<DeskSession | undefined> => {
    const kept = desk.cookies.read("session", request);
    return kept && !(await desk.endings.of([kept])).has(kept) ? kept : undefined;
  };
  if (route === undefined) return messagePage(404, "below", noSuchPlan);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const answer = method === "GET" || method === "POST" ? route[method] : undefined;
  if (answer === undefined) {
    const allow = Object.keys(route).join(", ");
    return messagePage(405, path === "" ? "list" : "below", ["Not allowed", `This page takes ${allow}.`], {
      headers: { allow },
    });
  }
  if (method === "GET") return answer(desk, { request, response, session, fields: {} });
  const form = await formOf({ request, response }, bodies);
  return form && "fields" in form ? answer(desk, { request, response, session, fields: form.fields }) : form;
}

export interface Desk {
  /** @param path The path after `/plans`. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Ends what would otherwise last as long as the pages are open. */
  close(): void;
}

/** Creates what serves `/plans` and all below it. */
export async function createDesk(
  { approvers, issuer, review, state: open, isDenied, pause }: DeskOptions,
  bodies: BodyReader,
): Promise<Desk> {
  const state = await open();
  const { now } = state;
  const endings = createSessionEndings(state, isDenied);
  const desk: DeskParts = {
    review,
    approver: createHolderLookup(approvers),
    issuer,
    signInMethods: { hasIssuer: issuer !== undefined, hasSecrets: approvers.length > 0 },
    cookies: createCookies(now, createSeals(now, state.keys)),
    tickets: createTickets(state),
    turns: createTurns(now, pause),
    watch: createWatch(review, endings.of, now),
    endings,
    now,
  };
  return {
    async serve(request, response, path) {
      // The links are relative, so that a proxy can serve the page at a different path.
      if (path === "/") return void response.writeHead(308, { location: "../plans" }).end();
      const level = path === "" ? "list" : "below";
      const page = await answerRequest(desk, request, response, path, bodies).catch((error: unknown) =>
        pageOfFailure(error, level),
      );
      if (!page) return;
      const { status, html, headers } = page;
      response.writeHead(status, headers as Record<string, string | string[]>).end(html);
    },
    close: desk.watch.close,
  };
}
