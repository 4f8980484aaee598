/** The pages without a plan: signing in, and messages about what cannot be shown or done. */
import {
  alertHtml,
  type DeskPage,
  escapeHtml,
  linkBelow,
  linkToList,
  type PageLevel,
  type PageParts,
  pageOf,
} from "./frame.js";
import type { PageMessage } from "./words.js";

/** How people sign in here. */
export interface SignInMethods {
  /** With the identity provider. */
  readonly hasIssuer: boolean;
  /** With an approver's secret. */
  readonly hasSecrets: boolean;
}

/** Where a sign-in leads, and whether the person should be asked who they are again. */
export interface SignInDestination {
  readonly plan: string | undefined;
  readonly isAnew?: boolean;
}

const signInLink = (level: PageLevel, { plan, isAnew = false }: SignInDestination): string => {
  const query = new URLSearchParams({ ...(plan === undefined ? {} : { plan }), ...(isAnew ? { as: "anyone" } : {}) });
  return escapeHtml(`${linkBelow(level, "sign-in")}${query.size === 0 ? "" : `?${query}`}`);
};

const withIssuer = (level: PageLevel, destination: SignInDestination): string =>
  `<p><a class="button go" href="${signInLink(level, destination)}">Sign in</a></p>`;

const withSecret = (level: PageLevel, { plan }: SignInDestination): string =>
  `<form method="post" action="${linkBelow(level, "sign-in")}" class="secret">` +
  (plan === undefined ? "" : `<input type="hidden" name="plan" value="${escapeHtml(plan)}">`) +
  `<label for="secret">Your approver's secret</label><input type="password" id="secret" name="secret" required` +
  ` autocomplete="off" autofocus><button class="go">Sign in</button></form>`;

/** The sign-in page; it reveals nothing about plans, not even whether one exists. */
export const signInPage = (
  status: number,
  level: PageLevel,
  { hasIssuer, hasSecrets }: SignInMethods,
  destination: SignInDestination,
  options: { readonly note?: string; readonly headers?: PageParts["headers"] } = {},
): DeskPage =>
  pageOf(status, level, {
    title: "Sign in to approve",
    headers: options.headers,
    main:
      `<h1>Sign in to approve</h1>${alertHtml(options.note)}` +
      "<p>Approvers see the changes that assistants request, and decide on them.</p>" +
      (hasIssuer ? withIssuer(level, destination) : "") +
      (hasIssuer && hasSecrets ? "<h2>Or with a secret</h2>" : "") +
      (hasSecrets ? withSecret(level, destination) : ""),
  });

/** A page with a message and no decision, and the way to the list or to a sign-in. */
export const messagePage = (
  status: number,
  level: PageLevel,
  [title, text]: PageMessage,
  { by, signIn, headers }: Pick<PageParts, "by" | "headers"> & { readonly signIn?: SignInDestination } = {},
): DeskPage =>
  pageOf(status, level, {
    title,
    by,
    headers,
    main:
      `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>` +
      (signIn === undefined
        ? `<p class="back"><a href="${linkToList(level)}">All waiting plans</a></p>`
        : `<p><a class="button go" href="${signInLink(level, signIn)}">Sign in again</a></p>`),
  });
