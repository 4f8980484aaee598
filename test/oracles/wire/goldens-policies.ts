/** Golden exchanges of the policy services: the vendor's word for a rule's id, JSON in a form, envelopes, ids in a query. */
import type { GoldenText } from "./goldens.js";

const form = "application/x-www-form-urlencoded";
const manager = "/config-visitor-prioritization-data/api/v1/policymanager";

/** The one form field of a command, percent-encoded as a browser would. */
const queryField = (command: string, payload: string) =>
  `query=${encodeURIComponent(`{"policyManagerRequest":{"command":"${command}","${command}":${payload}}}`)}`;

export const policyGoldens: readonly GoldenText[] = [
  {
    name: "a rule at an index, whose id has the vendor's word on the wire and the documents' here",
    tool: "edgelogic_rule_create",
    args: {
      policyId: 1001,
      version: 2,
      index: 0,
      body: { type: "erMatchRule", matchURL: "/a", redirectURL: "/b", statusCode: 301, vendorRuleId: "5db8" },
    },
    request: "POST /cloudlets/api/v2/policies/1001/versions/2/rules?index=0",
    body: '{"type":"erMatchRule","akaRuleId":"5db8","matchURL":"/a","redirectURL":"/b","statusCode":301}',
    answer: {
      status: 200,
      body: '{"start":0,"end":0,"id":null,"name":null,"type":"erMatchRule","matchURL":"/a","redirectURL":"/b","statusCode":301,"akaRuleId":"«text»","location":"«text»"}',
    },
    data: { type: "erMatchRule", vendorRuleId: "text", location: "text" },
  },
  {
    name: "a deletion with the query of the version that it deletes",
    tool: "edgelogic_policy_version_delete",
    args: { policyId: 1001, version: 2, omitRules: true, matchRuleFormat: "1.0" },
    request: "DELETE /cloudlets/api/v2/policies/1001/versions/2?omitRules=true&matchRuleFormat=1.0",
    accept: "*/*",
    answer: { status: 204, body: "" },
    isEmulated: false,
  },
  {
    name: "an answer that is a list, to a launch",
    tool: "edgelogic_policy_version_activate",
    args: { policyId: 1001, version: 2, body: { network: "staging" } },
    request: "POST /cloudlets/api/v2/policies/1001/versions/2/activations",
    body: '{"network":"staging"}',
    answer: {
      status: 200,
      body: '[{"serviceVersion":null,"apiVersion":"2.0","network":"staging","policyInfo":{"policyId":1001,"name":"spring_redirects","version":2,"status":"pending","statusDetail":"initial","activatedBy":"«text»","activationDate":"«int»"},"propertyInfo":{"name":"www.shop.example","version":2,"groupId":11111,"status":"active","activatedBy":"«text»","activationDate":"«int»"}}]',
    },
  },
  {
    name: "JSON in the one field of a form, and an answer in an envelope",
    tool: "visitor_policy_clone",
    args: { body: { policyManagerRequest: { clone: { id: 102, policyName: "a&b ü" } } } },
    request: `POST ${manager}?command=clone`,
    contentType: form,
    body: queryField("clone", '{"id":102,"policyName":"a&b ü"}').replaceAll("%20", "+"),
    answer: {
      status: 200,
      body: '{"responseCode":0,"response":{"id":103,"policyName":"a&b ü"},"i18nCode":0,"englishMessage":null}',
    },
    isEmulated: false,
  },
  {
    name: "a command without one in the query, to the same address",
    tool: "visitor_policy_activate",
    args: {
      body: {
        policyManagerRequest: {
          activate: { tapiocaIDs: [102], arlId: "175780", assetId: "10333526", network: "staging" },
        },
      },
    },
    request: `POST ${manager}`,
    contentType: form,
    body: queryField("activate", '{"tapiocaIDs":[102],"arlId":"175780","assetId":"10333526","network":"staging"}'),
    answer: { status: 200, body: '{"responseCode":0,"response":["«any»"],"i18nCode":0,"englishMessage":null}' },
  },
  {
    name: "a change by PUT whose values all stand in the query, ids separated by commas",
    tool: "saasaccess_policy_activate",
    args: { network: "production", ids: ["103", "104"] },
    request: "PUT /config-saas-rules/v2/activations/?network=production&ids=103%2C104",
    answer: { status: 200, body: '{"responseCode":0,"response":[],"i18nCode":0,"englishMessage":null}' },
    isEmulated: false,
  },
  {
    name: "a bare list beside services that have envelopes",
    tool: "visitor_activations_list",
    args: { historyOnly: false },
    request: "GET /config-visitor-prioritization-data/api/v1/common/activation?historyOnly=false",
    answer: {
      status: 200,
      body: '[{"name":"«text»","fileId":"«int»","assetId":"«int»","policies":[{"policyName":"«text»","versions":[{"version":"«text»","policyVersionId":"«int»"}]}]}]',
    },
  },
];
