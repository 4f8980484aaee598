/** What an answer of the activations says: which are under way, and what is active where. */
import type { Arguments } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import type { z } from "../../language/z.js";
import { Activations } from "./shapes.js";

type Activation = z.output<typeof Activations>["activations"]["items"][number];

export const itemsOf = (present: unknown): readonly Activation[] =>
  Activations.safeParse(present).data?.activations.items ?? [];
export const isUnderWay = ({ status }: Pick<Activation, "status">): boolean => /^(NEW|PENDING.*|ZONE_\d)$/.test(status);

/** A property as people know it: its name where an activation tells it, and its id. */
export function nameOf(args: Arguments, present: unknown): string {
  const [first] = itemsOf(present);
  return first ? `${shown(first.propertyName)} (${String(args["propertyId"])})` : String(args["propertyId"]);
}

/** The version that is active on a network. */
export const activeOn = (network: unknown, present: unknown): number | undefined =>
  itemsOf(present).find(
    (one) => one.network === network && one.status === "ACTIVE" && one.activationType !== "DEACTIVATE",
  )?.propertyVersion;
