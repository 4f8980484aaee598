/** Alerts v1: the portal user's active alerts, which are the definitions' firings that have not ended. */
import { STATUS_CODES } from "node:http";
import { alertsV1 as declared } from "../../../tools/alerts-v1/index.js";
import { findIn } from "../../primitives/store.js";
import { type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { definitions } from "../alerts-v2/definitions.js";
import { firingsOf, isActive } from "../alerts-v2/firings.js";
import { modelsOf } from "../alerts-v2/measures.js";
import { templateOf } from "../alerts-v2/templates.js";

const months = "January February March April May June July August September October November December".split(" ");

/** `May 17, 2026 01:05 PM`: display text, not a timestamp. */
function displayDate(ms: number): string {
  const date = new Date(ms);
  const hour = date.getUTCHours();
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()} ${twoDigits(hour % 12 || 12)}:${twoDigits(date.getUTCMinutes())} ${hour < 12 ? "AM" : "PM"}`;
}

/** The definitions that are firing. Ids in v1 are numbers: an alert has the number at the end of its definition's id. */
const alerts = (world: World) =>
  definitions(world).all.flatMap((definition) => {
    const { definitionId, fields } = definition;
    const active = firingsOf(world, definition).filter(isActive);
    const [first] = active;
    if (!first) return [];
    const { name, templateId } = fields;
    const limits = fields["param"] ?? modelsOf(definition).map(([side, { deviations }]) => `${deviations} ${side}`);
    return {
      id: Number(/(?<!\d)\d+$/.exec(definitionId)?.[0]),
      type: templateOf(templateId).name,
      name,
      startDate: displayDate(utcOf(first.startTime)),
      threshold: String(limits),
      attributes: first.fieldMap,
      network: String(fields["network"] ?? "both"),
      cpCodes: active.flatMap(({ fieldMap }) => fieldMap["cpCode"]?.split(", ") ?? []),
    };
  });

function list(world: World, cpCodes: readonly string[] | undefined) {
  const found = alerts(world).filter((one) => cpCodes === undefined || one.cpCodes.some((id) => cpCodes.includes(id)));
  const shown = found.map(({ id, name, type, startDate }) => ({ id, name, type, startDate, errorString: null }));
  return ok({ alertList: { alerts: shown, errorString: null } });
}

/** The error format of alerts v2, because that of v1 is not known (public facts A, 5). */
const errorFormat: ErrorFormat = ({ status, detail }) => {
  const title = STATUS_CODES[status] ?? "";
  const kind = status === 404 ? "ALERT_NOT_FOUND" : title.toUpperCase().replaceAll(" ", "_");
  return { body: { type: `/alerts-api/error-types/${kind}`, title, status, detail } };
};

export const alertsV1 = emulateService(declared, errorFormat, {
  portalalerts_list: ({ query }, world) => list(world, query.cpCodes),
  portalalert_find: ({ query, body }, world) => list(world, body.cpCodes?.split(",") ?? query.cpCodes),
  portalalert_get: ({ path }, world) => {
    const { cpCodes: _, ...details } = findIn(alerts(world), { id: path.alertId }, `No active alert ${path.alertId}`);
    return ok({ alertDetails: { ...details, errorString: null } });
  },
});
