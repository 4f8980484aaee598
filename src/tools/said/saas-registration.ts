/** What people say for the registration of SaaS applications and customers. */
import type { Said } from "../../api/said.js";
import type { saasRegistration as service } from "../saas-registration.js";

export const saasRegistration = {
  service: "SaaS provider; register tenants, our own customers and the applications that we sell",
  operations: {
    saas_applications_list:
      "which SaaS apps have we registered; all our applications under a contract; surrogate ids of hosted applications; catalogue of apps that we offer; application ids",
    saas_application_create:
      "register a new SaaS app; add an application that we offer; launch a new app product for tenants; put a new product in the catalogue; declare an app",
    saas_application_get: "show one SaaS app; name and id of a registered application; look up one app by surrogate id",
    saas_application_update:
      "rename a SaaS app; change the id of a registered application; relabel an app after a rebrand; correct an app's name or id",
    saas_application_delete:
      "retire a SaaS app; unregister an application; remove an app that we no longer sell; take an app out of the catalogue",
    saas_customers_list:
      "which tenants have we registered; all SaaS customers, clients under a contract; clients on file with their surrogate ids; client list; tenants and their ids",
    saas_customer_create:
      "onboard a new tenant; register a SaaS customer; add a client company; client just signed, make them known; new client signed; declare a tenant",
    saas_customer_get:
      "show one tenant; name and id of a SaaS customer; client record by surrogate id; look up one tenant by surrogate id",
    saas_customer_update:
      "rename a tenant; change a SaaS customer's name or id, they rebranded; fix a client's record after a new company name; correct a tenant's name or id",
    saas_customer_delete:
      "offboard a tenant; a SaaS customer left, remove the client; client churned, contract ended; drop a tenant",
    saas_pairs_list:
      "who uses which app; which tenants have which SaaS application; all assignments of customers to applications; customer and app combos; links between customers and applications; subscriptions: who has which app; entitlements of tenants; see what a client pays for",
    saas_pair_create:
      "give a tenant access to an app; assign a SaaS application to a customer; a client subscribes to an app; link a customer to an application; entitle a tenant; subscribe a client to an app; provision an app for a customer; link a customer and an application; let a client start to use an app",
    saas_pair_get:
      "show one assignment of an app to a tenant; one customer and application pair; what is in one combo; one link between customer and application by number; look up one subscription by surrogate id",
    saas_pair_update:
      "switch a tenant to another app; change the customer or application of an assignment; swap the app in a combo; correct a subscription; other app or tenant in an entitlement",
    saas_pair_delete:
      "take an app away from a tenant; a customer cancels one application; unassign an app; break up a combo; end a customer's use of one app while both records stay; end a subscription; revoke a tenant's entitlement to an app",
  },
} satisfies Said<typeof service>;
