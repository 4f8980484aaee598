/** What people say for the portal's own alerts. */
import type { Said } from "../../api/said.js";
import type { alertsV1 as service } from "../alerts-v1.js";

export const alertsV1 = {
  service: "portal alerts; old alerts v1; alarms of the control center user",
  operations: {
    portalalerts_list:
      "my active portal alerts; which alarms does the portal show me; open alerts for a CP code in the old v1 alerts; what is screaming in the portal; alerts in the control center; what is wrong according to the portal; classic alerts; active alerts by CP code and status",
    portalalert_find:
      "portal alerts for a long list of CP codes; filter v1 alerts by many CP codes in a body; search portal alarms with POST; same portal alerts, but the CP codes are too many for a URL; hundreds of CP codes, active alerts; bulk lookup of portal alerts",
    portalalert_get:
      "details of one portal alert; why did this v1 alert go off; read a portal alarm by its id; threshold, network and attributes of one active alert; explain one classic alert; when did this portal alert begin and what triggered it; fields of a single active alert",
  },
} satisfies Said<typeof service>;
