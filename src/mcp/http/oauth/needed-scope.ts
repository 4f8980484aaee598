/** Which scope a message needs, where that is clear from the message; otherwise the call finds out. */
import type { IncomingMessage } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../../../engine/catalogue.js";
import type { Menu } from "../../../engine/menu.js";
import { isRecord } from "../../../language/member.js";
import { holdsScope, scopeOf, scopes } from "../../../policy/principal.js";
import { authenticationIn } from "../../owner.js";
import type { Rejection } from "../access.js";
import type { RequestContext } from "../sessions.js";
import type { SignIn } from "./sign-in.js";

/** A scope that a token does not have. */
interface MissingScope {
  readonly scope: string;
  /** What needs it: a tool or a method. */
  readonly by: string;
}

/** The methods that return what an account has; lists and pages of this server need no scope. */
const readingMethods: readonly unknown[] = [
  "resources/read",
  "resources/subscribe",
  "subscriptions/listen",
  "completion/complete",
  "prompts/get",
];

/** The tool that a call is about; undefined if there is none, or if it is refused anyway. */
function targetTool(params: Readonly<Record<string, unknown>>, menu: Menu): ToolEntry | undefined {
  const { name, arguments: given } = params;
  const menuCall = menu.findCall(String(name), isRecord(given) ? given : {});
  if (menuCall === undefined || menuCall.refusal) return undefined;
  const entry = menu.tools.get(menuCall.tool);
  // A batch has the effect of the tool that it calls.
  return entry?.holdsCalls ? menu.tools.get(String(menuCall.args["tool"])) : entry;
}

/** The scopes of which a call needs one, and the service; a tool that is not an operation can call any service. */
function neededScopes({ service, effect }: ToolEntry): { readonly anyOf: readonly string[]; readonly of?: string } {
  if (service !== "workflows") return { anyOf: [scopeOf(effect)], of: service };
  // What it changes, and how, may be known only once it has read what is there.
  return { anyOf: effect === "read" ? [scopes.read] : [scopeOf(effect), scopes.write, scopes.destructive] };
}

/**
 * The scope that a message needs and its token does not have. A call that would be refused with any token is left to its
 * handler: a new token would not help.
 * @param menu Undefined for an endpoint without menus.
 */
function missingScope(message: unknown, auth: AuthInfo, menu: Menu | undefined): MissingScope | undefined {
  const { principal, isReadOnly } = authenticationIn(auth);
  if (principal.issuer === undefined || !isRecord(message)) return undefined;
  const { method, params } = message;
  const lacks = (anyOf: readonly string[], service: string | undefined, by: string): MissingScope | undefined =>
    anyOf.some((scope) => holdsScope(principal.scopes, scope, service))
      ? undefined
      : { scope: anyOf[0] ?? scopes.read, by };
  if (readingMethods.includes(method)) return lacks([scopes.read], undefined, String(method));
  if (method !== "tools/call" || !isRecord(params) || menu === undefined) return undefined;
  const called = targetTool(params, menu);
  if (called === undefined || (isReadOnly && called.effect !== "read")) return undefined;
  const { anyOf, of } = neededScopes(called);
  return lacks(anyOf, of, called.tool.name);
}

/** Refuses a message, or a batch, for which the token lacks a scope; undefined if none is known to be missing. */
export function scopeRejection(
  signIn: Pick<SignIn, "stepUp">,
  request: IncomingMessage,
  { auth, menu }: Pick<RequestContext, "auth" | "menu">,
  body: unknown,
): Rejection | undefined {
  const missing = (Array.isArray(body) ? body : [body])
    .map((message) => missingScope(message, auth, menu))
    .find((one) => one !== undefined);
  if (missing === undefined) return undefined;
  const { scope, by } = missing;
  const message = `${by} needs the scope ${scope}, which this token does not have. Nothing was sent.`;
  // A client asks only for the scopes of the challenge, so that these include those that it has.
  return signIn.stepUp(request, message, [...new Set([...auth.scopes, scope])]);
}
