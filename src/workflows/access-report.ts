/** Reports who can get into the account: users and roles, API clients and their keys, with what to look at first. */
import { type WorkflowContext, workflow } from "../calls/workflow.js";
import { quoteValue } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import { resultTool } from "../language/server-tools.js";
import { listInWords } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { Group } from "../tools/users/shapes.js";
import { groupPathOf, groupPlacesIn, groupRolesIn } from "../tools/users/tree.js";
import { concernsOf } from "./access-concerns.js";
import {
  type AccessData,
  type AccessRow,
  type ClientAccess,
  type ClientKey,
  Clients,
  clientAccessOf,
  type GroupLine,
  RoleItem,
  rolesHeld,
  type UserAccess,
  Users,
  userAccessOf,
  WholeClient,
} from "./access-facts.js";
import { inBatches, incompleteNotes, maxObjects, type Steps, startSteps, stepsInBrief } from "./steps.js";

const tool = "access_report";
const [maxCalls, maxClients, atOnce, maxRows] = [300, 200, 8, 6];
const everything = { apiAccess: true, groupAccess: true, credentials: true, ipAcl: true };

/** The roles with their permissions, which are read of those that are held. */
async function rolesOf(steps: Steps, users: AccessData["users"] = []): Promise<AccessData["roles"]> {
  const all = await steps.call("the roles", "user_roles_list", { ignoreContext: true }, z.array(RoleItem));
  const held = new Set(users.flatMap(({ authGrants }) => groupRolesIn(authGrants)).map(({ roleId }) => roleId));
  const read = (all ?? []).filter(({ roleId }) => held.has(roleId)).slice(0, maxObjects);
  const whole = await inBatches(read, ({ roleId, roleName }) =>
    steps.call(`permissions of ${roleName}`, "user_role_get", { roleId, grantedRoles: true }, RoleItem),
  );
  const byId = new Map(whole.flatMap((one) => (one ? [[one.roleId, one] as const] : [])));
  return all?.map((one) => byId.get(one.roleId) ?? one);
}

/** The API clients with their access and keys, those that are not locked first. */
async function clientsIn(steps: Steps): Promise<Pick<AccessData, "clients" | "wholeClients">> {
  const all = await steps.call("the API clients", "apiclients_list", {}, Clients);
  const clients = all?.toSorted((a, b) => Number(a.isLocked === true) - Number(b.isLocked === true));
  const whole = await inBatches(
    (clients ?? []).slice(0, maxClients),
    async ({ clientId, clientName }) => {
      const step = `API client ${clientName ?? clientId}`;
      const one = await steps.call(step, "apiclient_get", { clientId, ...everything }, WholeClient);
      return one ? [[clientId, one] as const] : [];
    },
    atOnce,
  );
  return { clients, wholeClients: new Map(whole.flat()) };
}

async function readAll(steps: Steps): Promise<AccessData> {
  const Own = z.looseObject({ uiIdentityId: z.string() });
  const OwnClient = z.looseObject({ clientId: z.string() });
  const [users, groups, clients, user, client] = await Promise.all([
    steps.call("the users", "users_list", { authGrants: true }, Users),
    steps.call("the groups", "user_groups_list", {}, z.array(Group)),
    clientsIn(steps),
    steps.call("the user of these calls", "user_profile_get", {}, Own),
    steps.call("the API client of these calls", "apiclient_get", { clientId: "self" }, OwnClient),
  ]);
  const roles = await rolesOf(steps, users);
  const caller = { user: user?.uiIdentityId, client: client?.clientId };
  return { users, tree: groupPlacesIn(groups), roles, ...clients, caller, nowMs: Date.now() };
}

/** The group with a name or an id. */
function placeNamed(tree: AccessData["tree"], name: string) {
  const isNamed = (text: string) => text.toLowerCase() === name.toLowerCase();
  const matches = tree.filter(
    (place) => isNamed(String(place.group.groupId)) || isNamed(place.group.groupName) || isNamed(groupPathOf(place)),
  );
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const several = listInWords(matches, ({ group }) => String(group.groupId));
  const takes =
    matches.length === 0 ? "the name or the id of a group, which user_groups_list shows" : `one of ${several}`;
  throw invalidInput(tool, [{ field: "group", given: quoteValue(name), takes }]);
}

const lockedNote = (all: readonly { readonly isLocked: boolean }[]): string => {
  const locked = all.filter(({ isLocked }) => isLocked).length;
  return locked === 0 ? "" : ` (${locked} locked)`;
};

/** The numbers of what was read. */
function totals(
  { users, clients }: AccessData,
  shownUsers: readonly UserAccess[],
  shownClients: readonly ClientAccess[],
  place: string,
) {
  const keys = shownClients.reduce((sum, { activeKeys }) => sum + activeKeys, 0);
  const parts = [
    users && `${shownUsers.length} users${lockedNote(shownUsers)}`,
    clients && `${shownClients.length} API clients${lockedNote(shownClients)} with ${keys} active keys`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? [] : [`${parts.join(" and ")} have access to ${place}.`];
}

/** Active keys first, and among them the one that ends next. */
const bySoonestEnd = (a: ClientKey, b: ClientKey): number =>
  Number(b.isActive) - Number(a.isActive) || (a.daysLeft ?? 0) - (b.daysLeft ?? 0);

type Tables = Readonly<Record<string, readonly { readonly row: AccessRow }[]>>;

/** A row with its lists in words. */
const rowInWords = (row: AccessRow, inWords: (list: readonly string[]) => string) =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, typeof cell === "object" && cell !== null ? inWords(cell) : cell]),
  );

/** The first rows of each table, and the call that reads all of a longer one. */
async function shownTables(tables: Tables, { results }: Pick<WorkflowContext, "results">) {
  const tooLong = Object.entries(tables).filter(([, rows]) => rows.length > maxRows);
  const longer = await Promise.all(
    tooLong.map(async ([table, rows]) => {
      const handle = await results.keep(rows.map(({ row }) => rowInWords(row, (list) => list.join(", "))));
      const readMore = handle === undefined ? {} : { readMore: new NextCall(resultTool, { handle }) };
      return { table, shown: maxRows, rows: rows.length, ...readMore };
    }),
  );
  const first = Object.entries(tables).map(([table, rows]) => [
    table,
    rows.slice(0, maxRows).map(({ row }) => rowInWords(row, listInWords)),
  ]);
  return { ...Object.fromEntries(first), ...(longer.length > 0 ? { longer } : {}) };
}

/** What the report does not tell. */
function notCovered({ clients = [] }: AccessData): string[] {
  const isPart = clients.length > maxClients;
  return [
    "Users, roles and API clients that the user of these calls does not administer are not listed.",
    "The API does not report when a key was last used.",
    ...(isPart ? [`Access and keys: only ${maxClients} of ${clients.length} API clients were read.`] : []),
  ];
}

export const accessReport = workflow({
  title: "Who has access",
  does: "Reports users with second factor, last sign-in and roles, who holds each role, API clients, and keys that expire, with what to do.",
  input: z.strictObject({
    days: z.int().min(1).max(730).default(60).describe("For keys"),
    idleDays: z.int().min(1).max(3_650).default(180),
    group: z.string().min(1).max(200).optional().describe("Name or id"),
  }),
  steps: [
    "List the users with their roles, the groups, the roles, and the API clients.",
    "Read the permissions of the roles that are held, and the access and keys of each API client.",
    "For a group, keep those who have a role in it or in a group above it.",
    "Count and name those without a second factor, idle users, keys that expire, wide rights, and unused roles.",
  ],
  example: { days: 90 },
  isFrontLine: false,

  async run({ days, idleDays, group }, context) {
    const steps = startSteps(context, maxCalls);
    const read = await readAll(steps);
    const place = group === undefined || read.tree.length === 0 ? undefined : placeNamed(read.tree, group);
    const line: GroupLine = place && new Set(place.line.map(({ groupId }) => groupId));
    const everyone = userAccessOf(read, undefined);
    const [users, clients] = [line ? userAccessOf(read, line) : everyone, clientAccessOf(read, line)];
    const keys = clients.flatMap((client) => client.keys).sort(bySoonestEnd);
    const roles = rolesHeld(read, users).filter(({ people }) => line === undefined || people > 0);
    const logins = read.users && new Set(everyone.flatMap(({ login, isLocked }) => (isLocked ? [] : [login])));
    const isWhole = line === undefined && read.users !== undefined;
    const concerns = concernsOf({ users, clients, logins, roles: isWhole ? roles : [] }, days, idleDays);
    return {
      findings: [
        ...totals(read, users, clients, place ? groupPathOf(place) : "the account"),
        ...concerns.map(({ finding }) => finding),
        ...(group !== undefined && place === undefined
          ? ["The groups could not be read: this is the whole account."]
          : []),
        ...incompleteNotes(steps, "users, roles, API clients or keys may be missing"),
      ],
      actions: concerns.flatMap(({ next }) => next ?? []),
      ...(await shownTables({ users, roles, apiClients: clients, keys }, context)),
      notCovered: notCovered(read),
      steps: stepsInBrief(steps),
    };
  },
});
