/** Golden exchanges of the property service: prefixes, stamps in a header, the media of rule formats, HEAD. */
import type { GoldenText } from "./goldens.js";

const owner = '"accountId":"act_1-7KLGH","contractId":"ctr_C-1FRYVV3","groupId":"grp_11111"';
const rules =
  '{"rules":{"name":"default","behaviors":[{"name":"origin","options":{"hostname":"o.example"}},{"name":"cpCode","options":{"value":{"id":12345}}}],"children":[]}}';
const tree = JSON.parse(rules) as object;

export const propertyGoldens: readonly GoldenText[] = [
  {
    name: "ids without prefixes, which are sent with them",
    tool: "property_cpcode_get",
    args: { cpcodeId: "12345", contractId: "C-1FRYVV3", groupId: "11111" },
    request: "GET /papi/v0/cpcodes/cpc_12345?contractId=ctr_C-1FRYVV3&groupId=grp_11111",
    answer: {
      status: 200,
      body: `{${owner},"cpcodes":{"items":[{"cpcodeId":"cpc_12345","cpcodeName":"Shop","productIds":["prd_Site_Delivery"],"createdDate":"«text»"}]}}`,
    },
  },
  {
    name: "201 with a link in the body and as the location",
    tool: "property_version_create",
    args: { propertyId: "prp_175780", body: { createFromVersion: 2 } },
    request: "POST /papi/v0/properties/prp_175780/versions/",
    body: '{"createFromVersion":2}',
    answer: { status: 201, location: "/«text»", body: '{"versionLink":"«text»"}' },
  },
  {
    name: "a body that is a list, with a stamp in a header and a flag in the query",
    tool: "property_hostnames_replace",
    args: {
      propertyId: "175780",
      propertyVersion: 3,
      validateHostnames: true,
      body: [{ cnameFrom: "www.shop.example", edgeHostnameId: "ehn_1682" }],
    },
    request: "PUT /papi/v0/properties/prp_175780/versions/3/hostnames/?validateHostnames=true",
    body: '[{"cnameFrom":"www.shop.example","edgeHostnameId":"ehn_1682"}]',
    answer: {
      status: 200,
      body: `{${owner},"propertyId":"prp_175780","propertyVersion":3,"etag":"«text»","hostnames":{"items":[{"cnameType":"EDGE_HOSTNAME","edgeHostnameId":"ehn_1682","cnameFrom":"www.shop.example","cnameTo":"www.shop.example.edgesuite.example"}]}}`,
    },
  },
  {
    name: "a rule tree in the medium of a rule format, both ways",
    tool: "property_rule_tree_replace",
    args: { propertyId: "prp_175780", propertyVersion: 3, ruleFormat: "v2014-05-26", body: tree },
    request: "PUT /papi/v0/properties/prp_175780/versions/3/rules/",
    accept: "application/vnd.akamai.papirules.v2014-05-26+json",
    contentType: "application/vnd.akamai.papirules.v2014-05-26+json",
    body: rules,
    answer: {
      status: 200,
      contentType: "application/vnd.akamai.papirules.v2014-05-26+json",
      body: `{${owner},"propertyId":"prp_175780","propertyVersion":3,"etag":"«text»","ruleFormat":"v2014-05-26",${rules.slice(1, -1)}}`,
    },
  },
  {
    name: "HEAD, which has an answer without a body",
    tool: "property_rule_tree_digest_get",
    args: { propertyId: "prp_175780", propertyVersion: 2 },
    request: "HEAD /papi/v0/properties/prp_175780/versions/2/rules/",
    accept: "*/*",
    answer: { status: 204 },
  },
  {
    name: "an activation of a version",
    tool: "property_version_activate",
    args: {
      propertyId: "prp_175780",
      body: {
        propertyVersion: 3,
        network: "STAGING",
        notifyEmails: ["a@shop.example"],
        acknowledgeWarnings: ["msg_1"],
      },
    },
    request: "POST /papi/v0/properties/prp_175780/activations/",
    body: '{"propertyVersion":3,"network":"STAGING","notifyEmails":["a@shop.example"],"acknowledgeWarnings":["msg_1"]}',
    answer: { status: 201, location: "/«text»", body: '{"activationLink":"«text»"}' },
  },
];
