/** What people say for the portal's own alerts. */
import type { Said } from "../../language/guide.js";
import type { alertsV1 as service } from "./index.js";

export const alertsV1 = {
  service: "portal alerts; old alerts v1; alarms of the control center user",
  operations: {
    portalalerts_list:
      "my active portal alerts; which alarms does the portal show me; open alerts for a CP code in the old v1 alerts; what is screaming in the portal; alerts in the control center; what is wrong according to the portal; classic alerts; active alerts by CP code and status; alerts on my portal, luna, control center home; what's red in the portal; portal's active alarms for me; any portal notification of trouble; v1 alerts list; alerts for the logged-in user; portal alert status; what's blinking in the portal; what does the dashboard moan about; my alarms in the portal; alerts that the logged-in user has; v1 alerts on right now; anything wrong on my login's account just now, legacy alerts; notices that currently apply to me in the portal; classic alarms still on; old alert feed of the signed-in user; is a v1 alert up; legacy notices for me; v1 list, active status; portal user's current ones",
    portalalert_find:
      "portal alerts for a long list of CP codes; filter v1 alerts by many CP codes in a body; search portal alarms with POST; same portal alerts, but the CP codes are too many for a URL; hundreds of CP codes, active alerts; bulk lookup of portal alerts; portal alerts by body with a long list of CP codes; too many cpcodes for the query string; v1 alerts search; which portal alarms are lit for this mile-long list of cp codes; v1 alerts of dozens of CP codes, body; portal alarms in one request for many CP codes; v1 alerts for a huge set of CP codes, url too long; many cpcodes in the request body; filter my portal's current alerts by hundreds of codes; legacy notices, long cp code string in the body; v1 by POST",
    portalalert_get:
      "details of one portal alert; why did this v1 alert go off; read a portal alarm by its id; threshold, network and attributes of one active alert; explain one classic alert; when did this portal alert begin and what triggered it; fields of a single active alert; one active portal alert by number; tell me more about a portal alert; open v1 alarm; when did a portal alarm start; detail of a classic alarm; what's the story with that portal alarm; open the alarm with that id from the portal; threshold, network, attributes, start of one active alert by its number; v1 alert details; dig into a portal alarm; that v1 alarm that is on; open one old-style alarm by its number; why did that classic alert start, since when, at what level; start date and name of a single v1 alert; legacy notice by id; more about one v1 item",
  },
} satisfies Said<typeof service>;
