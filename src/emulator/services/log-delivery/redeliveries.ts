/** Redeliveries as the API checks and answers them. */
import type { Call } from "../../../language/behaviour.js";
import { dayMs } from "../../../language/durations.js";
import type { logDelivery } from "../../../tools/log-delivery/index.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { retentionDays } from "./sources.js";
import {
  completeAt,
  configurationOf,
  dayOf,
  invalid,
  midnightOf,
  progressOf,
  type Redelivery,
  stateOf,
  statusAt,
} from "./store.js";

type Asked = Call<(typeof logDelivery)["operations"]["log_redelivery_create"]>["body"];

/** Takes a request for a redelivery, or refuses it for its hours, its day or its configuration. */
export function addRedelivery(world: World, { logConfiguration, redeliveryDate, beginTime, endTime }: Asked): string {
  const configuration = configurationOf(world, logConfiguration.id);
  const isByDay = configuration.content.aggregationDetails.type === "byHitTime";
  const [from, to] = [beginTime ?? 0, endTime ?? 24];
  if (to <= from) throw invalid("endTime", endTime, "endTime must be after beginTime");
  if (isByDay && (from !== 0 || to !== 24))
    throw invalid("beginTime", beginTime, "By calendar day, whole days alone are redelivered");
  const status = statusAt(configuration, world.now());
  if (status !== "active")
    throw invalid(
      "logConfiguration.id",
      configuration.id,
      `The log configuration is ${status}, and only active ones deliver`,
    );
  if (redeliveryDate < dayOf(world.now() - retentionDays * dayMs))
    throw invalid("redeliveryDate", redeliveryDate, `Logs are kept for ${retentionDays} days`);
  const originalMs = completeAt(configuration, redeliveryDate, to);
  const isDelivered =
    midnightOf(redeliveryDate) >= configuration.sinceMs &&
    originalMs <= world.now() &&
    statusAt(configuration, originalMs) === "active";
  if (!isDelivered) throw invalid("redeliveryDate", redeliveryDate, "The original delivery is not complete");
  const id = String(world.next("log redelivery", 800));
  const { id: configurationId } = configuration;
  const createdAtMs = world.now();
  stateOf(world).redeliveries.set(id, { id, configurationId, date: redeliveryDate, beginTime, endTime, createdAtMs });
  return `/lds-api/v3/log-redeliveries/${id}`;
}

export function redeliveryBody(world: World, redelivery: Redelivery) {
  const { id, configurationId, date, beginTime, endTime, createdAtMs } = redelivery;
  const { status, modifiedAtMs } = progressOf(world, redelivery);
  return {
    id,
    logConfiguration: {
      id: configurationId,
      links: [{ rel: "self", href: `/lds-api/v3/log-configurations/${configurationId}` }],
    },
    redeliveryDate: date,
    ...(beginTime === undefined ? {} : { beginTime }),
    ...(endTime === undefined ? {} : { endTime }),
    status,
    createdDate: instant(createdAtMs),
    modifiedDate: instant(modifiedAtMs),
    links: [{ rel: "self", href: `/lds-api/v3/log-redeliveries/${id}` }],
  };
}
