/** Where today's declarations and the emulator's answers differ from the vendor's definitions, each with its reason. */

/** Of declarations: what `definitions.test.ts` finds, by tool. */
export const differing: Readonly<Record<string, readonly string[]>> = {
  // Passwords come from files, so the arguments name those in place of a body.
  user_password_set: ["a body is not taken"],
  user_profile_password_update: ["a body is not taken"],
};

interface AnswerDifference {
  readonly why: string;
  /** The routes with their statuses. */
  readonly at: RegExp;
  /** Each the place in the body, and how it differs there. */
  readonly differs: readonly string[];
}

/** Of answers: where the emulator's differ, in any test; `answers.today.test.ts` meets each of them. */
export const answersDiffering: readonly AnswerDifference[] = [
  {
    why: "The definition has the shape of one application; its own example, and the vendor's clients, have a list of them.",
    at: /^GET \/cloudlets\/v3\/cloudlet-info 200$/,
    differs: ["is not of the type object"],
  },
  {
    why: "The definition repeats the outer members in each error; its own examples have title and detail there.",
    at: /\/cloudlets\/v3\/.* 4\d\d$/,
    differs: ['errors.* has "detail", which is not defined', "errors.* lacks instance, status, type"],
  },
  {
    why: "Nothing follows the last page.",
    at: /^GET \/papi\/v1\/hostnames 200$/,
    differs: ["hostnames lacks nextLink"],
  },
  {
    why: "A hostname that is on one network only is nothing on the other.",
    at: /^GET \/papi\/v1\/properties\/{}\/hostnames\/diff 200$/,
    differs: [
      "hostnames.items.* lacks productionCertType, productionCnameTo, productionCnameType, productionEdgeHostnameId",
    ],
  },
  {
    why: "The vendor's clients read both beside the rules; the definition leaves them out.",
    at: /\/papi\/v1\/(properties|includes)\/{}\/versions\/{}\/rules 200$/,
    differs: [
      'has "errors", which is not defined',
      'has "warnings", which is not defined',
      'has "errors", "warnings", which is not defined',
    ],
  },
  {
    why: "The definition describes an item twice, one in the other, and only the inner one has these members.",
    at: /^POST \/papi\/v1\/search\/find-by-value 200$/,
    differs: [
      'versions.items.* has "includeVersion", which is not defined',
      'versions.items.* has "hostname", which is not defined',
    ],
  },
  {
    why: "The query can ask for the details of the map; the definition shows no answer to that.",
    at: /^GET \/papi\/v1\/edgehostnames(\/{})? 200$/,
    differs: ['edgeHostnames.items.* has "mapDetails:serialNumber", "mapDetails:mapDomain", which is not defined'],
  },
  {
    why: "A patch that removes has no value.",
    at: /^GET \/papi\/v1\/bulk\/rules-patch-requests\/{} 200$/,
    differs: ["patchPropertyVersions.*.patches.* lacks value"],
  },
  {
    why: "A JSON Schema has a media type of its own, which the API of the documents sends.",
    at: /^GET \/papi\/v1\/schemas\/.* 200$/,
    differs: ["body is application/schema+json"],
  },
  {
    why: "The definition says that the answer has the password, and shows no member for it.",
    at: /^POST \/identity-management\/v3\/user-admin\/ui-identities 201$/,
    differs: ['has "newPassword", which is not defined'],
  },
  {
    why: "The secret of a new credential is shown this once, as the vendor's clients read it.",
    at: /^POST \/identity-management\/v3\/api-clients 201$/,
    differs: ['credentials.* has "clientSecret", which is not defined'],
  },
  {
    why: "Who has never signed in has no time of it.",
    at: /^GET \/identity-management\/v3\/user-admin\/roles 200$/,
    differs: ["*.users.* lacks lastLoginDate"],
  },
  {
    why: "A block that was given no comment has none; the vendor's clients have null there.",
    at: /^GET \/identity-management\/v3\/user-admin\/ip-acl\/allowlist 200$/,
    differs: ["* lacks comments"],
  },
  {
    why: "Before the parts of a diagnostic have run there are none, of which the definition has at least one each.",
    at: /\/edge-diagnostics\/v1\/(content|connectivity)-problems.* 20[02]$/,
    differs: ["connectivity does not fit", "content does not fit", "logLines does not fit"],
  },
  {
    why: "A request can leave out the addresses and the places of the hops, and the definition requires both.",
    at: /^POST \/edge-diagnostics\/v1\/mtr 200$/,
    differs: ["result.hops.* lacks ip", "result.hops.* lacks ipLocation", "result.hops.* lacks ip, ipLocation"],
  },
];

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
