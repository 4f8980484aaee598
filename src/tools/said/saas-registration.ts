/** What people say for the registration of SaaS applications and customers. */
import type { Said } from "../../api/said.js";
import type { saasRegistration as service } from "../saas-registration.js";

export const saasRegistration = {
  service: "SaaS provider; register tenants, our own customers and the applications that we sell",
  operations: {
    saas_applications_list:
      "which SaaS apps have we registered; all our applications under a contract; surrogate ids of hosted applications; catalogue of apps that we offer; application ids; list registered apps; which apps did we register; SaaS applications of the contract; our software catalogue; app ids; what software do we offer; every app on file; surrogate id of the CRM; hosted applications we registered; find an application's id by name",
    saas_application_create:
      "register a new SaaS app; add an application that we offer; launch a new app product for tenants; put a new product in the catalogue; declare an app; register, add, declare a SaaS application; new app; put our CRM product into the register; publish an app we sell; we've got a new app to sell; get the CRM on file; sign up, enter another app, product in SaaS registration; make a product known",
    saas_application_get:
      "show one SaaS app; name and id of a registered application; look up one app by surrogate id; one registered SaaS app by surrogate id; read an application; app record; which app is surrogate id 71; what is application 71; an app's record",
    saas_application_update:
      "rename a SaaS app; change the id of a registered application; relabel an app after a rebrand; correct an app's name or id; rename a SaaS application; app has a new name, id; fix an app's record; edit app; the app got a new name; wrong app id on file; app was rebranded, relabel it in SaaS registration; correct an app's record; product has another name",
    saas_application_delete:
      "retire a SaaS app; unregister an application; remove an app that we no longer sell; take an app out of the catalogue; retire, remove, unregister a SaaS app; we stopped selling, discontinued an app; delete an application; we stopped selling the app; application 71 is off the market; end of life of an app",
    saas_customers_list:
      "which tenants have we registered; all SaaS customers, clients under a contract; clients on file with their surrogate ids; client list; tenants and their ids; list registered customers, tenants, clients; which customers do we have; SaaS customers of the contract; tenant ids; which companies buy from us; every tenant on file; clients on file; who are our SaaS clients; find a customer's surrogate id by name",
    saas_customer_create:
      "onboard a new tenant; register a SaaS customer; add a client company; client just signed, make them known; new client signed; declare a tenant; onboard, register, add a tenant, customer, client company; new account signed; new client; we landed a new account; get a company on file; sign up another client in SaaS registration; client signed a contract with us, make them known; enter a tenant",
    saas_customer_get:
      "show one tenant; name and id of a SaaS customer; client record by surrogate id; look up one tenant by surrogate id; one tenant, customer, client by surrogate id; customer record; read a client; which company is surrogate id 88; who is customer 88; a client's record",
    saas_customer_update:
      "rename a tenant; change a SaaS customer's name or id, they rebranded; fix a client's record after a new company name; correct a tenant's name or id; customer changed its company name; rename a tenant, client; rebranded, merged, misspelt; edit a customer's record; the company got bought and has a new name; wrong tenant id on file; Acme is now Apex; fix a client's record; company name misspelt in SaaS registration",
    saas_customer_delete:
      "offboard a tenant; a SaaS customer left, remove the client; client churned, contract ended; drop a tenant; remove, offboard, unregister a tenant, client; customer left, churned, cancelled the contract; delete a customer; the company is leaving us; Acme stopped being a client; strike a client off; tenant shut down",
    saas_pairs_list:
      "who uses which app; which tenants have which SaaS application; all assignments of customers to applications; customer and app combos; links between customers and applications; subscriptions: who has which app; entitlements of tenants; see what a client pays for; which tenant has which app; list assignments, pairs, subscriptions; customer to app mapping; who has bought what; which company uses which software; combos, links, who subscribes to what; see what a client uses before a price talk",
    saas_pair_create:
      "give a tenant access to an app; assign a SaaS application to a customer; a client subscribes to an app; link a customer to an application; entitle a tenant; subscribe a client to an app; provision an app for a customer; link a customer and an application; let a client start to use an app; give a tenant an app; assign, link, connect, hook up, subscribe; customer bought an app; enable an app for a client; new pair; a company bought the CRM, switch it on for them; let a tenant use an app; let Acme use the CRM; link customer 88 to application 71; new combo; client signed up for a product",
    saas_pair_get:
      "show one assignment of an app to a tenant; one customer and application pair; what is in one combo; one link between customer and application by number; look up one subscription by surrogate id; one pair, assignment by surrogate id; read a subscription; link between a client and an app; what's pair 302; which company and app hide behind a pair; what's in combo 302; look at one link, subscription",
    saas_pair_update:
      "switch a tenant to another app; change the customer or application of an assignment; swap the app in a combo; correct a subscription; other app or tenant in an entitlement; change a pair; swap the app or customer of an assignment; client switches to another app; upgrade a tenant to another app; the company moves from basic to premium app; combo 302 should be with another app; link has the wrong customer; client changes plan",
    saas_pair_delete:
      "take an app away from a tenant; a customer cancels one application; unassign an app; break up a combo; end a customer's use of one app while both records stay; end a subscription; revoke a tenant's entitlement to an app; unhook, unlink, unassign, disconnect an app from a tenant; customer no longer pays for an app; remove a pair; take an app away; cancel a subscription; the company drops one app but stays; stop a tenant from using an app; break up a combo; end a client's use of one app while keeping both records; unlink; client quits one product",
  },
} satisfies Said<typeof service>;
