/** Properties and includes, whose versions are activated: what is active or under way, and the checks that refuse calls because of it. */
import type { Check } from "../../language/check.js";
import { type Arguments, pickArguments } from "../../language/conduct.js";
import { quoteValue } from "../../language/failure.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { Activations } from "./shapes.js";

/** An activation, under the same names for a property and an include. */
export interface ListedActivation {
  readonly id: string;
  readonly version: number | undefined;
  readonly name: string;
  readonly network: string;
  readonly activationType: string;
  readonly status: string;
  readonly notifyEmails: readonly string[];
}

/** What has versions that are activated: a property or an include. */
export interface VersionedKind<N extends "property" | "include" = "property" | "include"> {
  /** The noun, with which the names of its tools and arguments begin. */
  readonly noun: N;
  /** The member of a response that has a list of them. */
  readonly list: string;
  /** The word before its name in a sentence about a version. */
  readonly title: "" | "include ";
  /** Matches a link to one of its activations, whose id is the first group. */
  readonly activationLink: RegExp;
  readonly activationsIn: (body: unknown) => readonly ListedActivation[];
}

export const propertyKind: VersionedKind<"property"> = {
  noun: "property",
  list: "properties",
  title: "",
  activationLink: /\/activations\/((?:atv_)?\d+)(?:\?|$)/,
  activationsIn: (body) =>
    (Activations.safeParse(body).data?.activations.items ?? []).map((activation) => ({
      ...activation,
      id: activation.activationId,
      version: activation.propertyVersion,
      name: activation.propertyName,
    })),
};

/** The arguments that find the property or the include of a call. */
export const objectOf =
  ({ noun }: VersionedKind) =>
  (args: Arguments): Arguments =>
    defined(pickArguments(`${noun}Id`, "contractId", "groupId")(args));

/** A property or an include in words: its name, if a response has it, and its id. */
export function objectName({ noun, list, activationsIn }: VersionedKind, args: Arguments, present: unknown): string {
  const name = activationsIn(present)[0]?.name ?? memberAt(present, `${list}.items.0.${noun}Name`);
  const id = String(args[`${noun}Id`]);
  return typeof name === "string" ? `${quoteValue(name)} (${id})` : id;
}

export const isUnderWay = ({ status }: Pick<ListedActivation, "status">): boolean =>
  /^(NEW|PENDING.*|ZONE_\d)$/.test(status);

/** Whether an activation has reached its network or still can: one that failed or was cancelled leaves its version as it was. */
export const reachesNetwork = ({ status }: Pick<ListedActivation, "status">): boolean =>
  !/^(ABORTED|FAILED)$/.test(status);

/** The version that is active on a network. */
export const activeOn = ({ activationsIn }: VersionedKind, network: unknown, present: unknown): number | undefined =>
  activationsIn(present).find(
    (one) => one.network === network && one.status === "ACTIVE" && one.activationType !== "DEACTIVATE",
  )?.version;

/** A version that is or was active cannot be written. */
export const isEditable =
  (kind: VersionedKind): Check =>
  async ({ args, read }) => {
    const field = `${kind.noun}Version`;
    const version = args[field];
    const refused = (state: string) => {
      const takes = `a version that was never activated, and this one ${state}: create a new one from it with ${kind.noun}_version_create`;
      return [{ field, given: String(version), takes }];
    };
    const body = await read(`${kind.noun}_version_get`, { ...objectOf(kind)(args), [field]: version });
    for (const one of listAt(body, "versions.items"))
      for (const status of [memberAt(one, "productionStatus"), memberAt(one, "stagingStatus")])
        if (/^(ACTIVE|PENDING\w*)$/.test(String(status))) return refused(`is ${String(status).toLowerCase()}`);
    // A version that was replaced on its network is INACTIVE, like one that was never on it.
    const activations = kind.activationsIn(await read(`${kind.noun}_activations_list`, objectOf(kind)(args)));
    const reached = activations.some((one) => one.version === version && reachesNetwork(one));
    return reached ? refused("was active before") : [];
  };

/** What has an active version cannot be deleted; the API responds with 500 (public facts B, 3.1). */
export const isInactive =
  ({ noun, list }: VersionedKind): Check =>
  async ({ args, present }) => {
    const item = memberAt(await present(), `${list}.items.0`);
    const active = ["staging", "production"].flatMap((network) => {
      const number = memberAt(item, `${network}Version`);
      return typeof number === "number" ? [`version ${number} on ${network}`] : [];
    });
    if (active.length === 0) return [];
    const article = noun === "include" ? "an" : "a";
    const takes = `${article} ${noun} without an active version, and this one has ${active.join(" and ")}: deactivate with ${noun}_version_activate first`;
    return [{ field: `${noun}Id`, given: String(args[`${noun}Id`]), takes }];
  };

/** An activation that is over cannot be cancelled; one that was cancelled before can, without effect (public facts B, 3.3). */
export const isCancellable =
  ({ noun, activationsIn }: VersionedKind): Check =>
  async ({ args, present }) => {
    const [activation] = activationsIn(await present());
    if (activation === undefined || /^(NEW|PENDING.*|ABORTED)$/.test(activation.status)) return [];
    const takes = `an activation that is PENDING, and this one is ${quoteValue(activation.status)}: activate the version that you want there with ${noun}_version_activate`;
    return [{ field: "activationId", given: String(args["activationId"]), takes }];
  };
