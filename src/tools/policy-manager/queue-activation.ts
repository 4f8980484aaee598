/** What a person has to know before versions of a visitor queue are activated for a property. */
import type { Arguments } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";
import { type Active, activeIn, versionActivation, type versionsIn } from "./guards.js";

/** Where the payload of an activation is among its arguments. */
export const activated = "body.policyManagerRequest.activate";

/** Whether an entry of the activations is about the property of a call. */
const isFor =
  ({ arlId, assetId }: Arguments) =>
  ({ fileId, assetId: asset }: Active[number]): boolean =>
    `${fileId} ${asset}` === `${arlId} ${assetId}`;

/** What is active for the property of an activation, on either network: the list does not tell them apart. */
export function activeFor(args: Arguments, present: unknown): Active {
  const { arlId, assetId } = memberAt(args, activated) as Arguments;
  return activeIn(present).filter(isFor({ arlId, assetId }));
}

/** The same on the network of the activation: a version whose own number there is 0 is not active there. */
function activeThere(args: Arguments, present: unknown, versions: ReturnType<typeof versionsIn>): Active {
  const { network } = memberAt(args, activated) as Arguments;
  const number = network === "production" ? "activatedProduction" : "activatedStaging";
  return activeFor(args, present).map(({ policies, ...property }) => ({
    ...property,
    policies: policies.map(({ versions: used, ...policy }) => ({
      ...policy,
      versions: used.filter(({ policyVersionId }) => versions.get(policyVersionId)?.[number] !== 0),
    })),
  }));
}

/** The property of an activation: its name where anything is active for it already, and its ids. */
function propertyOf(args: Arguments, present: unknown): string {
  const { arlId, assetId } = memberAt(args, activated) as Arguments;
  const [known] = activeFor(args, present);
  const ids = `file ${plain(arlId)}, asset ${plain(assetId)}`;
  return known ? `${plain(known.name)} (${ids})` : `the property with ${ids}`;
}

export const activation = versionActivation({
  ids: `${activated}.tapiocaIDs`,
  network: `${activated}.network`,
  activeFor: activeThere,
  place: (args, present) => ` for ${propertyOf(args, present)}`,
  decides: "how many visitors pass",
  warns: (args, present) =>
    activeFor(args, present).length > 0
      ? []
      : ["Nothing is active for this property yet, so its name is not known here."],
  list: "visitor_activations_list",
  instead: (args, ids) => {
    const { tapiocaIDs: _, ...where } = memberAt(args, activated) as Arguments;
    return {
      tool: "visitor_policy_activate",
      arguments: { body: { policyManagerRequest: { activate: { tapiocaIDs: ids, ...where } } } },
    };
  },
});
