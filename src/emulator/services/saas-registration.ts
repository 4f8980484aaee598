/** SaaS registration: applications, customers and pairs, whose surrogate ids come from one sequence. */
import type { Behaviours } from "../../api/behaviour.js";
import { saasRegistration as declared } from "../../tools/saas-registration.js";
import { problemDetails, Refusal } from "../problem.js";
import { emulated } from "../service.js";
import type { World } from "../world.js";
import { mainContractId } from "./account.js";

type Kind = "applications" | "customers" | "pairs";
interface Named {
  readonly surrogateId: number;
  readonly providerId: string;
  readonly name: string | null;
}
interface Pair {
  readonly surrogateId: number;
  readonly applicationSurrogateId: number;
  readonly customerSurrogateId: number;
}
interface State {
  readonly applications: Map<number, Named>;
  readonly customers: Map<number, Named>;
  readonly pairs: Map<number, Pair>;
}

const named = (surrogateId: number, providerId: string, name: string | null): [number, Named] => [
  surrogateId,
  { surrogateId, providerId, name },
];

const state = (world: World): State =>
  world.state("saas-registration", () => ({
    applications: new Map([named(9001, "wiki", "Wiki"), named(9002, "board", null)]),
    customers: new Map([named(9101, "globex", "Globex"), named(9102, "initech", null)]),
    pairs: new Map([[9201, { surrogateId: 9201, applicationSurrogateId: 9001, customerSurrogateId: 9101 }]]),
  }));

/** The state of the contract that a call names, which must belong to the account. */
function stateOf(world: World, { contractId }: { readonly contractId: string }): State {
  if (contractId !== mainContractId)
    throw new Refusal(403, "Forbidden", `The contract ${contractId} is not one of this client's`);
  return state(world);
}

function find<T>(items: Map<number, T>, id: number): T {
  const item = items.get(id);
  if (item === undefined) throw new Refusal(404, "Not Found", `There is no item ${id}`);
  return item;
}

const location = (kind: Kind, id: number): { readonly location: string } => ({
  location: `/config-saas-registration/v1/${kind}/${id}/?contractId=${mainContractId}`,
});
const created = (kind: Kind, id: number) => ({ status: 201, body: undefined, headers: location(kind, id) }) as const;
const modified = (kind: Kind, id: number) => ({ status: 204, body: undefined, headers: location(kind, id) }) as const;

function put(items: Map<number, Named>, surrogateId: number, providerId: string, name: string | null): void {
  const duplicate = [...items.values()].find(
    (item) => item.providerId === providerId && item.surrogateId !== surrogateId,
  );
  if (duplicate) throw new Refusal(409, "Conflict", `${providerId} is registered already, as ${duplicate.surrogateId}`);
  items.set(surrogateId, { surrogateId, providerId, name });
}

function putPair({ applications, customers, pairs }: State, pair: Pair): void {
  if (!applications.has(pair.applicationSurrogateId))
    throw new Refusal(400, "Bad Request", `There is no application ${pair.applicationSurrogateId}`);
  if (!customers.has(pair.customerSurrogateId))
    throw new Refusal(400, "Bad Request", `There is no customer ${pair.customerSurrogateId}`);
  pairs.set(pair.surrogateId, pair);
}

function removeUnpaired({ pairs }: State, items: Map<number, Named>, id: number): void {
  find(items, id);
  const isPaired = [...pairs.values()].some(
    (pair) => pair.applicationSurrogateId === id || pair.customerSurrogateId === id,
  );
  if (isPaired) throw new Refusal(409, "Conflict", `${id} is part of a pair`);
  items.delete(id);
}

const nextId = (world: World): number => world.next("saas surrogate", 9_300);
const asApplication = ({ surrogateId, providerId, name }: Named) => ({
  providerApplicationId: providerId,
  applicationName: name,
  surrogateId: String(surrogateId),
});
const asCustomer = ({ surrogateId, providerId, name }: Named) => ({
  providerCustomerId: providerId,
  customerName: name,
  surrogateId: String(surrogateId),
});

const behaviours: Behaviours<typeof declared, World> = {
  saas_applications_list: ({ query }, world) => ({
    status: 200,
    body: [...stateOf(world, query).applications.values()].map(asApplication),
  }),
  saas_application_create: ({ query, body }, world) => {
    const { applications } = stateOf(world, query);
    const id = nextId(world);
    put(applications, id, body.providerApplicationId ?? body.applicationId ?? "", body.applicationName ?? null);
    return created("applications", id);
  },
  saas_application_get: ({ path, query }, world) => ({
    status: 200,
    body: asApplication(find(stateOf(world, query).applications, path.surrogateId)),
  }),
  saas_application_update: ({ path, query, body }, world) => {
    const { applications } = stateOf(world, query);
    const { name } = find(applications, path.surrogateId);
    put(
      applications,
      path.surrogateId,
      body.providerApplicationId ?? body.applicationId ?? "",
      body.applicationName ?? name,
    );
    return modified("applications", path.surrogateId);
  },
  saas_application_delete: ({ path, query }, world) => {
    const all = stateOf(world, query);
    removeUnpaired(all, all.applications, path.surrogateId);
    return { status: 204, body: undefined };
  },

  saas_customers_list: ({ query }, world) => ({
    status: 200,
    body: [...stateOf(world, query).customers.values()].map(asCustomer),
  }),
  saas_customer_create: ({ query, body }, world) => {
    const { customers } = stateOf(world, query);
    const id = nextId(world);
    put(customers, id, body.providerCustomerId ?? body.customerId ?? "", body.customerName ?? null);
    return created("customers", id);
  },
  saas_customer_get: ({ path, query }, world) => ({
    status: 200,
    body: asCustomer(find(stateOf(world, query).customers, path.surrogateId)),
  }),
  saas_customer_update: ({ path, query, body }, world) => {
    const { customers } = stateOf(world, query);
    const { name } = find(customers, path.surrogateId);
    put(customers, path.surrogateId, body.providerCustomerId ?? body.customerId ?? "", body.customerName ?? name);
    return modified("customers", path.surrogateId);
  },
  saas_customer_delete: ({ path, query }, world) => {
    const all = stateOf(world, query);
    removeUnpaired(all, all.customers, path.surrogateId);
    return { status: 204, body: undefined };
  },

  saas_pairs_list: ({ query }, world) => ({
    status: 200,
    body: [...stateOf(world, query).pairs.values()].map((pair) => ({ ...pair })),
  }),
  saas_pair_create: ({ query, body }, world) => {
    const all = stateOf(world, query);
    const surrogateId = nextId(world);
    putPair(all, { surrogateId, ...body });
    return created("pairs", surrogateId);
  },
  saas_pair_get: ({ path, query }, world) => ({
    status: 200,
    body: { ...find(stateOf(world, query).pairs, path.surrogateId) },
  }),
  saas_pair_update: ({ path, query, body }, world) => {
    const all = stateOf(world, query);
    find(all.pairs, path.surrogateId);
    putPair(all, { surrogateId: path.surrogateId, ...body });
    return modified("pairs", path.surrogateId);
  },
  saas_pair_delete: ({ path, query }, world) => {
    const { pairs } = stateOf(world, query);
    find(pairs, path.surrogateId);
    pairs.delete(path.surrogateId);
    return { status: 204, body: undefined };
  },
};

export const saasRegistration = emulated(declared, {
  behaviours,
  errorFormat: problemDetails("/config-saas-registration/error-types"),
});
