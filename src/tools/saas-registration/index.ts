/** SaaS registration (document B): applications, customers, and pairs of them under a contract. */
import { recreation } from "../../language/conduct.js";
import { contractArgument } from "../../language/defaults.js";
import { empty, form, json, op } from "../../language/define.js";
import { act } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";

const inContract = { contractId: contractArgument(z.string().min(1), "contract_ids_list") };
const key = z.string().min(1).max(50);
const Application = z.looseObject({
  providerApplicationId: z.string(),
  applicationName: z.string().nullable().optional(),
  surrogateId: z.string(),
});
const Customer = z.looseObject({
  providerCustomerId: z.string(),
  customerName: z.string().nullable().optional(),
  surrogateId: z.string(),
});
const Pair = z.looseObject({ applicationSurrogateId: z.int(), customerSurrogateId: z.int(), surrogateId: z.int() });
const customerForm = "customer/x-www-form-urlencoded";
const application = form(
  openObject(
    withReadOnlyMembers(
      {
        providerApplicationId: key.optional().describe("Your id for the application; required"),
        applicationName: z.string().nullish(),
        applicationId: key.optional().describe("Deprecated alias of providerApplicationId"),
      },
      Application,
    ),
  ).refine((body) => body.providerApplicationId ?? body.applicationId, {
    path: ["providerApplicationId"],
    message: "your id for the application; it is required",
  }),
);
const customer = form(
  openObject(
    withReadOnlyMembers(
      {
        providerCustomerId: key.optional().describe("Your id for the customer; required"),
        customerName: z.string().nullish(),
        customerId: key.optional().describe("Deprecated alias of providerCustomerId"),
      },
      Customer,
    ),
  ).refine((body) => body.providerCustomerId ?? body.customerId, {
    path: ["providerCustomerId"],
    message: "your id for the customer; it is required",
  }),
  customerForm,
);
const pair = form(
  withReadOnlyMembers({ customerSurrogateId: z.int().positive(), applicationSurrogateId: z.int().positive() }, Pair),
  customerForm,
);
/** What the operations on a single application, customer or pair share. */
const ofOne = {
  path: { surrogateId: z.int().positive() },
  query: inContract,
  rules: ["saas-contract-required"],
} as const;

export const saasRegistration = service("saas", {
  name: "saas-registration",
  document: "B",
  title: "SaaS registration",
  about: "Registers applications, customers and pairs of them under a contract.",
  standing: { state: "unknown" },
  ids: {
    contractId: "contract_ids_list",
    applicationSurrogateId: "saas_applications_list",
    customerSurrogateId: "saas_customers_list",
    providerApplicationId: { given: "your own id for the application" },
    applicationId: { given: "your own id for the application" },
    providerCustomerId: { given: "your own id for the customer" },
    customerId: { given: "your own id for the customer" },
  },
  rules: {
    "saas-contract-required": "Every call takes the contract.",
    "saas-created-location": "A creation returns 201 with the Location of the new item.",
    "saas-modified-location": "A modification returns 204 with the item's Location.",
    "saas-odd-media-type":
      "Customer and pair bodies are customer/x-www-form-urlencoded, application bodies application/x-www-form-urlencoded.",
    "saas-alias": "providerApplicationId and providerCustomerId take precedence over their deprecated aliases.",
  },
  operations: {
    saas_applications_list: op("GET /config-saas-registration/v1/applications/", {
      does: "Lists the contract's applications.",
      query: inContract,
      returns: { 200: json(z.array(Application)) },
      rules: ["saas-contract-required"],
      example: { contractId: "C-1FRYVV3" },
    }),
    saas_application_create: op("POST /config-saas-registration/v1/applications/", {
      does: "Registers an application; the response's location contains its surrogate id.",
      query: inContract,
      effect: "create",
      body: application,
      returns: { 201: empty },
      shownBy: "saas_applications_list",
      rules: ["saas-contract-required", "saas-created-location", "saas-odd-media-type", "saas-alias"],
      example: { contractId: "C-1FRYVV3", body: { providerApplicationId: "crm", applicationName: "CRM" } },
    }),
    saas_application_get: op("GET /config-saas-registration/v1/applications/{surrogateId}/", {
      does: "Reads one application.",
      ...ofOne,
      returns: { 200: json(Application) },
      example: { contractId: "C-1FRYVV3", surrogateId: 9001 },
    }),
    saas_application_update: op("PUT /config-saas-registration/v1/applications/{surrogateId}/", {
      does: "Changes an application's id or name.",
      ...ofOne,
      body: application,
      returns: { 204: empty },
      effect: "update",
      shownBy: "saas_application_get",
      rules: ["saas-contract-required", "saas-modified-location", "saas-alias"],
      example: {
        contractId: "C-1FRYVV3",
        surrogateId: 9001,
        body: { providerApplicationId: "wiki", applicationName: "Wiki" },
      },
    }),
    saas_application_delete: op("DELETE /config-saas-registration/v1/applications/{surrogateId}/", {
      does: "Removes an application.",
      ...ofOne,
      returns: { 204: empty },
      guard: {
        kind: "delete",
        thing: "application {providerApplicationId}",
        says: "its registration under the contract is removed",
        undo: {
          tool: "saas_application_create",
          args: recreation("contractId", ["providerApplicationId", "applicationName"]),
        },
      },
      shownBy: "saas_application_get",
      example: { contractId: "C-1FRYVV3", surrogateId: 9002 },
    }),
    saas_customers_list: op("GET /config-saas-registration/v1/customers/", {
      does: "Lists the contract's customers.",
      query: inContract,
      returns: { 200: json(z.array(Customer)) },
      rules: ["saas-contract-required"],
      example: { contractId: "C-1FRYVV3" },
    }),
    saas_customer_create: op("POST /config-saas-registration/v1/customers/", {
      does: "Registers a customer; the response's location contains its surrogate id.",
      query: inContract,
      effect: "create",
      body: customer,
      returns: { 201: empty },
      shownBy: "saas_customers_list",
      rules: ["saas-contract-required", "saas-created-location", "saas-odd-media-type", "saas-alias"],
      example: { contractId: "C-1FRYVV3", body: { providerCustomerId: "acme", customerName: "Acme" } },
    }),
    saas_customer_get: op("GET /config-saas-registration/v1/customers/{surrogateId}/", {
      does: "Reads one customer.",
      ...ofOne,
      returns: { 200: json(Customer) },
      example: { contractId: "C-1FRYVV3", surrogateId: 9101 },
    }),
    saas_customer_update: op("PUT /config-saas-registration/v1/customers/{surrogateId}/", {
      does: "Changes a customer's id or name.",
      ...ofOne,
      body: customer,
      returns: { 204: empty },
      effect: "update",
      shownBy: "saas_customer_get",
      rules: ["saas-contract-required", "saas-modified-location", "saas-alias"],
      example: {
        contractId: "C-1FRYVV3",
        surrogateId: 9101,
        body: { providerCustomerId: "globex", customerName: "Globex" },
      },
    }),
    saas_customer_delete: op("DELETE /config-saas-registration/v1/customers/{surrogateId}/", {
      does: "Removes a customer.",
      ...ofOne,
      returns: { 204: empty },
      guard: {
        kind: "delete",
        thing: "customer {providerCustomerId}",
        says: "its registration under the contract is removed",
        undo: {
          tool: "saas_customer_create",
          args: recreation("contractId", ["providerCustomerId", "customerName"]),
        },
      },
      shownBy: "saas_customer_get",
      example: { contractId: "C-1FRYVV3", surrogateId: 9102 },
    }),
    saas_pairs_list: op("GET /config-saas-registration/v1/pairs/", {
      does: "Lists which customers use which applications.",
      query: inContract,
      returns: { 200: json(z.array(Pair)) },
      rules: ["saas-contract-required"],
      example: { contractId: "C-1FRYVV3" },
    }),
    saas_pair_create: op("POST /config-saas-registration/v1/pairs/", {
      does: "Assigns an application to a customer; the response's location contains the pair's surrogate id.",
      needs: "Surrogate ids from saas_customers_list and saas_applications_list.",
      query: inContract,
      effect: "create",
      body: pair,
      returns: { 201: empty },
      shownBy: "saas_pairs_list",
      rules: ["saas-contract-required", "saas-created-location", "saas-odd-media-type"],
      example: { contractId: "C-1FRYVV3", body: { customerSurrogateId: 9101, applicationSurrogateId: 9002 } },
    }),
    saas_pair_get: op("GET /config-saas-registration/v1/pairs/{surrogateId}/", {
      does: "Reads one pair.",
      ...ofOne,
      returns: { 200: json(Pair) },
      example: { contractId: "C-1FRYVV3", surrogateId: 9201 },
    }),
    saas_pair_update: op("PUT /config-saas-registration/v1/pairs/{surrogateId}/", {
      does: "Changes a pair's customer or application.",
      ...ofOne,
      body: pair,
      returns: { 204: empty },
      effect: "update",
      shownBy: "saas_pair_get",
      rules: ["saas-contract-required", "saas-modified-location"],
      example: {
        contractId: "C-1FRYVV3",
        surrogateId: 9201,
        body: { customerSurrogateId: 9101, applicationSurrogateId: 9002 },
      },
    }),
    saas_pair_delete: op("DELETE /config-saas-registration/v1/pairs/{surrogateId}/", {
      does: "Removes an application from a customer.",
      ...ofOne,
      returns: { 204: empty },
      guard: {
        kind: "delete",
        thing: "pair",
        says: ({ surrogateId }, present) => {
          const [customer, application] = ["customerSurrogateId", "applicationSurrogateId"].map((name) =>
            memberAt(present, name),
          );
          const which =
            customer === undefined
              ? "its application is no longer assigned to its customer"
              : `application ${plainOrQuoted(application)} is no longer assigned to customer ${plainOrQuoted(customer)}`;
          return act`DELETE pair ${plainOrQuoted(surrogateId)}: ${which}`;
        },
        undo: {
          tool: "saas_pair_create",
          args: recreation("contractId", ["customerSurrogateId", "applicationSurrogateId"]),
          isWhole: true,
        },
      },
      shownBy: "saas_pair_get",
      example: { contractId: "C-1FRYVV3", surrogateId: 9201 },
    }),
  },
});
