/** What the property service does on the wire beyond one request: a redirect, stamps in headers. */
import { expect, it } from "vitest";
import { checkArguments } from "../../../src/arguments/index.js";
import type { AnyOperation } from "../../../src/language/define.js";
import { properties } from "../../../src/tools/properties/index.js";
import { createClient } from "../../../src/wire/index.js";
import { resolveRequest } from "../../../src/wire/request.js";
import { rule } from "../../lab/rules.js";
import { sendingWithin } from "../../wire/sending.js";

const origin = "https://host.example";
const operationOf = (tool: string): AnyOperation => {
  const found = (properties.operations as Readonly<Record<string, AnyOperation>>)[tool];
  if (!found) throw new Error(`no operation ${tool}`);
  return found;
};
async function* bytes(text: string) {
  yield new TextEncoder().encode(text);
}

it("follows the redirect of the newest version to the version itself", async () => {
  const link = "/papi/v0/properties/prp_173136/versions/2?contractId=ctr_1-1TJZH5&groupId=grp_15225";
  const version = { propertyId: "prp_173136", propertyName: "example.com", versions: { items: [] } };
  const sent: string[] = [];
  const client = createClient({
    send: async ({ url }) => {
      sent.push(url.pathname + url.search);
      const headers = { "content-type": "application/json" };
      return sent.length === 1
        ? { status: 302, headers: { ...headers, location: link }, body: bytes(JSON.stringify({ versionLink: link })) }
        : { status: 200, headers, body: bytes(JSON.stringify(version)) };
    },
    target: { origin, vendor: "akamai" },
    authorize: () => ({}),
    maxResponseBytes: 1_000_000,
  });
  const tool = "property_latest_version_get";
  const operation = operationOf(tool);
  const request = await client.resolve(tool, operation, checkArguments(tool, operation, { propertyId: "173136" }));
  const reply = await client.call(tool, "properties", operation, request, sendingWithin(5_000));
  expect(sent).toEqual(["/papi/v0/properties/prp_173136/versions/latest", link]);
  expect(reply).toMatchObject({ status: 200, body: version, notes: [] });
});

it("If-Match has a stamp in double quotes, given with or without them", async () => {
  const tool = "property_hostnames_replace";
  const operation = operationOf(tool);
  for (const ifMatch of ["6aed41", '"6aed41"']) {
    const args = checkArguments(tool, operation, { ...operation.spec.example, ifMatch });
    const { headers } = await resolveRequest(tool, operation, args, { origin, vendor: "akamai" });
    expect(headers["if-match"]).toBe('"6aed41"');
  }
});

rule("property-prefixes", "Ids are taken with and without their prefixes and sent with them", async () => {
  const kinds = {
    property_cpcode_get: { cpcodeId: "cpc_12345", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
    property_edge_hostname_get: { edgeHostnameId: "ehn_1682", contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" },
    property_activation_get: { propertyId: "prp_175780", activationId: "atv_5001" },
    property_rule_schema_get: { productId: "prd_Alta", ruleFormat: "latest" },
  };
  for (const [tool, args] of Object.entries(kinds)) {
    const operation = operationOf(tool);
    const bare = Object.fromEntries(Object.entries(args).map(([name, id]) => [name, id.replace(/^[a-z]{3}_/, "")]));
    const [one, other] = await Promise.all(
      [args, bare].map((given) =>
        resolveRequest(tool, operation, checkArguments(tool, operation, given), { origin, vendor: "akamai" }),
      ),
    );
    expect(other?.url.href).toBe(one?.url.href);
    for (const id of Object.values(args)) expect(one?.url.href).toContain(id);
  }
  const tool = "property_get";
  for (const propertyId of ["grp_12345", "prp_", "prp_12a", "atv_1", "prp_prp_1"])
    expect(() => checkArguments(tool, operationOf(tool), { propertyId })).toThrow("propertyId");
});
