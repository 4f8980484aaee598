/** Alerts v2: definitions built from templates, whose firings follow the incident in the reports. */
import { alertsV2 as declared } from "../../../tools/alerts-v2/index.js";
import { created, noContent, notFound, ok, replying } from "../../reply.js";
import { emulated } from "../../service.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import {
  create,
  type Definition,
  definitionsOf,
  emailsOf,
  find,
  findAdaptive,
  hasOtherCriteria,
  link,
  links,
  remove,
  replace,
  setSuppressions,
  shown,
  shownAlone,
  storedDefinition,
  suppressionsOf,
} from "./definitions.js";
import { firingsOf, forgetFirings, isActive, restartWatch, shownForMs } from "./firings.js";
import { definitionSchema, schemas } from "./schemas.js";
import { plainSparkline, sparklineOf } from "./sparklines.js";
import { alertErrorFormat, choicesOf, definedFields, illegal, templateOf, templates } from "./templates.js";

const linked = (definition: Definition) => ({
  ...shown(definition),
  links: links(`alert-definition/${definition.fields.templateId}`, `alert-definitions/${definition.definitionId}`),
});

function summaryOf(world: World, definition: Definition) {
  const { definitionId, fields } = definition;
  const firings = firingsOf(world, definition);
  return {
    definitionId,
    name: fields.name,
    createdBy: definition.created.by,
    emails: emailsOf(fields),
    lastTriggered: firings.at(-1)?.startTime ?? null,
    firingNow: firings.some(isActive),
    templateId: fields.templateId,
    templateName: templateOf(fields.templateId).name,
  };
}

const activeFirings = (world: World) =>
  definitionsOf(world)
    .flatMap((definition) => firingsOf(world, definition))
    .filter(isActive);

const available = () => ok(undefined);

export const alertsV2 = emulated(declared, alertErrorFormat, {
  alert_templates_list: () =>
    ok({
      data: templates.map(({ templateId, name, origin, products }) => ({
        templateId,
        name,
        origin,
        products: products.map(([productName, objectId]) => ({ name: productName, objectId })),
        links: links("alert-template-header", `alert-templates/${templateId}`),
      })),
    }),
  alert_template_get: ({ path }) => {
    const { products: _, fields, firingFields, ...head } = templateOf(path.templateId);
    return ok({
      ...head,
      firingFields: [...firingFields],
      fields: [...fields],
      links: links("alert-template", `alert-templates/${path.templateId}`),
    });
  },
  alert_definitions_list: ({ query }, world) => {
    const { fieldName, fieldValue, ids } = query;
    const isFound = ([name, value]: readonly [string, unknown]): boolean =>
      (fieldName === undefined || name === fieldName) &&
      (fieldValue === undefined || [value].flat().map(String).includes(fieldValue));
    const found = definitionsOf(world)
      .filter(({ definitionId }) => ids === undefined || ids.includes(definitionId))
      .filter(({ fields }) => Object.entries(fields).some(isFound));
    return ok({ data: found.map(linked) });
  },
  alert_definition_create: ({ body }, world) => created(shown(create(world, body.fields, body.origin))),
  alert_definition_get: ({ path }, world) => ok(shownAlone(find(world, path.definitionId))),
  alert_definition_replace: ({ path, body }, world) => {
    const stored = storedDefinition(world, path.definitionId);
    // There is no 404 for a replacement (public facts A, 6).
    if (!stored || body.definitionId !== path.definitionId || body.fields.definitionId !== path.definitionId)
      throw illegal("Not a valid alert Id");
    const fields = definedFields(world, body.fields);
    if (body.origin !== stored.origin) throw illegal("origin cannot be changed");
    if (hasOtherCriteria(stored.fields, fields)) restartWatch(world, stored);
    replace(world, stored, fields);
    return noContent();
  },
  alert_definition_delete: ({ path }, world) => {
    const definition = find(world, path.definitionId);
    remove(world, definition);
    forgetFirings(world, definition);
    return noContent();
  },
  alert_activities_list: ({ path }, world) =>
    ok({ data: findAdaptive(world, path.definitionId).activities.map((one) => ({ ...one })) }),
  alert_active_firings_list: (_, world) => ok({ data: activeFirings(world) }),
  alert_active_firing_count_get: (_, world) => ok({ count: activeFirings(world).length }),
  alert_firings_list: ({ path }, world) => {
    const firings = firingsOf(world, find(world, path.definitionId));
    const since = world.now() - shownForMs;
    return ok({ data: firings.filter(({ endTime }) => endTime !== null && utcOf(endTime) > since) });
  },
  alert_suppression_create: ({ path, query }, world) => {
    const { definitionId } = findAdaptive(world, path.definitionId);
    if (utcOf(query.end) <= utcOf(query.start)) throw illegal("end must be after start");
    const suppression = { suppressionId: String(world.next("suppression", 2_748)), start: query.start, end: query.end };
    setSuppressions(world, definitionId, [...suppressionsOf(world, definitionId), suppression]);
    return created(suppression);
  },
  alert_suppressions_list: ({ path }, world) =>
    ok({ data: [...suppressionsOf(world, findAdaptive(world, path.definitionId).definitionId)] }),
  alert_suppression_delete: ({ path }, world) => {
    const { definitionId } = findAdaptive(world, path.definitionId);
    const stored = suppressionsOf(world, definitionId);
    const rest = stored.filter(({ suppressionId }) => suppressionId !== path.suppressionId);
    if (rest.length === stored.length) throw notFound("There is no such alert");
    setSuppressions(world, definitionId, rest);
    return ok(undefined);
  },
  alert_access_controls_list: ({ query }, world) => {
    const list = choicesOf(world, query.type).map(([name, objectId]) => ({
      name,
      objectId,
      type: query.type,
      localizable: false,
      fields: { timezone: null },
    }));
    return ok({ data: list });
  },
  alert_summaries_list: (_, world) =>
    ok({
      scopes: ["ALERTS_READ", "ALERTS_ADD", "ALERTS_EDIT", "ALERTS_DELETE"],
      data: definitionsOf(world).map((definition) => summaryOf(world, definition)),
    }),
  alert_summary_get: ({ path }, world) => ok(summaryOf(world, find(world, path.definitionId))),
  alert_summary_detail_get: ({ path }, world) => {
    const definition = find(world, path.definitionId);
    const isAdaptive = definition.origin === "ADAPTIVE";
    return ok({
      definitionId: path.definitionId,
      sparkline: isAdaptive ? sparklineOf(world, definition, { inclRange: true }) : null,
      alerts: firingsOf(world, definition),
      definition: shownAlone(definition),
      activity: definition.activities.map(({ details, startTime, data }) => ({
        messageKey: details,
        time: startTime,
        messageArgs: { ...data },
      })),
      links: [
        ...links("alert-details", `alert-summaries/${path.definitionId}/details`),
        link("summary", `alert-summaries/${path.definitionId}`),
      ],
    });
  },
  alert_redirect_get: () => replying(302)(undefined, { location: "/app/alerts/#/" }),
  alert_sparklines_list: ({ query }, world) => {
    const { adaptivecpcode, adaptivemetric } = query;
    const definitionIds: readonly string[] | undefined = query.definitionIds;
    const data = definitionIds?.map((id) => sparklineOf(world, find(world, id), query)) ?? [
      plainSparkline(world, adaptivecpcode, adaptivemetric, query),
    ];
    return ok({ data });
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
