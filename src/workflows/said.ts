/** What people say for the workflows and composed changes; for the build and the tests, never for a call. */
import type { Phrases } from "../api/said.js";
import type { workflows } from "./index.js";

export const said = {
  service: "workflow",
  operations: {
    call_batch:
      "do the same thing many times; bulk operation; run one tool for a whole list with one approval; mass change, loop over many items; same call for a list of items; dozens of users, purges or records in one go; process a spreadsheet; save approvals for many similar changes",
    change_restore:
      "undo my last change; take it back; restore the earlier state; I made a mistake, put it back as it was before; revert the plan; oops, go back; reverse an approved change; get the former settings back; put things back after a mistake",
    cert_enrollment_status:
      "why is my certificate stuck; what do I have to do next for the cert; is the SSL renewal waiting for me; when does the certificate expire; whose turn is it; next step for a certificate; what blocks issuance; days until expiry; understand why an order does not move",
    diagnosis_run:
      "the site is down; a page is broken or slow; find out what is wrong with a URL; visitors get errors, troubleshoot everything; full check-up of a page from several places; customers report errors; outage triage; is it us, the origin or the CDN; health check of an address; root cause; find out who is to blame for an outage; answer a complaint that a page does not load",
    operation_describe:
      "documentation of a tool; how do I call this tool; full argument schema and example of an operation; help for one tool; manual page; every field that a tool takes; rules, error codes and sample call of a tool; read the docs",
    operation_search:
      "which tool does this; find the right operation for a task; is there a tool to do something; search the tools by words; look for a tool by keywords; which operation fits; what can this server do",
    dns_record_remove:
      "delete a DNS record; remove a CNAME, A or TXT entry; take one subdomain or address out of DNS; drop a hostname from DNS; stale record; delete an old subdomain or verification entry; stop a name from resolving",
    dns_record_set:
      "add a DNS record; point a subdomain somewhere; change an A, CNAME, MX or TXT entry; SPF, DKIM or domain verification TXT; new TTL of a record; new subdomain; new mail server; other IP for a name; lower the TTL before a move; domain ownership token; CNAME to an edge hostname; let a new service answer under a subdomain; prove domain ownership to a vendor; stop mail from being marked as spam",
    log_delivery_create:
      "set up log delivery step by step; get access logs by mail or FTP; start shipping logs of a CP code, guide me through the choices; assistant for new log shipping; which choices do I have for log delivery; wizard",
    plan_get:
      "what exactly would this change do; show the whole preview again; was my planned change approved or carried out; read a plan by its id; lines of a preview; what became of an approval; details of a pending change",
    report_chart:
      "draw a graph of the traffic; plot a line chart; show me a picture of the errors; heat map by hour and day; bar chart of hits; visualize a report; make an image for the slides",
    result_get:
      "show the rest of the answer; read the next part of a result that was cut; export the rows as CSV or Markdown; download the table; more rows please; the whole list that was too long",
    result_query:
      "run SQL on the results; join two reports; select and group the rows I got; query a kept result; pivot and count across answers; ask the data with SQL",
    result_view:
      "total of the rows I got; sum, average or maximum of a result; group a kept result by day, hour or status; sort and filter the answer; top ten rows; share in percent; only some columns; count by category without another call; aggregate what was cut",
    traffic_compare:
      "why did traffic change; compare this week with last week; what went up or down; where did the errors rise, by CP code and hour; before and after the release; which group explains the drop; difference between two periods",
    usage_summary:
      "what did we use last month; monthly usage of the contract; is the bill final; how much more than the month before; gigabytes and hits for invoicing; consumption report",
    change_timeline:
      "what was changed and when; who changed something last week; list of recent changes; what happened before the outage; activations, zones, alerts and credentials by time; audit of our account",
    expiry_report:
      "what expires soon; which certificates run out; credentials about to end; upcoming deadlines; what has to be renewed in the next weeks; contracts that end",
    property_change_run:
      "take my config changes all the way live; roll a property out to staging and then production safely; release the site step by step; next step of the rollout; next safe step of a release; staged rollout with checks; ship config edits end to end",
    property_rule_tree_update:
      "change one setting of the site; turn on gzip or HTTP/2; change the caching time or TTL of a path; switch the origin server; add a behavior or rule; edit part of the rules by patch; longer caching for images; add a header, redirect, CORS or compression; other origin hostname; switch a behavior off; small edit of rules; keep a page from being cached; send a path to another server; add a security header",
    report_types_list:
      "which traffic reports are there; what can I report on; report names, versions, metrics and filters; kinds of statistics; catalogue of reports; which statistics can I pull",
    threat_undeployed_changes_list:
      "what have we changed in threat protection that is not live; which deployments are still needed; undeployed edits of lists, policies and sites together; is everything pushed; what still has to be published in threat protection; forgotten deployments; are lists and policies all live; make sure that nothing was forgotten before the weekend",
  } satisfies Readonly<Record<keyof typeof workflows, Phrases>>,
};
