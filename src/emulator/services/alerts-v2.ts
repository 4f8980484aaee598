/** Alerts v2: definitions built from templates, whose firings follow the incident in the reports. */
import type { Behaviours } from "../../api/define.js";
import type { alertsV2 as declared } from "../../tools/alerts-v2.js";
import { utcOf } from "../values.js";
import type { World } from "../world.js";
import {
  cpCodesOf,
  type Definition,
  dayMs,
  type Fields,
  find,
  firingsOf,
  iso,
  link,
  links,
  shown,
  shownAlone,
  state,
} from "./alert-definitions.js";
import { definitionSchema, schemas } from "./alert-schemas.js";
import { choices, definedFields, illegal, notFound, templateOf, templates } from "./alert-templates.js";
import { hitsByCode } from "./report-series.js";

const linked = (definition: Definition) => ({
  ...shown(definition),
  links: links(`alert-definition/${definition.fields.templateId}`, `alert-definitions/${definition.definitionId}`),
});

const isActive = ({ endTime }: { readonly endTime: string | null }): boolean => endTime === null;

function summaryOf(world: World, definition: Definition) {
  const { definitionId, fields } = definition;
  const firings = firingsOf(world, definition);
  return {
    definitionId,
    name: fields.name,
    createdBy: "mheld",
    emails: (fields["email"] as readonly string[]).join(", "),
    lastTriggered: firings.at(-1)?.startTime ?? null,
    firingNow: firings.some(isActive),
    templateId: fields.templateId,
    templateName: templateOf(fields.templateId).name,
    links: [
      ...links("alert-summaries", `alert-summaries/${definitionId}`),
      link("details", `alert-summaries/${definitionId}/details`),
    ],
  };
}

function adaptive(world: World, definitionId: string): Definition {
  const definition = find(world, definitionId);
  if (definition.origin !== "ADAPTIVE") throw illegal("Only adaptive definitions have a model of traffic");
  return definition;
}

const activitiesOf = ({ createdAtMs, editedAtMs, fields }: Definition) => [
  {
    activityId: 1,
    details: "SERIES_ADD",
    startTime: iso(createdAtMs),
    data: { metric: { name: fields["adaptivemetric"] }, entity: { entityId: fields["adaptivecpcode"] } },
  },
  { activityId: 2, details: "EMAIL_EDIT", startTime: iso(editedAtMs), data: { email: "ops@shop.example" } },
];

const maxDays = 30;
const defaultDays = 7;

/** Hours of an ISO 8601 duration, within what a sparkline covers. */
function hoursOf(duration: string | undefined): number {
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration ?? `P${defaultDays}D`) ?? [];
  const total =
    (Number(weeks) * 7 + Number(days)) * 24 + Number(hours) + Number(minutes) / 60 + Number(seconds) / 3_600;
  if (total <= 0 || total > maxDays * 24) throw illegal(`Not a valid duration: at most P${maxDays}D`);
  return total;
}

/** The requests per second that a definition watches, as evenly spread points. */
function sparklineOf(
  world: World,
  definition: Definition,
  duration: string | undefined,
  points: number,
  hasRange: boolean,
) {
  const hours = hoursOf(duration);
  // A model is kept for a week or for a month (public facts A, 6).
  const covered = definition.origin === "STATIC" ? hours : hours <= 7 * 24 ? 7 * 24 : maxDays * 24;
  const end = Math.floor(world.now() / 300_000) * 300_000;
  const stepMs = Math.max(300_000, (covered * 3_600_000) / (points === 0 ? covered * 12 : points));
  const count = Math.round((covered * 3_600_000) / stepMs);
  const rate = (at: number): number =>
    cpCodesOf(definition).reduce(
      (sum, cpCode) =>
        sum + Object.values(hitsByCode(world, cpCode, at, at + 300_000)).reduce((a, b) => a + b, 0) / 300,
      0,
    );
  return {
    definitionId: definition.definitionId,
    points: Array.from({ length: count }, (_, index) => {
      const at = Math.floor((end - covered * 3_600_000 + index * stepMs) / 300_000) * 300_000;
      const y = Math.round(rate(at) * 100) / 100;
      return { x: iso(at), y, ...(hasRange ? { high: Math.round(y * 115) / 100, low: Math.round(y * 85) / 100 } : {}) };
    }),
    anomalies: firingsOf(world, definition).map(({ firingId, startTime, endTime }) => ({
      start: startTime,
      ...(endTime === null ? {} : { end: endTime }),
      firingId,
    })),
    suppressions: state(world).suppressions.get(definition.definitionId) ?? [],
  };
}

const available = () => ({ status: 200 as const, body: undefined });

export const alertsV2: Behaviours<typeof declared, World> = {
  alert_templates_list: () => ({
    status: 200,
    body: {
      data: templates.map(({ templateId, name, origin, products }) => ({
        templateId,
        name,
        origin,
        products: products.map(([productName, objectId]) => ({ name: productName, objectId })),
        links: links("alert-template-header", `alert-templates/${templateId}`),
      })),
    },
  }),
  alert_template_get: ({ path }) => {
    const { products: _, fields, firingFields, ...head } = templateOf(path.templateId);
    return {
      status: 200,
      body: {
        ...head,
        firingFields: [...firingFields],
        fields: [...fields],
        links: links("alert-template", `alert-templates/${path.templateId}`),
      },
    };
  },
  alert_definitions_list: ({ query }, world) => {
    const { fieldName, fieldValue, ids } = query;
    const hasValue = ({ fields }: Definition): boolean => {
      const value = fields[fieldName ?? ""];
      // What one of the two does without the other is not shown: a name alone finds whatever has the field.
      if (fieldValue === undefined) return value !== undefined;
      return (Array.isArray(value) ? value : [value]).map(String).includes(fieldValue);
    };
    const found = [...state(world).definitions.values()]
      .filter(({ definitionId }) => ids === undefined || ids.includes(definitionId))
      .filter((definition) => fieldName === undefined || hasValue(definition));
    return { status: 200, body: { data: found.map(linked) } };
  },
  alert_definition_create: ({ body }, world) => {
    const fields = definedFields(body.fields) as Fields;
    const { origin } = templateOf(fields.templateId);
    if (body.origin !== undefined && body.origin !== origin) throw illegal("origin is not the template's");
    const number = world.next("alert", 3_000);
    const definitionId = origin === "STATIC" ? `s@${number}` : `a@cp_${String(fields["adaptivecpcode"])}_${number}`;
    const now = world.now();
    const definition = { definitionId, origin, fields: { ...fields, definitionId }, createdAtMs: now, editedAtMs: now };
    state(world).definitions.set(definitionId, definition);
    return { status: 201, body: shown(definition) };
  },
  alert_definition_get: ({ path }, world) => ({ status: 200, body: shownAlone(find(world, path.definitionId)) }),
  alert_definition_replace: ({ path, body }, world) => {
    const stored = state(world).definitions.get(path.definitionId);
    // There is no 404 for a replacement (public facts A, 6).
    if (!stored || body.definitionId !== path.definitionId || body.fields.definitionId !== path.definitionId)
      throw illegal("Not a valid alert Id");
    const fields = definedFields(body.fields) as Fields;
    if (body.origin !== stored.origin) throw illegal("origin cannot be changed");
    state(world).definitions.set(path.definitionId, { ...stored, fields, editedAtMs: world.now() });
    return { status: 204, body: undefined };
  },
  alert_definition_delete: ({ path }, world) => {
    find(world, path.definitionId);
    state(world).definitions.delete(path.definitionId);
    return { status: 204, body: undefined };
  },
  alert_activities_list: ({ path }, world) => ({
    status: 200,
    body: { data: activitiesOf(adaptive(world, path.definitionId)) },
  }),
  alert_active_firings_list: (_, world) => {
    const firings = [...state(world).definitions.values()].flatMap((definition) => firingsOf(world, definition));
    return { status: 200, body: { data: firings.filter(isActive) } };
  },
  alert_firings_list: ({ path }, world) => {
    const firings = firingsOf(world, find(world, path.definitionId));
    const since = world.now() - maxDays * dayMs;
    return { status: 200, body: { data: firings.filter(({ endTime }) => endTime !== null && utcOf(endTime) > since) } };
  },
  alert_suppression_create: ({ path, query }, world) => {
    adaptive(world, path.definitionId);
    if (utcOf(query.end) <= utcOf(query.start)) throw illegal("end must be after start");
    const suppression = { suppressionId: String(world.next("suppression", 2_748)), start: query.start, end: query.end };
    const { suppressions } = state(world);
    suppressions.set(path.definitionId, [...(suppressions.get(path.definitionId) ?? []), suppression]);
    return { status: 201, body: suppression };
  },
  alert_suppressions_list: ({ path }, world) => {
    adaptive(world, path.definitionId);
    return { status: 200, body: { data: state(world).suppressions.get(path.definitionId) ?? [] } };
  },
  alert_suppression_delete: ({ path }, world) => {
    adaptive(world, path.definitionId);
    const { suppressions } = state(world);
    const stored = suppressions.get(path.definitionId) ?? [];
    const rest = stored.filter(({ suppressionId }) => suppressionId !== path.suppressionId);
    if (rest.length === stored.length) throw notFound();
    suppressions.set(path.definitionId, rest);
    return { status: 200, body: undefined };
  },
  alert_access_controls_list: ({ query }) => {
    const list = (choices[query.type] ?? []).map(([name, objectId]) => ({
      name,
      objectId,
      type: query.type,
      localizable: false,
      fields: { timezone: null },
    }));
    return { status: 200, body: { data: list } };
  },
  alert_summaries_list: (_, world) => ({
    status: 200,
    body: {
      scopes: ["ALERTS_READ", "ALERTS_ADD", "ALERTS_EDIT", "ALERTS_DELETE"],
      data: [...state(world).definitions.values()].map((definition) => summaryOf(world, definition)),
    },
  }),
  alert_summary_get: ({ path }, world) => ({ status: 200, body: summaryOf(world, find(world, path.definitionId)) }),
  alert_summary_detail_get: ({ path }, world) => {
    const definition = find(world, path.definitionId);
    const isAdaptive = definition.origin === "ADAPTIVE";
    return {
      status: 200,
      body: {
        definitionId: path.definitionId,
        sparkline: isAdaptive ? sparklineOf(world, definition, undefined, 100, true) : null,
        alerts: firingsOf(world, definition),
        definition: shownAlone(definition),
        activity: isAdaptive
          ? activitiesOf(definition).map(({ details, startTime, data }) => ({
              messageKey: details,
              time: startTime,
              messageArgs: data,
            }))
          : [],
        links: [
          ...links("alert-details", `alert-summaries/${path.definitionId}/details`),
          link("summary", `alert-summaries/${path.definitionId}`),
        ],
      },
    };
  },
  alert_redirect_get: () => ({ status: 302, body: undefined, headers: { location: "/app/alerts/#/" } }),
  alert_sparklines_list: ({ query }, world) => {
    const { definitionIds, duration, points = 100, inclRange = false, adaptivecpcode, adaptivemetric } = query;
    if (definitionIds === undefined && adaptivecpcode === undefined && adaptivemetric === undefined)
      throw illegal("definitionIds, or adaptivecpcode and adaptivemetric, are needed");
    const isModelled = ({ origin, fields }: Definition): boolean =>
      origin === "ADAPTIVE" &&
      [undefined, String(fields["adaptivecpcode"])].includes(adaptivecpcode) &&
      [undefined, fields["adaptivemetric"]].includes(adaptivemetric);
    const wanted =
      definitionIds?.map((id) => find(world, id)) ?? [...state(world).definitions.values()].filter(isModelled);
    const data = wanted.map((definition) => sparklineOf(world, definition, duration, points, inclRange));
    return { status: 200, body: { data } };
  },
  alert_template_header_schema_get: () => ({ status: 200, body: schemas.templateHeader }),
  alert_template_schema_get: () => ({ status: 200, body: schemas.template }),
  alert_definition_schema_get: ({ path }) => ({ status: 200, body: definitionSchema(path.templateId) }),
  alert_firing_schema_get: () => ({ status: 200, body: schemas.firings }),
  alert_summary_schema_get: () => ({ status: 200, body: schemas.summaries }),
  alert_detail_schema_get: () => ({ status: 200, body: schemas.details }),
  alert_access_control_check: available,
  alert_definition_check: available,
  alert_firing_check: available,
  alert_summary_check: available,
  alert_template_check: available,
  alert_schema_check: available,
  alert_sparkline_check: available,
};
