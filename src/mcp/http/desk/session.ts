/**
 * The session of an approver: who signed in, for what and until when, in a sealed cookie that any instance can open, and how
 * it can end earlier.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Approver } from "../../../guard/index.js";
import { holdsScope, type Identity, type Principal, scopes } from "../../../policy/principal.js";
import type { Authentication } from "../../owner.js";
import type { VerifiedToken } from "../oauth/verifier.js";
import type { Seals } from "./seal.js";

export interface DeskSession {
  /** Random; tickets for decisions are bound to it. */
  readonly id: string;
  /** The person, with the issuer if there is one. */
  readonly who: Identity;
  /** What identifies the token of the sign-in, which can be denied; absent for a secret. */
  readonly token?: { readonly client?: string | undefined; readonly id?: string | undefined };
  /** The person's scopes for approving. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

/** The state that sessions need in addition to their cookies: which of them have ended. */
export interface DeskSessionState {
  /** The time that all instances agree on, in milliseconds. */
  readonly now: () => number;
  /** Marks a text as used until a time in milliseconds; false if it has been before. */
  useTicket(text: string, forgottenAtMs: number): Promise<boolean>;
  /** Which of some texts are marked. */
  usedTickets(texts: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Whether an operator has denied a sign-in since it was made; what is not known counts as denied. */
export type SignInDenialCheck = (signIn: Pick<Authentication, "principal" | "tokenId">) => Promise<boolean>;

/** The ends of the sessions of all instances: a cookie that someone has copied ends with its session. */
export interface SessionEndings {
  /** Whether an operator has denied who signed in. */
  isDenied(session: DeskSession): Promise<boolean>;
  /** Which of some sessions have expired, were signed out, or are denied. */
  of(sessions: readonly DeskSession[]): Promise<ReadonlySet<DeskSession>>;
  /** Ends a session in all instances. */
  end(session: DeskSession): Promise<void>;
}

const signOutText = ({ id }: DeskSession): string => `signed out ${id}`;

export function createSessionEndings(state: DeskSessionState, isSignInDenied: SignInDenialCheck): SessionEndings {
  const isDenied = ({ who, scopes: approvalScopes, token }: DeskSession): Promise<boolean> =>
    isSignInDenied({
      principal: { ...who, client: token?.client, groups: [], scopes: approvalScopes },
      tokenId: token?.id,
    });
  return {
    isDenied,
    async of(sessions) {
      const signedOutTexts = await state.usedTickets(sessions.map(signOutText));
      const ended = new Set<DeskSession>();
      for (const one of sessions)
        if (one.expiresAtMs <= state.now() || signedOutTexts.has(signOutText(one)) || (await isDenied(one)))
          ended.add(one);
      return ended;
    },
    end: async (session) => void (await state.useTicket(signOutText(session), session.expiresAtMs)),
  };
}

const newId = (): string => randomBytes(12).toString("base64url");

/** The session of who signed in with a secret. */
export const sessionWithSecret = (subject: string, expiresAtMs: number): DeskSession => ({
  id: newId(),
  who: { subject },
  scopes: [scopes.approve],
  expiresAtMs,
});

/** The scopes of a principal that allow approvals, of all services or of one. */
export const approvingScopes = ({ scopes: all }: Pick<Principal, "scopes">): readonly string[] =>
  all.filter((scope) => scope === scopes.approve || scope.startsWith(`${scopes.approve}:`));

/** The session of who signed in with the identity provider; it lasts as long as the token, which is not kept. */
export const sessionWithToken = ({ principal, expiresAtMs, tokenId }: VerifiedToken): DeskSession => ({
  id: newId(),
  who: { subject: principal.subject, issuer: principal.issuer },
  token: { client: principal.client, id: tokenId },
  scopes: approvingScopes(principal),
  expiresAtMs,
});

/**
 * Whether a session may decide on the calls of a service.
 * @param service Undefined for an operation that is no longer offered.
 */
export const mayDecide = ({ scopes: own }: DeskSession, service: string | undefined): boolean =>
  holdsScope(own, scopes.approve, service ?? "");

/** A session's person as the approver of a plan. */
export const approverOf = ({ who }: DeskSession, reason?: string): Approver => ({
  name: who.subject,
  ...(who.issuer === undefined ? {} : { subject: who }),
  ...(reason === undefined ? {} : { reason }),
});

/** What the browser keeps: a session, and what a sign-in in progress needs. */
const cookieNames = { session: "edgewise-desk", "sign-in": "edgewise-sign-in" } as const;
type CookieKind = keyof typeof cookieNames;

/** Cookies reach every port of a host, so that servers on one machine need different names. */
function nameOf(kind: CookieKind, { headers: { host = "" } }: IncomingMessage): string {
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  return port === undefined ? cookieNames[kind] : `${cookieNames[kind]}-${port}`;
}

export interface Cookies {
  /** The value in the cookie of a request; undefined unless this server has sealed it and it is still valid. */
  read(kind: "session", request: IncomingMessage): DeskSession | undefined;
  read(kind: "sign-in", request: IncomingMessage): object | undefined;
  /**
   * The header that keeps a value. It has no path, so that browsers return it below the path of the page itself, which a
   * proxy may have changed; it can only be set below `/plans`.
   */
  keep(kind: CookieKind, request: IncomingMessage, value: object, until: { atMs: number; isSecure: boolean }): string;
  /** The header that removes a value. */
  forget(kind: CookieKind, request: IncomingMessage): string;
}

// Lax, because people follow links to plans from their chats; what changes something is a form, which brings no such
// cookie from another site.
const attributes = "HttpOnly; SameSite=Lax";

export function createCookies(now: () => number, seals: Seals): Cookies {
  return {
    read(kind: CookieKind, request: IncomingMessage) {
      const name = nameOf(kind, request);
      for (const pair of (request.headers.cookie ?? "").split(";")) {
        const [key = "", text = ""] = pair.trim().split("=", 2);
        const found = key === name ? seals.open(kind, text) : undefined;
        // Only the server can have sealed it.
        if (found) return found as DeskSession;
      }
      return undefined;
    },
    keep(kind, request, value, { atMs, isSecure }) {
      const seconds = Math.max(0, Math.floor((atMs - now()) / 1_000));
      const sealed = seals.seal(kind, value, atMs);
      return `${nameOf(kind, request)}=${sealed}; Max-Age=${seconds}; ${attributes}${isSecure ? "; Secure" : ""}`;
    },
    forget: (kind, request) => `${nameOf(kind, request)}=; Max-Age=0; ${attributes}`,
  };
}
