/** Everything that belongs to a single profile: its upstream, its client, its account, its quotas, its calls. */
import type { Presentation } from "../answers/result.js";
import { type Calls, type CallsOptions, createCalls } from "../calls/index.js";
import { createResults } from "../calls/results.js";
import { type Config, isEmulated } from "../config.js";
import type { PlanRecord } from "../guard/index.js";
import { type Account, accountKey, accountOwner, accountText } from "../language/account.js";
import { createQuotas } from "../policy/index.js";
import type { UsedProfile } from "../profiles/index.js";
import { type AccountResults, resultsFor } from "../rows/result-store.js";
import { createRowFiles } from "../rows/row-file.js";
import type { Queries } from "../rows/sql/index.js";
import type { HeldSecrets } from "../secrets/held-secrets.js";
import type { State } from "../state/index.js";
import { accountsReading } from "../tools/index.js";
import { secretsOf } from "../wire/edgerc.js";
import { createClient } from "../wire/index.js";
import { openUpstream, type Upstream, vendorWordsOf } from "./upstream.js";
import type { LimiterLookup } from "./upstream-limits.js";

/** The dependencies of the calls of one profile. */
export interface ProfileRuntime {
  readonly calls: Calls;
  readonly presentation: Presentation;
  /** Stored results, for the account that calls act on. */
  readonly results: AccountResults;
  /** A plan of an owner in this profile, with its status. */
  plan(owner: string, id: string): Promise<PlanRecord | undefined>;
  /** The account and the upstream that calls act on, in words. */
  readonly account: string;
}

/** What all profiles of a process share, independent of the account. */
export interface SharedRuntime
  extends Omit<CallsOptions, "client" | "quotas" | "account" | "profile" | "signer" | "results" | "secrets"> {
  readonly held: HeldSecrets;
  /** How long data that was read with a credential can still be used, in milliseconds. */
  readonly resultMs: number;
  readonly state: State;
  readonly queries: () => Promise<Queries>;
  readonly limitersOf: LimiterLookup;
}

/**
 * The key of the account that calls act on; undefined for the credential's own account.
 * @param onOwn Creates calls on the credential's own account, with operations in place of the catalogue's.
 */
async function switchKeyIn(
  profile: UsedProfile | undefined,
  { values }: Config,
  { accountKey: upstreamKey }: Upstream,
  onOwn: (operationOf: CallsOptions["operationOf"]) => Calls,
): Promise<string | undefined> {
  if (profile === undefined) return values["account-switch-key"] ?? upstreamKey;
  const { account, accountSwitchKey, name } = profile;
  if (account === undefined) return accountSwitchKey ?? upstreamKey;
  const [{ switchKeyOf }, { declared }] = await Promise.all([import("./switch-key.js"), accountsReading()]);
  return switchKeyOf(
    onOwn(async () => ({ service: "api-clients", declared })),
    name,
    account,
  );
}

/** The account of the profile. */
function accountOf(
  profile: UsedProfile | undefined,
  config: Config,
  isNamed: boolean,
  { label, credentialHost }: Pick<Upstream, "label" | "credentialHost">,
  switchKey: string | undefined,
): Account {
  const { values } = config;
  const from = profile?.credential;
  const section = from === undefined ? values.section : "section" in from ? from.section : profile?.name;
  return {
    ...(isNamed && profile ? { profile: profile.name } : {}),
    section: section ?? "default",
    host: label,
    ...(credentialHost === undefined || credentialHost === label ? {} : { credentialHost }),
    isEmulated: isEmulated(config),
    ...(switchKey === undefined ? {} : { switchKey }),
  };
}

/**
 * Creates the parts of a profile.
 * @param profile Undefined if none is configured, so that the other settings apply.
 * @param at Its index among the profiles, and whether there are several, so that it is named.
 * @throws Failure if its credential cannot be read, or the account that it names cannot be found.
 */
export async function createProfileRuntime(
  config: Config,
  shared: SharedRuntime,
  profile: UsedProfile | undefined,
  { at, isNamed }: { readonly at: number; readonly isNamed: boolean },
): Promise<ProfileRuntime & { close(): Promise<void> }> {
  const { values } = config;
  const { held, resultMs, state, queries, limitersOf, ...context } = shared;
  const upstream = await openUpstream(config, profile, at, (credentials, keptMs) =>
    held.hold(secretsOf(credentials), keptMs === undefined ? undefined : keptMs + 2 * resultMs),
  );
  const { send, authorize, refused, origin, label } = upstream;
  const rowFiles = createRowFiles({ maxBytes: values["max-csv-bytes"], secrets: held.forms });
  const close = async (): Promise<void> => {
    await upstream.close();
    rowFiles.close();
  };
  const limiters = limitersOf(profile?.name ?? "", upstream);
  const secrets = held.forms;
  const maxTokens = values["max-result-tokens"];
  const { contractId, groupId, timeZone, highestTier, name } = profile ?? {};
  /** The account that a key switches to, its stored results, and the calls that act on it. */
  const actingOn = (switchKey: string | undefined, operationOf = context.operationOf) => {
    const account = accountOf(profile, config, isNamed, upstream, switchKey);
    const client = createClient({
      send,
      target: {
        origin,
        vendor: profile?.vendor ?? values.vendor,
        ...vendorWordsOf(config, profile),
        ...(switchKey === undefined ? {} : { accountSwitchKey: switchKey }),
      },
      authorize,
      ...(refused === undefined ? {} : { refused }),
      maxResponseBytes: values["max-response-bytes"],
      rowFiles,
      limiters,
      isEmulated: account.isEmulated,
    });
    const accountResults = resultsFor(state.results, accountKey(account));
    const calls = createCalls({
      ...context,
      operationOf,
      client,
      quotas: createQuotas(context.policy.quotas, state.counters(accountKey(account))),
      secrets,
      signer: upstream.signer,
      account,
      ...(name === undefined ? {} : { profile: { name, highestTier, defaults: { contractId, groupId, timeZone } } }),
      results: createResults({ store: accountResults, queries, secrets, maxTokens }),
    });
    return { account, kept: accountResults, calls };
  };
  const switchKey = await switchKeyIn(
    profile,
    config,
    upstream,
    (operationOf) => actingOn(undefined, operationOf).calls,
  ).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { account, kept: accountResults, calls } = actingOn(switchKey);
  return {
    calls,
    results: accountResults,
    plan: (owner, id) => context.plans.findOwn(id, accountOwner(owner, account)),
    presentation: {
      upstream: label,
      ...(account.profile === undefined ? {} : { profile: account.profile }),
      ...(timeZone === undefined ? {} : { timeZone }),
      secrets,
      maxTokens,
      isTextOnly: values.structured === "off",
    },
    account: accountText(account),
    close: () => {
      calls.close();
      return close();
    },
  };
}
