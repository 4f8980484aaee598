/** What people say for alert definitions and firings. */
import type { Said } from "../../api/said.js";
import type { alertsV2 as service } from "../alerts-v2/index.js";

export const alertsV2 = {
  service: "alert; alarm; monitoring; notify me; warning; get paged",
  operations: {
    alert_templates_list:
      "what kinds of alerts can I set up; available alert types by product; alert templates to choose from; blueprints on offer; menu of alarm types; what could we be warned about; alerts that a product supports",
    alert_template_get:
      "which fields, thresholds and defaults does this alert template have; what do I have to fill in for this kind of alert; details of an alert template; one blueprint in full; parameters that an alarm type needs; allowed ranges and default values of an alarm type; prepare a new alert",
    alert_definitions_list:
      "what alerts have we set up; all our alert definitions; alarms configured for a CP code; who gets notified by what rules; inventory of alarms; audit who is mailed by alerts; every alert rule, find one by field value; alarms for a hostname; make sure that nobody who left still gets alarms; avoid making the same alarm twice",
    alert_definition_create:
      "set up an alert; mail me when traffic drops or errors spike; page me when the origin fails; new alarm with a threshold; wake me up if the site goes down; warn me when bandwidth drops; notify the team when latency or errors rise; watch a new site; monitor the origin; configure a new alert rule; get an e-mail when something breaks; learn at once when the origin stops answering; be warned before customers notice",
    alert_definition_get:
      "show the settings of one alert; which threshold and mail recipients does this alarm have; read one alert definition; address that one alert rule mails; one alert rule's conditions; how is this alert configured; conditions and recipients of one rule; look into an alert before changing it",
    alert_definition_replace:
      "change an alert's threshold; add or swap the e-mail recipient of an alert; make the alarm less sensitive; edit, tune or pause an existing alert; trigger level of an existing alarm up or down; new threshold, recipients or schedule for an existing rule; too many false alarms, raise the limit; alert should mail another person; mute or unmute an alert; reconfigure; get the mails to the new on-call address; fewer false alarms at night",
    alert_definition_delete:
      "delete an alert; stop these alert mails for good; get rid of a noisy alarm; remove an alert definition; we do not need this alert any more; drop an obsolete rule; no more mails from an alarm; retired site's alert",
    alert_activities_list:
      "who changed this alert and when; history of changes to an adaptive alert; activity log of an adaptive definition; how the self-learning alarm adjusted itself over time; change log of an alert; adjustments that the adaptive alert made; audit trail of an alert definition; when was the model retrained",
    alert_active_firings_list:
      "what is firing right now; any alarms going off at the moment; current active alerts; is anything on fire; alarms still ringing; start of the shift, what is open; ongoing incidents; what is red at the moment; open alarms this minute; live list of triggered alerts; are we in trouble; hand over the shift",
    alert_firings_list:
      "when did this alert go off in the past month; past firings of an alert; how often has the alarm fired; history of ended incidents; past incidents of one alert; how many false alarms in a month; when did it last trigger and for how long; alert's track record; see if an alarm is worth keeping; write a report on last month's incidents",
    alert_suppression_create:
      "ignore a sale, outage or holiday in the adaptive alert's baseline; leave a period out of the learned traffic model; suppress a time window of an adaptive alert; tell the smart alarm to ignore a load test, maintenance or sale; planned maintenance should not skew the model; one-off traffic peak should not count as normal; black-out window; exclude dates from learning; keep an unusual day from spoiling the baseline",
    alert_suppressions_list:
      "which periods does the adaptive alert ignore; windows left out of the baseline or model; existing suppressions of an alert; excluded time periods or weekends of the alert's traffic model; all excluded windows; which dates are not learned; review what we left out of the model",
    alert_suppression_delete:
      "count that period in the baseline again; remove a suppression; stop ignoring a time window in the adaptive alert; cancel or drop an excluded period of an adaptive alert; include the dates in learning after all; excluded the wrong weekend, take it back; undo an exclusion",
    alert_access_controls_list:
      "which CP codes or values can I choose for this alert field; options that I am allowed to pick in a template; allowed choices for an alert; objects that I have the rights to hang an alarm on; permitted CP codes or properties for an alert; what may I choose; CP codes, properties or contracts available for a new alert; pick list for a template's field",
    alert_summaries_list:
      "overview of alerts with when each last fired; summary of all alarms and their last time; alert dashboard; recap of all alarms; when did each alert last go off; table of alerts with last firing; which alerts never fire; status board; see which alarms have been silent for long",
    alert_summary_get:
      "summary of one alert; when did this alarm last fire; short status of a single alert; quick recap of one alarm; state without the full details; last time that this alert went off; brief state of one alarm; one line about an alert",
    alert_summary_detail_get:
      "everything about one alert on a page: definition, firings, graph, activity; full picture or deep dive of an alarm; drill down from the recap of one alarm; all there is on a single alarm; full story of one alert: configuration, history, chart; dig into an incident; post-mortem of an alarm",
    alert_redirect_get:
      "link to the alerts page in the portal; URL of the web console for alerts; open the alert UI in a browser; open alerts in the browser; portal link for a colleague; address of the alerts screen; jump to the GUI",
    alert_sparklines_list:
      "graph of the traffic that an alert watches; data points with anomalies; small chart or trend line behind the adaptive alert; expected versus actual traffic; squiggles of monitored traffic; baseline against real traffic; plot what an alert sees; anomaly points of monitored metric; mini graph for a dashboard; time series of an alert's traffic",
    alert_template_header_schema_get:
      "JSON Schema of a template as it stands in a list; schema of a template header; short form of templates, blueprint headers, as JSON Schema; fields of templates in the list view; brief template format; parse the template list",
    alert_template_schema_get:
      "JSON Schema of an alert template; format of the template object; full blueprints as JSON Schema; fields of a whole template; formal description of template objects; parse a template",
    alert_definition_schema_get:
      "JSON Schema for definitions of a given template; validate an alert definition against its schema; format of an alert definition body; what a definition's body must look like for one template; check a new alert before creating it; fields of a definition; formal rules for a definition's JSON; generate a form for a new alert",
    alert_firing_schema_get:
      "JSON Schema of alert firings; which members has a firing object; fields of a firing; formal description of incident objects; parse firings",
    alert_summary_schema_get:
      "JSON Schema of alert summaries; format of the summary object; recap objects as JSON Schema; fields of a summary; formal description of the last-firing overview; parse summaries",
    alert_detail_schema_get:
      "JSON Schema of alert details; format of the summary detail object; drill-down objects as JSON Schema; formal shape of details; fields of the full alert page; formal description of detail objects; parse the details",
    alert_access_control_check:
      "is the access control part of alerting up; health check of the choices for alert fields; ping the access controls component; can the permitted objects be reached, rights service running; ping of the pick lists; are the choices for alert fields unavailable; smoke test of access controls",
    alert_definition_check:
      "is the alert definitions backend up; health check or ping of alert definitions; definitions component alive; can definitions be reached, alert rules service running; ping before saving an alert; is the definitions endpoint responding, alive or in an outage; smoke test of definitions",
    alert_firing_check:
      "is the alert firings backend up; health check or ping of firings; firings component alive; are there no firings because the service is down; can the API serve firings; is the firings endpoint responding, alive or in an outage; smoke test of firings; no incidents shown, is it the service",
    alert_summary_check:
      "is the alert summaries backend up; health check or ping of summaries; summaries component alive; can summaries be reached, recap service running; is the summaries endpoint responding, alive or in an outage; overview does not load; smoke test of summaries",
    alert_template_check:
      "is the alert templates backend up; health check or ping of templates; templates component alive; can templates be reached, blueprints service running; is the templates endpoint responding, alive or in an outage; templates do not load; smoke test of templates",
    alert_schema_check:
      "is the alert schemas backend up; health check or ping of schemas; schemas component alive; can the JSON Schema part of the alerts API be reached, schema service running; is the schemas endpoint responding, alive or in an outage; schemas do not load; smoke test of schemas",
    alert_sparkline_check:
      "is the alert sparklines backend up; health check or ping of sparklines; graph component alive; charts are blank, is the graph service running; squiggles missing; is the sparklines endpoint responding, alive or in an outage; graphs do not load; smoke test of sparklines",
  },
  resources: {
    "alert-templates": "alert templates as a document",
    "alert-template": "fields of one alert template as a document",
    "alert-template-header-schema": "schema document of a template in a list",
    "alert-template-schema": "schema document of an alert template",
    "alert-firings-schema": "schema document of alert firings",
    "alert-summaries-schema": "schema document of alert summaries",
    "alert-details-schema": "schema document of alert details",
    "alert-definition-schema": "schema document of alert definitions",
  },
} satisfies Said<typeof service>;
