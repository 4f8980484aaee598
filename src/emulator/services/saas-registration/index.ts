/** SaaS registration: applications, customers and pairs, whose surrogate ids come from one sequence. */
import type { Call } from "../../../language/behaviour.js";
import { saasRegistration as declared } from "../../../tools/saas-registration/index.js";
import { badRequest, conflict, created, forbidden, noContent, ok, orNotFound, problemDetails } from "../../reply.js";
import { emulated } from "../../service.js";
import type { World } from "../../world.js";
import { mainContractId } from "../account.js";

interface Item {
  readonly surrogateId: number;
}
interface Named extends Item {
  readonly providerId: string;
  readonly name: string | null;
}
interface Pair extends Item {
  readonly applicationSurrogateId: number;
  readonly customerSurrogateId: number;
}
interface State {
  readonly applications: Map<number, Named>;
  readonly customers: Map<number, Named>;
  readonly pairs: Map<number, Pair>;
}

const bySurrogateId = <T extends Item>(items: readonly T[]): Map<number, T> =>
  new Map(items.map((item) => [item.surrogateId, item]));
const named = (surrogateId: number, providerId: string, name: string | null): Named => ({
  surrogateId,
  providerId,
  name,
});

const state = (world: World): State =>
  world.state("saas-registration", () => ({
    applications: bySurrogateId([named(9001, "wiki", "Wiki"), named(9002, "board", null)]),
    customers: bySurrogateId([named(9101, "globex", "Globex"), named(9102, "initech", null)]),
    pairs: bySurrogateId([{ surrogateId: 9201, applicationSurrogateId: 9001, customerSurrogateId: 9101 }]),
  }));

/** The state of the contract that a call names, which must belong to the account. */
function stateOf(world: World, { contractId }: { readonly contractId: string }): State {
  if (contractId !== mainContractId) throw forbidden(`The contract ${contractId} is not one of this client's`);
  return state(world);
}

const find = <T>(items: Map<number, T>, id: number): T => orNotFound(items.get(id), `There is no item ${id}`);

const location = (kind: keyof State, id: number): { readonly location: string } => ({
  location: `/config-saas-registration/v1/${kind}/${id}/?contractId=${mainContractId}`,
});
function put(items: Map<number, Named>, surrogateId: number, providerId: string, name: string | null): void {
  const duplicate = [...items.values()].find(
    (item) => item.providerId === providerId && item.surrogateId !== surrogateId,
  );
  if (duplicate) throw conflict(`${providerId} is registered already, as ${duplicate.surrogateId}`);
  items.set(surrogateId, { surrogateId, providerId, name });
}

function putPair({ applications, customers, pairs }: State, pair: Pair): void {
  if (!applications.has(pair.applicationSurrogateId))
    throw badRequest(`There is no application ${pair.applicationSurrogateId}`);
  if (!customers.has(pair.customerSurrogateId)) throw badRequest(`There is no customer ${pair.customerSurrogateId}`);
  pairs.set(pair.surrogateId, pair);
}

function removeUnpaired({ pairs }: State, items: Map<number, Named>, id: number): void {
  find(items, id);
  const isPaired = [...pairs.values()].some(
    (pair) => pair.applicationSurrogateId === id || pair.customerSurrogateId === id,
  );
  if (isPaired) throw conflict(`${id} is part of a pair`);
  items.delete(id);
}

const nextId = (world: World): number => world.next("saas surrogate", 9_300);

type Operations = (typeof declared)["operations"];
type Application = Call<Operations["saas_application_update"]>["body"];
type Customer = Call<Operations["saas_customer_update"]>["body"];

interface OfContract {
  readonly query: { readonly contractId: string };
}
interface OfOne extends OfContract {
  readonly path: { readonly surrogateId: number };
}

/** The life that applications and customers share; only the names of their members differ. */
const registered = <B, R>(
  kind: "applications" | "customers",
  read: (body: B) => { readonly providerId: string | undefined; readonly name: string | null | undefined },
  shown: (one: Named) => R,
) => ({
  list: ({ query }: OfContract, world: World) => ok([...stateOf(world, query)[kind].values()].map(shown)),
  create: ({ query, body }: OfContract & { readonly body: B }, world: World) => {
    const items = stateOf(world, query)[kind];
    const id = nextId(world);
    const { providerId = "", name = null } = read(body);
    put(items, id, providerId, name);
    return created(undefined, location(kind, id));
  },
  get: ({ path, query }: OfOne, world: World) => ok(shown(find(stateOf(world, query)[kind], path.surrogateId))),
  update: ({ path, query, body }: OfOne & { readonly body: B }, world: World) => {
    const items = stateOf(world, query)[kind];
    const stored = find(items, path.surrogateId);
    const { providerId = "", name } = read(body);
    put(items, path.surrogateId, providerId, name ?? stored.name);
    return noContent(location(kind, path.surrogateId));
  },
  remove: ({ path, query }: OfOne, world: World) => {
    const all = stateOf(world, query);
    removeUnpaired(all, all[kind], path.surrogateId);
    return noContent();
  },
});
const applications = registered(
  "applications",
  (body: Application) => ({ providerId: body.providerApplicationId ?? body.applicationId, name: body.applicationName }),
  ({ surrogateId: id, providerId, name }) => {
    return { providerApplicationId: providerId, applicationName: name, surrogateId: String(id) };
  },
);
const customers = registered(
  "customers",
  (body: Customer) => ({ providerId: body.providerCustomerId ?? body.customerId, name: body.customerName }),
  ({ surrogateId: id, providerId, name }) => {
    return { providerCustomerId: providerId, customerName: name, surrogateId: String(id) };
  },
);

export const saasRegistration = emulated(declared, problemDetails("/config-saas-registration/error-types"), {
  saas_applications_list: applications.list,
  saas_application_create: applications.create,
  saas_application_get: applications.get,
  saas_application_update: applications.update,
  saas_application_delete: applications.remove,

  saas_customers_list: customers.list,
  saas_customer_create: customers.create,
  saas_customer_get: customers.get,
  saas_customer_update: customers.update,
  saas_customer_delete: customers.remove,

  saas_pairs_list: ({ query }, world) => ok([...stateOf(world, query).pairs.values()].map((pair) => ({ ...pair }))),
  saas_pair_create: ({ query, body }, world) => {
    const all = stateOf(world, query);
    const surrogateId = nextId(world);
    putPair(all, { surrogateId, ...body });
    return created(undefined, location("pairs", surrogateId));
  },
  saas_pair_get: ({ path, query }, world) => ok({ ...find(stateOf(world, query).pairs, path.surrogateId) }),
  saas_pair_update: ({ path, query, body }, world) => {
    const all = stateOf(world, query);
    find(all.pairs, path.surrogateId);
    putPair(all, { surrogateId: path.surrogateId, ...body });
    return noContent(location("pairs", path.surrogateId));
  },
  saas_pair_delete: ({ path, query }, world) => {
    const { pairs } = stateOf(world, query);
    find(pairs, path.surrogateId);
    pairs.delete(path.surrogateId);
    return noContent();
  },
});
