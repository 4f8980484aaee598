/** What people say for the registration of SaaS applications and customers. */
import type { Said } from "../../api/said.js";
import type { saasRegistration as service } from "../saas-registration.js";

export const saasRegistration = {
  service: "SaaS provider; register tenants, our own customers and the applications that we sell",
  operations: {
    saas_applications_list: "which SaaS apps have we registered; all our applications under a contract",
    saas_application_create:
      "register a new SaaS app; add an application that we offer; launch a new app product for tenants",
    saas_application_get: "show one SaaS app; name and id of a registered application",
    saas_application_update: "rename a SaaS app; change the id of a registered application",
    saas_application_delete: "retire a SaaS app; unregister an application; remove an app that we no longer sell",
    saas_customers_list: "which tenants have we registered; all SaaS customers, clients under a contract",
    saas_customer_create: "onboard a new tenant; register a SaaS customer; add a client company",
    saas_customer_get: "show one tenant; name and id of a SaaS customer",
    saas_customer_update: "rename a tenant; change a SaaS customer's name or id, they rebranded",
    saas_customer_delete: "offboard a tenant; a SaaS customer left, remove the client",
    saas_pairs_list:
      "who uses which app; which tenants have which SaaS application; all assignments of customers to applications",
    saas_pair_create:
      "give a tenant access to an app; assign a SaaS application to a customer; a client subscribes to an app",
    saas_pair_get: "show one assignment of an app to a tenant; one customer and application pair",
    saas_pair_update: "switch a tenant to another app; change the customer or application of an assignment",
    saas_pair_delete: "take an app away from a tenant; a customer cancels one application; unassign an app",
  },
} satisfies Said<typeof service>;
