/** What people say for contracts and reporting groups. */
import type { Said } from "../../language/guide.js";
import type { contracts as service } from "./index.js";

export const contracts = {
  service: "contract; agreement; what we bought; reporting group of CP codes",
  operations: {
    contract_ids_list:
      "what contracts do we have; my contract number; contract ids with child contracts; how many contracts are on the account; all our agreements; parent and child contracts; which contract numbers exist; sub-contracts; contract numbers, C- ids; list contracts; which agreements with the CDN exist; how many contracts; contract identifiers; child contracts; contract of the account; how many deals have we got with the CDN; which contract ids can I use for billing calls; numbers of all our agreements; do we have child contracts; top-level contracts only; what do I put as contractId for billing; account's contract numbers; contract number?; enumerate agreements; parents and children",
    contract_product_summary_get:
      "what products did we buy on this contract; what is included in our contract and until when; which products were active in a period; when does the contract or product end; what are we paying for under this agreement; products, features and modules on a contract last quarter; do we own a product; is a product still active; make sure that a feature is in the contract before using it; products on a contract in a period; SKUs; what did we buy, license, subscribe to; do we have Ion, image manager, bot manager; modules included; are we entitled to a product; what the contract covers; marketing products of a contract in Q2; what's in the deal; are we still paying for a product we dropped; goodies on our contract; what's in our agreement; features and modules that we pay for; did we buy this product; what did the contract cover last spring; entitlements; modules on the agreement; do we pay for it; subscriptions; licensed features",
    contract_groups_list:
      "reporting groups with their names; CP code groups by name; how are the CP codes grouped for reports; reporting group names; what are our business units in reporting; find the id of a reporting group by its name; reporting groups and what they are called; business units for reports; names of CP code groups; look up a reporting group by name; reporting groups list; how do we carve up cp codes for reporting; what is group 12 called; bundles of cp codes for reports and billing, named; which departments have their own reporting group; id and name of reporting groups; label of each cp code bundle; cost centers; which reporting groups",
    contract_group_ids_list:
      "just the ids of the reporting groups; numbers of CP code groups without names; reportingGroupId; bare list of reporting group numbers; ids only, no names; loop over all reporting groups; numeric reporting group ids; identifiers alone; group id numbers; every reporting group id; bare numbers for the reporting groups, skip the names; reporting group ids without names; bare numbers; id array of cp code groups; only numbers of cp code bundles",
    contract_group_product_summary_get:
      "what products does a reporting group have; which contracts does the reporting group belong to; products of a CP code group in a period; products used by a reporting group; what does a business unit use; products of a reporting group in a period; contracts behind a group; products of a reporting group; what a reporting group bought or uses; services behind a reporting group; to which contracts a group belongs; which goodies does a reporting group get; is the group split over several contracts; what does a cp code group use; products behind one reporting group; does this group span several contracts; modules in use by a cp code bundle; contracts of a group",
  },
  resources: {
    contracts: "contract ids with parents and children as a document",
    "contract-products": "current products of a contract as a document",
  },
} satisfies Said<typeof service>;
