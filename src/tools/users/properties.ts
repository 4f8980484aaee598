/** Properties as user administration sees them: whose they are, who works on them, what belongs to them. */
import { groupArgument } from "../../language/defaults.js";
import { empty, json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { canMoveProperty } from "./checks.js";
import { propertyMove } from "./group-guards.js";
import { groupId, Move, Property, PropertyResource, PropertyUser, propertyId, redacted } from "./shapes.js";

const inGroup = { groupId: groupId.optional() };
const place = { groupId: groupArgument(groupId, "user_properties_list") };

export const propertyOperations = {
  user_properties_list: op("GET /identity-management/v2/user-admin/properties", {
    does: "Lists properties with the groups that own them.",
    query: inGroup,
    returns: { 200: json(z.array(Property)) },
    note: redacted,
  }),
  user_property_get: op("GET /identity-management/v2/user-admin/properties/{propertyId}", {
    does: "Reads a property's name, group and history.",
    path: { propertyId },
    query: place,
    returns: { 200: json(Property) },
    note: "The document shows no query here; public facts have groupId, and require it.",
    example: { propertyId: 10_333_526, groupId: 11_111 },
  }),
  user_property_move: op("PUT /identity-management/v2/user-admin/properties/{propertyId}", {
    does: "Moves a property to another group; who can work on it follows the group.",
    path: { propertyId },
    body: json(Move),
    returns: { 204: empty },
    effect: "destructive",
    checks: [canMoveProperty],
    guard: propertyMove,
    shownBy: {
      by: "user_property_get",
      args: ({ body }) => ({ groupId: (body as { readonly sourceGroupId: number }).sourceGroupId }),
    },
    shownBeside: {
      groups: { by: "user_groups_list", args: () => ({}), isBound: true },
      users: { by: "users_list", args: () => ({ authGrants: true }), isBound: true },
    },
    rules: ["user-property-move"],
    example: { propertyId: 10_333_529, body: { sourceGroupId: 11_111, destinationGroupId: 44_444 } },
  }),
  user_property_users_list: op("GET /identity-management/v2/user-admin/properties/{propertyId}/users", {
    does: "Lists the users who can work on a property, and who of them is blocked.",
    path: { propertyId },
    query: inGroup,
    returns: { 200: json(z.array(PropertyUser)) },
    rules: ["user-blocked-overrides"],
    note: redacted,
    example: { propertyId: 10_333_526 },
  }),
  user_property_resources_list: op("GET /identity-management/v2/user-admin/properties/{propertyId}/resources", {
    does: "Lists a property's CP codes, hostnames and files.",
    path: { propertyId },
    query: place,
    returns: { 200: json(z.array(PropertyResource)) },
    example: { propertyId: 10_333_526, groupId: 11_111 },
  }),
};
