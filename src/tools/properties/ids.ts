/** Ids of the property service, which are accepted with or without their prefixes and sent with them. */
import { contractArgument, groupArgument } from "../../language/defaults.js";
import { destination } from "../../language/destination.js";
import { z } from "../../language/z.js";

/** The prefix of each kind of id (public facts B, 3). */
const prefixes = {
  group: "grp_",
  contract: "ctr_",
  product: "prd_",
  cpCode: "cpc_",
  edgeHostname: "ehn_",
  property: "prp_",
  activation: "atv_",
  include: "inc_",
} as const;

const digits = "\\d{1,15}";

/** An id with its prefix. */
const prefixed = (kind: keyof typeof prefixes, rest: string) => {
  const prefix = prefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^(${prefix})?${rest}$`), `an id such as ${prefix}${rest === digits ? "12345" : "C-1FRYVV3"}`)
    .transform((id) => (id.startsWith(prefix) ? id : `${prefix}${id}`));
};

const GroupId = prefixed("group", digits);
const ContractId = prefixed("contract", "[A-Za-z0-9][A-Za-z0-9.-]{0,40}");
export const ProductId = prefixed("product", "[A-Za-z0-9][A-Za-z0-9_.-]{0,60}");
export const CpCodeId = prefixed("cpCode", digits);
export const EdgeHostnameId = prefixed("edgeHostname", digits);
export const PropertyId = prefixed("property", digits);
export const ActivationId = prefixed("activation", digits);
export const IncludeId = prefixed("include", digits);
export const PropertyVersion = z.int().min(1);

/** An id in a body, which is sent as given: the API accepts both forms. */
export const IdInBody = z.string().min(1).max(80);

/** The contract and group in which an object is found; the API needs both if the client can access several groups. */
export const place = { contractId: ContractId.optional(), groupId: GroupId.optional() };
const groups = "property_groups_list";
/** The same where the document requires both, or the API does for a collection (public facts B, 3). */
export const requiredPlace = {
  contractId: contractArgument(ContractId, groups),
  groupId: groupArgument(GroupId, groups),
};

/** Who is notified when an activation is done. */
export const NotifyEmails = z.array(destination("email", z.email())).min(1).max(100);
