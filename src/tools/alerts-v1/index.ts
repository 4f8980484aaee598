/** Alerts v1 (document A): the active alerts of the logged-in portal user. */
import { comma, json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members, Names } from "../fields.js";

const AlertList = z.looseObject({
  alertList: z.looseObject({
    alerts: z.array(
      z.looseObject({
        id: z.number(),
        ...members(z.string(), "name", "type", "startDate"),
        errorString: z.string().nullable(),
      }),
    ),
    errorString: z.string().nullable(),
  }),
});
const AlertDetails = z.looseObject({
  alertDetails: z.looseObject({
    id: z.number(),
    ...members(z.string(), "type", "name", "startDate"),
    threshold: z.union([z.string(), z.number()]),
    attributes: z.record(z.string(), z.string()),
    network: z.string(),
    errorString: z.string().nullable(),
  }),
});
const active = {
  status: z.literal("active"),
  cpCodes: comma(Names.optional().describe("Only alerts on these CP codes")),
};

export const alertsV1 = service("portalalert", {
  name: "alerts-v1",
  document: "A",
  title: "Alerts v1",
  about: "Lists the portal user's active alerts and gives the details of one.",
  standing: { state: "superseded", successor: "alerts v2 (/alerts/v2)" },
  ids: { alertId: "portalalerts_list", cpCodes: "property_cpcodes_list" },
  rules: {
    "portalalert-active-only": "status is required and must be active.",
    "portalalert-cp-codes": "cpCodes limits the list to alerts on these CP codes.",
    "portalalert-start-date": "startDate is display text in the form month day, year hh:mm AM or PM.",
    "portalalert-details-active": "Only active alerts have details.",
  },
  operations: {
    portalalerts_list: op("GET /alerts/v1/portal-user", {
      does: "Lists the portal user's active alerts.",
      query: active,
      returns: { 200: json(AlertList) },
      rules: ["portalalert-active-only", "portalalert-cp-codes", "portalalert-start-date"],
      example: { status: "active" },
    }),
    portalalert_find: op("POST /alerts/v1/portal-user", {
      does: "Lists the same alerts; the body can hold long lists of CP codes.",
      query: active,
      body: json({ status: z.literal("active"), cpCodes: z.string().optional().describe("Comma-separated") }),
      returns: { 200: json(AlertList) },
      effect: "read",
      rules: ["portalalert-active-only", "portalalert-cp-codes"],
      example: { status: "active", body: { status: "active", cpCodes: "12345,12346" } },
    }),
    portalalert_get: op("GET /alerts/v1/portal-user/alert/{alertId}", {
      does: "Reads the details of one active alert.",
      path: { alertId: z.int().positive() },
      returns: { 200: json(AlertDetails) },
      rules: ["portalalert-details-active"],
      means: { 404: "There is no such active alert: portalalerts_list shows the ids." },
      note: "The document does not show the wrapper of the details; it is assumed to match the list's.",
      example: { alertId: 2072 },
    }),
  },
});
