/** Alerts v1: the portal user's active alerts, which follow the incident in the reports. */
import { STATUS_CODES } from "node:http";
import type { Behaviours } from "../../api/behaviour.js";
import { alertsV1 as declared } from "../../tools/alerts-v1.js";
import { Refusal, type Wording } from "../problem.js";
import { emulated } from "../service.js";
import type { World } from "../world.js";
import { incident } from "./report-series.js";

interface Alert {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly startedAtMs: number;
  readonly cpCode: string;
  readonly threshold: string;
}

const months = "January February March April May June July August September October November December".split(" ");

/** `May 17, 2026 01:05 PM`: a display text, not a time stamp. */
function displayDate(ms: number): string {
  const date = new Date(ms);
  const hour = date.getUTCHours();
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()} ${twoDigits(hour % 12 || 12)}:${twoDigits(date.getUTCMinutes())} ${hour < 12 ? "AM" : "PM"}`;
}

const alerts = (world: World): readonly Alert[] => {
  const { start } = incident(world);
  return [
    {
      id: 1717,
      name: "Origin failures in the shop",
      type: "Origin Failures -- Content Delivery",
      startedAtMs: start + 300_000,
      cpCode: "12345",
      threshold: "5",
    },
    {
      id: 1718,
      name: "Quiet images",
      type: "Low Traffic -- Content Delivery",
      startedAtMs: start - 86_400_000,
      cpCode: "67890",
      threshold: "100",
    },
  ];
};

function list(world: World, cpCodes: readonly string[] | undefined) {
  const found = alerts(world).filter(({ cpCode }) => cpCodes === undefined || cpCodes.includes(cpCode));
  const shown = found.map(({ id, name, type, startedAtMs }) => ({
    id,
    name,
    type,
    startDate: displayDate(startedAtMs),
    errorString: null,
  }));
  return { status: 200 as const, body: { alertList: { alerts: shown, errorString: null } } };
}

/** The shape of the newer alerts' failures, because that of these is not known (public facts A, 5). */
const wording: Wording = ({ status, detail }) => {
  const title = STATUS_CODES[status] ?? "";
  const kind = status === 404 ? "ALERT_NOT_FOUND" : title.toUpperCase().replaceAll(" ", "_");
  return { body: { type: `/alerts-api/error-types/${kind}`, title, status, detail } };
};

const behaviours: Behaviours<typeof declared, World> = {
  portalalerts_list: ({ query }, world) => list(world, query.cpCodes),
  portalalert_find: ({ query, body }, world) => list(world, body.cpCodes?.split(",") ?? query.cpCodes),
  portalalert_get: ({ path }, world) => {
    const alert = alerts(world).find(({ id }) => id === path.alertId);
    if (!alert) throw new Refusal(404, "Not Found", `No active alert ${path.alertId}`);
    const { id, name, type, startedAtMs, cpCode, threshold } = alert;
    const alertDetails = {
      id,
      type,
      name,
      startDate: displayDate(startedAtMs),
      threshold,
      attributes: { cpCode },
      network: "production",
      errorString: null,
    };
    return { status: 200, body: { alertDetails } };
  },
};

export const alertsV1 = emulated(declared, { behaviours, wording });
