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
  "POST /edge-diagnostics/v1/content-problems": [
    "202: content.0.result.exitCode",
    "emulator: 400 192.0.2.9 is not an edge address",
  ],
  // Passwords come from files, so the arguments name those in place of a body.
  "POST /identity-management/v3/user-admin/ui-identities/{uiIdentityId}/set-password": ["request: body"],
  "POST /identity-management/v3/user-profile/change-password": ["request: body"],
  // What the other examples name does not exist in the emulator's account.
  "POST /edge-diagnostics/v1/metadata-tracer": ["emulator: 400 192.0.2.12 is not an edge address"],
  "POST /edge-diagnostics/v1/mtr": ["emulator: 400 192.0.2.9 is not an edge address"],
  "PATCH /papi/v1/includes/{includeId}/versions/{includeVersion}/rules": [
    'emulator: 400 patch[1].path: an existing location; the longest existing part is "/rules/children"',
  ],
  "PATCH /papi/v1/properties/{propertyId}/versions/{propertyVersion}/hostnames": [
    "emulator: 400 There is no edge hostname example.com.edgesuite.net for m.example.com",
  ],
  "PUT /papi/v1/properties/{propertyId}/versions/{propertyVersion}/hostnames": [
    "emulator: 400 There is no edge hostname example.com.edgekey.net for m.example.com",
  ],
  "POST /cloudlets/v3/policies": ["emulator: 400 There is no group 5"],
  "PUT /cloudlets/v3/policies/{policyId}": ["emulator: 400 There is no group 5"],
  "POST /cloudlets/v3/policies/{policyId}/clone": ["emulator: 400 Policy Version `3` not found in Policy `1001`."],
  "POST /identity-management/v3/user-admin/roles": ["emulator: 400 There is no granted role 2051"],
  // The example of a body is of another object than that of the path.
  "POST /config-dns/v2/zones/{zone}/names/{name}/types/{type}": [
    "emulator: 400 The body is of www.example.com A, but the path of shop.example.com A",
  ],
  "PUT /config-dns/v2/zones/{zone}": ["emulator: 400 The body is of another zone than the path"],
  // The example of a master file is of another zone, and has lost the ends of its lines.
  "POST /config-dns/v2/changelists/{zone}/recordsets": [
    'emulator: 400 The zone file was refused: "example.com.        10000    IN SOA ns1.akamaidns.com. webmaster.example.com… (395 characters): at line 1 a name in shop.example, but this one is example.com.',
  ],
  "POST /config-dns/v2/zones/{zone}/zone-file": [
    'emulator: 400 The zone file was refused: "example.com.        10000    IN SOA ns1.akamaidns.com. webmaster.example.com… (395 characters): at line 1 a name in shop.example, but this one is example.com.',
  ],
};
