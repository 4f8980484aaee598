/** The emulator's answers of today against the vendor's definitions; test/lab/emulator.ts holds every answer to them. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { record, recorded } from "../catalogue/recorded.js";
import { asToday } from "../emulator/watched.js";
import { definedFor, differencesMet } from "../lab/emulator.js";
import { holdsForEach } from "../lab/laws.js";
import { answerOf } from "../lab/outcome.js";
import { startRaw } from "../lab/raw.js";
import { answersDiffering } from "./differing.js";
import { declared } from "./facts.js";

/** The values of the arguments that the row of a route has, where its operation has several rows. */
const valuesIn = (row: string, { route }: AnyOperation): Readonly<Record<string, string>> => {
  const pattern = new RegExp(`^${route.replace(/\?.*/, "").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return Object.fromEntries(Object.entries(pattern.exec(row)?.groups ?? {}).filter(([, value]) => value !== "{}"));
};

const empty = { name: "default", behaviors: [] };
/** A rule that matches every request. */
const all = {
  name: "All",
  behaviors: [{ name: "caching", options: { behavior: "NO_STORE" } }],
  criteria: [],
  children: [],
};
/** Requests whose answers differ from the definition where those of the examples do not. */
const telling: readonly (readonly [method: string, target: string, body?: object])[] = [
  ["GET", "/cloudlets/v3/policies/9920"],
  ["PUT", "/papi/v1/includes/inc_310003/versions/1/rules?validateRules=true", { rules: { ...empty, children: [all] } }],
  ["PUT", "/papi/v1/properties/prp_175783/versions/1/rules", { rules: { ...empty, children: [] } }],
  ["PUT", "/papi/v1/properties/prp_175783/versions/1/rules", { rules: { ...empty, children: [all] } }],
  ["POST", "/papi/v1/search/find-by-value", { includeName: "draft-caching" }],
  ["POST", "/papi/v1/search/find-by-value", { hostname: "www.shop.example" }],
  ["GET", "/papi/v1/edgehostnames?contractId=ctr_C-1FRYVV3&groupId=grp_11111&options=mapDetails"],
  [
    "POST",
    "/papi/v1/bulk/rules-patch-requests?contractId=ctr_C-1FRYVV3&groupId=grp_11111",
    {
      patchPropertyVersions: [
        { propertyId: "prp_175780", propertyVersion: 3, patches: [{ op: "remove", path: "/rules/comments" }] },
      ],
    },
  ],
  ["GET", "/papi/v1/bulk/rules-patch-requests/2?contractId=ctr_C-1FRYVV3&groupId=grp_11111"],
  [
    "POST",
    "/identity-management/v3/api-clients",
    {
      ...{ clientType: "CLIENT", clientName: "Purge bot", authorizedUsers: ["rchen"], createCredential: true },
      apiAccess: { allAccessibleApis: false, apis: [{ apiId: 19, accessLevel: "READ-WRITE" }] },
      groupAccess: { cloneAuthorizedUserGroups: true },
    },
  ],
  ["GET", "/identity-management/v3/user-admin/roles?users=true"],
  ["POST", "/identity-management/v3/user-admin/ip-acl/allowlist", { cidrBlock: "192.0.2.0/28", enabled: true }],
  ["GET", "/identity-management/v3/user-admin/ip-acl/allowlist"],
  ...[
    [true, false],
    [false, true],
    [false, false],
  ].map(([showIps, showLocations]) => {
    const body = { destination: "www.shop.example", destinationType: "HOST", packetType: "ICMP", resolveDns: false };
    return ["POST", "/edge-diagnostics/v1/mtr", { ...body, showIps, showLocations }] as const;
  }),
];

it("every operation answers as its definition says", async () => {
  const calls = new Map((await recorded()).map((call) => [call.tool, call]));
  await holdsForEach(declared, async (_, route, operation, tool) => {
    const call = calls.get(tool);
    if (!call) throw new Error("It is not recorded.");
    const ofRow = isRead(operation) ? valuesIn(route, operation) : {};
    const isOther = Object.entries(ofRow).some(([name, value]) => call.args[name] !== value);
    const { outcome } = isOther ? await record(tool, { ...call.args, ...ofRow }, true) : call;
    const [method = "", path = ""] = route.split(" ");
    const statuses = Object.keys(definedFor(method, path.replaceAll("{}", "x").replace(/\?.*/, ""))?.answers ?? {});
    // The client follows a redirect, and what it finds there is the answer of another operation.
    if (!statuses.includes("302")) expect(statuses).toContain(String(answerOf(outcome).status));
  });
});

it("lists no difference that is not met", async () => {
  const raw = asToday(startRaw());
  for (const [method, target, body] of telling) await (body ? raw.send(method, target, body) : raw.get(target));
  const listed = answersDiffering.flatMap(({ differs }) => differs);
  expect(listed.filter((one) => !differencesMet.has(one))).toEqual([]);
});
