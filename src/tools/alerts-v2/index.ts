/** Alerts v2 (document A): templates, definitions built from them, firings, suppressions and summaries. */
import type { Arguments, ReviewForm, Statement } from "../../language/conduct.js";
import { empty, json, op, repeat } from "../../language/define.js";
import { act, membership } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { repeated } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { Names, Timestamp } from "../fields.js";
import { alertResources, retiredState, schemaOperations } from "./schemas.js";
import {
  Activity,
  adaptiveId,
  adaptiveThreshold,
  Choice,
  Definition,
  Details,
  Duration,
  definitionFields,
  definitionId,
  Firing,
  listMedium,
  Origin,
  replacedDefinition,
  Sparkline,
  Summary,
  Suppression,
  Template,
  TemplateSummary,
  templateId,
} from "./shapes.js";
import { matchesTemplate } from "./template-check.js";

const needs = "The template (alert_template_get) defines the fields; they are checked before sending.";
const dataTypes =
  "acggroup adaptivecpcode adaptivemetric adaptiveprofile alertHttp arlfile contract cpcode datastream dsatest edns encoder etpConfig etpSiteMetaInfo eventlog evt_cnt fpdomain fpproperty group httpErrorCode iphoneFileType mapruleid network player product regionid rej_cnt satest slatest sripslot statest stream trigger visibility waatest";
const errors = {
  403: "The API client or its user lacks permission for alerts, or for an object that the alert monitors.",
  404: "There is no such alert: alert_definitions_list lists the ids, which begin with s@ or a@.",
};

const mailIn = (definition: unknown): readonly string[] => {
  const mail = ["email", "emailBrief"].flatMap((name) => memberAt(definition, ["fields", name]) ?? []);
  return [...new Set(mail.map(plainOrQuoted))];
};

/** The fields of a definition: recipients and CP codes have no order, and its id is repeated among them. */
export const definitionForm: ReviewForm = { sets: "all", ignores: { definitionId: "id" } };

/** The first sentence of a replacement's preview; undefined if the present definition is unknown. */
function replacementInWords({ definitionId, body }: Arguments, present: unknown): Statement | undefined {
  if (present === undefined) return undefined;
  const recipients = mailIn(body);
  const { lost, gained } = membership(mailIn(present), recipients);
  const mail = withoutFalse(
    lost.length > 0 && `${listInWords(lost)} ${lost.length === 1 ? "is" : "are"} no longer notified`,
    gained.length > 0 && `${listInWords(gained)} would be notified`,
  );
  const before = memberAt(present, "fields.name");
  const name = before === undefined ? "" : ` (${plainOrQuoted(before)})`;
  const still = recipients.length === 0 ? "it sends no mail" : `${listInWords(recipients)} would still be notified`;
  return act`REPLACE alert definition ${String(definitionId)}${name}: ${mail.length > 0 ? mail : [still]}`;
}

export const alertsV2 = service("alert", {
  name: "alerts-v2",
  document: "A",
  title: "Alerts v2",
  about: "Manages alert definitions, their templates, firings and suppressions.",
  standing: { state: "alive" },
  frontLine: ["alert_active_firings_list", "alert_definitions_list"],
  ids: { ids: "alert_definitions_list", definitionId: "alert_definitions_list" },
  rules: {
    "alert-id-encoded": "Template and definition ids contain @, which is percent-encoded in the path.",
    "alert-origin-prefix": "Static ids begin with s@, adaptive ids with a@.",
    "alert-template-fields": "A definition's fields are those of its template, within the template's bounds.",
    "alert-adaptive-thresholds": `An adaptive definition's aboveModel and belowModel each have ${adaptiveThreshold}.`,
    "alert-list-data": "Lists are wrapped in a data member.",
    "alert-firings-30-days": "A definition's firings are those of the last 30 days that have ended, oldest first.",
    "alert-active-no-end": "An active firing has no end time.",
    "alert-adaptive-only": "Only adaptive definitions have suppressions and activities.",
    "alert-suppression-query": "A suppression's start and end are in the query, and there is no body.",
    "alert-statuses":
      "Creation returns 201, replacement and deletion of a definition 204, deletion of a suppression 200.",
    "alert-sparkline-duration": "A sparkline covers an ISO 8601 duration of at most 30 days, 7 days by default.",
    "alert-schema-draft-4": "The schemas are JSON Schema draft 4.",
    "alert-redirect": "The redirect gives the web console page in its Location header.",
  },
  operations: {
    alert_templates_list: op("GET /alerts/v2/alert-templates/", {
      does: "Lists the alert templates and the products each is for.",
      returns: { 200: listMedium(TemplateSummary) },
      rules: ["alert-list-data", "alert-origin-prefix"],
    }),
    alert_template_get: op("GET /alerts/v2/alert-templates/{templateId}", {
      does: "Reads a template: the fields of a definition, with types, bounds and defaults.",
      path: { templateId },
      returns: { 200: json(Template) },
      rules: ["alert-id-encoded", "alert-adaptive-thresholds"],
      means: { ...errors, 404: "There is no such template: alert_templates_list lists the ids." },
      example: { templateId: "s@7" },
    }),
    alert_definitions_list: op("GET /alerts/v2/alert-definitions", {
      does: "Lists alert definitions: all, or those with a given field value.",
      query: {
        fieldName: z.string().min(1).optional().describe("Field to compare with fieldValue"),
        fieldValue: z.string().optional().describe("Value, or element of a list"),
        ids: repeat(Names.optional().describe("Definition ids")),
      },
      returns: { 200: listMedium(Definition) },
      rules: ["alert-list-data"],
      means: errors,
      example: { fieldName: "aca_cpcode", fieldValue: "12345" },
    }),
    alert_definition_create: op("POST /alerts/v2/alert-definitions", {
      does: "Creates an alert from a template.",
      needs,
      body: json({
        origin: Origin.optional(),
        definitionId: repeated(z.literal("").optional()),
        // The API requires the member and assigns its value (public facts A, 6).
        fields: z.looseObject({ ...definitionFields, definitionId: repeated(z.literal("").default("")) }),
      }),
      checks: [matchesTemplate],
      returns: { 201: json(Definition) },
      effect: "create",
      guard: {
        kind: "create",
        thing: "alert definition {body.fields.name}",
        when: "sending",
        target: ({ body }) => String(memberAt(body, "fields.name")),
        undo: {
          tool: "alert_definition_delete",
          made: ({ body }) => {
            const definitionId = memberAt(body, "definitionId") ?? memberAt(body, "fields.definitionId");
            return typeof definitionId === "string" && definitionId !== "" ? { definitionId } : undefined;
          },
        },
      },
      shownBy: "alert_definitions_list",
      rules: ["alert-template-fields", "alert-adaptive-thresholds", "alert-statuses"],
      means: errors,
      example: {
        body: {
          fields: {
            templateId: "s@7",
            name: "Origin failures",
            aca_cpcode: ["12345"],
            param: 5,
            email: ["ops@shop.example"],
          },
        },
      },
    }),
    alert_definition_get: op("GET /alerts/v2/alert-definitions/{definitionId}", {
      does: "Reads an alert definition.",
      path: { definitionId },
      returns: { 200: json(Definition) },
      rules: ["alert-id-encoded", "alert-adaptive-thresholds"],
      means: errors,
      example: { definitionId: "s@1623" },
    }),
    alert_definition_replace: op("PUT /alerts/v2/alert-definitions/{definitionId}", {
      does: "Replaces an alert definition; fields left out of the body are removed.",
      needs,
      path: { definitionId },
      body: json(replacedDefinition),
      checks: [matchesTemplate],
      returns: { 204: empty },
      effect: "update",
      // A replacement can remove recipients of notifications without anyone noticing.
      guard: {
        kind: "overwrite",
        thing: "alert definition",
        replaces: "body.fields",
        review: definitionForm,
        undo: "rewrite",
        says: replacementInWords,
      },
      shownBy: "alert_definition_get",
      rules: ["alert-template-fields", "alert-adaptive-thresholds", "alert-statuses"],
      means: {
        400: "A field does not match the template, or there is no such alert: a replacement never returns 404.",
        403: errors[403],
      },
      example: {
        definitionId: "s@1623",
        body: {
          definitionId: "s@1623",
          origin: "STATIC",
          fields: {
            templateId: "s@7",
            definitionId: "s@1623",
            name: "Origin failures, shop",
            aca_cpcode: ["12345"],
            param: 8,
          },
        },
      },
    }),
    alert_definition_delete: op("DELETE /alerts/v2/alert-definitions/{definitionId}", {
      does: "Deletes an alert definition and stops its notifications.",
      path: { definitionId },
      returns: { 204: empty },
      guard: {
        kind: "delete",
        thing: "alert definition {fields.name}",
        says: "its notifications stop",
        undo: {
          tool: "alert_definition_create",
          // The API gives it a new id.
          args: ({ before }) => {
            const fields = memberAt(before, "fields");
            return isRecord(fields) ? { body: { fields: { ...fields, definitionId: "" } } } : undefined;
          },
        },
      },
      shownBy: "alert_definition_get",
      rules: ["alert-statuses"],
      means: errors,
      example: { definitionId: "s@2071" },
    }),
    alert_activities_list: op("GET /alerts/v2/alert-definitions/{definitionId}/activities", {
      does: "Lists the changes to an adaptive definition.",
      path: { definitionId: adaptiveId },
      returns: { 200: listMedium(Activity) },
      rules: ["alert-adaptive-only"],
      means: errors,
      example: { definitionId: "a@cp_12345_77" },
    }),
    alert_active_firings_list: op("GET /alerts/v2/alert-firings/active", {
      does: "Lists the alerts that are firing now.",
      returns: { 200: listMedium(Firing) },
      rules: ["alert-active-no-end", "alert-list-data"],
      means: errors,
    }),
    alert_active_firing_count_get: op("GET /alerts/v2/alert-firings/alertcount", {
      does: "Counts the alerts that are firing now.",
      returns: { 200: json(z.looseObject({ count: z.int() })) },
      means: errors,
      document: "today",
    }),
    alert_firings_list: op("GET /alerts/v2/alert-definitions/{definitionId}/alert-firings", {
      does: "Lists a definition's ended firings of the last 30 days.",
      path: { definitionId },
      returns: { 200: listMedium(Firing) },
      rules: ["alert-firings-30-days"],
      means: errors,
      example: { definitionId: "s@1623" },
    }),
    alert_suppression_create: op("POST /alerts/v2/alert-definitions/{definitionId}/suppressions", {
      does: "Excludes a period from an adaptive definition's traffic model.",
      path: { definitionId: adaptiveId },
      query: { start: Timestamp.describe("ISO 8601"), end: Timestamp.describe("ISO 8601") },
      period: { start: "start", end: "end", form: "iso" },
      returns: { 201: json(Suppression) },
      effect: "create",
      // Excluded data can keep an alert from firing, so the change has to be reviewed.
      guard: {
        kind: "suspend",
        thing: "traffic model of the alert definition",
        says: ({ definitionId, start, end }) =>
          act`EXCLUDE ${String(start)} to ${String(end)} from the traffic model of ${String(definitionId)}: that traffic no longer counts, and alerts may not fire`,
        undo: { by: "Call alert_suppression_delete with the id from alert_suppressions_list." },
      },
      shownBy: "alert_suppressions_list",
      rules: ["alert-suppression-query", "alert-adaptive-only", "alert-statuses"],
      means: errors,
      example: { definitionId: "a@cp_12345_77", start: "{now-3d}", end: "{now-2d}" },
    }),
    alert_suppressions_list: op("GET /alerts/v2/alert-definitions/{definitionId}/suppressions", {
      does: "Lists the periods excluded from an adaptive definition's model.",
      path: { definitionId: adaptiveId },
      returns: { 200: listMedium(Suppression) },
      rules: ["alert-adaptive-only"],
      means: errors,
      example: { definitionId: "a@cp_12345_77" },
    }),
    alert_suppression_delete: op("DELETE /alerts/v2/alert-definitions/{definitionId}/suppressions/{suppressionId}", {
      does: "Deletes a suppression: its period counts in the model again.",
      path: {
        definitionId: adaptiveId,
        suppressionId: z.string().regex(/^\d+$/, "a suppression id, which is a number"),
      },
      returns: { 200: [empty, json(z.unknown())], 204: empty },
      guard: {
        kind: "delete",
        thing: "suppression",
        says: "its period counts in the traffic model again",
        undo: {
          tool: "alert_suppression_create",
          args: ({ given: { definitionId, suppressionId }, before }) => {
            const found = listAt(before, "data").find((one) => memberAt(one, "suppressionId") === suppressionId);
            if (found === undefined) return undefined;
            return { definitionId, start: memberAt(found, "start"), end: memberAt(found, "end") };
          },
          isWhole: true,
        },
      },
      shownBy: "alert_suppressions_list",
      rules: ["alert-statuses"],
      means: errors,
      example: { definitionId: "a@cp_12345_77", suppressionId: "2747" },
    }),
    alert_access_controls_list: op("GET /alerts/v2/access-control-data", {
      does: "Lists the choices for a template field, as its href names them.",
      query: {
        type: z.enum(dataTypes.split(" ")).describe("Kind of choice: a field's itemType, e.g. cpcode, network"),
        templateId: templateId.optional().describe("Filters cpcode and httpErrorCode"),
        filter: z.enum(["available", "performance"]).optional().describe("Filters slatest"),
      },
      returns: { 200: listMedium(Choice) },
      rules: ["alert-list-data"],
      means: errors,
      example: { type: "cpcode", templateId: "s@7" },
    }),
    alert_summaries_list: op("GET /alerts/v2/alert-summaries", {
      does: "Lists the alerts with their last firing.",
      returns: { 200: json(z.looseObject({ scopes: z.array(z.string()).optional(), data: z.array(Summary) })) },
      rules: ["alert-list-data"],
      means: errors,
    }),
    alert_summary_get: op("GET /alerts/v2/alert-summaries/{definitionId}", {
      does: "Reads one alert's summary.",
      path: { definitionId },
      returns: { 200: json(Summary) },
      means: errors,
      example: { definitionId: "s@1623" },
    }),
    alert_summary_detail_get: op("GET /alerts/v2/alert-summaries/{definitionId}/details", {
      does: "Reads everything about an alert: definition, firings, sparkline, activity.",
      path: { definitionId },
      returns: { 200: json(Details) },
      means: errors,
      example: { definitionId: "s@1623" },
    }),
    alert_redirect_get: op("GET /alerts/redirect", {
      does: "Returns the URL of a web console page.",
      query: { type: z.string().optional().describe("Kind of page") },
      returns: { 302: empty, 303: empty, 307: empty },
      rules: ["alert-redirect"],
      note: "The document shows only the query; the Location header is a public fact, the status is unknown.",
      standing: retiredState,
    }),
    alert_sparklines_list: op("GET /alerts/v2/sparklines", {
      does: "Reads the traffic that definitions monitor, as points with anomalies.",
      query: {
        definitionIds: repeat(z.array(definitionId).min(1).optional().describe("Definition ids")),
        duration: Duration.optional().describe("Up to P30D; P7D by default"),
        points: z.int().min(0).optional().describe("How many; 100 by default, 0 for all"),
        inclRange: z.boolean().optional().describe("Include the model's high and low"),
        adaptivecpcode: z.string().optional().describe("Without an alert: CP code"),
        adaptivemetric: z.string().optional().describe("Without an alert: metric"),
      },
      returns: { 200: listMedium(Sparkline) },
      rules: ["alert-sparkline-duration", "alert-list-data"],
      means: { ...errors, 400: "Give definitionIds, or adaptivecpcode and adaptivemetric if there is no alert yet." },
      note: "The value formats are public facts; what adaptivecpcode and adaptivemetric do is unknown, as is whether they replace definitionIds: the document requires none of the three.",
      example: { definitionIds: ["a@cp_12345_77"], duration: "P7D", points: 12, inclRange: true },
    }),
    ...schemaOperations,
  },
  resources: alertResources,
});
