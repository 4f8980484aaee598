/** The choices of a log delivery: what the API lists for each, and whether what was given is one of them. */
import type { Arguments } from "../api/conduct.js";
import { type FieldProblem, shown } from "../api/failure.js";
import { z } from "../api/z.js";
import type { Invoke } from "../calls/context.js";
import {
  type DeliveryDetails,
  LogConfiguration,
  LogSource,
  LogSourceType,
  Parameter,
} from "../tools/log-delivery/shapes.js";
import { sourceTitle } from "../tools/log-delivery/words.js";
import { inShape } from "./steps.js";

const maxOffered = 50;

type Source = z.output<typeof LogSource>;
type Choice = z.output<typeof Parameter>;

/** What was found out so far: what is wrong, and what can still be chosen. */
export interface Finding {
  readonly problems: FieldProblem[];
  readonly choices: Record<string, unknown>;
}

export async function listOf<S extends z.ZodType>(invoke: Invoke, from: string, args: Arguments, item: S) {
  return inShape(from, z.array(item), (await invoke(from, args)).body);
}

/** The first of many, with a line that counts the rest. */
const bounded = (items: readonly unknown[], more: string): readonly unknown[] =>
  items.length <= maxOffered ? items : [...items.slice(0, maxOffered), `${items.length - maxOffered} more: ${more}`];

export const inWords = ({ id, value }: Choice): string =>
  `${shown(id)}${value === undefined ? "" : ` (${shown(value.trim())})`}`;
const isSame = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase();

/** The choice that an id or a value names; what is not given is offered, and what names none is a problem. */
export function chosenOf(finding: Finding, field: string, given: string | undefined, offered: readonly Choice[]) {
  const offer = offered.map(({ id, value }) => ({ id, ...(value === undefined ? {} : { value: value.trim() }) }));
  if (given === undefined) {
    finding.choices[field] = bounded(offer, "ask for the id in full");
    return undefined;
  }
  const found = offered.find(({ id }) => id === given) ?? offered.find(({ value }) => isSame(value, given));
  if (!found)
    finding.problems.push({ field, given: shown(given), takes: `one of ${offered.map(inWords).join(", ") || "none"}` });
  return found;
}

/** Whether a text names a source: by its id, its name, or the number of its CP code. */
const isNamed = (source: Source, name: string): boolean =>
  source.id === name || isSame(sourceTitle(source), name) || source.cpCode?.trim().split(" ")[0] === name;

/** The ids of a type's sources that have a configuration already, and can have no other. */
async function sourcesInUse(invoke: Invoke, logSourceType: string): Promise<ReadonlySet<string>> {
  const from = "log_type_configurations_list";
  const configurations = await listOf(invoke, from, { logSourceType }, LogConfiguration.pick({ logSource: true }));
  return new Set(configurations.map(({ logSource }) => logSource.id));
}

/** The source that is named, if it is free; without a name, the free ones are offered. */
export async function sourceOf(
  finding: Finding,
  invoke: Invoke,
  logSourceType: z.output<typeof LogSourceType> | undefined,
  name: string | undefined,
): Promise<Source | undefined> {
  const all = await (logSourceType === undefined
    ? listOf(invoke, "log_sources_list", {}, LogSource)
    : listOf(invoke, "log_type_sources_list", { logSourceType }, LogSource));
  const named = name === undefined ? all : all.filter((one) => isNamed(one, name));
  const free: Source[] = [];
  // A type that is not known here has no list to ask for.
  for (const type of new Set(named.map((one) => one.type).filter((one) => LogSourceType.safeParse(one).success))) {
    const inUse = await sourcesInUse(invoke, type);
    free.push(...named.filter((one) => one.type === type && !inUse.has(one.id)));
  }
  const [only, ...others] = free;
  if (name !== undefined && only && others.length === 0) return only;
  const offer = free.map((one) => ({ type: one.type, id: one.id, name: sourceTitle(one) }));
  if (name === undefined) finding.choices["logSource"] = bounded(offer, "log_sources_list shows all");
  else if (only)
    finding.problems.push({
      field: "logSource",
      given: shown(name),
      takes: `one source; this names ${offer.map(({ type, id }) => `${type} ${id}`).join(", ")}`,
    });
  else
    finding.problems.push({
      field: "logSource",
      given: shown(name),
      takes:
        named.length === 0
          ? "the id or the name of a log source; leave it out to see which are free"
          : "a log source without a configuration, because each has one at most; log_configuration_replace changes the one it has",
    });
  return undefined;
}

interface Schedule {
  readonly deliveryFrequency?: string | undefined;
  readonly deliveryThreshold?: string | undefined;
  readonly deliverResidualData?: boolean | undefined;
}
interface Packing {
  readonly deliveryDetails?: z.output<typeof DeliveryDetails> | undefined;
  readonly encoding?: string | undefined;
  readonly encodingKey?: string | undefined;
}

/** When logs are delivered: as they arrive, or by calendar day. */
export async function aggregationOf(finding: Finding, invoke: Invoke, asked: Schedule) {
  const { deliveryFrequency, deliveryThreshold, deliverResidualData } = asked;
  if (deliveryFrequency !== undefined && deliveryThreshold !== undefined) {
    const takes = "nothing together with deliveryFrequency: logs are delivered as they arrive or by calendar day";
    finding.problems.push({ field: "deliveryThreshold", given: shown(deliveryThreshold), takes });
    return undefined;
  }
  if (deliverResidualData !== undefined && deliveryFrequency !== undefined)
    finding.problems.push({
      field: "deliverResidualData",
      given: shown(deliverResidualData),
      takes: "nothing with deliveryFrequency, because logs are delivered as they arrive",
    });
  const frequencies = () => listOf(invoke, "log_delivery_frequencies_list", {}, Parameter);
  const thresholds = () => listOf(invoke, "log_delivery_thresholds_list", {}, Parameter);
  if (deliveryThreshold !== undefined) {
    const found = chosenOf(finding, "deliveryThreshold", deliveryThreshold, await thresholds());
    const residual = deliverResidualData === undefined ? {} : { deliverResidualData };
    return (
      found && { value: found.value, written: { type: "byHitTime", deliveryThreshold: { id: found.id }, ...residual } }
    );
  }
  const found = chosenOf(finding, "deliveryFrequency", deliveryFrequency, await frequencies());
  if (deliveryFrequency === undefined) chosenOf(finding, "deliveryThreshold", undefined, await thresholds());
  return found && { value: found.value, written: { type: "byLogArrival", deliveryFrequency: { id: found.id } } };
}

/** How logs are packed: what suits the source and the delivery, with a key where that is needed. */
export async function encodingOf(finding: Finding, invoke: Invoke, { type: logSourceType }: Source, asked: Packing) {
  const { deliveryDetails, encoding, encodingKey } = asked;
  if (deliveryDetails === undefined) return undefined;
  const args = { logSourceType, deliveryType: deliveryDetails.type };
  const offered = await listOf(invoke, "log_type_encodings_list", args, Parameter);
  const found = chosenOf(finding, "encoding", encoding, offered);
  const isGpg = /gpg/i.test(found?.value ?? "");
  if (found && isGpg && encodingKey === undefined)
    finding.choices["encodingKey"] = "The public key of the people who read the logs, because GPG needs one";
  if (found && !isGpg && encodingKey !== undefined)
    finding.problems.push({ field: "encodingKey", takes: `nothing with ${inWords(found)}: only GPG takes a key` });
  return found;
}
