/** The operations table, which the declarations do not feed, and what is guarded although its row does not ask for it. */
import { readFileSync } from "node:fs";

/** An operation as its document has it. */
export interface Row {
  readonly document: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly effect: string;
}

export const operationTable = readFileSync(new URL("./operations.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line): Row => {
    const [document = "", service = "", method = "", path = "", effect = ""] = line.split("\t");
    return { document, service, method, path, effect };
  });

/** Method and path, which tell the operations apart. */
export const routeOf = ({ method, path }: Pick<Row, "method" | "path">): string => `${method} ${path}`;

/** What is guarded although its row does not say that it destroys something. */
export const guardedBesides: Readonly<Record<string, string>> = {
  alert_definition_create: "sends what an alert tells to addresses",
  alert_definition_replace: "can silence an alert",
  alert_suppression_create: "silences alerts",
  cert_enrollment_create: "names contacts who are written to",
  cert_change_schedule_update: "holds a certificate back",
  sps_request_create: "orders a certificate that goes to production by itself",
  edgelogic_policy_update: "can delete",
  edgelogic_origin_version_update: "can delete",
  live_stream_create: "names an address that is told of the stream",
  live_stream_update: "is live immediately",
  live_event_update: "schedules the deletion of recordings",
  log_configuration_create: "sends logs to a host or an address",
  log_configuration_copy: "sends more logs to a host or an address",
  log_configuration_resume: "sends logs again that somebody has stopped",
  log_configuration_replace: "can send logs to another host",
  user_create: "lets somebody in",
  user_update: "writes the address that one-time passwords go to",
  user_profile_update: "writes the address that one-time passwords go to",
};
