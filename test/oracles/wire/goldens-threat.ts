/** Golden exchanges of threat protection: the vendor in a path, stamps in headers, creations by Location, pages, differences. */
import type { GoldenText } from "./goldens.js";

const json = "application/json";
const own = "/etp-config/v1/configs/1100";

export const threatGoldens: readonly GoldenText[] = [
  {
    name: "the vendor's name in the path",
    tool: "threat_builtin_lists_list",
    args: {},
    request: "GET /etp-config/v1/akamai-lists",
    answer: {
      status: 200,
      body: '[{"id":1,"name":"Malware","description":"«text»","securityCategoryId":1,"securityCategoryInfo":{"id":1,"name":"Malware"}},{"id":2,"name":"Phishing","description":"«text»","securityCategoryId":2,"securityCategoryInfo":{"id":2,"name":"Phishing"}},{"id":3,"name":"C&C","description":"«text»","securityCategoryId":3,"securityCategoryInfo":{"id":3,"name":"C&C"}}]',
    },
  },
  {
    name: "a list of whole numbers",
    tool: "threat_configs_list",
    args: {},
    request: "GET /etp-config/v1/configs",
    answer: { status: 200, body: "[1100]" },
  },
  {
    name: "a creation that answers with its Location alone",
    tool: "threat_site_create",
    args: {
      configId: 1100,
      body: {
        name: "West 1",
        exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "192.0.2.38" }],
      },
    },
    request: `POST ${own}/sites`,
    accept: json,
    body: '{"name":"West 1","exitPoints":[{"addrType":"ADDR_TYPE_IPV4","ipAddr":"192.0.2.38"}]}',
    answer: { status: 200, location: `${own}/sites/104` },
  },
  {
    name: "a difference of a list",
    tool: "threat_list_item_update",
    args: {
      configId: 1100,
      listId: 3785,
      body: {
        add: [{ type: "LIST_TYPE_IP", value: "192.0.2.179", confidenceLevelId: 2 }],
        delete: ["192.0.2.219", "192.0.2.11"],
      },
    },
    request: `PATCH ${own}/lists/3785`,
    accept: json,
    body: '{"add":[{"type":"LIST_TYPE_IP","value":"192.0.2.179","confidenceLevelId":2}],"delete":["192.0.2.219","192.0.2.11"]}',
    answer: { status: 200 },
  },
  {
    name: "a page of items, searched",
    tool: "threat_list_items_list",
    args: { configId: 1100, listId: 4541, type: "LIST_TYPE_IP", confidence: 1, search: "192.0", numItemsPerPage: 5 },
    request: `GET ${own}/lists/items?numItemsPerPage=5&type=LIST_TYPE_IP&confidence=1&search=192.0&listId=4541`,
    answer: {
      status: 200,
      body: '{"totalCount":1,"items":[{"type":"LIST_TYPE_IP","value":"192.0.2.124","confidenceLevelId":1}]}',
    },
  },
  {
    name: "statuses of deployments, separated by commas",
    tool: "threat_deployments_list",
    args: { configId: 1100, deploymentStatuses: ["COMPLETED", "FAILED"] },
    request: `GET ${own}/deployments?deploymentStatuses=COMPLETED%2CFAILED`,
    answer: {
      status: 200,
      body: '[{"id":5001,"comment":"«text»","deployedBy":"«text»","status":"COMPLETED","progressPct":100,"startTime":"«text»","endTime":"«text»"}]',
    },
  },
  {
    name: "the deployment of a list, with the status that starts it",
    tool: "threat_list_deployment_launch",
    args: { configId: 1100, body: { id: 4541 } },
    request: `POST ${own}/lists/deployments`,
    accept: json,
    body: '{"id":4541,"status":"PENDING"}',
    answer: { status: 200, location: `${own}/lists/deployments/7003` },
  },
];
