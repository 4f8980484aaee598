/** The approvals desk of `edgewise http`: who signs in there and how, and the plans that they decide on. */
import type { Config } from "../config.js";
import type { Surface } from "../engine/surface.js";
import type { TokenHolder } from "../mcp/http/access.js";
import type { DeskOptions, DeskState } from "../mcp/http/desk/index.js";
import type { DeskIssuer } from "../mcp/http/desk/issuer-sign-in.js";
import type { PlanReview } from "../mcp/http/desk/review.js";
import type { SignIn, SignInSettings } from "../mcp/http/oauth/sign-in.js";
import { type DenialCheck, noDenials } from "../mcp/http/token-denials.js";
import { scopes } from "../policy/principal.js";
import { refuse } from "./command.js";

/** The plans for the desk, opened with its first page. */
function reviewOf({ engine, catalogue }: Surface): PlanReview {
  const plans = async () => (await engine()).plans;
  return {
    serviceOf: (tool) => catalogue.get(tool)?.service,
    find: async (id) => (await plans()).find(id),
    waiting: async (most) => (await plans()).waitingForPerson(most),
    version: async () => (await plans()).version(),
    decidedLately: async (most) => (await plans()).decidedLately(most),
    approve: async (id, channel, by) => (await plans()).approve(id, channel, by),
    refuse: async (id, channel, by) => (await plans()).refuse(id, channel, by),
  };
}

/** What sessions and tickets need of the state. */
async function stateOf({ engine }: Surface): Promise<DeskState> {
  const { state } = await engine();
  const { now, useTicket, usedTickets } = state;
  return { keys: state.keys.of("tickets"), now, useTicket, usedTickets };
}

/** The sign-in of clients, by which approvers can sign in as well. */
export interface ClientSignIn {
  readonly settings: SignInSettings;
  readonly signIn: SignIn;
}

/** How approvers sign in with the first identity provider. */
function issuerOf(
  clientId: string,
  { settings: { issuers, audiences, scopePrefix }, signIn }: ClientSignIn,
): DeskIssuer {
  return {
    issuer: issuers[0] ?? "",
    clientId,
    scope: `${scopePrefix}${scopes.approve}`,
    namesResource: audiences.length === 0,
    addressOf: signIn.endpoint,
    discover: async (issuer) => (await import("../mcp/http/oauth/issuer.js")).discover(issuer),
    verify: signIn.verifier.verify,
  };
}

/**
 * The desk; undefined if no approver could sign in.
 * @throws Failure `bad_configuration` for a client id without an identity provider.
 */
export function deskOf(
  { values }: Config,
  surface: Surface,
  approvers: readonly TokenHolder[],
  { signIn, isDenied = noDenials }: { readonly signIn: ClientSignIn | undefined; readonly isDenied?: DenialCheck },
): DeskOptions | undefined {
  const clientId = values["desk-client-id"];
  if (clientId !== undefined && signIn === undefined)
    refuse("--desk-client-id has no effect without --oauth-issuer.", "Set --oauth-issuer, or leave it out.");
  const issuer = clientId === undefined || signIn === undefined ? undefined : issuerOf(clientId, signIn);
  if (approvers.length === 0 && issuer === undefined) return undefined;
  return {
    approvers,
    issuer,
    review: reviewOf(surface),
    state: () => stateOf(surface),
    isDenied: async (signIn) => (await isDenied(signIn)) !== undefined,
  };
}
