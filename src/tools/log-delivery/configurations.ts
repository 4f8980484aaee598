/** The operations on log configurations and on redeliveries. */
import { pickArguments } from "../../language/conduct.js";
import { json, op, undocumented } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { PastDay } from "../fields.js";
import { hasStatus, isFree, isRedeliverable, startIsAhead } from "./checks.js";
import { copying, creation, deletion, replacement, resumption, suspension } from "./guards.js";
import {
  LogConfiguration,
  NumericId,
  Redelivery,
  ReplacedConfiguration,
  SourceReference,
  source,
  writtenConfiguration,
} from "./shapes.js";

const configuration = { logConfigurationId: NumericId };
const configurationId = pickArguments("logConfigurationId");
/** The destination of a configuration's logs, for calls that send them there without naming it. */
const sendsTo = { by: "log_configuration_get", args: configurationId } as const;
/** Where a response without a body names the new resource, and which tool reads it. */
const located = (argument: string, tool: string) => ({
  201: `The location ends in the ${argument}, which ${tool} takes.`,
});
const configurationMade = located("logConfigurationId", "log_configuration_get");
const missing = { 404: "There is no such log configuration: log_type_configurations_list shows those of a type." };
const refused = {
  400: "A value was refused: details in the response names it. log_source_formats_list, log_type_encodings_list and the lists of the other parameters have the valid ids.",
};
const permission = { 403: "Changing log configurations requires an account permission on the top group." };
const changeErrors = { ...permission, ...missing };
const taken = {
  409: "The log source already has a configuration: log_source_configurations_list shows it, and log_configuration_replace changes it.",
};
/** The redeliveries that a preview shows, because they end with their configuration. */
const redeliveries = { by: "log_redeliveries_list", args: () => ({}) } as const;

export const configurationOperations = {
  log_configuration_get: op("GET /lds-api/v3/log-configurations/{logConfigurationId}", {
    does: "Reads a log configuration, without passwords.",
    path: configuration,
    returns: { 200: json(LogConfiguration) },
    rules: ["log-password-hidden", "log-status-expired"],
    means: missing,
    example: { logConfigurationId: "163842" },
  }),
  log_configuration_create: op("POST /lds-api/v3/log-sources/{logSourceType}/{logSourceId}/log-configurations", {
    does: "Creates the log configuration of a source.",
    needs: "Ids from the lists; log_delivery_create guides through them.",
    path: source,
    body: json(writtenConfiguration),
    returns: undocumented,
    effect: "create",
    checks: [isFree("logSourceId"), startIsAhead],
    guard: creation,
    shownBy: "log_source_configurations_list",
    relatedReads: { logSource: { by: "log_source_get", args: pickArguments("logSourceType", "logSourceId") } },
    rules: ["log-one-per-source", "log-start-ahead", "log-aggregation", "log-location", "log-gpg-key"],
    means: { ...configurationMade, ...refused, ...permission, ...taken },
    note: "The response status is not public; 201 is likely.",
    example: {
      logSourceType: "cpcode-products",
      logSourceId: "12346-1",
      body: {
        startDate: "{today+7d}",
        contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] },
        logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "api" },
        messageSize: { id: "3" },
        aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "1" } },
        encodingDetails: { encoding: { id: "1" } },
        deliveryDetails: { type: "ftp", machine: "logs.shop.example", login: "edge", directory: "/api" },
      },
    },
  }),
  log_configuration_replace: op("PUT /lds-api/v3/log-configurations/{logConfigurationId}", {
    does: "Replaces a log configuration; omitted members are removed.",
    path: configuration,
    body: json(ReplacedConfiguration),
    returns: undocumented,
    effect: "update",
    checks: [startIsAhead],
    // The body decides where logs go and who is notified.
    guard: replacement,
    shownBy: "log_configuration_get",
    rules: ["log-replaced", "log-start-ahead", "log-password-hidden"],
    means: { ...refused, ...changeErrors },
    note: "A public client reports that replacements fail, and deletes and creates instead.",
    example: {
      logConfigurationId: "163844",
      body: {
        startDate: "{today-90d}",
        contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] },
        logFormatDetails: { logFormat: { id: "3" }, logIdentifier: "images" },
        messageSize: { id: "3" },
        aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "4" } },
        encodingDetails: { encoding: { id: "1" } },
        deliveryDetails: { type: "httpsns4", domainPrefix: "exampleshops", cpcodeId: 67_890, directory: "/logs" },
      },
    },
  }),
  log_configuration_delete: op("DELETE /lds-api/v3/log-configurations/{logConfigurationId}", {
    does: "Deletes a log configuration: its logs are no longer delivered.",
    path: configuration,
    returns: undocumented,
    guard: deletion,
    shownBy: "log_configuration_get",
    relatedReads: { redeliveries },
    means: changeErrors,
    example: { logConfigurationId: "163842" },
  }),
  log_configuration_copy: op("POST /lds-api/v3/log-configurations/{logConfigurationId}/copy", {
    does: "Copies a log configuration to another log source of the same kind.",
    path: configuration,
    body: json({ copyTarget: openObject({ logSource: SourceReference }) }),
    returns: undocumented,
    effect: "create",
    checks: [isFree("body.copyTarget.logSource.id")],
    guard: copying,
    // The copy is not at the path of the call: it is a configuration of the target source.
    shownBy: {
      by: "log_source_configurations_list",
      args: ({ body }) => {
        const { copyTarget } = body as {
          readonly copyTarget: { readonly logSource: z.output<typeof SourceReference> };
        };
        return { logSourceType: copyTarget.logSource.type, logSourceId: copyTarget.logSource.id };
      },
    },
    relatedReads: { original: { by: "log_configuration_get", args: configurationId } },
    sendsTo,
    rules: ["log-one-per-source", "log-location"],
    means: { ...configurationMade, ...refused, ...changeErrors, ...taken },
    example: {
      logConfigurationId: "163842",
      body: { copyTarget: { logSource: { id: "12346-1", type: "cpcode-products" } } },
    },
  }),
  log_configuration_suspend: op("POST /lds-api/v3/log-configurations/{logConfigurationId}/suspend", {
    does: "Suspends the delivery of logs until it is resumed.",
    path: configuration,
    returns: undocumented,
    effect: "destructive",
    checks: [hasStatus("active")],
    guard: suspension,
    shownBy: "log_configuration_get",
    relatedReads: { redeliveries },
    rules: ["log-status-moves"],
    means: changeErrors,
    example: { logConfigurationId: "163842" },
  }),
  log_configuration_resume: op("POST /lds-api/v3/log-configurations/{logConfigurationId}/resume", {
    does: "Resumes a suspended delivery.",
    path: configuration,
    returns: undocumented,
    effect: "update",
    checks: [hasStatus("suspended")],
    guard: resumption,
    sendsTo,
    shownBy: "log_configuration_get",
    rules: ["log-status-moves"],
    means: changeErrors,
    example: { logConfigurationId: "163844" },
  }),
  log_redeliveries_list: op("GET /lds-api/v3/log-redeliveries", {
    does: "Lists requests to deliver logs again.",
    returns: { 200: json(z.array(Redelivery)) },
  }),
  log_redelivery_create: op("POST /lds-api/v3/log-redeliveries", {
    does: "Requests that logs of a past day be delivered again, at low priority.",
    body: json({
      logConfiguration: openObject({ id: NumericId }),
      redeliveryDate: PastDay.describe("UTC date, or yesterday"),
      beginTime: z.int().min(0).max(23).optional().describe("Hour; not with byHitTime"),
      endTime: z.int().min(1).max(24).optional(),
    }),
    returns: undocumented,
    effect: "create",
    checks: [isRedeliverable],
    shownBy: "log_redeliveries_list",
    sendsTo: {
      by: "log_configuration_get",
      args: ({ body }) => ({ logConfigurationId: memberAt(body, "logConfiguration.id") }),
    },
    rules: [
      "log-redelivery-complete",
      "log-redelivery-retention",
      "log-redelivery-whole-day",
      "log-redelivery-priority",
      "log-location",
    ],
    means: {
      ...located("redeliveryId", "log_redelivery_get"),
      400: "The redelivery was refused: the original delivery has to be complete, the day still be kept (logRetentionDays of the log source), and the configuration active.",
      ...permission,
    },
    example: { body: { logConfiguration: { id: "163842" }, redeliveryDate: "{today-3d}", beginTime: 0, endTime: 24 } },
  }),
  log_redelivery_get: op("GET /lds-api/v3/log-redeliveries/{redeliveryId}", {
    does: "Reads a redelivery and its progress.",
    path: { redeliveryId: NumericId },
    returns: { 200: json(Redelivery) },
    awaits: {
      state: ({ body }) => String(memberAt(body, "status")),
      isReady: ({ body }) => /^(success|failed)$/.test(String(memberAt(body, "status"))),
    },
    rules: ["log-redelivery-priority"],
    means: { 404: "There is no such redelivery: log_redeliveries_list shows all." },
    example: { redeliveryId: "701" },
  }),
};
