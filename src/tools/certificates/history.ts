/** The history of an enrollment: the validation of its names, its certificates, and its changes (the vendor's definition). */
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { nullishText, Validation } from "./change.js";

export const ValidationHistory = z.looseObject({
  results: z.array(z.looseObject({ domain: z.string(), domainHistory: z.array(Validation) })).optional(),
});

const Certificate = z.looseObject(members(nullishText, "certificate", "trustChain", "keyAlgorithm", "expiry"));
export const CertificateHistory = z.looseObject({
  certificates: z.array(
    z.looseObject({
      type: z.string(),
      ...members(z.string().describe("active or inactive"), "deploymentStatus", "stagingStatus"),
      ...members(nullishText, "ra", "geography"),
      slots: z.array(z.int()).nullish(),
      primaryCertificate: Certificate.nullish(),
      multiStackedCertificates: z.array(Certificate).nullish(),
    }),
  ),
});

const Requested = z.looseObject(members(nullishText, "csr", "certificate", "trustChain", "keyAlgorithm"));
export const ChangeHistory = z.looseObject({
  changes: z.array(
    z.looseObject({
      action: z
        .string()
        .describe("import-certificate, new-certificate, renew, modify-san or update-network-configuration"),
      status: z.string().describe("incomplete, cancelled or completed"),
      ...members(nullishText, "actionDescription", "createdBy", "createdOn", "lastUpdated", "ra", "businessCaseId"),
      primaryCertificate: Requested.nullish(),
      primaryCertificateOrderDetails: z.looseObject({ orderId: nullishText }).nullish(),
      multiStackedCertificates: z.array(Requested).nullish(),
    }),
  ),
});
