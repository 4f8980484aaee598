/** What the documents state of an operation, and no schema can say, is on the page of that operation. */
import { expect, it } from "vitest";
import { answersMarkdown, asMarkdown, operationPage } from "../../src/pages/tool-page.js";
import { allServices } from "../../src/tools/index.js";

const pages = new Map(
  (await allServices("documents")).flatMap((service) =>
    Object.entries(service.operations).map(([tool, operation]) => {
      const page = operationPage(tool, operation, service, 0);
      return [tool, asMarkdown(page) + answersMarkdown(page)];
    }),
  ),
);

it.each<[string, RegExp]>([
  ["edgelogic_policy_create", /one, include it in the body/],
  ["edgelogic_policy_version_delete", /omitRules.*matchRuleFormat|matchRuleFormat.*omitRules/s],
  ["edgelogic_groups_list", /View, Edit, Activate or AdvancedEdit/],
  ["edgelogic_group_get", /View, Edit, Activate or AdvancedEdit/],
  ["cert_enrollment_create", /Organization, which has to own the domain/],
  ["cert_enrollment_update", /Organization, which has to own the domain/],
  ["log_delivery_thresholds_list", /a low one leaves more to the delivery of residual data/],
  ["log_delivery_threshold_get", /a low one leaves more to the delivery of residual data/],
  ["log_configuration_create", /a low one leaves more to the delivery of residual data/],
  ["users_list", /redacted response/],
  ["user_get", /redacted response/],
  ["user_groups_list", /redacted response/],
  ["user_group_get", /redacted response/],
  ["user_properties_list", /redacted response/],
  ["user_property_users_list", /redacted response/],
  ["user_roles_list", /redacted response/],
  ["user_role_get", /redacted response/],
])("the page of %s has %s", (tool, statement) => {
  expect(pages.get(tool)).toMatch(statement);
});
