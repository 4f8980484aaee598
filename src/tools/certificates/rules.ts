/** What document B demands of certificates beyond paths and fields. */

export const documentRules = {
  "cert-exact-media": "Accept and Content-Type name one version of a media type exactly.",
  "cert-new-without-paths": "A new enrollment is sent without location and pendingChanges.",
  "cert-common-name": "csr.cn is required and not empty.",
  "cert-renewal": "A renewal starts by itself 90 days before the certificate expires, and is deployed by itself.",
  "cert-cancel-pending": "allow-cancel-pending-changes cancels all pending changes.",
  "cert-staging-bypass": "allow-staging-bypass pushes updates of metadata directly to production.",
  "cert-renewal-window":
    "renewal-date-check-override permits changes in the renewal window, at the risk of an expired certificate.",
  "cert-missing-certificate": "allow-missing-certificate-addition is there from version 10 of the enrollment type.",
  "cert-stacked-later": "enableMultiStackedCertificates applies from the next renewal.",
  "cert-input-discovered": "What a change takes is the last segment of its allowedInput[].update links.",
  "cert-acknowledge": "An acknowledgement is `acknowledge` or `deny`.",
  "cert-hash": "The hash identifies the state that is acknowledged, to prevent races.",
};
