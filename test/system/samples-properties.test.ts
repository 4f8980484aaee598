/** Every sample of the property service, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/B/papi");

const whole = { propertyId: "prp_173136", propertyVersion: 3, outline: false };
const place = { contractId: "ctr_1-1TJZFW", groupId: "grp_15166" };
const property = { propertyId: "prp_173136" };
const version = { ...property, propertyVersion: 3 };
const activation = { ...property, activationId: "atv_1696985" };
const edge = { edgeHostnameId: "ehn_887436", ...place };
const search = { propertyName: "www.example.com_pm" };
const problem = { type: "application/problem+json" };

/** A version that was never active, which the writes read first. */
const never = {
  versions: { items: [{ ...{ propertyVersion: 3 }, productionStatus: "INACTIVE", stagingStatus: "INACTIVE" }] },
};
const also = {
  "/papi/v0/properties/prp_173136/versions/3": () => JSON.stringify(never),
  "/papi/v0/properties/prp_173136/activations/": () => JSON.stringify({ activations: { items: [] } }),
};
const cancelled = {
  "/papi/v0/properties/prp_173136/activations/atv_1696985": () =>
    found.textOf("v0doc-GET_properties-propertyId-activations-activationId-response-200.json"),
};
const inactive = {
  "/papi/v0/properties/prp_173136": () => JSON.stringify({ properties: { items: [{ stagingVersion: null }] } }),
};
const hostnames = [{ cnameFrom: "a.example.com", cnameTo: "a.example.com.edgesuite.net" }];

describe("properties", () => {
  replaySamples({
    ...found,
    foreign: {
      "v0doc-GET_products-productId-mapping-use-cases": "of an operation that document B does not have",
      "v0doc-GET_properties-propertyId-versions-latest": "of a redirect, which is followed (test/wire/properties)",
      "v1-property-version-latest": "of a redirect, which is followed (test/wire/properties)",
      "v0doc-POST_search-find-by-value-request":
        "of a search that the vendor has as a POST, which today's API has, too (test/today/properties)",
      "v1-search-find-by-value-request":
        "of a search that the vendor has as a POST, which today's API has, too (test/today/properties)",
      "v1-property-version-get-response.xml": "of a medium that document B does not have",
    },
    rows: [
      ...under(
        "v0doc-",
        [
          "property_activation_cancel",
          activation,
          "DELETE_properties-propertyId-activations-activationId-response-200.json",
          200,
          { also: cancelled },
        ],
        ["property_delete", property, "DELETE_properties-propertyId-response-200.json", 200, { also: inactive }],
        ["property_build_get", {}, "GET_build-response-200.json", 200],
        ["property_client_settings_get", {}, "GET_client-settings-response-200.json", 200],
        ["property_contracts_list", {}, "GET_contracts-response-200.json", 200],
        ["property_cpcode_get", { cpcodeId: "33190", ...place }, "GET_cpcodes-cpcodeId-response-200.json", 200],
        ["property_edge_hostname_get", edge, "GET_edgehostnames-edgeHostnameId-response-200.json", 200],
        ["property_edge_hostnames_list", place, "GET_edgehostnames-response-200.json", 200],
        ["property_products_list", { contractId: "1-1TJZFW" }, "GET_products-response-200.json", 200],
        [
          "property_activation_get",
          activation,
          "GET_properties-propertyId-activations-activationId-response-200.json",
          200,
        ],
        ["property_activations_list", property, "GET_properties-propertyId-activations-response-200.json", 200],
        ["property_get", property, "GET_properties-propertyId-response-200.json", 200],
        [
          "property_behavior_names_list",
          version,
          "GET_properties-propertyId-versions-propertyVersion-available-behaviors-response-200.json",
          200,
        ],
        [
          "property_criterion_names_list",
          version,
          "GET_properties-propertyId-versions-propertyVersion-available-criteria-response-200.json",
          200,
        ],
        [
          "property_hostnames_list",
          version,
          "GET_properties-propertyId-versions-propertyVersion-hostnames-response-200.json",
          200,
        ],
        ["property_versions_list", property, "GET_properties-propertyId-versions-response-200.json", 200],
        [
          "property_cpcode_create",
          place,
          "POST_cpcodes-response-201.json",
          201,
          { request: "POST_cpcodes-request.json" },
        ],
        [
          "property_edge_hostname_create",
          place,
          "POST_edgehostnames-response-201.json",
          201,
          { request: "POST_edgehostnames-request.json" },
        ],
        [
          "property_edge_hostname_create",
          place,
          "POST_edgehostnames-response-201.json",
          201,
          { request: "POST_edgehostnames-request-enhanced-tls.json" },
        ],
        [
          "property_version_activate",
          property,
          "POST_properties-propertyId-activations-response-201.json",
          201,
          { request: "POST_properties-propertyId-activations-request.json", also },
        ],
        ["property_version_find", search, "POST_search-find-by-value-response-200.json", 200],
        [
          "property_client_settings_update",
          {},
          "PUT_client-settings-response-200.json",
          200,
          { request: "PUT_client-settings-response-200.json" },
        ],
        [
          "property_hostnames_replace",
          version,
          "PUT_properties-propertyId-versions-propertyVersion-hostnames-response-200.json",
          200,
          { request: "PUT_properties-propertyId-versions-propertyVersion-hostnames-request.json", also },
        ],
        [
          "property_rule_tree_get",
          whole,
          "PUT_properties-propertyId-versions-propertyVersion-rules-response-200.json",
          200,
        ],
        ["property_rule_tree_get", whole, "error-in-success-rules-put-200.json", 200],
      ),
      ...under(
        "v0doc-",
        [
          "property_version_create",
          property,
          undefined,
          201,
          { request: "POST_properties-propertyId-versions-request.json" },
        ],
        ["property_create", place, undefined, 201, { request: "POST_properties-request.json" }],
      ).map((row) => ({
        ...row,
        answer:
          row.tool === "property_create"
            ? "v1-property-create-response.json"
            : "v1-property-version-create-response.json",
      })),
      {
        tool: "property_hostnames_list",
        args: version,
        answer: "v0mock-GET_property-version-hostnames.json",
        status: 200,
      },
      ...under("v1-", [
        "property_version_activate",
        property,
        undefined,
        201,
        { request: "activation-create-request.json", also },
      ]).map((row) => ({ ...row, answer: "v0doc-POST_properties-propertyId-activations-response-201.json" })),
      ...under(
        "v1-",
        ["property_activation_cancel", activation, "activation-delete-response.json", 200, { also: cancelled }],
        ["property_activation_get", activation, "activation-get-response.json", 200],
        ["property_activations_list", property, "activation-list-response.json", 200],
        ["property_build_get", {}, "build-response.json", 200],
        ["property_contracts_list", {}, "contract-list-response.json", 200],
        ["property_cpcodes_list", place, "cpcode-list-response.json", 200],
        [
          "property_edge_hostname_create",
          place,
          "edgehostname-create-response.json",
          201,
          { request: "edgehostname-create-request.json" },
        ],
        ["property_edge_hostname_get", edge, "edgehostname-get-response.json", 200],
        ["property_edge_hostnames_list", place, "edgehostname-list-response.json", 200],
        ["property_groups_list", {}, "group-list-response.json", 200],
        ["property_products_list", { contractId: "1-1TJZFW" }, "product-list-response.json", 200],
        ["property_delete", property, "property-delete-response.json", 200, { also: inactive }],
        ["property_get", property, "property-get-response.json", 200],
        ["property_criterion_names_list", version, "property-version-available-criteria-response.json", 200],
        ["property_version_get", version, "property-version-get-response.json", 200],
        ["property_hostnames_list", version, "property-version-hostnames-get-response.json", 200],
        [
          "property_hostnames_replace",
          version,
          "property-version-hostnames-set-response.json",
          200,
          { request: "property-version-hostnames-set-request.json", also },
        ],
        [
          "property_request_schema_get",
          { filename: "CreateNewEdgeHostnameRequestV0.json" },
          "request-schema-get-response.json",
          200,
        ],
        ["property_rule_formats_list", {}, "rule-format-list-response.json", 200],
        [
          "property_rule_schema_get",
          { productId: "Alta", ruleFormat: "latest" },
          "rule-format-schema-get-response.json",
          200,
        ],
        ["property_rule_tree_get", whole, "rules-get-response.json", 200],
        [
          "property_rule_tree_replace",
          version,
          "rules-get-response.json",
          200,
          { request: "rules-set-request.json", also },
        ],
        ["property_version_find", search, "search-find-by-value-response.json", 200],
        ["properties_list", place, "error-400.json", 400, problem],
        ["properties_list", place, "error-401.json", 401, problem],
        ["properties_list", place, "error-404.json", 404, problem],
        ["properties_list", place, "error-405.json", 405, problem],
        ["property_hostnames_replace", { ...version, body: hostnames }, "error-409.json", 409, { ...problem, also }],
        ["property_hostnames_replace", { ...version, body: hostnames }, "error-413.json", 413, { ...problem, also }],
        ["property_activation_cancel", activation, "error-422.json", 422, { ...problem, also: cancelled }],
        ["property_cpcode_create", place, "error-429.json", 429, { ...problem, request: "cpcode-create-request.json" }],
        ["properties_list", place, "error-500.json", 500, problem],
      ),
    ],
  });
});
