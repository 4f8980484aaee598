/** When each alert definition fired: evaluated slot by slot since its creation, and stored. */
import { dayMs, hourMs } from "../../../time/durations.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { locations, serviceLevelTests } from "../account.js";
import { slotMs } from "../reporting/series.js";
import { type AlertDefinition, emailsOf } from "./definitions.js";
import { cpCodesBehind, type MeasuredSeries, modelsOf, type SlotFigure, seriesOf } from "./measures.js";
import { templateOf } from "./templates.js";

/** A period in which a series met the criteria, with the definition at that time. */
interface FiringPeriod {
  readonly definition: AlertDefinition;
  readonly ids: readonly string[];
  readonly figure: SlotFigure;
  readonly startMs: number;
  endMs: number | undefined;
}
interface Watch {
  /** Every slot that ended by then has been evaluated. */
  watchedToMs: number;
  readonly fired: FiringPeriod[];
  /** The latest slots of each series and side of its model, as far as a window reaches. */
  readonly windows: Map<string, boolean[]>;
}

/** How long ended firings are shown (public facts A, 6). */
export const shownForMs = 30 * dayMs;
/** How far back the initial definitions have been evaluated. */
const historyMs = shownForMs + dayMs;

const watches = (world: World): Map<string, Watch> => world.state("alert firings", () => new Map());

function watchOf(world: World, { definitionId, createdAtMs }: AlertDefinition): Watch {
  const watchedToMs = Math.max(createdAtMs, world.startedAtMs - historyMs);
  const watch = watches(world).get(definitionId) ?? { watchedToMs, fired: [], windows: new Map() };
  watches(world).set(definitionId, watch);
  return watch;
}

/** Whether the criteria are met: fixed ones by the figure itself, a model's by the anomalies among the latest figures. */
function isMet(
  { windows }: Watch,
  models: ReturnType<typeof modelsOf>,
  { ids }: MeasuredSeries,
  figure: SlotFigure,
): boolean {
  if (models.length === 0) return figure.isBeyond && figure.expected === undefined;
  const sides = models.map(([side, { windowSize, anomalyCount }]) => {
    const key = `${side} ${ids.join()}`;
    const isAnomaly = figure.isBeyond && figure.isBelow === (side === "below");
    const window = [...(windows.get(key) ?? []), isAnomaly].slice(-windowSize);
    windows.set(key, window);
    return window.filter(Boolean).length >= anomalyCount;
  });
  return sides.some(Boolean);
}

/** Evaluates a definition up to the current slot. */
function updateWatch(world: World, definition: AlertDefinition): Watch {
  const watch = watchOf(world, definition);
  const now = world.now();
  const series = seriesOf(definition);
  const models = modelsOf(definition);
  const firstHour = Math.floor((watch.watchedToMs - slotMs) / hourMs) * hourMs;
  const open = new Map(watch.fired.filter(({ endMs }) => endMs === undefined).map((one) => [one.ids.join(), one]));
  for (let hour = firstHour; hour < now; hour += hourMs)
    for (const one of series) {
      const { ids } = one;
      const key = ids.join();
      one.figures(world, hour).forEach((figure, slot) => {
        const slotEndMs = hour + (slot + 1) * slotMs;
        if (slotEndMs <= watch.watchedToMs || slotEndMs > now) return;
        const isFiring = isMet(watch, models, one, figure);
        const before = open.get(key);
        if (isFiring && !before) {
          const begun = { definition, ids, figure, startMs: slotEndMs, endMs: undefined };
          watch.fired.push(begun);
          open.set(key, begun);
        }
        if (!isFiring && before) {
          before.endMs = slotEndMs;
          open.delete(key);
        }
      });
    }
  watch.fired.sort((a, b) => a.startMs - b.startMs);
  watch.watchedToMs = Math.max(watch.watchedToMs, Math.floor(now / slotMs) * slotMs);
  return watch;
}

/** Ends active firings before a definition's criteria change; the new criteria apply from now on. */
export function restartWatch(world: World, definition: AlertDefinition): void {
  const watch = updateWatch(world, definition);
  for (const one of watch.fired) one.endMs ??= world.now();
  watch.windows.clear();
  watch.watchedToMs = world.now();
}

/** Discards the firings of a deleted definition. */
export const forgetFirings = (world: World, definitionId: string): void => void watches(world).delete(definitionId);

const text = (value: number): string => String(Math.round(value * 100) / 100);

/** The observed values, as text, in the members that the template names. */
function fieldMapOf(
  world: World,
  { definition: { fields }, ids, figure }: FiringPeriod,
): Readonly<Record<string, string>> {
  const codes = cpCodesBehind(world, ids);
  const test = serviceLevelTests.find(({ id }) => ids.includes(id));
  const known: Readonly<Record<string, string>> = {
    cpCode: codes.map(({ id }) => id).join(", "),
    cpCodeDescription: codes.map(({ name }) => name).join(", "),
    bandwidth: text(figure.value),
    hits: String(Math.round(figure.hits)),
    errors: String(Math.round(figure.errors)),
    edgeIp: locations[0]?.edgeIp ?? "",
    test: test?.name ?? "",
    availability: text(figure.value),
    metric: String(fields["adaptivemetric"] ?? ""),
    expected: text(figure.expected ?? 0),
    actual: text(figure.value),
    alertThreshold: String(fields["param"] ?? ""),
    emailTo: emailsOf(fields),
  };
  return Object.fromEntries(templateOf(fields.templateId).firingFields.map((name) => [name, known[name] ?? ""]));
}

/** The firings of a definition, oldest first: everything else about firings is derived from these. */
export function firingsOf(world: World, definition: AlertDefinition) {
  const { definitionId, fields } = definition;
  const template = templateOf(fields.templateId);
  return updateWatch(world, definition).fired.map((firing) => ({
    firingId: String(Math.floor(world.noise("firing", definitionId, firing.ids.join(), firing.startMs) * 1e7)),
    definitionId,
    name: fields.name,
    // A series without a CP code, such as a test of availability, belongs to the template's product.
    service: cpCodesBehind(world, firing.ids)[0]?.product.name ?? template.products[0]?.name ?? "",
    startTime: instant(firing.startMs),
    endTime: firing.endMs === undefined ? null : instant(firing.endMs),
    fieldMap: fieldMapOf(world, firing),
  }));
}

export const isActive = ({ endTime }: { readonly endTime: string | null }): boolean => endTime === null;
