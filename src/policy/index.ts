/** The policy: what an operator allows, denies and wants approved, besides what the guard asks of every call. */
export { type Decision, decide, denied } from "./decide.js";
export { type CallerFacts, type CallFacts, factsOf, factsOfReading } from "./facts.js";
export { createQuotas, type Quotas, type Taken } from "./quotas.js";
export { allowsWithoutApproval, noPolicy, type Policy } from "./rule.js";
