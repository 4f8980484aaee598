/** Where today's declarations and the emulator's answers differ from the vendor's definitions, each with its reason. */

/** Of declarations: what `definitions.test.ts` finds, by tool. */
export const differing: Readonly<Record<string, readonly string[]>> = {
  // Passwords come from files, so the arguments name those in place of a body.
  user_password_set: ["a body is not taken"],
  user_profile_password_update: ["a body is not taken"],
};

/** Of answers: what `answers.test.ts` finds, by tool. */
export const answersDiffering: Readonly<Record<string, readonly string[]>> = {
  // The definition has the shape of one application; its own example, and the vendor's clients, have a list of them.
  sharedpolicy_applications_list: ["body is not of the type object"],
  // Nothing follows the last page.
  property_account_hostnames_list: ["body.hostnames lacks nextLink"],
  // A hostname that is on one network only is nothing on the other.
  property_hostname_differences_list: [
    "body.hostnames.items.0 lacks productionCertType, productionCnameTo, productionCnameType, productionEdgeHostnameId",
  ],
  // The definition says that the answer has the password, and shows no member for it.
  user_create: ['body has "newPassword", which is not defined'],
};

/** Of the vendor's examples: what `examples.test.ts` finds, by route. */
export const misfittingExamples: Readonly<Record<string, readonly string[]>> = {
  // The definition requires the exit code of a request, and its own examples lack it.
  "GET /edge-diagnostics/v1/connectivity-problems/requests/{requestId}": ["200: content.0.result.exitCode"],
  "GET /edge-diagnostics/v1/url-health-check/requests/{requestId}": ["200: content.0.result.exitCode"],
  "POST /edge-diagnostics/v1/content-problems": ["202: content.0.result.exitCode"],
  // Passwords come from files, so the arguments name those in place of a body.
  "POST /identity-management/v3/user-admin/ui-identities/{uiIdentityId}/set-password": ["request: body"],
  "POST /identity-management/v3/user-profile/change-password": ["request: body"],
};
