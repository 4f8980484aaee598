/** Golden exchanges of certificates and secure provisioning, written from document B and the public facts. */
import type { GoldenText } from "./goldens.js";

const cps = (entity: string) => `application/vnd.akamai.cps.${entity}+json`;
const form = "application/x-www-form-urlencoded";
const change = "/cps/v2/enrollments/10004/changes/20004";
const provisioning = "/config-secure-provisioning-service/v1";

export const certificateGoldens: readonly GoldenText[] = [
  {
    name: "an acknowledgement under the vendor's words, in a medium that the kind chooses",
    tool: "cert_change_input_submit",
    args: {
      enrollmentId: 10004,
      changeId: 20004,
      allowedInputTypeParam: "free-ca-challenges-completed",
      body: { acknowledgement: "acknowledge" },
    },
    request: `POST ${change}/input/update/lets-encrypt-challenges-completed`,
    accept: cps("change-id.v1"),
    contentType: cps("acknowledgement.v1"),
    body: '{"acknowledgement":"acknowledge"}',
    answer: { status: 200, contentType: cps("change-id.v1"), body: `{"change":"${change}"}` },
  },
  {
    name: "information in a version of its kind",
    tool: "cert_change_input_get",
    args: { enrollmentId: 10002, changeId: 20002, allowedInputTypeParam: "third-party-csr", version: "v2" },
    request: "GET /cps/v2/enrollments/10002/changes/20002/input/info/third-party-csr",
    accept: cps("csr.v2"),
    answer: { status: 200, contentType: cps("csr.v2"), body: '{"csrs":[{"csr":"«text»","keyAlgorithm":"RSA"}]}' },
  },
  {
    name: "flags with hyphens, and an answer of one status among two",
    tool: "cert_enrollment_delete",
    args: { enrollmentId: 10001, "allow-cancel-pending-changes": true, "deploy-not-before": "2026-06-01T00:00:00Z" },
    request:
      "DELETE /cps/v2/enrollments/10001?allow-cancel-pending-changes=true&deploy-not-before=2026-06-01T00%3A00%3A00Z",
    accept: cps("enrollment-status.v1"),
    answer: {
      status: 202,
      contentType: cps("enrollment-status.v1"),
      body: '{"enrollment":"/cps/v2/enrollments/10001","changes":["«text»"]}',
    },
  },
  {
    name: "a form with dotted names and repeated names",
    tool: "sps_request_create",
    args: {
      contractId: "ctr_C-1FRYVV3",
      groupId: 11111,
      body: {
        cnameHostname: "secure.shop.example",
        createType: "san",
        csr: { cn: "secure.shop.example", o: "Shops & more", sans: ["a.shop.example", "b.shop.example"] },
        "admin-contact": { "first-name": "Mia" },
        "slot-deployment": { klass: "esslType" },
      },
    },
    request: `POST ${provisioning}/sps-requests?contractId=ctr_C-1FRYVV3&groupId=11111`,
    contentType: form,
    body: "cnameHostname=secure.shop.example&createType=san&csr.cn=secure.shop.example&csr.o=Shops+%26+more&csr.sans=a.shop.example&csr.sans=b.shop.example&admin-contact.first-name=Mia&slot-deployment.klass=esslType",
    answer: {
      status: 202,
      body: '{"spsId":"«int»","resourceLocation":"«text»","Results":{"size":1,"data":[{"text":null,"results":{"type":"SUCCESS","jobID":"«int»","enrollmentId":"«int»"}}]}}',
    },
  },
  {
    name: "the form of a public client that adds a name",
    tool: "sps_request_create",
    args: {
      contractId: "C-1FRYVV3",
      groupId: 11111,
      body: {
        cnameHostname: "secure.san1.example.com",
        jobId: "44306",
        issuer: "symantec",
        createType: "modSan",
        ipVersion: "ipv4",
        "slot-deployment": { klass: "esslType" },
        add: { sans: ["www.abc.com"] },
      },
    },
    request: `POST ${provisioning}/sps-requests?contractId=C-1FRYVV3&groupId=11111`,
    contentType: form,
    body: "cnameHostname=secure.san1.example.com&createType=modSan&jobId=44306&add.sans=www.abc.com&slot-deployment.klass=esslType&issuer=symantec&ipVersion=ipv4",
    answer: {
      status: 202,
      body: '{"spsId":1789,"resourceLocation":"/config-secure-provisioning-service/v1/sps-requests/1856","Results":{"size":1,"data":[{"text":null,"results":{"type":"SUCCESS","jobID":44434}}]}}',
    },
    isEmulated: false,
  },
  {
    name: "the form of a public client that asks for a hostname",
    tool: "sps_edge_host_create",
    args: {
      contractId: "C-1FRYVV3",
      groupId: 11111,
      body: { cnameHostname: "www.shop.example", enrollmentId: 10001, ipVersion: "ipv4", product: "alta" },
    },
    request: `POST ${provisioning}/secure-edge-hosts?contractId=C-1FRYVV3&groupId=11111`,
    contentType: form,
    body: "cnameHostname=www.shop.example&enrollmentId=10001&ipVersion=ipv4&product=alta",
    answer: {
      status: 202,
      body: '{"spsId":"«int»","resourceLocation":"«text»","Results":{"size":1,"data":[{"text":null,"results":{"type":"SUCCESS","jobID":"«int»","enrollmentId":10001}}]}}',
    },
  },
];
