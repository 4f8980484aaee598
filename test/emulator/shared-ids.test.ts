/**
 * What one service creates is known to every operation that takes its id and shown by every list; what was deleted is
 * neither.
 */
import { expect, it } from "vitest";
import { memberAt } from "../../src/language/member.js";
import { holdsForEach } from "../lab/laws.js";
import { apis } from "../lab/project.js";
import { answersBefore, arraysIn, bare, type Creation, creations, leavesOf } from "./creations.js";
import { type Answered, type Args, begin, exampleOf, isRead, operationOf } from "./examples.js";
import { grouped, hasName, isTelling, type Pair, pairsOf, strangeFor } from "./pairs.js";

const minuteMs = 60_000;
/** Creations that count as destructive, for what they replace or give away. */
function othersOfDocuments(): Readonly<Record<string, Args>> {
  const { body, ...zoneWrite } = exampleOf("dns_zone_write") as { body: { zone: object } };
  const zone = "new.example";
  return {
    credential_create: exampleOf("credential_create"),
    dns_zone_write: { ...zoneWrite, zone, body: { ...body, zone: { ...body.zone, name: zone } } },
  };
}
const before = await answersBefore();
const othersOfToday = () => ({
  apiclient_create: exampleOf("apiclient_create"),
  apiclient_credential_create: exampleOf("apiclient_credential_create"),
});
const all = await creations(apis === "today" ? othersOfToday() : othersOfDocuments(), before);
const pairs = pairsOf(all);
const nameOf = ({ creation, tool, at }: Pair): string => `${creation.by} ${tool} ${at.join()}`;

/** Pairs that are refused in the same words whether the id is unknown or does not fit. */
const sameWords: Readonly<Record<string, string>> = {
  "user_group_create user_property_move .body.sourceGroupId": "a property is moved from its own group alone",
  "user_group_create user_property_resources_list .groupId": "a property is found in its own group alone",
  "user_group_create user_property_get .groupId": "a property is found in its own group alone",
  "property_create include_validation_get .propertyId": "an activation reaches only what uses the include",
  "dns_recordset_create dns_recordset_delete .name": "a record set is found by its type, too, which is another one",
  "dns_zone_recordset_create dns_recordset_delete .name":
    "a record set is found by its type, too, which is another one",
};
/** What has all of the seed in a list, and does not show what is created since. */
const unshown: Readonly<Record<string, string>> = {
  "property_create bulk_search_result": "a search found what was there when it ran",
};
/** Deletions of what belongs to the thing that their last id names. */
const deletesPart: Readonly<Record<string, string>> = {
  dns_changelist_delete: "the draft alone is deleted, and its zone stays",
};
/** What goes on knowing or showing what was created once that is deleted. */
const remembered: Readonly<Record<string, string>> = {
  "edgelogic_policy_create edgelogic_policy_get": "a deleted policy is shown as deleted",
  "edgelogic_policy_create edgelogic_policy_update": "a deleted policy can be restored",
  "live_stream_create media_data_sources_list": "what was watched stays",
  "live_stream_create media_report_pack_get": "what was watched stays",
  "sps_request_create property_edge_hostnames_list": "the certificate alone is deleted",
};
const isRemembered = ({ creation, tool }: { readonly creation: Creation; readonly tool: string }): boolean =>
  Object.hasOwn(remembered, `${creation.by} ${tool}`);

/** What has to happen before something new can be deleted, and what the deletion takes besides its example. */
const deletable: Readonly<Record<string, { readonly first?: readonly [string, Args]; readonly more?: Args }>> = {
  credential_delete: { first: ["credential_deactivate", { openIdentityId: "oi-7421" }] },
  apiclient_credential_delete: { first: ["apiclient_all_credentials_deactivate", { clientId: "oi-7421" }] },
  cert_enrollment_delete: { more: { "allow-cancel-pending-changes": true } },
};

type Call = ReturnType<typeof begin>["call"];

/** Arguments with the version stamp of what is there now. */
async function stamped(call: Call, tool: string, args: Args): Promise<Args> {
  const { lock } = operationOf(tool).spec;
  if (lock === undefined) return args;
  const keys = Object.keys(operationOf(lock.from).spec.path ?? {});
  const read = await call(lock.from, Object.fromEntries(keys.map((key) => [key, args[key]])));
  return { ...args, [lock.field]: memberAt(read, lock.at ?? lock.field) };
}

/** Creates something a while ago, and deletes it again where a pair does that. */
async function worldAfter({ by, args }: Creation, deletion?: Pair): Promise<Call> {
  const { world, call } = begin();
  const done = async (tool: string, its: Args) => {
    const { status, text } = await call(tool, its);
    if (status < 200 || status >= 300) throw new Error(`${tool} was answered with ${status}: ${text}`);
    world.advance(15 * minuteMs);
  };
  await done(by, args);
  if (deletion === undefined) return call;
  const { first, more = {} } = deletable[deletion.tool] ?? {};
  if (first) await done(...first);
  await done(deletion.tool, { ...(await stamped(call, deletion.tool, deletion.made)), ...more });
  return call;
}

const worlds = new Map<string, Promise<Call>>();
/** The calls of a world for an operation: reads share one for each creation and deletion. */
function callAfter(tool: string, creation: Creation, deletion?: Pair): Promise<Call> {
  if (!isRead(operationOf(tool))) return worldAfter(creation, deletion);
  const key = `${creation.by} ${deletion?.tool}`;
  const known = worlds.get(key) ?? worldAfter(creation, deletion);
  worlds.set(key, known);
  return known;
}

/** An answer's status and its words, without ids and numbers: problems are numbered in each world. */
const wordsOf = ({ status, text }: Answered, ids: readonly string[]): string =>
  `${status} ${ids.reduce((rest, id) => rest.replaceAll(id, "§"), text).replaceAll(/[\w.-]*\d[\w.-]*/g, "§")}`;

/** Whether an id is refused in the words for one that nothing has; undefined where those are not refused. */
async function isUnknown(pair: Pair, deletion?: Pair): Promise<boolean | undefined> {
  const call = await callAfter(pair.tool, pair.creation, deletion);
  const strange = await call(pair.tool, pair.strange);
  // What the client refuses itself, and what is not refused, does not say what the emulator knows.
  if (strange.status < 400) return undefined;
  const made = pair.ids.map((id) => id.made);
  return wordsOf(await call(pair.tool, pair.made), made) === wordsOf(strange, pair.ids.map(strangeFor));
}

it("operations that take an id are found in examples across services", () => {
  const [made, services] = {
    documents: [
      "property_cpcode_create",
      "alert_definition_create diag_cpcode_statistic_get live_domain_create log_source_get report_data_find",
    ],
    today: [
      "user_group_create",
      "property_create include_create sharedpolicy_create dns_groups_list apiclient_user_cpcodes_list",
    ],
  }[apis] as [string, string];
  const tools = pairs.filter(({ creation }) => creation.by === made).map(({ tool }) => tool);
  expect(tools).toEqual(expect.arrayContaining(services.split(" ")));
  expect(pairs.length).toBeGreaterThan(200);
});

const named = <T>(all: readonly T[], name: (one: T) => string) => all.map((one) => [name(one), one] as const);

it("every operation that takes an id knows what was created", () =>
  holdsForEach(named(pairs, nameOf), async (name, pair) => {
    const isRefused = (await isUnknown(pair)) ?? false;
    expect(isRefused).toBe(Object.hasOwn(sameWords, name));
  }));

/** The columns of an answer's arrays: the values that their rows have under one path. */
const columnsOf = (answer: unknown): ReadonlyMap<string, ReadonlySet<string>> => {
  const columns = new Map<string, Set<string>>();
  for (const [at, rows] of arraysIn(answer))
    for (const [path, leaf] of rows.flatMap((row) => leavesOf(row)))
      if (!/\.\d/.test(path)) columns.set(at + path, (columns.get(at + path) ?? new Set()).add(bare(leaf)));
  return columns;
};
const columnsBefore = [...before].map(([tool, answer]) => [tool, columnsOf(answer)] as const);

/** The columns that have every row of the seed, by what a list names them. */
const found = all.flatMap((creation) => {
  const groups = grouped(creation.rows.flat(), ({ list, column, made }) => `${list} ${column} ${made}`);
  return [...groups.values()].flatMap((ids) => {
    const [first, second] = ids;
    if (first === undefined || second === undefined) return [];
    const hasAll = ([column, values]: readonly [string, ReadonlySet<string>]): boolean =>
      ids.every((id) => values.has(id.seed) && (isTelling(id.seed) || hasName(id, column)));
    return columnsBefore.flatMap(([tool, columns]) =>
      [...columns].filter(hasAll).map(([column]) => ({ creation, tool, column, made: first.made })),
    );
  });
});
type Column = (typeof found)[number];
const columnName = ({ creation, tool, column, made }: Column): string => `${creation.by} ${tool} ${column} ${made}`;
const complete = [...new Map(found.map((one) => [columnName(one), one])).values()];
const valuesIn = ({ column }: Column, answer: unknown): readonly string[] => [...(columnsOf(answer).get(column) ?? [])];

it("every list that has all of the seed shows what was created", () =>
  holdsForEach(named(complete, columnName), (_, one) => {
    const isShown = valuesIn(one, one.creation.after.get(one.tool)).includes(one.made);
    expect(isShown).toBe(!Object.hasOwn(unshown, `${one.creation.by} ${one.tool}`));
  }));

const deletions = pairs.filter(
  ({ tool, at }) =>
    operationOf(tool).route.startsWith("DELETE ") &&
    operationOf(tool).route.endsWith(`{${at[0]?.slice(1)}}`) &&
    !Object.hasOwn(deletesPart, tool),
);

it("no operation knows what was deleted, unless it remembers", () =>
  holdsForEach(named(deletions, nameOf), (_, deletion) =>
    holdsForEach(
      named(
        pairs.filter(({ creation }) => creation === deletion.creation),
        nameOf,
      ),
      async (_name, pair) => {
        expect((await isUnknown(pair, deletion)) ?? true).toBe(!isRemembered(pair));
      },
    ),
  ));

it("no list shows what was deleted, unless it remembers", () => {
  const shown = deletions.flatMap((deletion) =>
    complete
      .filter(({ creation }) => creation === deletion.creation)
      .map((one) => [`${nameOf(deletion)}, ${columnName(one)}`, deletion, one] as const),
  );
  return holdsForEach(shown, async (_, deletion, one) => {
    const call = await callAfter(one.tool, deletion.creation, deletion);
    const values = valuesIn(one, (await call(one.tool, exampleOf(one.tool))).body);
    expect(values.includes(one.made)).toBe(isRemembered(one));
  });
});
