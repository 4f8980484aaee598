/** What the SaaS registration service does with applications, customers and pairs, and what it refuses. */
import { expect, it } from "vitest";
import { saasRegistration as emulated } from "../../../src/emulator/services/saas-registration/index.js";
import { createWorld, type World } from "../../../src/emulator/world.js";
import type { AnyOperation } from "../../../src/language/define.js";
import { saasRegistration as declared } from "../../../src/tools/saas-registration/index.js";
import { rule } from "../../lab/rules.js";

const { behaviours: saas } = emulated;
const start = () => createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 10) });
const query = { contractId: "C-1FRYVV3" };
const at = (surrogateId: number) => ({ path: { surrogateId }, query, headers: {}, body: undefined });
const all = { path: {}, query, headers: {}, body: undefined } as const;
const adding = <B>(body: B) => ({ path: {}, query, headers: {}, body });
const changing = <B>(surrogateId: number, body: B) => ({ path: { surrogateId }, query, headers: {}, body });
const refusal = (status: number) => expect.objectContaining({ status });
const idIn = ({ headers }: { readonly headers?: Readonly<Record<string, string>> }) =>
  Number(/\/(\d+)\/\?contractId=C-1FRYVV3$/.exec(headers?.["location"] ?? "")?.[1]);

/** Each operation with the arguments of its example, as a behaviour receives them. */
const examples = Object.entries(declared.operations as Record<string, AnyOperation>).map(([tool, { spec }]) => {
  const { contractId, body, ...path } = spec.example as Record<string, unknown>;
  const run = saas[tool as keyof typeof saas] as unknown as (
    call: unknown,
    world: World,
  ) => { status: number; body: unknown };
  return { tool, run, call: { path, query: { contractId }, headers: {}, body } };
});

rule("saas-contract-required", "refuses a contract that is not the account's, in every call", () => {
  expect(examples).toHaveLength(15);
  for (const { run, call } of examples)
    expect(() => run({ ...call, query: { contractId: "C-OTHER" } }, start())).toThrow(refusal(403));
});

rule("saas-created-location", "SaaS creation answers 201 with the Location of a unique id", () => {
  const world = start();
  const answers = [
    saas.saas_application_create(adding({ providerApplicationId: "crm" }), world),
    saas.saas_customer_create(adding({ providerCustomerId: "acme" }), world),
    saas.saas_pair_create(adding({ customerSurrogateId: 9102, applicationSurrogateId: 9002 }), world),
  ];
  for (const [index, kind] of ["applications", "customers", "pairs"].entries()) {
    const { status, headers } = answers[index] ?? expect.fail();
    expect([status, headers?.["location"]?.replace(/\d+/g, "N")]).toEqual([
      201,
      `/config-saas-registration/vN/${kind}/N/?contractId=C-NFRYVVN`,
    ]);
  }
  const ids = answers.map(idIn);
  expect(new Set([...ids, 9001, 9002, 9101, 9102, 9201]).size).toBe(8);
  const [application = 0, customer = 0, pair = 0] = ids;
  const crm = { providerApplicationId: "crm", applicationName: null, surrogateId: String(application) };
  expect(saas.saas_application_get(at(application), world).body).toEqual(crm);
  expect(saas.saas_customer_get(at(customer), world).body.surrogateId).toBe(String(customer));
  expect(saas.saas_pair_get(at(pair), world).body).toMatchObject({ surrogateId: pair, customerSurrogateId: 9102 });
});

rule("saas-modified-location", "SaaS changes answer 204 with a Location and change the item", () => {
  const world = start();
  const base = "/config-saas-registration/v1";
  const named = { providerApplicationId: "wiki", applicationName: "Encyclopaedia" };
  expect(saas.saas_application_update(changing(9001, named), world)).toEqual({
    status: 204,
    body: undefined,
    headers: { location: `${base}/applications/9001/?contractId=C-1FRYVV3` },
  });
  expect(saas.saas_application_get(at(9001), world).body).toEqual({ ...named, surrogateId: "9001" });
  expect(saas.saas_customer_update(changing(9102, { providerCustomerId: "hooli" }), world).headers).toEqual({
    location: `${base}/customers/9102/?contractId=C-1FRYVV3`,
  });
  expect(saas.saas_customer_get(at(9102), world).body.providerCustomerId).toBe("hooli");
  const pair = { customerSurrogateId: 9102, applicationSurrogateId: 9002 };
  expect(saas.saas_pair_update(changing(9201, pair), world).headers).toEqual({
    location: `${base}/pairs/9201/?contractId=C-1FRYVV3`,
  });
  expect(saas.saas_pair_get(at(9201), world).body).toEqual({ ...pair, surrogateId: 9201 });
});

rule("saas-alias", "SaaS takes the provider's id over its alias, and the alias alone", () => {
  const world = start();
  const both = idIn(
    saas.saas_application_create(adding({ providerApplicationId: "right", applicationId: "wrong" }), world),
  );
  expect(saas.saas_application_get(at(both), world).body.providerApplicationId).toBe("right");
  saas.saas_application_update(changing(both, { applicationId: "alias" }), world);
  expect(saas.saas_application_get(at(both), world).body.providerApplicationId).toBe("alias");
  const alone = idIn(saas.saas_customer_create(adding({ customerId: "old" }), world));
  saas.saas_customer_update(changing(alone, { providerCustomerId: "new", customerId: "old" }), world);
  expect(saas.saas_customer_get(at(alone), world).body.providerCustomerId).toBe("new");
});

it("a SaaS item can be removed only once no pair uses it", () => {
  const world = start();
  expect(() => saas.saas_application_delete(at(9001), world)).toThrow(refusal(409));
  expect(() => saas.saas_customer_delete(at(9101), world)).toThrow(refusal(409));
  expect(saas.saas_pair_delete(at(9201), world)).toEqual({ status: 204, body: undefined });
  expect(saas.saas_application_delete(at(9001), world).status).toBe(204);
  expect(saas.saas_customer_delete(at(9101), world).status).toBe(204);
  expect(saas.saas_applications_list(all, world).body.map(({ surrogateId }) => surrogateId)).toEqual(["9002"]);
});

it("a provider's id that another SaaS item has is refused", () => {
  const world = start();
  expect(() => saas.saas_application_create(adding({ providerApplicationId: "wiki" }), world)).toThrow(refusal(409));
  expect(() => saas.saas_customer_create(adding({ providerCustomerId: "globex" }), world)).toThrow(refusal(409));
  expect(() => saas.saas_customer_update(changing(9102, { providerCustomerId: "globex" }), world)).toThrow(
    refusal(409),
  );
  expect(saas.saas_applications_list(all, world).body).toHaveLength(2);
  expect(saas.saas_customers_list(all, world).body).toEqual(saas.saas_customers_list(all, start()).body);
  expect(saas.saas_customer_create(adding({ providerCustomerId: "wiki" }), world).status).toBe(201);
});

it("a SaaS pair of absent or swapped items is refused", () => {
  const world = start();
  for (const pair of [
    { applicationSurrogateId: 1, customerSurrogateId: 9101 },
    { applicationSurrogateId: 9001, customerSurrogateId: 1 },
    { applicationSurrogateId: 9101, customerSurrogateId: 9001 },
  ]) {
    expect(() => saas.saas_pair_create(adding(pair), world)).toThrow(refusal(400));
    expect(() => saas.saas_pair_update(changing(9201, pair), world)).toThrow(refusal(400));
  }
  expect(saas.saas_pairs_list(all, world).body).toEqual(saas.saas_pairs_list(all, start()).body);
});

it("answers 404 for an id that there is not, and for one of another kind", () => {
  const onOne = examples.filter(({ call }) => "surrogateId" in call.path);
  expect(onOne).toHaveLength(9);
  for (const { tool, run, call } of onOne)
    for (const surrogateId of [1, tool.includes("pair") ? 9001 : 9201])
      expect(() => run({ ...call, path: { surrogateId } }, start()), tool).toThrow(refusal(404));
});
