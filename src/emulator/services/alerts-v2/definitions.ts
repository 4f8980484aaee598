/** The emulated alert definitions and their suppressions, with who created and changed them, and when. */
import { dayMs } from "../../../language/durations.js";
import { orNotFound } from "../../reply.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { account, mainContractId, portalUser, userInUse } from "../account.js";
import { definedFields, type Fields, illegal, templateOf } from "./templates.js";

interface Edit {
  readonly atMs: number;
  readonly by: string;
}
/** A change to an adaptive definition; the kinds are the document's (public facts A, 6). */
interface Activity {
  readonly activityId: number;
  readonly details: "SERIES_ADD" | "SERIES_EDIT" | "EMAIL_EDIT";
  readonly startTime: string;
  readonly data: Readonly<Record<string, unknown>>;
}
export interface Definition {
  readonly definitionId: string;
  readonly origin: "STATIC" | "ADAPTIVE";
  readonly fields: Fields;
  readonly created: Edit;
  readonly edited: Edit;
  readonly activities: readonly Activity[];
}
type Suppression = {
  readonly suppressionId: string;
  readonly start: string;
  readonly end: string;
};
interface State {
  readonly definitions: Map<string, Definition>;
  readonly suppressions: Map<string, readonly Suppression[]>;
}

const emailKeys = ["email", "emailBrief"];
const seriesKeys = ["adaptivemetric", "adaptivecpcode", "adaptiveprofile", "aboveModel", "belowModel"];
/** The fields that control notifications; all others are criteria. */
const notificationKeys = [...emailKeys, "emailHtmlFormat", "name", "group", "definitionId"];

const isChanged = (before: Fields, after: Fields, keys: readonly string[]): boolean =>
  keys.some((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));

/** Whether a change to a definition's fields changes its criteria. */
export const hasOtherCriteria = (before: Fields, after: Fields): boolean =>
  isChanged(
    before,
    after,
    Object.keys({ ...before, ...after }).filter((key) => !notificationKeys.includes(key)),
  );

function seriesData(fields: Fields) {
  const { adaptivemetric, adaptivecpcode, adaptiveprofile, aboveModel = null, belowModel = null } = fields;
  return {
    metric: { name: adaptivemetric },
    entity: { entityId: adaptivecpcode, entityType: "cp", account: { id: account.id, name: account.name } },
    profile: { id: Number(adaptiveprofile) },
    aboveModelAlertDefinition: aboveModel,
    belowModelAlertDefinition: belowModel,
  };
}
const activity = (
  earlier: readonly Activity[],
  details: Activity["details"],
  atMs: number,
  data: Activity["data"],
): readonly Activity[] => [...earlier, { activityId: earlier.length + 1, details, startTime: instant(atMs), data }];

/** Builds a new definition. */
function newDefinition(world: World, definitionId: string, given: Fields, created: Edit): Definition {
  const fields = { ...definedFields(world, given), definitionId };
  const { origin } = templateOf(fields.templateId);
  const activities = origin === "ADAPTIVE" ? activity([], "SERIES_ADD", created.atMs, seriesData(fields)) : [];
  return { definitionId, origin, fields, created, edited: created, activities };
}

/** A definition with new fields; an adaptive one also records the change as an activity. */
function updatedDefinition(world: World, stored: Definition, given: Fields, edited: Edit): Definition {
  const fields = definedFields(world, given);
  const { origin, fields: before } = stored;
  let { activities } = stored;
  if (origin === "ADAPTIVE" && isChanged(before, fields, seriesKeys))
    activities = activity(activities, "SERIES_EDIT", edited.atMs, seriesData(fields));
  if (origin === "ADAPTIVE" && isChanged(before, fields, emailKeys))
    activities = activity(activities, "EMAIL_EDIT", edited.atMs, { email: emailsOf(fields) });
  return { ...stored, fields, edited, activities };
}

/** The definitions and suppressions; initially four definitions and one suppression. */
const state = (world: World): State =>
  world.state("alerts-v2", () => {
    const createdAtMs = Math.floor(world.startedAtMs / dayMs) * dayMs - 200 * dayMs;
    const define = (definitionId: string, templateId: string, name: string, own: object): [string, Definition] => {
      const fields = { definitionId, templateId, name, ...own };
      const first = newDefinition(world, definitionId, fields, { atMs: createdAtMs, by: portalUser });
      const edited = { atMs: createdAtMs + 30 * dayMs, by: portalUser };
      return [definitionId, updatedDefinition(world, first, { ...fields, email: ["ops@shop.example"] }, edited)];
    };
    return {
      definitions: new Map([
        define("s@1623", "s@7", "Origin failures in the shop", { aca_cpcode: ["12345"], param: 5 }),
        define("s@2071", "s@1", "High traffic on images", { aca_cpcode: ["67890"], param: 900 }),
        define("s@2072", "s@7", "Origin failures of the shop's API", { aca_cpcode: ["12346"], param: 5 }),
        define("a@cp_12345_77", "a@1", "Unusual traffic in the shop", {
          adaptivemetric: "hits_per_second",
          adaptivecpcode: "12345",
          adaptiveprofile: "17",
          aboveModel: { deviations: 4, windowSize: 12, anomalyCount: 4 },
          belowModel: { deviations: 2, windowSize: 12, anomalyCount: 4 },
        }),
      ]),
      suppressions: new Map([
        [
          "a@cp_12345_77",
          [{ suppressionId: "2747", start: instant(createdAtMs + 40 * dayMs), end: instant(createdAtMs + 41 * dayMs) }],
        ],
      ]),
    };
  });

export const definitionsOf = (world: World): readonly Definition[] => [...state(world).definitions.values()];
export const storedDefinition = (world: World, definitionId: string): Definition | undefined =>
  state(world).definitions.get(definitionId);

/** A definition by its id; refuses an unknown id. */
export const find = (world: World, definitionId: string): Definition =>
  orNotFound(storedDefinition(world, definitionId), "There is no such alert");

/** An adaptive definition by its id; refuses a static one. */
export function findAdaptive(world: World, definitionId: string): Definition {
  const definition = find(world, definitionId);
  if (definition.origin !== "ADAPTIVE") throw illegal("Only adaptive definitions have a model of traffic");
  return definition;
}

const byClient = (world: World): Edit => ({ atMs: world.now(), by: userInUse });

/** Creates a definition, whose id says whether it is static. */
export function create(world: World, fields: Fields, wanted: string | undefined): Definition {
  const { origin } = newDefinition(world, "", fields, byClient(world));
  if (wanted !== undefined && wanted !== origin) throw illegal("origin is not the template's");
  const number = world.next("alert", 3_000);
  const definitionId = origin === "STATIC" ? `s@${number}` : `a@cp_${String(fields["adaptivecpcode"])}_${number}`;
  const definition = newDefinition(world, definitionId, fields, byClient(world));
  state(world).definitions.set(definitionId, definition);
  return definition;
}

/** Replaces a definition's fields. */
export function replace(world: World, stored: Definition, fields: Fields): Definition {
  const definition = updatedDefinition(world, stored, fields, byClient(world));
  state(world).definitions.set(stored.definitionId, definition);
  return definition;
}

/** Removes a definition with its suppressions. */
export function remove(world: World, { definitionId }: Definition): void {
  state(world).definitions.delete(definitionId);
  state(world).suppressions.delete(definitionId);
}

export const suppressionsOf = (world: World, definitionId: string): readonly Suppression[] =>
  state(world).suppressions.get(definitionId) ?? [];
export const setSuppressions = (world: World, definitionId: string, all: readonly Suppression[]): void => {
  state(world).suppressions.set(definitionId, all);
};

export const link = (rel: string, path: string) => ({ rel, href: `/alerts/v2/${path}` });
export const links = (schema: string, self: string) => [
  link("describedBy", `json-schema/${schema}`),
  link("self", self),
];

/** The addresses notified of a definition's firings, separated by commas. */
export const emailsOf = (fields: Fields): string => [fields["email"] ?? []].flat().join(", ");

/** A definition as the API shows it. */
export const shown = ({ definitionId, origin, fields, created, edited }: Definition) => ({
  accountId: account.id,
  definitionId,
  origin,
  fields,
  editInfo: {
    active: true,
    createdAt: instant(created.atMs),
    createdBy: created.by,
    editAt: instant(edited.atMs),
    editBy: edited.by,
  },
});
/** A definition by itself: with its contract and account. */
export const shownAlone = (definition: Definition) => ({
  ...shown(definition),
  templateId: definition.fields.templateId,
  contractId: mainContractId,
  corpAccount: account.name,
  cpCode: Number([definition.fields["aca_cpcode"] ?? definition.fields["adaptivecpcode"] ?? 0].flat()[0]),
  domain: "",
  services: "all",
});
