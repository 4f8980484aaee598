/** Activations of the emulated property service: what keeps a version from a network, and how one is cancelled. */
import type { activationOperations } from "../../../tools/properties/activations.js";
import { findIn } from "../../primitives/store.js";
import { created, noContent, notFound, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { accountId, linkTo, ownerOf, propertyOf, propertyRefusal, versionOf, withPrefix } from "./lookup.js";
import { liveVersion, pendingActivation, retryAfterSeconds, statusOf, updatedAt } from "./networks.js";
import { validate } from "./validation.js";
import type { EdgeNetwork, Property, PropertyActivation } from "./world.js";

const item = (property: Property, activation: PropertyActivation, world: World) => ({
  activationId: activation.id,
  propertyName: property.name,
  propertyId: property.id,
  propertyVersion: activation.version,
  network: activation.network,
  activationType: activation.type,
  status: statusOf(property, activation, world),
  submitDate: instant(activation.submittedAtMs),
  updateDate: instant(updatedAt(property, activation, world)),
  note: activation.note,
  accountId,
  groupId: property.groupId,
  notifyEmails: [...activation.notifyEmails],
});

const activationOf = (property: Property, id: string, code?: string): PropertyActivation =>
  findIn(property.activations, { id }, () => notFound(`${property.id} has no activation ${id}`, code ? { code } : {}));

interface StartRequest {
  readonly propertyVersion: number;
  readonly network: EdgeNetwork;
  readonly notifyEmails: readonly string[];
  readonly activationType?: PropertyActivation["type"] | undefined;
  readonly note?: string | undefined;
  readonly acknowledgeWarnings?: readonly string[] | undefined;
  readonly acknowledgeAllWarnings?: boolean | undefined;
}

/** Refuses a version with errors, and one with warnings that are not acknowledged. */
function checkContent(property: Property, request: StartRequest, world: World): void {
  const version = versionOf(property, request.propertyVersion);
  const { errors, warnings } = validate(world, property, version);
  if (errors.length > 0)
    throw propertyRefusal("activation/validation-errors", `Version ${version.number} has errors`, 400, { errors });
  if (version.hostnames.length === 0)
    throw propertyRefusal("activation/no-hostnames", `Version ${version.number} has no hostnames`);
  const accepted = (request.acknowledgeWarnings ?? []).map((id) => withPrefix("msg_", id));
  const open = warnings.filter(({ messageId }) => !accepted.includes(messageId));
  if (open.length > 0 && request.acknowledgeAllWarnings !== true)
    throw propertyRefusal("activation/warnings-not-acknowledged", "Warnings are not acknowledged", 400, {
      warnings: open,
    });
}

/** Begins an activation of a property's version, or refuses it. */
export function startActivation(world: World, property: Property, request: StartRequest): PropertyActivation {
  const { network, propertyVersion, activationType: type = "ACTIVATE", note = "", notifyEmails } = request;
  const { number: version } = versionOf(property, propertyVersion);
  const live = liveVersion(property, network, world.now());
  if (pendingActivation(property, network, world))
    throw propertyRefusal("activation/still-pending", `An activation on ${network} is pending`, 422);
  if (type === "DEACTIVATE") {
    if (live !== version)
      throw propertyRefusal(
        `deactivation/not-active-in-${network.toLowerCase()}`,
        `Version ${version} is not active`,
        422,
      );
  } else {
    if (live === version)
      throw propertyRefusal("activation/already-activated", `Version ${version} is active on ${network}`, 422);
    checkContent(property, request, world);
  }
  const id = `atv_${world.next("property activation", 6_001)}`;
  const begun: PropertyActivation = { id, version, network, type, note, notifyEmails, submittedAtMs: world.now() };
  property.activations.push(begun);
  return begun;
}

export const activationBehaviours: BehavioursOf<typeof activationOperations> = {
  property_activations_list: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const listed = property.activations
      .filter(({ cancelledAtMs }) => cancelledAtMs === undefined)
      .toSorted((a, b) => b.submittedAtMs - a.submittedAtMs || (a.id < b.id ? 1 : -1));
    const items = listed.map((activation) => item(property, activation, world));
    return ok({ ...ownerOf(property), activations: { items } });
  },

  property_version_activate: ({ path, query, body }, world) => {
    const property = propertyOf(world, path, query);
    const { id } = startActivation(world, property, body);
    const activationLink = linkTo(`properties/${property.id}/activations/${id}`, property);
    return created({ activationLink }, { location: activationLink });
  },

  property_activation_get: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const activation = activationOf(property, path.activationId);
    const isUnderWay = pendingActivation(property, activation.network, world) === activation;
    return ok(
      { ...ownerOf(property), activations: { items: [item(property, activation, world)] } },
      isUnderWay ? { "retry-after": String(retryAfterSeconds[activation.network]) } : {},
    );
  },

  property_activation_cancel: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const activation = activationOf(property, path.activationId, "activation-cancellation/not-found");
    const status = statusOf(property, activation, world);
    if (status === "ABORTED") return noContent();
    if (status !== "PENDING")
      throw propertyRefusal("activation-cancellation/unprocessable-status", `The activation is ${status}`, 422);
    activation.cancelledAtMs = world.now();
    return ok({ activations: { items: [item(property, activation, world)] } });
  },
};
