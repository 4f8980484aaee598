/** The edge-logic service: applications, groups, policies, properties, load balancers and schemas of one account. */
import { STATUS_CODES } from "node:http";
import type { AnyOperation } from "../../../language/define.js";
import { mediaList } from "../../../language/media.js";
import { z } from "../../../language/z.js";
import { edgeLogic as declared } from "../../../tools/edge-logic/index.js";
import { Rule } from "../../../tools/edge-logic/match-rules.js";
import { findIn } from "../../primitives/store.js";
import { type ErrorFormat, notFound, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { propertiesIn } from "../properties/served.js";
import { applicationBody, applications, groupBodies, isGroup, root } from "./applications.js";
import { originBehaviours } from "./origins.js";
import { policyBehaviours } from "./policies.js";
import { propertyBodies } from "./properties.js";

/**
 * The service's error formats (public facts B, 4): problems of the service's own types, the older one of an unknown
 * property, and only the existing resource if a name is taken.
 */
const errorFormat: ErrorFormat = ({ status, detail, extras: { code } }, { url }, world) => {
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

/** A JSON Schema that the service publishes of the body of its requests, made from the declared one. */
interface Published {
  readonly name: string;
  readonly title: string;
  /** The requests whose body it describes. */
  readonly of: string;
  readonly schema: z.ZodType;
}

const { operations } = declared;
const ofBody = (name: string, title: string, { route, spec }: AnyOperation): Published => ({
  name,
  title,
  of: route,
  schema: mediaList(spec.body)[0]?.schema ?? z.unknown(),
});
const creation = ofBody("create-policy.json", "CREATE POLICY", operations.edgelogic_policy_create);

/** The schemas of one application: of its rules, and of versions. */
function ofApplication(code: string): readonly Published[] {
  const type = `${code.toLowerCase()}MatchRule`;
  const schema = Rule.options.find((option) => option.shape.type.value === type);
  const of = `POST and PUT ${root}/policies/{policyId}/versions/{version}/rules`;
  const versions = `nimbus_policy_version-${code}-1.0.json`;
  return [
    ...(schema ? [{ name: `match_rule-${code}-1.0.json`, title: `${code} MATCH RULE`, of, schema }] : []),
    ofBody(`create-${versions}`, "CREATE/CLONE POLICY VERSION", operations.edgelogic_policy_version_create),
    ofBody(`update-${versions}`, "UPDATE POLICY VERSION", operations.edgelogic_policy_version_update),
  ];
}

/** The schemas of one application with the general ones, or all there are. */
const schemasOf = (code: string | undefined): readonly Published[] => [
  ...applications
    .filter(({ cloudletCode }) => code === undefined || cloudletCode === code)
    .flatMap(({ cloudletCode }) => ofApplication(cloudletCode)),
  creation,
  ofBody("update-policy.json", "UPDATE POLICY", operations.edgelogic_policy_update),
  { ...creation, name: "clone-policy.json", title: "CLONE POLICY", of: `${creation.of}?clonePolicyId=` },
];

const schemaEntry = ({ name, title, of }: Published) => ({
  title,
  version: "1.0",
  location: `${root}/schemas/${name}`,
  description: `of the body of ${of}`,
  additionalDescription: null,
});

export const edgeLogic = emulateService(declared, errorFormat, {
  edgelogic_applications_list: ({ query }, world) => {
    if (!isGroup(world, query.gid)) throw notFound(`There is no group ${query.gid}`);
    return ok(applications.map(applicationBody));
  },
  edgelogic_application_get: ({ path }) => {
    const { cloudletId } = path;
    return ok(applicationBody(findIn(applications, { cloudletId }, `There is no cloudlet ${cloudletId}`)));
  },
  edgelogic_groups_list: (_, world) => ok(groupBodies(world)),
  edgelogic_group_get: ({ path }, world) => {
    if (path.groupId === 0) return ok(groupBodies(world));
    return ok(findIn(groupBodies(world), { groupId: path.groupId }, `There is no group ${path.groupId}`));
  },
  ...policyBehaviours,
  edgelogic_properties_list: (_, world) => ok(propertyBodies(world, propertiesIn(world))),
  ...originBehaviours,
  edgelogic_schemas_list: ({ query }) => ok({ schemas: schemasOf(query.cloudletType).map(schemaEntry) }),
  edgelogic_schema_get: ({ path: { schemaName: name } }) => {
    const found = findIn(schemasOf(undefined), { name }, `There is no schema ${name}`);
    const schema = z.toJSONSchema(found.schema, { target: "draft-4", io: "input", unrepresentable: "any" });
    return ok({ ...schema, ...schemaEntry(found) });
  },
});
