/** The media types of the certificate service, operation by operation, as the public facts have them (B, 1.1 and 1.2). */
import { expect, it } from "vitest";
import { validateArguments } from "../../src/schema/arguments.js";
import { informationKinds } from "../../src/tools/certificates/change.js";
import { certificates } from "../../src/tools/certificates/index.js";
import { resolveRequest } from "../../src/wire/request.js";
import { startRaw } from "../lab/raw.js";
import { rule } from "../lab/rules.js";
import { rowsOf } from "../lab/tables.js";

const target = { origin: "https://host.example", vendor: "akamai" };
const type = (entity: string, version: string) => `application/vnd.akamai.cps.${entity}.${version}+json`;
const { operations } = certificates;
type Tool = keyof typeof operations;

async function headersOf(tool: Tool, more: object = {}) {
  const operation = operations[tool];
  const args = { ...operation.spec.example, ...more };
  const written = JSON.parse(JSON.stringify(args).replaceAll("{now}", "2026-05-20T12:00:00Z")) as object;
  const { headers, url } = await resolveRequest(tool, operation, validateArguments(tool, operation, written), target);
  return { accept: headers["accept"], contentType: headers["content-type"], path: url.pathname };
}
const each = (count: number) => Array.from({ length: count }, (_, at) => `v${at + 1}`);

const media = <Row extends readonly unknown[]>(what: string) => rowsOf<Row>("catalogue/certificate-media.tsv", what);
/** What an operation asks for: an entity, the number of its versions, and the one that is asked for by default. */
const accepted = media<[Tool, entity: string, versions: number, byDefault: string]>("accepted");
const fixed = media<[Tool, accept: string, contentType: string | null]>("fixed");
/** Kind of information to its segment on the wire, its entity and its versions, the default first. */
const kinds = media<[kind: string, segment: string, entity: string, versions: readonly string[]]>("information");
const inputs = media<[kind: string, segment: string, body: object, contentType: string]>("input");

it("every operation asks for its entity, in each of its versions", async () => {
  for (const [tool, entity, count, byDefault] of accepted) {
    expect((await headersOf(tool)).accept).toBe(type(entity, byDefault));
    for (const version of each(count)) expect((await headersOf(tool, { version })).accept).toBe(type(entity, version));
    const beyond = headersOf(tool, { version: `v${count + 1}` });
    await expect(beyond).rejects.toMatchObject({ code: "invalid_input" });
  }
  const whole = (entity: string | null) => (entity === null ? undefined : `application/vnd.akamai.cps.${entity}+json`);
  for (const [tool, accept, contentType] of fixed)
    expect(await headersOf(tool)).toMatchObject({ accept: whole(accept), contentType: whole(contentType) });
  const listed = [...accepted, ...fixed].map(([tool]) => tool);
  const missing = Object.keys(operations).filter((tool) => !listed.includes(tool as Tool));
  expect(missing).toEqual(["cert_change_input_get", "cert_change_input_submit"]);
});

it("sends an enrollment in any version", async () => {
  expect((await headersOf("cert_enrollment_create", { version: "v4" })).contentType).toBe(type("enrollment", "v4"));
  const { body } = operations.cert_enrollment_create.spec.example as { body: { networkConfiguration: object } };
  const { sni: _, ...network } = body.networkConfiguration as Record<string, unknown>;
  for (const version of each(11)) {
    // Geographies came with version 3.
    const { geography: __, ...old } = network;
    const sent = { ...body, networkConfiguration: ["v1", "v2"].includes(version) ? old : network };
    expect((await headersOf("cert_enrollment_update", { version, body: sent })).contentType).toBe(
      type("enrollment", version),
    );
  }
  // Members that only other versions have are left to the API to refuse; a note says that they are not of this version.
  const strays = [
    ["v6", { ...network, sniOnly: true }, "sniOnly"],
    ["v7", { ...network, sni: null }, "sni"],
  ] as const;
  for (const [version, networkConfiguration, name] of strays) {
    const args = { version, body: { ...body, networkConfiguration } };
    expect((await headersOf("cert_enrollment_update", args)).contentType).toBe(type("enrollment", version));
    const { notes } = validateArguments("cert_enrollment_update", operations.cert_enrollment_update, {
      enrollmentId: 10_001,
      ...args,
    });
    expect(notes).toEqual([`Undocumented, sent as given: body.networkConfiguration.${name}.`]);
  }
});

it("asks for each kind of information as its entity, in each version", async () => {
  for (const [kind, segment, entity, versions] of kinds) {
    const at = { allowedInputTypeParam: kind };
    const byDefault = await headersOf("cert_change_input_get", at);
    expect(byDefault).toMatchObject({ accept: type(entity, versions[0] ?? "") });
    expect(byDefault.path.endsWith(`/input/info/${segment}`)).toBe(true);
    for (const version of versions.length === 1 ? [] : versions)
      expect((await headersOf("cert_change_input_get", { ...at, version })).accept).toBe(type(entity, version));
  }
  for (const version of ["v3", "v6", "v7"]) {
    const at = { allowedInputTypeParam: "change-management-info", version: `deployment.${version}` };
    expect((await headersOf("cert_change_input_get", at)).accept).toBe(type("deployment", version));
  }
});

it("sends each kind of input to its segment in its medium", async () => {
  for (const [kind, segment, body, contentType] of inputs) {
    const sent = await headersOf("cert_change_input_submit", { allowedInputTypeParam: kind, body });
    const medium = `application/vnd.akamai.cps.${contentType}+json`;
    expect([kind, sent]).toMatchObject([kind, { accept: type("change-id", "v1"), contentType: medium }]);
    expect(sent.path.endsWith(`/input/update/${segment}`)).toBe(true);
  }
  expect(Object.keys(informationKinds).sort()).toEqual([...new Set(inputs.map(([kind]) => kind))].sort());
  expect(Object.values(informationKinds).sort()).toEqual(kinds.map(([kind]) => kind).sort());
});

rule("cert-exact-media", "certificates: any other media type or unknown version is refused", async () => {
  const { ask } = startRaw();
  const one = "/cps/v2/enrollments/10001";
  const statusOf = async (accept: string) => (await ask({ target: one, headers: { accept } })).status;
  expect(await statusOf(type("enrollment", "v11"))).toBe(200);
  for (const accept of ["application/json", type("enrollment", "v12"), type("enrollments", "v4")])
    expect([accept, await statusOf(accept)]).toEqual([accept, 406]);
  const schedule = { method: "PUT", target: `${one}/changes/20001/deployment-schedule`, body: "{}" };
  const contentType = "application/json";
  expect((await ask({ ...schedule, headers: { "content-type": contentType } })).status).toBe(415);
});
