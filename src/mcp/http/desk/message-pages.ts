/** The pages without a plan: signing in, and messages about what cannot be shown or done. */
import { alert, below, escaped, type Page, type Parts, type Place, pageOf, toList } from "./frame.js";
import type { Said } from "./words.js";

/** How people sign in here. */
export interface Ways {
  /** With the identity provider. */
  readonly hasIssuer: boolean;
  /** With an approver's secret. */
  readonly hasSecrets: boolean;
}

/** Where a sign-in leads, and whether the person should be asked who they are again. */
export interface Aim {
  readonly plan: string | undefined;
  readonly isAnew?: boolean;
}

const signInLink = (place: Place, { plan, isAnew = false }: Aim): string => {
  const query = new URLSearchParams({ ...(plan === undefined ? {} : { plan }), ...(isAnew ? { as: "anyone" } : {}) });
  return escaped(`${below(place, "sign-in")}${query.size === 0 ? "" : `?${query}`}`);
};

const withIssuer = (place: Place, aim: Aim): string =>
  `<p><a class="button go" href="${signInLink(place, aim)}">Sign in</a></p>`;

const withSecret = (place: Place, { plan }: Aim): string =>
  `<form method="post" action="${below(place, "sign-in")}" class="secret">` +
  (plan === undefined ? "" : `<input type="hidden" name="plan" value="${escaped(plan)}">`) +
  `<label for="secret">Your approver's secret</label><input type="password" id="secret" name="secret" required` +
  ` autocomplete="off" autofocus><button class="go">Sign in</button></form>`;

/** The sign-in page; it reveals nothing about plans, not even whether one exists. */
export const signInPage = (
  status: number,
  place: Place,
  { hasIssuer, hasSecrets }: Ways,
  aim: Aim,
  said: { readonly note?: string; readonly headers?: Parts["headers"] } = {},
): Page =>
  pageOf(status, place, {
    title: "Sign in to approve",
    headers: said.headers,
    main:
      `<h1>Sign in to approve</h1>${alert(said.note)}` +
      "<p>Approvers see the changes that assistants request, and decide on them.</p>" +
      (hasIssuer ? withIssuer(place, aim) : "") +
      (hasIssuer && hasSecrets ? "<h2>Or with a secret</h2>" : "") +
      (hasSecrets ? withSecret(place, aim) : ""),
  });

/** A page with a message and no decision, and the way to the list or to a sign-in. */
export const messagePage = (
  status: number,
  place: Place,
  [title, text]: Said,
  { by, signIn, headers }: Pick<Parts, "by" | "headers"> & { readonly signIn?: Aim } = {},
): Page =>
  pageOf(status, place, {
    title,
    by,
    headers,
    main:
      `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>` +
      (signIn === undefined
        ? `<p class="back"><a href="${toList(place)}">All waiting plans</a></p>`
        : `<p><a class="button go" href="${signInLink(place, signIn)}">Sign in again</a></p>`),
  });
