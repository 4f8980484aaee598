/** Certificates (document B): enrollments, their changes and inputs, schedules, and deployments. */
import { contractArgument } from "../../language/defaults.js";
import { empty, op } from "../../language/define.js";
import { repeats } from "../../language/fills.js";
import { openObject } from "../../language/open-object.js";
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members, Timestamp } from "../fields.js";
import {
  Change,
  certificateResources,
  changeInformation,
  changeInput,
  changeMoves,
  Deployment,
  informationKinds,
  Schedule,
} from "./change.js";
import { cancelGuard, inputGuard, readForChange, scheduleGuard } from "./change-guards.js";
import { fromVersionTen, isAwaitedInput, isCertificates, startsBeforeEnd } from "./checks.js";
import { changedEnrollment, Enrollment, newEnrollment } from "./enrollment.js";
import { createGuard, deleteGuard, readForEnrollment, updateGuard } from "./enrollment-guards.js";
import { CertificateHistory, ChangeHistory, ValidationHistory } from "./history.js";
import { changeMedia, deploymentMedia, deployments, enrollmentMedia, enrollments, entityMedium } from "./media.js";

const documentRules = {
  "cert-exact-media": "Accept and Content-Type name one version of a media type exactly.",
  "cert-new-without-paths": "A new enrollment is sent without location and pendingChanges.",
  "cert-common-name": "csr.cn is required and not empty.",
  "cert-renewal":
    "A renewal starts automatically 90 days before the certificate expires, and is deployed automatically.",
  "cert-cancel-pending": "allow-cancel-pending-changes cancels all pending changes.",
  "cert-staging-bypass": "allow-staging-bypass pushes updates of metadata directly to production.",
  "cert-renewal-window":
    "renewal-date-check-override permits changes in the renewal window, at the risk of an expired certificate.",
  "cert-missing-certificate": "allow-missing-certificate-addition exists from version 10 of the enrollment type.",
  "cert-stacked-later": "enableMultiStackedCertificates applies from the next renewal.",
  "cert-input-discovered": "The input that a change takes is the last segment of its allowedInput[].update links.",
  "cert-acknowledge": "An acknowledgement is `acknowledge` or `deny`.",
  "cert-hash": "The hash identifies the state that is acknowledged, to prevent races.",
};

const changeRoute = "/cps/v2/enrollments/{enrollmentId}/changes/{changeId}";
const ofEnrollment = { enrollmentId: z.int().positive() };
const ofChange = { ...ofEnrollment, changeId: z.int().positive() };
const deployAt = { "deploy-not-after": Timestamp.optional(), "deploy-not-before": Timestamp.optional() };
const flag = z.boolean().optional();
const scheduled = startsBeforeEnd("deploy-not-before", "deploy-not-after");

const status = entityMedium(
  "enrollment-status",
  "v1",
  z.looseObject({ enrollment: z.string(), changes: z.array(z.string()).nullish() }),
);
const changeId = { 200: entityMedium("change-id", "v1", z.looseObject({ change: z.string() })) } as const;
const means = {
  200: "It took effect immediately: nothing is left to deploy.",
  202: "A change was started; cert_change_get on each path in changes shows what it waits for.",
};
const errors = {
  404: "Not found: cert_enrollments_list lists enrollments, cert_enrollment_get their pending changes.",
};
const readable = { rules: ["cert-exact-media"], means: errors } as const;
const ofToday = { path: ofEnrollment, ...readable, document: "today", example: { enrollmentId: 10001 } } as const;
const conflict = {
  ...errors,
  409: "A change is pending: check its progress with cert_change_get, or cancel all of them with allow-cancel-pending-changes.",
};
const undeployed = (network: "staging" | "production") => ({
  404: `Nothing is deployed on ${network}, or there is no such enrollment: cert_enrollments_list shows all.`,
});
const rules = ["cert-exact-media"] as const;
const note = "The forms of the body are, in this order, those of v3 to v6, of v1 and v2, and of v7 to v11.";

const contact = { firstName: "Maria", lastName: "Held", phone: "+49 30 5550100", email: "mheld@shop.example" };
const address = { addressLineOne: "Kurze Gasse 1", city: "Berlin", region: "BE", postalCode: "10115", country: "DE" };
const body = (cn: string, sans: string[]) => ({
  certificateType: "san" as const,
  validationType: "dv" as const,
  ra: "free-ca",
  changeManagement: false,
  csr: { cn, c: "DE", l: "Berlin", o: "Example Shops", st: "BE", sans },
  org: { name: "Example Shops", phone: "+49 30 5550100", ...address },
  adminContact: contact,
  techContact: contact,
  networkConfiguration: { geography: "core" as const, secureNetwork: "enhanced-tls" as const, sni: null },
});

export const certificates = service("cert", {
  name: "certificates",
  document: "B",
  title: "Certificates",
  about: "Requests, renews, deploys and removes TLS certificates, through enrollments and their changes.",
  standing: { state: "alive" },
  rateLimit: {
    api: "Certificates",
    // Published are 35 a minute and 20 in two seconds. However they are counted, these never add up to more.
    bucket: { burst: 15, perMinute: 20 },
    source: "https://techdocs.akamai.com/cps/reference/rate-limiting",
  },
  frontLine: ["cert_enrollments_list"],
  vendorWords: ["free-ca"],
  resources: certificateResources,
  rules: documentRules,
  introduction: introduction`${"cert_enrollment_status"} reports what an enrollment waits for.`,
  ids: { changeId: "cert_enrollment_get", contractId: "contract_ids_list" },
  operations: {
    cert_enrollments_list: op("GET /cps/v2/enrollments", {
      does: "Lists the certificate enrollments of a contract.",
      query: { contractId: z.string().min(1).optional() },
      returns: { 200: enrollments(z.looseObject({ enrollments: z.array(Enrollment) })) },
      rules,
      note: "The document does not require contractId; the vendor's current definition does.",
      example: { contractId: "C-1FRYVV3" },
    }),
    cert_enrollment_create: op("POST /cps/v2/enrollments", {
      does: "Enrolls for a certificate; the change that it starts waits for validation or for a certificate.",
      query: { contractId: contractArgument(z.string().min(1), "contract_ids_list"), ...deployAt },
      body: newEnrollment,
      checks: [scheduled],
      returns: { 202: status },
      means: { 202: means[202] },
      effect: "create",
      guard: createGuard,
      shownBy: "cert_enrollments_list",
      rules: [...rules, "cert-new-without-paths", "cert-common-name", "cert-stacked-later"],
      note,
      example: { contractId: "C-1FRYVV3", body: body("static.shop.example", []) },
    }),
    cert_enrollment_get: op("GET /cps/v2/enrollments/{enrollmentId}", {
      does: "Reads an enrollment: names, contacts, network, pending changes.",
      path: ofEnrollment,
      returns: { 200: enrollmentMedia(Enrollment) },
      rules: [...rules, "cert-renewal"],
      means: errors,
      example: { enrollmentId: 10001 },
    }),
    cert_enrollment_update: op("PUT /cps/v2/enrollments/{enrollmentId}", {
      does: "Replaces an enrollment, which may start a change.",
      needs: "Change the response of cert_enrollment_get.",
      path: ofEnrollment,
      query: {
        "allow-cancel-pending-changes": flag,
        ...deployAt,
        ...members(flag, "allow-staging-bypass", "allow-missing-certificate-addition"),
        "renewal-date-check-override": z.boolean().optional().describe("Risks expiry"),
        "force-renewal": flag,
      },
      body: changedEnrollment,
      checks: [scheduled, fromVersionTen],
      returns: { 200: status, 202: status },
      effect: "destructive",
      guard: updateGuard,
      shownBy: "cert_enrollment_get",
      relatedReads: readForEnrollment,
      rules: [
        ...rules,
        "cert-cancel-pending",
        "cert-staging-bypass",
        "cert-renewal-window",
        "cert-missing-certificate",
        "cert-stacked-later",
      ],
      means: { ...means, ...conflict },
      note,
      example: { enrollmentId: 10001, body: body("www.shop.example", ["shop.example", "static.shop.example"]) },
    }),
    cert_enrollment_delete: op("DELETE /cps/v2/enrollments/{enrollmentId}", {
      does: "Removes an enrollment and takes its certificate off the network; its names stop serving TLS.",
      path: ofEnrollment,
      query: { "allow-cancel-pending-changes": flag, ...deployAt },
      checks: [scheduled],
      returns: { 200: status, 202: status },
      guard: deleteGuard,
      shownBy: "cert_enrollment_get",
      relatedReads: readForEnrollment,
      rules: [...rules, "cert-cancel-pending"],
      means: { ...means, ...conflict },
      example: { enrollmentId: 10001 },
    }),
    cert_change_get: op(`GET ${changeRoute}`, {
      does: "Reads the progress of a change and, in allowedInput, what it waits for.",
      path: ofChange,
      returns: { 200: changeMedia(Change) },
      awaits: changeMoves,
      rules: [...rules, "cert-input-discovered"],
      means: errors,
      example: { enrollmentId: 10003, changeId: 20003 },
    }),
    cert_change_cancel: op(`DELETE ${changeRoute}`, {
      does: "Cancels a pending change; anything it has not yet deployed is lost.",
      path: ofChange,
      returns: changeId,
      guard: cancelGuard,
      shownBy: "cert_change_get",
      relatedReads: readForChange,
      rules,
      means: { ...errors, 409: "The change can no longer be cancelled: cert_change_get shows its progress." },
      example: { enrollmentId: 10002, changeId: 20002 },
    }),
    cert_change_input_get: op(`GET ${changeRoute}/input/info/{allowedInputTypeParam}`, {
      does: "Reads the information for a decision: the CSR, domain challenges, warnings, or the pending deployment.",
      needs: "allowedInput of cert_change_get names the kind.",
      path: { ...ofChange, allowedInputTypeParam: z.enum(Object.values(informationKinds)) },
      returns: { 200: changeInformation },
      rules: [...rules, "cert-input-discovered"],
      means: { 404: "The change is not waiting for this input now: cert_change_get lists what it waits for." },
      example: { enrollmentId: 10003, changeId: 20003, allowedInputTypeParam: "change-management-info" },
    }),
    cert_change_input_submit: op(`POST ${changeRoute}/input/update/{allowedInputTypeParam}`, {
      does: "Submits the input that a change waits for: acknowledges or denies, or uploads a signed certificate.",
      path: {
        ...ofChange,
        allowedInputTypeParam: z.enum(Object.keys(informationKinds) as (keyof typeof informationKinds)[]),
      },
      body: changeInput,
      checks: [isCertificates, isAwaitedInput],
      resolves: repeats("body.hash", "validationResultHash", "cert_change_input_get"),
      // The vendor's own clients accept each of these.
      returns: { ...changeId, 202: changeId[200], 204: empty },
      effect: "destructive",
      guard: inputGuard,
      shownBy: {
        by: "cert_change_input_get",
        args: ({ allowedInputTypeParam: kind }) => ({
          allowedInputTypeParam: informationKinds[kind as keyof typeof informationKinds],
        }),
      },
      relatedReads: readForChange,
      rules: [...rules, "cert-input-discovered", "cert-acknowledge", "cert-hash"],
      means: {
        404: "The change is not waiting for this input now: cert_change_get lists what it waits for.",
        409: "The change has progressed: cert_change_get lists what it waits for now.",
      },
      note: "Before change-management-ack, all CA sets of the change must be on production, or the deployment does not complete. Other effects of deny are not documented.",
      example: {
        enrollmentId: 10004,
        changeId: 20004,
        allowedInputTypeParam: "free-ca-challenges-completed",
        body: { acknowledgement: "acknowledge" },
      },
    }),
    cert_change_schedule_get: op(`GET ${changeRoute}/deployment-schedule`, {
      does: "Reads when a change may be deployed to production.",
      path: ofChange,
      returns: { 200: entityMedium("deployment-schedule", "v1", Schedule) },
      ...readable,
      example: { enrollmentId: 10003, changeId: 20003 },
    }),
    cert_change_schedule_update: op(`PUT ${changeRoute}/deployment-schedule`, {
      does: "Sets when a change may be deployed to production.",
      path: ofChange,
      body: entityMedium(
        "deployment-schedule",
        "v1",
        openObject({ notBefore: Timestamp.nullish(), notAfter: Timestamp.nullish() }),
      ),
      checks: [startsBeforeEnd("body.notBefore", "body.notAfter")],
      returns: changeId,
      effect: "update",
      // Another window can delay a deployment until the present certificate has expired, or allow it too early.
      guard: scheduleGuard,
      shownBy: "cert_change_schedule_get",
      relatedReads: readForChange,
      ...readable,
      example: { enrollmentId: 10003, changeId: 20003, body: { notBefore: "{now}" } },
    }),
    cert_deployments_list: op("GET /cps/v2/enrollments/{enrollmentId}/deployments", {
      does: "Reads what is deployed on staging and on production.",
      path: ofEnrollment,
      query: { includeAll: z.boolean().optional() },
      returns: { 200: deployments(z.looseObject({ production: Deployment.nullish(), staging: Deployment.nullish() })) },
      ...readable,
      example: { enrollmentId: 10001 },
    }),
    cert_staging_deployment_get: op("GET /cps/v2/enrollments/{enrollmentId}/deployments/staging", {
      does: "Reads the certificate and network settings on staging.",
      path: ofEnrollment,
      returns: { 200: deploymentMedia(Deployment) },
      rules,
      means: undeployed("staging"),
      example: { enrollmentId: 10003 },
    }),
    cert_production_deployment_get: op("GET /cps/v2/enrollments/{enrollmentId}/deployments/production", {
      does: "Reads the certificate and network settings on production.",
      path: ofEnrollment,
      returns: { 200: deploymentMedia(Deployment) },
      rules,
      means: undeployed("production"),
      example: { enrollmentId: 10001 },
    }),
    cert_validation_history_get: op("GET /cps/v2/enrollments/{enrollmentId}/dv-history", {
      ...ofToday,
      does: "Reads how control of each name was proved: challenges, dates and errors.",
      returns: { 200: entityMedium("dv-history", "v1", ValidationHistory) },
      note: "The vendor's definition calls the list results, and its example data.",
    }),
    cert_certificate_history_get: op("GET /cps/v2/enrollments/{enrollmentId}/history/certificates", {
      ...ofToday,
      does: "Reads the certificates of an enrollment, earlier ones too, and where each is active.",
      returns: { 200: entityMedium("certificate-history", "v2", CertificateHistory) },
    }),
    cert_change_history_get: op("GET /cps/v2/enrollments/{enrollmentId}/history/changes", {
      ...ofToday,
      does: "Reads all changes of an enrollment, ended ones too: who began each, and how it ended.",
      returns: { 200: entityMedium("change-history", "v5", ChangeHistory) },
    }),
  },
});
