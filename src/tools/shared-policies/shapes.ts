/** What the guards of shared policies read of a policy: what is active on each network, and which properties use it. */
import { z } from "../../language/z.js";
import { members } from "../fields.js";

const Activation = z.looseObject({
  ...members(z.int(), "id", "policyVersion"),
  ...members(z.string(), "operation", "status"),
});
const OnNetwork = z.looseObject(members(Activation.nullable(), "effective", "latest"));
export const CurrentActivations = z.looseObject(members(OnNetwork, "production", "staging"));
export const UsingProperties = z.looseObject({
  content: z.array(z.looseObject(members(z.string(), "name", "network"))),
});
