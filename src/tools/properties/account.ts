/** Operations on what properties refer to: groups, contracts, products, CP codes, edge hostnames, and the service itself. */
import { json, op } from "../../language/define.js";
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { CpCodeId, EdgeHostnameId, IdInBody, ProductId, place, requiredPlace } from "./ids.js";
import { Build, ClientSettings, Contracts, CpCodes, EdgeHostnames, Groups, Products, RuleFormats } from "./shapes.js";

const options = z.enum(["mapDetails"]).optional();
/** A schema is returned under its own media type or as plain JSON. */
const schema = { 200: [json(z.looseObject({}), "application/schema+json"), json(z.looseObject({}))] } as const;
const RuleFormat = z.string().regex(/^(latest|v\d{4}-\d{2}-\d{2})$/, "latest or a rule format such as v2015-08-08");

/** The members of a new edge hostname. */
export const edgeHostnameMembers = {
  productId: IdInBody,
  domainPrefix: z.string().min(1).max(253),
  domainSuffix: z.string().min(1).max(253).describe("edgesuite.net, edgekey.net (ENHANCED_TLS) or akamaized.net"),
  ipVersionBehavior: z.enum(["IPV4", "IPV6_COMPLIANCE", "IPV6_PERFORMANCE"]),
  secureNetwork: z.enum(["STANDARD_TLS", "SHARED_CERT", "ENHANCED_TLS"]).optional(),
  secure: z.boolean().optional(),
  slotNumber: z.int().min(0).optional(),
  certEnrollmentId: z
    .union([z.int().positive(), z.string().regex(/^\d+$/).max(15)])
    .optional()
    .describe("Required with ENHANCED_TLS"),
  useCases: z
    .array(openObject({ useCase: z.string(), option: z.string(), type: z.enum(["GLOBAL"]) }))
    .max(2)
    .optional(),
};

export const accountOperations = {
  property_groups_list: op("GET /papi/v0/groups/", {
    does: "Lists the account's groups, with the contracts of each.",
    returns: { 200: json(Groups) },
    rules: ["property-prefixes"],
  }),
  property_contracts_list: op("GET /papi/v0/contracts/", {
    does: "Lists the account's contracts.",
    returns: { 200: json(Contracts) },
  }),
  property_products_list: op("GET /papi/v0/products/", {
    does: "Lists the products of a contract.",
    query: { contractId: requiredPlace.contractId, groupId: place.groupId },
    returns: { 200: json(Products) },
    rules: ["property-products-contract"],
    example: { contractId: "ctr_C-1FRYVV3" },
  }),
  property_cpcodes_list: op("GET /papi/v0/cpcodes/", {
    does: "Lists the CP codes of a contract and a group.",
    query: requiredPlace,
    returns: { 200: json(CpCodes) },
    rules: ["property-cpcode-place"],
    example: { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
  }),
  property_cpcode_create: op("POST /papi/v0/cpcodes/", {
    does: "Creates a CP code, under which traffic is counted and billed. It cannot be deleted here.",
    query: requiredPlace,
    body: json({
      productId: IdInBody.describe("Product of the properties that will use it"),
      cpcodeName: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^,_"'^#%]+$/, "a name without commas, underscores, quotes, ^, # and %"),
    }),
    returns: { 201: json(z.looseObject({ cpcodeLink: z.string() })) },
    effect: "create",
    shownBy: "property_cpcodes_list",
    rules: ["property-cpcode-place", "property-cpcode-created", "property-cpcode-product"],
    example: {
      contractId: "ctr_C-1FRYVV3",
      groupId: "grp_11111",
      body: { productId: "prd_Site_Delivery", cpcodeName: "Shop checkout" },
    },
  }),
  property_cpcode_get: op("GET /papi/v0/cpcodes/{cpcodeId}", {
    does: "Reads one CP code.",
    path: { cpcodeId: CpCodeId },
    query: requiredPlace,
    returns: { 200: json(CpCodes) },
    rules: ["property-cpcode-place"],
    example: { cpcodeId: "cpc_12345", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
  }),
  property_edge_hostnames_list: op("GET /papi/v0/edgehostnames/", {
    does: "Lists edge hostnames, to which a site's hostnames point by CNAME.",
    query: { ...requiredPlace, options },
    returns: { 200: json(EdgeHostnames) },
    example: { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
  }),
  property_edge_hostname_create: op("POST /papi/v0/edgehostnames/", {
    does: "Creates an edge hostname, domainPrefix.domainSuffix.",
    query: { ...requiredPlace, options },
    body: json(edgeHostnameMembers),
    returns: { 201: json(z.looseObject({ edgeHostnameLink: z.string() })) },
    effect: "create",
    shownBy: "property_edge_hostnames_list",
    example: {
      contractId: "ctr_C-1FRYVV3",
      groupId: "grp_11111",
      body: {
        productId: "prd_Site_Delivery",
        domainPrefix: "new.shop.example",
        domainSuffix: "edgesuite.net",
        ipVersionBehavior: "IPV4",
      },
    },
  }),
  property_edge_hostname_get: op("GET /papi/v0/edgehostnames/{edgeHostnameId}", {
    does: "Reads one edge hostname; ready without status or with ACTIVE.",
    path: { edgeHostnameId: EdgeHostnameId },
    query: { ...requiredPlace, options },
    returns: { 200: json(EdgeHostnames) },
    example: { edgeHostnameId: "ehn_1682", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
  }),
  property_rule_formats_list: op("GET /papi/v0/rule-formats", {
    does: "Lists the rule formats: the dated versions of behaviors and criteria.",
    returns: { 200: json(RuleFormats) },
  }),
  property_request_schema_get: op("GET /papi/v0/schemas/request/{filename}", {
    does: "Reads the JSON Schema of a request body of this service.",
    path: {
      filename: z
        .string()
        .max(120)
        .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, "a file name such as CreateNewCpcodeRequestV0.json"),
    },
    returns: schema,
    example: { filename: "CreateNewCpcodeRequestV0.json" },
  }),
  property_rule_schema_get: op("GET /papi/v0/schemas/products/{productId}/{ruleFormat}", {
    does: "Reads the JSON Schema of a product's rule trees: behaviors and criteria with their options.",
    path: { productId: ProductId, ruleFormat: RuleFormat },
    returns: schema,
    means: { 404: "property_products_list lists the products, property_rule_formats_list the rule formats." },
    example: { productId: "prd_Site_Delivery", ruleFormat: "latest" },
  }),
  property_client_settings_get: op("GET /papi/v0/client-settings", {
    does: "Reads this API client's settings: default rule format, ids with prefixes.",
    returns: { 200: json(ClientSettings) },
  }),
  property_client_settings_update: op("PUT /papi/v0/client-settings", {
    does: "Sets this API client's default rule format, and whether ids are shown with prefixes.",
    body: json({ ruleFormat: RuleFormat, usePrefixes: z.boolean() }),
    returns: { 200: json(ClientSettings) },
    effect: "update",
    shownBy: "property_client_settings_get",
    example: { body: { ruleFormat: "v2015-08-08", usePrefixes: true } },
  }),
  property_build_get: op("GET /papi/v0/build", {
    does: "Reads the running build of the service and of its catalogue.",
    returns: { 200: json(Build) },
  }),
} as const;
