/** What people say for the portal's own alerts. */
import type { Said } from "../../api/said.js";
import type { alertsV1 as service } from "../alerts-v1.js";

export const alertsV1 = {
  service: "portal alerts; old alerts v1; alarms of the control center user",
  operations: {
    portalalerts_list:
      "my active portal alerts; which alarms does the portal show me; open alerts for a CP code in the old v1 alerts",
    portalalert_find:
      "portal alerts for a long list of CP codes; filter v1 alerts by many CP codes in a body; search portal alarms with POST",
    portalalert_get: "details of one portal alert; why did this v1 alert go off; read a portal alarm by its id",
  },
} satisfies Said<typeof service>;
