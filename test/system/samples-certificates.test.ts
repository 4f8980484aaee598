/** Every sample of certificates and secure provisioning, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const setByApi = [
  "autoRenewalStartTime",
  "location",
  "maxAllowedSanNames",
  "maxAllowedWildcardSanNames",
  "pendingChanges",
];
const certificates = samplesIn("../shared/samples/B/cps");
const provisioning = samplesIn("../shared/samples/B/sps");

const one = { enrollmentId: 10002 };
const change = { ...one, changeId: 10002 };
const path = "/cps/v2/enrollments/10002/changes/10002";
const waitingFor = (update: string) => ({
  [path]: () =>
    JSON.stringify({
      statusInfo: { state: "awaiting-input", status: "s" },
      allowedInput: [{ type: "t", info: `${path}/input/info/i`, update: `${path}/input/update/${update}` }],
    }),
});
const asked = (allowedInputTypeParam: string, version?: string) => ({
  ...change,
  allowedInputTypeParam,
  ...(version === undefined ? {} : { version }),
});
const [upload, acknowledge] = ["third-party-cert-and-trust-chain", "change-management-ack"];

// There is no sample of this answer; the facts name its members (public facts B, 1.3).
const status = '{"enrollment":"/cps/v2/enrollments/10002","changes":["/cps/v2/enrollments/10002/changes/10002"]}';
const contract = { contractId: "C-1FRYVV3" };

describe("certificates", () => {
  replaySamples({
    ...certificates,
    textOf: (file) => (file === "enrollment-status" ? status : certificates.textOf(file)),
    foreign: {
      "certificate-history.v2.json": "of the history of certificates, which the document does not have",
      "change-history.v5.json": "of the history of changes, which the document does not have",
      "enrollment-locations.v1.json": "of a media type that the document's list does not have",
      "organization.v1.json": "of organizations, which the document does not have",
      "organizations.v1.json": "of organizations, which the document does not have",
      "trust-chains.v1.json": "of trust chains, which the document does not have",
    },
    rows: under(
      "",
      ["cert_enrollments_list", { version: "v1" }, "enrollments.v1.json", 200],
      ["cert_enrollments_list", { version: "v9" }, "enrollments.v9.json", 200],
      [
        "cert_enrollment_create",
        contract,
        "enrollment-status",
        202,
        { request: "create-enrollment.v4-w-3p-sni-cm.json" },
      ],
      [
        "cert_enrollment_create",
        { ...contract, version: "v9" },
        "enrollment-status",
        202,
        { request: "create-enrollment.v9.json", unsent: setByApi },
      ],
      ["cert_enrollment_update", one, "enrollment-status", 202, { request: "create-enrollment.v4-w-3p-sni-cm.json" }],
      ["cert_enrollment_get", { ...one, version: "v2" }, "enrollment.v2.json", 200],
      ["cert_enrollment_get", { ...one, version: "v3" }, "enrollment.v3.json", 200],
      ["cert_enrollment_get", one, "enrollment.v4-3p-active.json", 200],
      ["cert_enrollment_get", { ...one, version: "v7" }, "enrollment.v7.json", 200],
      ["cert_enrollment_get", { ...one, version: "v9" }, "enrollment.v9.json", 200],
      ["cert_enrollment_get", { ...one, version: "v11" }, "enrollment.v11.json", 200],
      ["cert_change_get", change, "change.v1-no-error-allowed-input-3p.json", 200],
      ["cert_change_cancel", change, "change-id.v1.json", 200],
      ["cert_change_input_get", asked("third-party-csr", "v1"), "csr.v1.json", 200],
      ["cert_change_input_get", asked("third-party-csr"), "csr.v2.json", 200],
      ["cert_change_input_get", asked("change-management-info", "v1"), "change-management-info.v1-3p.json", 200],
      ["cert_change_input_get", asked("change-management-info", "v2"), "change-management-info.v2-3p.json", 200],
      ["cert_change_input_get", asked("change-management-info", "v4"), "change-management-info.v4-3p.json", 200],
      ["cert_change_input_get", asked("post-verification-warnings"), "warnings.v1-3p-post-verification.json", 200],
      ["cert_change_input_get", asked("pre-verification-warnings"), "warnings.v1-auto-pre-verification.json", 200],
      [
        "cert_change_input_submit",
        asked(acknowledge),
        "change-id.v1.json",
        200,
        { request: "acknowledgement-with-hash.v1-acknowledge.json", also: waitingFor(acknowledge) },
      ],
      [
        "cert_change_input_submit",
        asked(upload),
        "change-id.v1.json",
        200,
        { request: "certificate-and-trust-chain.v1-3p.json", also: waitingFor(upload) },
      ],
      ["cert_change_schedule_get", change, "deployment-schedule.v1.json", 200],
      ["cert_change_schedule_update", change, "change-id.v1.json", 200, { request: "deployment-schedule.v1.json" }],
      ["cert_deployments_list", { ...one, version: "v1" }, "deployments.v1.json", 200],
      ["cert_deployments_list", { ...one, version: "v2" }, "deployments.v2.json", 200],
      ["cert_deployments_list", { ...one, version: "v6" }, "deployment.v6.json", 200],
      ["cert_deployments_list", { ...one, version: "v6" }, "deployments.v6-3p.json", 200],
      ["cert_deployments_list", one, "deployment.v7.json", 200],
      ["cert_deployments_list", one, "deployments.v7-3p.json", 200],
      ["cert_staging_deployment_get", { ...one, version: "v2" }, "deployment.v2.json", 200],
      ["cert_production_deployment_get", { ...one, version: "v6" }, "deployment.v6-network.json", 200],
    ),
  });
});

const owner = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const names = { cnameHostname: "secure.san1.example.com", createType: "modSan", add: { sans: ["www.abc.com"] } };

describe("secure provisioning", () => {
  replaySamples({
    ...provisioning,
    foreign: {
      "create-request-modSan-form-fields.json": "form fields, which the golden exchanges have byte by byte",
      "secure-edge-hosts-request-form-fields.json": "form fields, which the golden exchanges have byte by byte",
    },
    rows: under(
      "",
      ["sps_request_create", { ...owner, body: names }, "create-202-accepted.json", 202],
      ["sps_request_create", { ...owner, body: names }, "error-400.json", 400],
    ),
  });
});
