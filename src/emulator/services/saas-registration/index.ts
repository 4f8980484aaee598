/** SaaS registration: applications, customers and pairs, whose surrogate ids come from one sequence. */
import { saasRegistration as declared } from "../../../tools/saas-registration/index.js";
import type { Call } from "../../behaviour.js";
import { collection } from "../../primitives/collection.js";
import { Store } from "../../primitives/store.js";
import { badRequest, conflict, created, forbidden, noContent, ok, problemDetails } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { mainContractId } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

interface RegisteredItem {
  readonly surrogateId: number;
  readonly providerId: string;
  readonly name: string | null;
}
interface Pair {
  readonly surrogateId: number;
  readonly applicationSurrogateId: number;
  readonly customerSurrogateId: number;
}

const storeOf = <T extends RegisteredItem | Pair>(all: readonly T[]) =>
  new Store<T>("surrogateId", (id) => `There is no item ${id}`, all);
const stateOf = (world: World) =>
  world.state("saas-registration", () => ({
    applications: storeOf<RegisteredItem>(seeds.applications),
    customers: storeOf<RegisteredItem>(seeds.customers),
    pairs: storeOf<Pair>(seeds.pairs),
  }));
type Kind = keyof ReturnType<typeof stateOf>;

/** The items of a kind under the contract that a call names, which must belong to the account. */
const itemsOf =
  <K extends Kind>(kind: K) =>
  (world: World, _: object, { contractId }: { readonly contractId: string }) => {
    if (contractId !== mainContractId) throw forbidden(`The contract ${contractId} is not one of this client's`);
    return stateOf(world)[kind];
  };
/** What all kinds share: the path of an item, and its address, which creations and updates answer with. */
const sharedMembers = <T extends RegisteredItem | Pair>(kind: Kind) => ({
  id: ({ surrogateId }: { readonly surrogateId: number }) => surrogateId,
  headers: ({ surrogateId }: T) => ({
    location: `/config-saas-registration/v1/${kind}/${surrogateId}/?contractId=${mainContractId}`,
  }),
});
const createdReply = (_: unknown, headers: Readonly<Record<string, string>>) => created(undefined, headers);
const changedReply = (_: unknown, headers: Readonly<Record<string, string>>) => noContent(headers);

const nextId = (world: World): number => world.next("saas surrogate", 9_300);

interface RegistrationBody {
  readonly providerId: string | undefined;
  readonly name: string | null | undefined;
}
/** Applications and customers, which differ in the names of their members only. */
const registrations = <B, R>(
  kind: "applications" | "customers",
  read: (body: B) => RegistrationBody,
  view: (one: RegisteredItem) => R,
) =>
  collection({
    store: itemsOf(kind),
    view,
    write: (body: B, world, former): RegisteredItem => {
      const { providerId = "", name = former?.name ?? null } = read(body);
      const surrogateId = former?.surrogateId ?? nextId(world);
      const rival = stateOf(world)[kind].rival("providerId", providerId, former);
      if (rival) throw conflict(`${providerId} is registered already, as ${rival.surrogateId}`);
      return { surrogateId, providerId, name };
    },
    checkDeletion: ({ surrogateId }, world) => {
      const { pairs: all } = stateOf(world);
      if (all.rival("applicationSurrogateId", surrogateId) ?? all.rival("customerSurrogateId", surrogateId))
        throw conflict(`${surrogateId} is part of a pair`);
    },
    ...sharedMembers<RegisteredItem>(kind),
  });

type Operations = (typeof declared)["operations"];
type Application = Call<Operations["saas_application_update"]>["body"];
type Customer = Call<Operations["saas_customer_update"]>["body"];
const applications = registrations(
  "applications",
  (body: Application) => ({ providerId: body.providerApplicationId ?? body.applicationId, name: body.applicationName }),
  ({ surrogateId: id, providerId, name }) => {
    return { providerApplicationId: providerId, applicationName: name, surrogateId: String(id) };
  },
);
const customers = registrations(
  "customers",
  (body: Customer) => ({ providerId: body.providerCustomerId ?? body.customerId, name: body.customerName }),
  ({ surrogateId: id, providerId, name }) => {
    return { providerCustomerId: providerId, customerName: name, surrogateId: String(id) };
  },
);
const pairs = collection({
  store: itemsOf("pairs"),
  view: (pair) => ({ ...pair }),
  write: (body: Call<Operations["saas_pair_update"]>["body"], world, former) => {
    const { applications: apps, customers: all } = stateOf(world);
    const surrogateId = former?.surrogateId ?? nextId(world);
    if (!apps.has(body.applicationSurrogateId))
      throw badRequest(`There is no application ${body.applicationSurrogateId}`);
    if (!all.has(body.customerSurrogateId)) throw badRequest(`There is no customer ${body.customerSurrogateId}`);
    return { surrogateId, ...body };
  },
  ...sharedMembers<Pair>("pairs"),
});

export const saasRegistration = emulateService(declared, problemDetails("/config-saas-registration/error-types"), {
  saas_applications_list: applications.list,
  saas_application_create: applications.create(createdReply),
  saas_application_get: applications.get((shown) => ok(shown)),
  saas_application_update: applications.update(changedReply),
  saas_application_delete: applications.remove(noContent),

  saas_customers_list: customers.list,
  saas_customer_create: customers.create(createdReply),
  saas_customer_get: customers.get((shown) => ok(shown)),
  saas_customer_update: customers.update(changedReply),
  saas_customer_delete: customers.remove(noContent),

  saas_pairs_list: pairs.list,
  saas_pair_create: pairs.create(createdReply),
  saas_pair_get: pairs.get((shown) => ok(shown)),
  saas_pair_update: pairs.update(changedReply),
  saas_pair_delete: pairs.remove(noContent),
});
