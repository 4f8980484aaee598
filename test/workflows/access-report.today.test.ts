/** Who can get into the account: the figures against other calls of the API, in an account of 63 users and 30 clients. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, vi } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createResults } from "../../src/calls/results.js";
import { clientsOf } from "../../src/emulator/services/api-clients/store.js";
import {
  addCredential,
  credentialsByClient,
  credentialsOf,
  noCredentials,
} from "../../src/emulator/services/credentials/store.js";
import { groupsOf } from "../../src/emulator/services/groups.js";
import { rolesOf, type StoredUser, usersOf } from "../../src/emulator/services/users/store.js";
import { Failure } from "../../src/language/failure.js";
import { createResultStore, resultsFor } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { secretFiles } from "../../src/secrets/files.js";
import { accessReport } from "../../src/workflows/access-report.js";
import { type Args, callsAt } from "../lab/calls.js";
import { workWith } from "../lab/options.js";
import { secretDirectory } from "../lab/secret-files.js";

const now = Date.UTC(2026, 4, 20, 12, 10);
const dayMs = 86_400_000;

const results = createResults({
  store: resultsFor(createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 3_600_000 }), "an account"),
  queries: async () => createQueries({ worker: "none" }),
  secrets: [],
  maxTokens: 8_000,
});
const here = callsAt(now, { secretFiles: secretFiles(secretDirectory()), results });

interface Call {
  readonly tool: string;
  readonly arguments: Args;
}
type Rows = readonly Readonly<Record<string, unknown>>[];
interface Report {
  readonly findings: readonly string[];
  readonly actions: readonly { readonly does: string; readonly continueWith: Call }[];
  readonly users: Rows;
  readonly roles: Rows;
  readonly apiClients: Rows;
  readonly steps: object;
  readonly longer?: readonly { readonly table: string; readonly rows: number; readonly readMore?: Call }[];
  readonly notCovered: readonly string[];
}
const report = (args: Args = {}) => here.calls.worked<Report>("access_report", args);
const body = async (tool: string, args: Args = {}) => (await here.calls.answer(tool, args)).body as Rows;

/** The number at the beginning of the finding with a text; 0 if there is no such finding. */
const figure = ({ findings }: Pick<Report, "findings">, text: string): number =>
  Number(/^\d+/.exec(findings.find((one) => one.includes(text)) ?? "0")?.[0]);

/** A larger account, in which chance decides what each user and each client has. */
function grow(seed: number, users = 63, clients = 30): void {
  const { world } = here;
  const chance = (...words: (string | number)[]) => world.noise(seed, ...words);
  const pick = <T>(all: readonly T[], ...words: (string | number)[]) =>
    all[Math.floor(chance(...words) * all.length)] as T;
  const [model] = usersOf(world).all as [StoredUser];
  const groups = groupsOf(world).map(({ id }) => id);
  const roles = rolesOf(world)
    .all.map(({ roleId }) => roleId)
    .filter((id) => id !== 5_002);
  for (let at = usersOf(world).all.length; at < users; at += 1) {
    const id = `A-B-${200_000 + at}`;
    const secondFactor = pick(["TFA", "MFA", "NONE"] as const, "factor", at);
    usersOf(world).add({
      ...{ ...model, id, login: `user${at}`, secondFactor },
      profile: { ...model.profile, firstName: "User", lastName: `No. ${at}`, email: `user${at}@shop.example` },
      configured: chance("set up", at) < 0.7 ? [secondFactor] : [],
      isLocked: chance("locked", at) < 0.2,
      lastLoginAtMs: chance("never", at) < 0.2 ? undefined : now - chance("login", at) * 400 * dayMs,
      grants: [1, 2, 3].slice(0, 1 + Math.floor(chance("grants", at) * 3)).map((one) => ({
        groupId: pick(groups, "group", at, one),
        roleId: pick(roles, "role", at, one),
        isBlocked: chance("blocked", at, one) < 0.1,
      })),
    });
  }
  const [first] = clientsOf(world).all;
  if (!first) throw new Error("There is no client to copy.");
  for (let at = clientsOf(world).all.length; at < clients; at += 1) {
    const id = `oi-${9_000 + at}`;
    clientsOf(world).add({
      ...{ ...first, clientId: id, isLocked: chance("locked client", at) < 0.2 },
      ...{ clientName: `Client ${at}`, authorizedUsers: [pick(usersOf(world).all, "owner", at).login] },
      allowAccountSwitch: chance("switch", at) < 0.3,
      canAutoCreateCredential: chance("auto", at) < 0.3,
      apiAccess: { allAccessibleApis: chance("apis", at) < 0.3, apis: [] },
      ipAcl: { enable: chance("addresses", at) < 0.5, cidr: ["203.0.113.0/24"] },
    });
    credentialsByClient(world).set(id, noCredentials());
    for (let key = 0; key < chance("keys", at) * 3; key += 1) {
      const { credentialId } = addCredential(world, id);
      const days = Math.floor(chance("ends", at, key) * 200) - 60;
      Object.assign(credentialsOf(world, id).find(credentialId), {
        status: chance("active", at, key) < 0.7 ? "ACTIVE" : "INACTIVE",
        expiresOn: new Date(now + days * dayMs + 1_000).toISOString(),
      });
    }
  }
}

/** The figures by other calls: each user alone, the holders of each role, and the list of each client's keys. */
async function counted({ days = 60, idleDays = 180 } = {}) {
  const users = [];
  for (const { uiIdentityId } of await body("users_list"))
    users.push((await body("user_get", { uiIdentityId })) as unknown as Rows[number]);
  const open = users.filter(({ isLocked }) => !isLocked);
  const since = ({ lastLoginDate }: Rows[number]) => now - Date.parse(String(lastLoginDate));
  const roles = await body("user_roles_list", { users: true });
  const holders = (one: Rows[number]) => one["users"] as Rows;
  const admins = new Set(
    roles
      .filter(({ roleName }) => roleName === "Admin")
      .flatMap((one) => holders(one).map((user) => user["uiIdentityId"])),
  );
  const clients = (await body("apiclients_list")).filter(({ isLocked }) => !isLocked);
  const keys: string[][] = [];
  for (const { clientId } of clients) {
    const own = await body("apiclient_credentials_list", { clientId });
    keys.push(own.filter(({ status }) => status === "ACTIVE").map(({ expiresOn }) => String(expiresOn)));
  }
  const end = new Date(now + (days + 1) * dayMs).toISOString();
  const present = new Date(now).toISOString();
  const logins = new Set(open.map(({ uiUserName }) => uiUserName));
  const count = (all: Rows, is: (one: Rows[number]) => unknown) => all.filter(is).length;
  return {
    "no second factor": count(open, (one) => one["additionalAuthentication"] === "NONE"),
    "is not set up": count(
      open,
      (one) => one["additionalAuthentication"] !== "NONE" && !one["additionalAuthenticationConfigured"],
    ),
    "not signed in for": count(open, (one) => since(one) >= idleDays * dayMs),
    "never signed in": count(open, (one) => one["lastLoginDate"] === undefined),
    "a role that manages": count(open, (one) => admins.has(one["uiIdentityId"])),
    "held by no user": count(roles, (one) => holders(one).length === 0),
    "expired:": keys.flat().filter((one) => one < present).length,
    within: keys.flat().filter((one) => one >= present && one < end).length,
    "several active keys": keys.filter(({ length }) => length > 1).length,
    "on other accounts": count(clients, (one) => one["allowAccountSwitch"]),
    "for new API clients": count(clients, (one) => one["canAutoCreateCredential"]),
    "locked or not listed": count(clients, (one) => !logins.has((one["authorizedUsers"] as string[])[0])),
  };
}

describe("the figures in the findings", () => {
  it.each<[string, number, Args]>([
    ["of the world as it begins", 0, {}],
    ["of the same, with days that end as a key and a sign-in do", 0, { days: 45, idleDays: 1 }],
    ["of a larger account", 1, {}],
    ["of another one, with other days", 2, { days: 20, idleDays: 90 }],
  ])("%s are those of other calls", async (_, seed, args) => {
    if (seed > 0) grow(seed);
    const found = await report(args);
    const expected = await counted(args);
    expect(Object.fromEntries(Object.keys(expected).map((text) => [text, figure(found, text)]))).toEqual(expected);
    if (seed > 0) for (const [text, number] of Object.entries(expected)) expect([text, number]).not.toEqual([text, 0]);
  });

  it("name those whom they count, of many the first five", async () => {
    grow(1);
    expect((await report()).findings.join("\n")).toMatch(
      /no second factor: ("[^"]+" \([^)]+\)(, | and \d+ more\.)){5}/,
    );
  });
});

describe("the report", () => {
  it("is small for a large account, and the whole tables can be read", async () => {
    grow(1);
    const found = await report();
    const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
    const { content, structuredContent } = resultOf({ kind: "workflow", result: { ...found } }, presentation);
    expect(encode(content[0].text).length).toBeLessThan(3_000);
    expect(encode(JSON.stringify(structuredContent)).length).toBeLessThan(3_500);
    expect(found.longer?.map(({ table, rows }) => [table, rows])).toEqual([
      ["users", 63],
      ["apiClients", 30],
      ["keys", expect.any(Number)],
    ]);
    for (const { rows, readMore } of found.longer ?? []) {
      const outcome = await here.calls.call(String(readMore?.tool), readMore?.arguments ?? {});
      expect(outcome).toMatchObject({ kind: "workflow", result: { total: rows } });
    }
  });

  it("offers calls that are accepted, none of which locks out whoever calls", async () => {
    vi.setSystemTime(now + 200 * dayMs);
    here.world.advance(200 * dayMs);
    for (const seed of [0, 4]) {
      if (seed > 0) grow(seed);
      const { actions } = await report();
      expect(actions.length).toBeGreaterThanOrEqual(4);
      for (const { continueWith } of actions) {
        await here.calls.previewed(continueWith.tool, continueWith.arguments);
        if (JSON.stringify(continueWith).includes("lock"))
          expect(JSON.stringify(continueWith)).not.toContain("A-B-100001");
      }
    }
  });

  it("says first what to do about a missing second factor", async () => {
    const { actions } = await report();
    expect(actions[0]?.continueWith).toEqual({
      tool: "user_second_factor_set",
      arguments: { uiIdentityId: "A-B-100004", body: { value: "TFA" } },
    });
  });

  it.each(["Campaigns", "33333", "everything / shops / campaigns"])(
    "of the group %s has those with access to it",
    async (group) => {
      const { users, roles, findings } = await report({ group });
      const expected = await body("users_list", { groupId: 33_333 });
      expect(users.map(({ id }) => id).sort()).toEqual(expected.map(({ uiIdentityId }) => uiIdentityId).sort());
      expect(roles.map(({ role }) => role).sort()).toEqual(["Admin", "Campaign editor", "Publisher", "Viewer"]);
      expect(findings[0]).toContain("have access to Everything / Shops / Campaigns.");
      expect(findings.join()).not.toContain("held by no user");
    },
  );

  it.each([
    ["users_list", "apiClients", /users who|held by no user|not listed/],
    ["user_groups_list", "users", /^$/],
    ["user_roles_list", "users", /held by no user/],
    ["user_role_get", "users", /^$/],
    ["apiclients_list", "users", /API clients with|active keys/],
    ["apiclient_get", "users", /of \d+ active keys/],
    ["user_profile_get", "users", /^$/],
  ] as const)(
    "without %s has the rest, and claims nothing of what it could not read",
    async (missing, rest, claims) => {
      const work = workWith(async (tool, args) => {
        if (tool === missing) throw new Failure("forbidden", `${tool} is not allowed.`, { next: "Ask for it." });
        return here.calls.answer(tool, args);
      });
      const found = (await accessReport.run(
        { days: 60, idleDays: 180, group: "Campaigns" },
        work,
      )) as unknown as Report;
      expect(found.findings.at(-1)).toContain("A step failed, so users, roles, API clients or keys may be missing");
      expect(found[rest].length).toBeGreaterThan(0);
      const whole = (await accessReport.run({ days: 60, idleDays: 180 }, work)) as unknown as Report;
      expect(whole.findings.filter((one) => claims.test(one))).toEqual([]);
      expect(JSON.stringify(whole.steps)).toContain(`${missing} is not allowed.`);
    },
  );

  it("holds no secret of a client", async () => {
    expect(JSON.stringify(await report())).not.toMatch(/akab-/);
  });
});
