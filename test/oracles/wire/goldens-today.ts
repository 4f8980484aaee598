/** Golden exchanges of today's APIs, written from the vendor's definitions: master files, JSON Patch, entity tags, rule formats. */
import { type GoldenText, golden } from "./goldens.js";

const patch = "application/json-patch+json";
const ruleFormat = "application/vnd.akamai.papirules.v2015-08-17+json";
const usesPrefixes = { "papi-use-prefixes": "true" };
const etag = '"a9dfe78cf93090516bde891d009eaf57"';
const rules = "/papi/v1/properties/prp_175780/versions/3/rules";
const ids = { propertyId: "prp_175780", propertyVersion: 3 };
const tree = {
  rules: {
    name: "default",
    behaviors: [],
    children: [],
  },
};
const zone = "/config-dns/v2/zones/example.com";

const texts: readonly GoldenText[] = [
  {
    name: "a zone as a master file",
    tool: "dns_zone_file_get",
    args: { zone: "example.com" },
    request: `GET ${zone}/zone-file`,
    accept: "text/dns",
    answer: {
      status: 200,
      contentType: "text/dns",
      body: "example.com.\t86400\tIN\tNS\tns1.example.com.\nwww.example.com.\t300\tIN\tA\t203.0.113.21\n",
    },
    data: "example.com.\t86400\tIN\tNS\tns1.example.com.\nwww.example.com.\t300\tIN\tA\t203.0.113.21\n",
    isEmulated: false,
  },
  {
    name: "a master file as it was given",
    tool: "dns_zone_file_replace",
    args: { zone: "example.com", body: '@ 300 IN TXT "a; b"\r\nwww 60 A 203.0.113.21\n' },
    request: `POST ${zone}/zone-file`,
    contentType: "text/dns",
    body: '@ 300 IN TXT "a; b"\r\nwww 60 A 203.0.113.21\n',
    answer: { status: 204 },
  },
  {
    name: "a rule tree in the format that is asked for, with its entity tag",
    tool: "property_rule_tree_get",
    args: { ...ids, ruleFormat: "v2015-08-17", validateRules: false },
    request: `GET ${rules}?validateRules=false`,
    accept: ruleFormat,
    headers: usesPrefixes,
    answer: {
      status: 200,
      contentType: ruleFormat,
      headers: { etag },
      body: `{"accountId":"act_1-7KLGH","contractId":"ctr_C-1FRYVV3","groupId":"grp_11111","propertyId":"prp_175780","propertyName":"www.shop.example","propertyVersion":3,"etag":"a9dfe78cf93090516bde891d009eaf57","ruleFormat":"v2015-08-17","rules":{"name":"default","behaviors":[],"children":[]}}`,
    },
    isEmulated: false,
  },
  {
    name: "a rule tree in a format, only over the one that was read",
    tool: "property_rule_tree_replace",
    args: { ...ids, ruleFormat: "v2015-08-17", ifMatch: "a9dfe78cf93090516bde891d009eaf57", body: tree },
    request: `PUT ${rules}`,
    accept: ruleFormat,
    contentType: ruleFormat,
    headers: { ...usesPrefixes, "if-match": etag },
    body: '{"rules":{"name":"default","behaviors":[],"children":[]}}',
    answer: {
      status: 200,
      contentType: ruleFormat,
      body: `{"propertyId":"prp_175780","propertyVersion":3,"etag":"0123","ruleFormat":"v2015-08-17","rules":{"name":"default","behaviors":[],"children":[]}}`,
    },
    isEmulated: false,
  },
  {
    name: "a JSON Patch of a rule tree, with pointers as they are written",
    tool: "property_rule_update",
    args: {
      ...ids,
      contractId: "ctr_C-1FRYVV3",
      groupId: "grp_11111",
      ifMatch: etag,
      body: [
        { op: "test", path: "/rules/name", value: "default" },
        {
          op: "add",
          path: "/rules/children/0/behaviors/-",
          value: {
            name: "caching",
            options: { "a~1b": 1 },
          },
        },
        { op: "remove", path: "/rules/variables/0" },
      ],
    },
    request: `PATCH ${rules}?contractId=ctr_C-1FRYVV3&groupId=grp_11111`,
    contentType: patch,
    headers: { ...usesPrefixes, "if-match": etag },
    body: '[{"op":"test","path":"/rules/name","value":"default"},{"op":"add","path":"/rules/children/0/behaviors/-","value":{"name":"caching","options":{"a~1b":1}}},{"op":"remove","path":"/rules/variables/0"}]',
    answer: { status: 200, body: `{"propertyId":"prp_175780","etag":"0123","rules":{"name":"default"}}` },
    isEmulated: false,
  },
  {
    name: "a purge whose action, kind and network are in the path",
    tool: "purge_submit",
    args: { action: "delete", kind: "tag", network: "production", body: { objects: ["spring-2026"] } },
    request: "POST /ccu/v3/delete/tag/production",
    body: '{"objects":["spring-2026"]}',
    answer: {
      status: 201,
      body: '{"httpStatus":201,"detail":"«text»","estimatedSeconds":"«int»","purgeId":"«text»","supportId":"«text»"}',
    },
  },
];

export const todayGoldens = texts.map(golden);
