/** Alerts v2: definitions built from templates, whose firings follow the incident in the reports. */
import { alertsV2 as declared } from "../../../tools/alerts-v2/index.js";
import { authorshipAt, authorshipNow } from "../../primitives/authored.js";
import { created, noContent, notFound, ok, replyWith } from "../../reply.js";
import { emulateService } from "../../service.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import {
  type AlertDefinition,
  definitionBody,
  definitions,
  emailsOf,
  findAdaptive,
  fullDefinitionBody,
  hasOtherCriteria,
  writeDefinition,
} from "./definitions.js";
import { firingsOf, forgetFirings, isActive, restartWatch, shownForMs } from "./firings.js";
import schemas from "./schemas.json" with { type: "json" };
import { plainSparkline, sparklineOf } from "./sparklines.js";
import {
  alertErrorFormat,
  choicesOf,
  completeFields,
  definitionSchema,
  illegalArgument,
  templateOf,
  templates,
} from "./templates.js";

const link = (rel: string, path: string) => ({ rel, href: `/alerts/v2/${path}` });
const links = (schema: string, self: string) => [link("describedBy", `json-schema/${schema}`), link("self", self)];

function summaryOf(world: World, definition: AlertDefinition) {
  const { definitionId, fields, createdBy } = definition;
  const firings = firingsOf(world, definition);
  return {
    definitionId,
    name: fields.name,
    createdBy,
    emails: emailsOf(fields),
    lastTriggered: firings.at(-1)?.startTime ?? null,
    firingNow: firings.some(isActive),
    templateId: fields.templateId,
    templateName: templateOf(fields.templateId).name,
  };
}

const activeFirings = (world: World) =>
  definitions(world)
    .all.flatMap((definition) => firingsOf(world, definition))
    .filter(isActive);

const available = () => ok(undefined);

export const alertsV2 = emulateService(declared, alertErrorFormat, {
  alert_templates_list: () =>
    ok({
      data: templates.map(({ firingFields: _, fields: __, ...head }) => ({
        ...head,
        links: links("alert-template-header", `alert-templates/${head.templateId}`),
      })),
    }),
  alert_template_get: ({ path: { templateId } }) => {
    const { products: _, fields, firingFields, ...head } = templateOf(templateId);
    const own = links("alert-template", `alert-templates/${templateId}`);
    return ok({ ...head, firingFields, fields: [...fields], links: own });
  },
  alert_definitions_list: ({ query }, world) => {
    const { fieldName, fieldValue, ids } = query;
    const isFound = ([name, value]: readonly [string, unknown]): boolean =>
      (fieldName === undefined || name === fieldName) &&
      (fieldValue === undefined || [value].flat().map(String).includes(fieldValue));
    const matches = definitions(world)
      .all.filter(({ definitionId }) => ids === undefined || ids.includes(definitionId))
      .filter(({ fields }) => Object.entries(fields).some(isFound));
    return ok({
      data: matches.map((one) => ({
        ...definitionBody(one),
        links: links(`alert-definition/${one.fields.templateId}`, `alert-definitions/${one.definitionId}`),
      })),
    });
  },
  alert_definition_create: ({ body: { fields, origin: wanted } }, world) => {
    const { origin } = templateOf(completeFields(world, fields).templateId);
    if (wanted !== undefined && wanted !== origin) throw illegalArgument("origin is not the template's");
    const number = world.next("alert", 3_000);
    const definitionId = origin === "STATIC" ? `s@${number}` : `a@cp_${String(fields["adaptivecpcode"])}_${number}`;
    const definition = writeDefinition(world, definitionId, fields, authorshipAt(world.now()));
    return created(definitionBody(definitions(world).add(definition)));
  },
  alert_definition_get: ({ path }, world) => ok(fullDefinitionBody(definitions(world).find(path.definitionId))),
  alert_definition_replace: ({ path: { definitionId }, body }, world) => {
    const stored = definitions(world).get(definitionId);
    // There is no 404 for a replacement (public facts A, 6).
    if (!stored || body.definitionId !== definitionId || body.fields.definitionId !== definitionId)
      throw illegalArgument("Not a valid alert Id");
    const fields = completeFields(world, body.fields);
    if (body.origin !== stored.origin) throw illegalArgument("origin cannot be changed");
    if (hasOtherCriteria(stored.fields, fields)) restartWatch(world, stored);
    definitions(world).add(writeDefinition(world, definitionId, fields, authorshipNow(world, stored), stored));
    return noContent();
  },
  alert_definition_delete: ({ path: { definitionId } }, world) => {
    definitions(world).find(definitionId);
    definitions(world).delete(definitionId);
    forgetFirings(world, definitionId);
    return noContent();
  },
  alert_activities_list: ({ path }, world) => ok({ data: [...findAdaptive(world, path.definitionId).activities] }),
  alert_active_firings_list: (_, world) => ok({ data: activeFirings(world) }),
  alert_active_firing_count_get: (_, world) => ok({ count: activeFirings(world).length }),
  alert_firings_list: ({ path }, world) => {
    const firings = firingsOf(world, definitions(world).find(path.definitionId));
    const since = world.now() - shownForMs;
    return ok({ data: firings.filter(({ endTime }) => endTime !== null && utcOf(endTime) > since) });
  },
  alert_suppression_create: ({ path, query: { start, end } }, world) => {
    const definition = findAdaptive(world, path.definitionId);
    if (utcOf(end) <= utcOf(start)) throw illegalArgument("end must be after start");
    const suppression = { suppressionId: String(world.next("suppression", 2_748)), start, end };
    definitions(world).add({ ...definition, suppressions: [...definition.suppressions, suppression] });
    return created(suppression);
  },
  alert_suppressions_list: ({ path }, world) => ok({ data: [...findAdaptive(world, path.definitionId).suppressions] }),
  alert_suppression_delete: ({ path }, world) => {
    const definition = findAdaptive(world, path.definitionId);
    const suppressions = definition.suppressions.filter(({ suppressionId }) => suppressionId !== path.suppressionId);
    if (suppressions.length === definition.suppressions.length) throw notFound("There is no such alert");
    definitions(world).add({ ...definition, suppressions });
    return ok(undefined);
  },
  alert_access_controls_list: ({ query: { type } }, world) =>
    ok({
      data: choicesOf(world, type).map((one) => ({ ...one, type, localizable: false, fields: { timezone: null } })),
    }),
  alert_summaries_list: (_, world) =>
    ok({
      scopes: ["ALERTS_READ", "ALERTS_ADD", "ALERTS_EDIT", "ALERTS_DELETE"],
      data: definitions(world).all.map((definition) => summaryOf(world, definition)),
    }),
  alert_summary_get: ({ path }, world) => ok(summaryOf(world, definitions(world).find(path.definitionId))),
  alert_summary_detail_get: ({ path }, world) => {
    const definition = definitions(world).find(path.definitionId);
    return ok({
      definitionId: path.definitionId,
      sparkline: definition.origin === "ADAPTIVE" ? sparklineOf(world, definition, { inclRange: true }) : null,
      alerts: firingsOf(world, definition),
      definition: fullDefinitionBody(definition),
      activity: definition.activities.map(({ details: messageKey, startTime: time, data: messageArgs }) => {
        return { messageKey, time, messageArgs };
      }),
      links: [
        ...links("alert-details", `alert-summaries/${path.definitionId}/details`),
        link("summary", `alert-summaries/${path.definitionId}`),
      ],
    });
  },
  alert_redirect_get: () => replyWith(302)(undefined, { location: "/app/alerts/#/" }),
  alert_sparklines_list: ({ query }, world) => {
    const definitionIds: readonly string[] | undefined = query.definitionIds;
    const data = definitionIds?.map((id) => sparklineOf(world, definitions(world).find(id), query));
    return ok({ data: data ?? [plainSparkline(world, query)] });
  },
  alert_template_header_schema_get: () => ok(schemas.templateHeader),
  alert_template_schema_get: () => ok(schemas.template),
  alert_definition_schema_get: ({ path }) => ok(definitionSchema(path.templateId)),
  alert_firing_schema_get: () => ok(schemas.firings),
  alert_summary_schema_get: () => ok(schemas.summaries),
  alert_detail_schema_get: () => ok(schemas.details),
  alert_access_control_check: available,
  alert_definition_check: available,
  alert_firing_check: available,
  alert_summary_check: available,
  alert_template_check: available,
  alert_schema_check: available,
  alert_sparkline_check: available,
});
