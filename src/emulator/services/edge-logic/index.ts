/** The edge-logic service: applications, groups, policies, properties, load balancers and schemas of one account. */
import { STATUS_CODES } from "node:http";
import { edgeLogic as declared } from "../../../tools/edge-logic/index.js";
import { foundIn } from "../../primitives/store.js";
import { type ErrorFormat, notFound, ok } from "../../reply.js";
import { emulated } from "../../service.js";
import { propertiesIn } from "../properties/served.js";
import { applicationBody, applications, groupBodies, isGroup } from "./applications.js";
import { originBehaviours } from "./origins.js";
import { policyBehaviours } from "./policies.js";
import { propertyBodies } from "./properties.js";
import { schemaBody, schemaEntry, schemasOf } from "./schemas.js";

/**
 * The service's error formats (public facts B, 4): problems of the service's own types, the older one of an unknown
 * property, and only the existing resource if a name is taken.
 */
const errorFormat: ErrorFormat = ({ status, detail, more: { code } }, { url }, world) => {
  const type = "application/json";
  const instance = world.next("edge logic error", 0x5000_0000).toString(16);
  if (code === "existing") return { body: {}, type };
  if (code === "unknown-property") {
    const stackTrace = `IllegalArgumentException: ${detail}`;
    return { type, body: { detail, errorCode: -1, errorMessage: detail, instance, stackTrace } };
  }
  const title = STATUS_CODES[status] ?? "";
  const id = code ?? title.toLowerCase().replaceAll(" ", "-");
  const named = { type: `/cloudlets/v2/error-types/${id}`, title, status, instance: `${url.pathname}#${instance}` };
  return { type, body: { ...named, errors: [{ title, detail }] } };
};

export const edgeLogic = emulated(declared, errorFormat, {
  edgelogic_applications_list: ({ query }, world) => {
    if (!isGroup(world, query.gid)) throw notFound(`There is no group ${query.gid}`);
    return ok(applications.map(applicationBody));
  },
  edgelogic_application_get: ({ path }) => {
    const { cloudletId } = path;
    return ok(applicationBody(foundIn(applications, { cloudletId }, `There is no cloudlet ${cloudletId}`)));
  },
  edgelogic_groups_list: (_, world) => ok(groupBodies(world)),
  edgelogic_group_get: ({ path }, world) => {
    if (path.groupId === 0) return ok(groupBodies(world));
    return ok(foundIn(groupBodies(world), { groupId: path.groupId }, `There is no group ${path.groupId}`));
  },
  ...policyBehaviours,
  edgelogic_properties_list: (_, world) => ok(propertyBodies(world, propertiesIn(world))),
  ...originBehaviours,
  edgelogic_schemas_list: ({ query }) => ok({ schemas: schemasOf(query.cloudletType).map(schemaEntry) }),
  edgelogic_schema_get: ({ path: { schemaName: name } }) =>
    ok(schemaBody(foundIn(schemasOf(undefined), { name }, `There is no schema ${name}`))),
});
