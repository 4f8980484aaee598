/** The emulated alert definitions with their suppressions and the changes to them. */
import type { z } from "../../../language/z.js";
import { dayMs } from "../../../time/durations.js";
import type { Activity, Suppression } from "../../../tools/alerts-v2/shapes.js";
import { type Authorship, authorshipAt } from "../../primitives/authored.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { account, mainContractId, portalUser } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };
import { type AlertFields, completeFields, illegalArgument, templateOf } from "./templates.js";

export interface AlertDefinition extends Authorship {
  readonly definitionId: string;
  readonly origin: "STATIC" | "ADAPTIVE";
  readonly fields: AlertFields;
  readonly activities: readonly z.output<typeof Activity>[];
  readonly suppressions: readonly z.output<typeof Suppression>[];
}
interface Seed extends Authorship, Pick<AlertDefinition, "definitionId" | "fields"> {
  readonly suppressions: readonly { suppressionId: string; startAtMs: number; endAtMs: number }[];
}

const emailKeys = ["email", "emailBrief"];
const seriesKeys = ["adaptivemetric", "adaptivecpcode", "adaptiveprofile", "aboveModel", "belowModel"];
/** The fields that control notifications; all others are criteria. */
const notificationKeys = [...emailKeys, "emailHtmlFormat", "name", "group", "definitionId"];

const isChanged = (before: AlertFields, after: AlertFields, keys: readonly string[]): boolean =>
  keys.some((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));

/** Whether a change to a definition's fields changes its criteria. */
export const hasOtherCriteria = (before: AlertFields, after: AlertFields): boolean =>
  isChanged(
    before,
    after,
    Object.keys({ ...before, ...after }).filter((key) => !notificationKeys.includes(key)),
  );

/** The addresses notified of a definition's firings, separated by commas. */
export const emailsOf = (fields: AlertFields): string => [fields["email"] ?? []].flat().join(", ");

function seriesData(fields: AlertFields) {
  const { adaptivemetric, adaptivecpcode, adaptiveprofile, aboveModel = null, belowModel = null } = fields;
  return {
    metric: { name: adaptivemetric },
    entity: { entityId: adaptivecpcode, entityType: "cp", account: { id: account.id, name: account.name } },
    profile: { id: Number(adaptiveprofile) },
    aboveModelAlertDefinition: aboveModel,
    belowModelAlertDefinition: belowModel,
  };
}

/** A new definition, or a former one with other fields; an adaptive one also records the change as an activity. */
export function writeDefinition(
  world: World,
  definitionId: string,
  input: AlertFields,
  authorship: Authorship,
  former?: AlertDefinition,
): AlertDefinition {
  const fields = { ...completeFields(world, input), definitionId };
  const { origin, suppressions } = former ?? { origin: templateOf(fields.templateId).origin, suppressions: [] };
  const activities = [...(former?.activities ?? [])];
  const record = (details: string, data: Readonly<Record<string, unknown>>) => {
    const startTime = instant(authorship.modifiedAtMs);
    activities.push({ activityId: activities.length + 1, details, startTime, data });
  };
  if (origin === "ADAPTIVE" && !former) record("SERIES_ADD", seriesData(fields));
  if (origin === "ADAPTIVE" && former) {
    if (isChanged(former.fields, fields, seriesKeys)) record("SERIES_EDIT", seriesData(fields));
    if (isChanged(former.fields, fields, emailKeys)) record("EMAIL_EDIT", { email: emailsOf(fields) });
  }
  return { definitionId, origin, fields, activities, suppressions, ...authorship };
}

/** The definitions, of which all initial ones were changed once: since then they notify someone. */
export const definitions = (world: World): Store<AlertDefinition> =>
  world.state("alerts-v2", () => {
    const midnight = Math.floor(world.startedAtMs / dayMs) * dayMs;
    const all = seedsOf<readonly Seed[]>(seeds, midnight).map(
      ({ definitionId, fields, suppressions, ...authorship }) => {
        const first = writeDefinition(world, definitionId, fields, authorshipAt(authorship.createdAtMs, portalUser));
        return {
          ...writeDefinition(world, definitionId, { ...fields, email: ["ops@shop.example"] }, authorship, first),
          suppressions: suppressions.map(({ suppressionId, startAtMs, endAtMs }) => {
            return { suppressionId, start: instant(startAtMs), end: instant(endAtMs) };
          }),
        };
      },
    );
    return new Store<AlertDefinition>("definitionId", () => "There is no such alert", all);
  });

/** An adaptive definition by its id; refuses a static one. */
export function findAdaptive(world: World, definitionId: string): AlertDefinition {
  const definition = definitions(world).find(definitionId);
  if (definition.origin !== "ADAPTIVE") throw illegalArgument("Only adaptive definitions have a model of traffic");
  return definition;
}

/** A definition as the API shows it. */
export const definitionBody = ({ definitionId, origin, fields, ...authorship }: AlertDefinition) => ({
  accountId: account.id,
  definitionId,
  origin,
  fields,
  editInfo: {
    active: true,
    createdAt: instant(authorship.createdAtMs),
    createdBy: authorship.createdBy,
    editAt: instant(authorship.modifiedAtMs),
    editBy: authorship.modifiedBy,
  },
});
/** A definition by itself: with its contract and account. */
export const fullDefinitionBody = (definition: AlertDefinition) => ({
  ...definitionBody(definition),
  templateId: definition.fields.templateId,
  contractId: mainContractId,
  corpAccount: account.name,
  cpCode: Number([definition.fields["aca_cpcode"] ?? definition.fields["adaptivecpcode"] ?? 0].flat()[0]),
  domain: "",
  services: "all",
});
