/** What people say for alert definitions and firings. */
import type { Said } from "../../api/said.js";
import type { alertsV2 as service } from "../alerts-v2/index.js";

export const alertsV2 = {
  service: "alert; alarm; monitoring; notify me; warning; get paged",
  operations: {
    alert_templates_list:
      "what kinds of alerts can I set up; available alert types by product; alert templates to choose from",
    alert_template_get:
      "which fields, thresholds and defaults does this alert template have; what do I have to fill in for this kind of alert; details of an alert template",
    alert_definitions_list:
      "what alerts have we set up; all our alert definitions; alarms configured for a CP code; who gets notified by what rules",
    alert_definition_create:
      "set up an alert; mail me when traffic drops or errors spike; page me when the origin fails; new alarm with a threshold; wake me up if the site goes down",
    alert_definition_get:
      "show the settings of one alert; which threshold and mail recipients does this alarm have; read one alert definition",
    alert_definition_replace:
      "change an alert's threshold; add or swap the e-mail recipient of an alert; make the alarm less sensitive; edit, tune or pause an existing alert",
    alert_definition_delete:
      "delete an alert; stop these alert mails for good; get rid of a noisy alarm; remove an alert definition",
    alert_activities_list:
      "who changed this alert and when; history of changes to an adaptive alert; activity log of an adaptive definition",
    alert_active_firings_list:
      "what is firing right now; any alarms going off at the moment; current active alerts; is anything on fire",
    alert_firings_list:
      "when did this alert go off in the past month; past firings of an alert; how often has the alarm fired; history of ended incidents",
    alert_suppression_create:
      "ignore a sale, outage or holiday in the adaptive alert's baseline; leave a period out of the learned traffic model; suppress a time window of an adaptive alert",
    alert_suppressions_list:
      "which periods does the adaptive alert ignore; windows left out of the baseline or model; existing suppressions of an alert",
    alert_suppression_delete:
      "count that period in the baseline again; remove a suppression; stop ignoring a time window in the adaptive alert",
    alert_access_controls_list:
      "which CP codes or values can I choose for this alert field; options that I am allowed to pick in a template; allowed choices for an alert",
    alert_summaries_list:
      "overview of alerts with when each last fired; summary of all alarms and their last time; alert dashboard",
    alert_summary_get: "summary of one alert; when did this alarm last fire; short status of a single alert",
    alert_summary_detail_get:
      "everything about one alert on a page: definition, firings, graph, activity; full picture or deep dive of an alarm",
    alert_redirect_get:
      "link to the alerts page in the portal; URL of the web console for alerts; open the alert UI in a browser",
    alert_sparklines_list:
      "graph of the traffic that an alert watches; data points with anomalies; small chart or trend line behind the adaptive alert; expected versus actual traffic",
    alert_template_header_schema_get: "JSON Schema of a template as it stands in a list; schema of a template header",
    alert_template_schema_get: "JSON Schema of an alert template; format of the template object",
    alert_definition_schema_get:
      "JSON Schema for definitions of a given template; validate an alert definition against its schema; format of an alert definition body",
    alert_firing_schema_get: "JSON Schema of alert firings; which members has a firing object",
    alert_summary_schema_get: "JSON Schema of alert summaries; format of the summary object",
    alert_detail_schema_get: "JSON Schema of alert details; format of the summary detail object",
    alert_access_control_check:
      "is the access control part of alerting up; health check of the choices for alert fields; ping the access controls component",
    alert_definition_check:
      "is the alert definitions backend up; health check or ping of alert definitions; definitions component alive",
    alert_firing_check: "is the alert firings backend up; health check or ping of firings; firings component alive",
    alert_summary_check:
      "is the alert summaries backend up; health check or ping of summaries; summaries component alive",
    alert_template_check:
      "is the alert templates backend up; health check or ping of templates; templates component alive",
    alert_schema_check: "is the alert schemas backend up; health check or ping of schemas; schemas component alive",
    alert_sparkline_check:
      "is the alert sparklines backend up; health check or ping of sparklines; graph component alive",
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
