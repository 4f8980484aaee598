/** The threat-protection service: one configuration of the example company, with its offices, lists and deployments. */
import { STATUS_CODES } from "node:http";
import { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import { type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { noiseNumber } from "../../world.js";
import { aupCategories, builtinLists, categoryOf, dnsConfiguration, responses, securityCategories } from "./catalog.js";
import { deploymentBehaviours } from "./deployments.js";
import { listBehaviours } from "./lists.js";
import { objectBehaviours } from "./objects.js";
import { accountConfiguration, configurationOf } from "./store.js";

/** The service's error format (public facts C, 3): problems whose type ends in the name of the status. */
const errorFormat: ErrorFormat = ({ status, title, detail }, _, world) => {
  const word = (STATUS_CODES[status] ?? "").toLowerCase().replaceAll(" ", "-");
  const number = world.next("threat error", 1);
  const hex = (part: string, length: number) => noiseNumber(world, length, "threat error", part, number);
  return {
    type: "application/problem+json",
    body: {
      type: `https://problems.omni.${world.vendor}apis.net/http/${word}`,
      title,
      status,
      detail,
      instance: `${hex("a", 8)}-${hex("b", 4)}-4${hex("c", 3)}-a${hex("d", 3)}-${hex("e", 12)}`,
    },
  };
};

export const threatProtection = emulateService(declared, errorFormat, {
  threat_builtin_lists_list: () =>
    ok(
      builtinLists.map((list) => ({
        ...list,
        securityCategoryInfo: { id: list.securityCategoryId, name: categoryOf(list.securityCategoryId)?.name ?? "" },
      })),
    ),
  threat_responses_list: () => ok(responses.map(({ stops: _, ...shown }) => shown)),
  threat_aup_categories_list: () => ok([...aupCategories]),
  threat_security_categories_list: () => ok([...securityCategories]),
  threat_configs_list: (_, world) => ok([accountConfiguration(world).id]),
  threat_dns_configuration_get: ({ path }, world) => {
    configurationOf(world, path.configId);
    return ok(dnsConfiguration);
  },
  ...objectBehaviours,
  ...listBehaviours,
  ...deploymentBehaviours,
});
