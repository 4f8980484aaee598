/** Edge logic (document B): policies of match rules with versions and activations, and load-balancing origins. */
import { json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { originOperations } from "./origins.js";
import { policyOperations } from "./policies.js";
import { Application, Group, Properties, SchemaList } from "./shapes.js";

/** The last part of each schema's URL is its name. */
const Names = SchemaList.transform(({ schemas }) =>
  schemas.flatMap(({ location }) => /(?<![^/])[^/]+$/.exec(location)?.[0] ?? []),
).catch([]);

export const edgeLogic = service("edgelogic", {
  name: "edge-logic",
  document: "B",
  title: "Edge logic",
  about: "Manages the policies of edge-logic applications: rules, versions, load balancing, activations.",
  standing: { state: "alive" },
  // Only activations are limited, to 30 a minute, and those of load balancing to 15.
  rateLimit: {
    api: "Edge logic",
    isPerOperation: true,
    source: "https://techdocs.akamai.com/cloudlets/v2/reference/rate-limits",
  },
  vendorWords: ["vendorRuleId"],
  resources: [
    {
      address: "edgelogic://schemas",
      name: "edge-logic-schemas",
      title: "Schemas of edge logic",
      description: "The names of the JSON Schemas of edge-logic requests, read from the account.",
      content: { tool: "edgelogic_schemas_list" },
    },
    {
      address: "edgelogic://schemas/{schemaName}",
      name: "edge-logic-schema",
      title: "Schema of an edge-logic request",
      description: "The API's own JSON Schema of a policy, a version or a match rule of an application.",
      mimeType: "application/schema+json",
      content: { tool: "edgelogic_schema_get", values: { schemaName: { tool: "edgelogic_schemas_list", of: Names } } },
    },
  ],
  ids: {
    clonePolicyId: "edgelogic_policies_list",
    vendorRuleId: "edgelogic_policy_version_get",
    statusCode: { given: "an HTTP status" },
  },
  rules: {
    "edgelogic-offset":
      "offset is the record after which a page starts, pageSize its records: 25 and 25 start at record 26.",
    "edgelogic-group-zero": "The group id 0 means all groups.",
    "edgelogic-first-version": "A new policy has version 1.",
    "edgelogic-name-taken": "A policy whose name exists is refused with 409 and the existing policy.",
    "edgelogic-clone-latest": "A clone copies the source policy's latest version unless version names another.",
    "edgelogic-clone-attributes":
      "A clone inherits attributes that its body leaves out: to change one, include it in the body.",
    "edgelogic-policy-restore": "A deleted policy is listed only with includeDeleted, and can be restored.",
    "edgelogic-version-number": "A new version has the number after the highest.",
    "edgelogic-rules-locked": "The rules of a version that is being or was activated cannot be changed.",
    "edgelogic-version-delete": "A version can be deleted even while it is active.",
    "edgelogic-rule-index": "index is where a rule is inserted; without it the rule comes last.",
    "edgelogic-activation-moves":
      "An activation goes from pending to active, the former one becomes deactivated, and a pending one cannot be activated again.",
    "edgelogic-alb-only": "Load-balancing operations apply only to origins of the load-balancer application.",
    "edgelogic-origin-types": "The list of origins can be limited to one type.",
    "edgelogic-data-center-country": "The country of a data center is two letters (public facts B, 4).",
    "edgelogic-origin-validate": "validate adds warnings to a load-balancing version.",
    "edgelogic-origin-immutable": "A load-balancing version that was ever activated cannot be changed.",
    "edgelogic-origin-activation":
      "An origin's activations are listed newest first, and the former active one is deactivated.",
    "edgelogic-origin-dryrun": "A dry run changes nothing.",
  },
  operations: {
    edgelogic_applications_list: op("GET /cloudlets/api/v2/cloudlet-info", {
      does: "Lists the applications that a group can use.",
      query: { gid: z.int().min(0).describe("Group") },
      returns: { 200: json(z.array(Application)) },
      example: { gid: 11111 },
    }),
    edgelogic_application_get: op("GET /cloudlets/api/v2/cloudlet-info/{cloudletId}", {
      does: "Reads one application by its cloudlet id.",
      path: { cloudletId: z.int().min(0) },
      returns: { 200: json(Application) },
      example: { cloudletId: 0 },
    }),
    edgelogic_groups_list: op("GET /cloudlets/api/v2/group-info", {
      does: "Lists groups and their rights for each application.",
      returns: { 200: json(z.array(Group)) },
    }),
    edgelogic_group_get: op("GET /cloudlets/api/v2/group-info/{groupId}", {
      does: "Reads one group, or all of them.",
      path: { groupId: z.int().min(0).describe("0: all groups") },
      returns: { 200: json(z.union([Group, z.array(Group)])) },
      rules: ["edgelogic-group-zero"],
      example: { groupId: 11111 },
    }),
    ...policyOperations,
    edgelogic_properties_list: op("GET /cloudlets/api/v2/properties", {
      does: "Lists the properties that can use policies, by name.",
      returns: { 200: json(Properties) },
    }),
    ...originOperations,
    edgelogic_schemas_list: op("GET /cloudlets/api/v2/schemas", {
      does: "Lists the JSON Schemas of the requests.",
      query: { cloudletType: z.string().min(1).optional().describe("Code of an application, such as ER") },
      returns: { 200: json(SchemaList) },
      example: { cloudletType: "ER" },
    }),
    edgelogic_schema_get: op("GET /cloudlets/api/v2/schemas/{schemaName}", {
      does: "Reads one JSON Schema.",
      needs: "A name from edgelogic_schemas_list.",
      path: { schemaName: z.string().min(1).describe("Such as create-policy.json") },
      returns: { 200: json(z.looseObject({}), "application/json") },
      example: { schemaName: "create-policy.json" },
    }),
  },
});
