/** The edge-logic applications, the groups, and what each group may do with which application. */
import { badRequest, forbidden, type RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { groupsOf } from "../groups.js";

export const applications = [
  { cloudletId: 0, cloudletCode: "ER", cloudletName: "EDGEREDIRECTOR" },
  { cloudletId: 1, cloudletCode: "VP", cloudletName: "VISITORPRIORITIZATION" },
  { cloudletId: 2, cloudletCode: "SA", cloudletName: "SAASACCESS" },
  { cloudletId: 3, cloudletCode: "FR", cloudletName: "FORWARDREWRITE" },
  { cloudletId: 4, cloudletCode: "IG", cloudletName: "REQUESTCONTROL" },
  { cloudletId: 5, cloudletCode: "AP", cloudletName: "APIPRIORITIZATION" },
  { cloudletId: 6, cloudletCode: "AS", cloudletName: "AUDIENCESEGMENTATION" },
  { cloudletId: 7, cloudletCode: "CD", cloudletName: "PHASEDRELEASE" },
  { cloudletId: 9, cloudletCode: "ALB", cloudletName: "LOADBALANCER" },
] as const;

type Capability = "View" | "Edit" | "Activate" | "AdvancedEdit";
/** The group in which policies are kept; the other one, above it, may only look. */
export const workGroupId = 11_111;

const capabilitiesOf = (groupId: number, cloudletId: number): Capability[] => {
  // Request control may only be looked at, so that a refusal can be seen.
  if (groupId !== workGroupId || cloudletId === 4) return ["View"];
  return cloudletId === 0 ? ["View", "Edit", "Activate", "AdvancedEdit"] : ["View", "Edit", "Activate"];
};

export const isGroup = (world: World, groupId: number): boolean => groupsOf(world).some(({ id }) => id === groupId);

export const root = "/cloudlets/api/v2";
/** Members of every resource. */
export const resourceMembers = { serviceVersion: null, apiVersion: "2.0" } as const;

export const applicationBody = (application: (typeof applications)[number]) => ({
  location: `${root}/cloudlet-info/${application.cloudletId}`,
  ...resourceMembers,
  ...application,
});
export const groupBodies = (world: World) =>
  groupsOf(world).map(({ id, name, parentId }) => ({
    location: `${root}/group-info/${id}`,
    ...resourceMembers,
    groupId: id,
    groupName: name,
    parentId: parentId ?? 0,
    properties: null,
    capabilities: applications.map(({ cloudletId, cloudletCode }) => {
      return { cloudletId, cloudletCode, capabilities: capabilitiesOf(id, cloudletId) };
    }),
  }));

export const invalidRequest = (detail: string, code = "invalid-request"): RequestRefusal =>
  badRequest(detail, { code });

/** Refuses what the API client's group may not do with an application. */
export function requireCapability(world: World, capability: Capability, groupId: number, cloudletId: number): void {
  if (!isGroup(world, groupId)) throw invalidRequest(`There is no group ${groupId}`);
  if (!applications.some((one) => one.cloudletId === cloudletId))
    throw invalidRequest(`There is no cloudlet ${cloudletId}`);
  if (!capabilitiesOf(groupId, cloudletId).includes(capability))
    throw forbidden(`The group ${groupId} lacks ${capability} for the cloudlet ${cloudletId}`);
}
