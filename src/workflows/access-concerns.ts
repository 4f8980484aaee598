/** What is notable about who has access: sentences that count and name, each with the call that settles it. */
import { NextCall } from "../language/next-call.js";
import { batchTool } from "../language/server-tools.js";
import { listInWords } from "../language/words.js";
import type { ClientAccess, ClientKey, HeldRole, UserAccess } from "./access-facts.js";

type Args = Readonly<Record<string, unknown>>;

/** A kind of concern, and which things have it. */
interface ConcernRule<T> {
  readonly concerns: (one: T) => boolean;
  /** The sentence without the names at its end. */
  readonly says: (count: number, total: number) => string;
  readonly named: (one: T) => string;
  readonly settle?: {
    readonly does: string;
    readonly tool: string;
    /** Undefined for one that the call would be refused for. */
    readonly args: (one: T) => Args | undefined;
  };
}

/** A concern that there is. */
export interface Concern {
  readonly finding: string;
  readonly next?: { readonly does: string; readonly continueWith: NextCall };
}

/** As many as a sentence names. */
const maxSettled = 5;

/** The call of a tool for each of some things, of which a batch takes the first. */
function settlingCall<T>(
  { does, tool, args }: NonNullable<ConcernRule<T>["settle"]>,
  all: readonly T[],
): Pick<Concern, "next"> {
  const each = [
    ...new Map(
      all
        .map(args)
        .filter((one) => one !== undefined)
        .map((one) => [JSON.stringify(one), one]),
    ).values(),
  ];
  const [first, ...others] = each.slice(0, maxSettled);
  if (first === undefined) return {};
  const continueWith =
    others.length === 0 ? new NextCall(tool, first) : new NextCall(batchTool, { tool, arguments: [first, ...others] });
  const part = each.length > maxSettled ? ` These are the first ${maxSettled} of ${each.length}.` : "";
  return { next: { does: `${does}${part}`, continueWith } };
}

const concernsIn = <T>(all: readonly T[], rules: readonly ConcernRule<T>[]): Concern[] =>
  rules.flatMap(({ concerns, says, named, settle }) => {
    const found = all.filter(concerns);
    if (found.length === 0) return [];
    const finding = `${says(found.length, all.length)}: ${listInWords(found, named, 0)}.`;
    return [{ finding, ...(settle ? settlingCall(settle, found) : {}) }];
  });

/** The form of a verb for a number. */
const verb = (one: string, many: string) => (count: number) => (count === 1 ? one : many);
const [has, is, holds, acts] = [verb("has", "have"), verb("is", "are"), verb("holds", "hold"), verb("acts", "act")];

const nameInSentence = ({ named }: { readonly named: string }): string => named;
const ofUsers = (count: number, total: number) => `${count} of ${total} users who can sign in`;
const lock = {
  does: "Lock those who need no access.",
  tool: "user_lock",
  args: ({ id, isOwn }: UserAccess) => (isOwn ? undefined : { uiIdentityId: id }),
};

const userRules = (idleDays: number): readonly ConcernRule<UserAccess>[] => [
  {
    concerns: ({ factor }) => factor === "NONE",
    says: (count, total) => `${ofUsers(count, total)} ${has(count)} no second factor`,
    named: nameInSentence,
    settle: {
      does: "Require a code in addition to the password.",
      tool: "user_second_factor_set",
      args: ({ id }) => ({ uiIdentityId: id, body: { value: "TFA" } }),
    },
  },
  {
    concerns: ({ factor, hasSetUpFactor }) => factor !== "NONE" && hasSetUpFactor === false,
    says: (count, total) =>
      `${ofUsers(count, total)} ${has(count)} a second factor that is not set up, so that anyone with the password can set it up`,
    named: nameInSentence,
  },
  {
    concerns: (user) => (user.idleDays ?? -1) >= idleDays,
    says: (count, total) => `${ofUsers(count, total)} ${has(count)} not signed in for ${idleDays} days`,
    named: (user) => `${user.named}, ${user.idleDays} days`,
    settle: lock,
  },
  {
    concerns: (user) => user.idleDays === undefined,
    says: (count, total) => `${ofUsers(count, total)} ${has(count)} never signed in`,
    named: nameInSentence,
    settle: lock,
  },
  {
    concerns: ({ posts }) => posts[0]?.isGrave === true,
    says: (count, total) => `${ofUsers(count, total)} ${holds(count)} a role that manages users or credentials`,
    named: ({ named, posts }) => `${named} ${posts[0]?.roleName}`,
  },
];

const keyRules = (days: number): readonly ConcernRule<ClientKey>[] => [
  {
    concerns: ({ daysLeft = 0 }) => daysLeft < 0,
    says: (count, total) => `${count} of ${total} active keys ${has(count)} expired`,
    named: ({ named, daysLeft = 0 }) => `${named}, ${-daysLeft} days ago`,
    settle: {
      does: "Deactivate what no longer signs.",
      tool: "apiclient_credential_deactivate",
      args: ({ clientId, id }) => ({ clientId, credentialId: id }),
    },
  },
  {
    concerns: ({ daysLeft = -1 }) => daysLeft >= 0 && daysLeft <= days,
    says: (count, total) => `${count} of ${total} active keys ${verb("expires", "expire")(count)} within ${days} days`,
    named: ({ named, daysLeft }) => `${named}, in ${daysLeft} days`,
    settle: {
      does: "Create a new key, switch its programs to it, and deactivate the old one; the client's owner can.",
      tool: "apiclient_credential_create",
      args: ({ clientId }) => ({ clientId }),
    },
  },
];

const ofClients = (count: number, total: number) => `${count} of ${total} unlocked API clients`;
const activeIn = ({ keys }: ClientAccess): readonly ClientKey[] => keys.filter(({ isActive }) => isActive);

/** @param logins The users who can sign in; undefined if they could not be read. */
const clientRules = (logins: ReadonlySet<string> | undefined): readonly ConcernRule<ClientAccess>[] => {
  const right = (name: keyof ClientAccess["can"], singular: string, plural: string): ConcernRule<ClientAccess> => ({
    concerns: ({ can }) => can[name] === true,
    says: (count, total) => `${ofClients(count, total)} ${verb(singular, plural)(count)}`,
    named: nameInSentence,
  });
  return [
    {
      concerns: ({ users }) => logins !== undefined && !users.some((user) => logins.has(user)),
      says: (count, total) => `${ofClients(count, total)} ${acts(count)} for users who are locked or not listed`,
      named: ({ named, users }) => `${named} for ${listInWords(users, String, 0)}`,
      settle: {
        does: "Lock those that no user answers for.",
        tool: "apiclient_lock",
        args: ({ id, isOwn }) => (isOwn ? undefined : { clientId: id }),
      },
    },
    right("switchAccounts", "can act on other accounts", "can act on other accounts"),
    right("createCredentials", "creates credentials for new API clients", "create credentials for new API clients"),
    right("callEveryApi", "can call every API of its user", "can call every API of their users"),
    right("callFromAnywhere", "can be used from any address", "can be used from any address"),
    {
      concerns: ({ activeKeys }) => activeKeys > 1,
      says: (count, total) => `${ofClients(count, total)} ${has(count)} several active keys`,
      named: ({ named, activeKeys }) => `${named} ${activeKeys}`,
    },
  ];
};

const roleRules: readonly ConcernRule<HeldRole>[] = [
  {
    concerns: ({ people }) => people === 0,
    says: (count, total) => `${count} of ${total} roles ${is(count)} held by no user`,
    named: nameInSentence,
    settle: {
      does: "Delete custom roles that are not needed.",
      tool: "user_role_delete",
      args: ({ isCustom, id }) => (isCustom ? { roleId: id } : undefined),
    },
  },
];

/** What a report is about, as far as it was read. */
export interface ReportedAccess {
  readonly users: readonly UserAccess[];
  /** The roles of the whole account; empty for a report on a group, where others may hold them. */
  readonly roles: readonly HeldRole[];
  readonly clients: readonly ClientAccess[];
  readonly logins: ReadonlySet<string> | undefined;
}

/** The concerns with users, keys, API clients and roles, in this order. */
export function concernsOf(
  { users, roles, clients, logins }: ReportedAccess,
  days: number,
  idleDays: number,
): Concern[] {
  const unlocked = clients.filter(({ isLocked }) => !isLocked);
  return [
    ...concernsIn(
      users.filter(({ isLocked }) => !isLocked),
      userRules(idleDays),
    ),
    ...concernsIn(unlocked.flatMap(activeIn), keyRules(days)),
    ...concernsIn(unlocked, clientRules(logins)),
    ...concernsIn(roles, roleRules),
  ];
}
