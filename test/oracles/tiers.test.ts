/** The tier of every operation, as reviewed: reads are reads, and each change stands in one of three tables. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { tierOf } from "../../src/language/tier.js";
import { allServices } from "../../src/tools/index.js";

const nowMs = Date.UTC(2026, 4, 20);
const services = await allServices("documents");
const operations = new Map(services.flatMap((service) => Object.entries<AnyOperation>(service.operations)));
const operationOf = (tool: string): AnyOperation => {
  const found = operations.get(tool);
  if (!found) throw new Error(`no operation ${tool}`);
  return found;
};
const tierWith = (tool: string, args: Readonly<Record<string, unknown>>) =>
  tierOf(operationOf(tool), checkArguments(tool, operationOf(tool), args, nowMs).values);

/** Every operation that changes something, with the tier of its example. */
const reviewed = {
  alert_definition_create: "guarded",
  alert_definition_replace: "guarded",
  alert_definition_delete: "critical",
  alert_suppression_create: "guarded",
  alert_suppression_delete: "guarded",
  cert_enrollment_create: "guarded",
  cert_enrollment_update: "guarded",
  cert_enrollment_delete: "critical",
  cert_change_cancel: "guarded",
  cert_change_input_submit: "critical",
  cert_change_schedule_update: "guarded",
  sps_request_create: "critical",
  sps_edge_host_create: "write",
  credential_create: "critical",
  credential_update: "critical",
  credential_delete: "critical",
  credential_deactivate: "critical",
  diag_location_curl_run: "write",
  diag_ip_cdn_launch: "write",
  diag_ip_curl_run: "write",
  diag_user_link_create: "write",
  diag_url_statistic_launch: "write",
  diag_cpcode_statistic_launch: "write",
  diag_error_translation_launch: "write",
  diag_url_debug_launch: "write",
  dns_zone_write: "critical",
  edgelogic_policy_create: "write",
  edgelogic_policy_update: "guarded",
  edgelogic_policy_delete: "critical",
  edgelogic_policy_version_create: "write",
  edgelogic_policy_version_update: "write",
  edgelogic_policy_version_delete: "critical",
  edgelogic_policy_version_activate: "guarded",
  edgelogic_rule_create: "write",
  edgelogic_rule_update: "write",
  edgelogic_origin_create: "write",
  edgelogic_origin_update: "write",
  edgelogic_origin_version_create: "write",
  edgelogic_origin_version_update: "guarded",
  edgelogic_origin_activate: "guarded",
  visitor_policy_create: "write",
  visitor_policy_update: "write",
  visitor_policy_clone: "write",
  visitor_policy_activate: "critical",
  saasaccess_policy_create: "write",
  saasaccess_policy_update: "write",
  saasaccess_policy_activate: "critical",
  live_domain_create: "write",
  live_domain_delete: "critical",
  live_stream_create: "guarded",
  live_stream_update: "critical",
  live_stream_delete: "critical",
  live_event_update: "critical",
  live_event_delete: "critical",
  live_version_create: "write",
  live_version_activate: "guarded",
  event_create: "write",
  event_update: "write",
  log_configuration_create: "guarded",
  log_configuration_replace: "guarded",
  log_configuration_delete: "critical",
  log_configuration_copy: "guarded",
  log_configuration_suspend: "guarded",
  log_configuration_resume: "guarded",
  log_redelivery_create: "write",
  property_activation_cancel: "guarded",
  property_client_settings_update: "write",
  property_cpcode_create: "write",
  property_create: "write",
  property_delete: "critical",
  property_edge_hostname_create: "write",
  property_hostnames_replace: "write",
  property_rule_tree_replace: "write",
  property_version_activate: "guarded",
  property_version_create: "write",
  purge_submit: "critical",
  saas_application_create: "write",
  saas_application_update: "write",
  saas_application_delete: "critical",
  saas_customer_create: "write",
  saas_customer_update: "write",
  saas_customer_delete: "critical",
  saas_pair_create: "write",
  saas_pair_update: "write",
  saas_pair_delete: "guarded",
  threat_site_create: "write",
  threat_site_update: "write",
  threat_site_delete: "critical",
  threat_policy_create: "write",
  threat_policy_update: "write",
  threat_policy_delete: "critical",
  threat_list_create: "write",
  threat_list_update: "write",
  threat_list_delete: "critical",
  threat_list_item_update: "write",
  threat_list_item_replace: "write",
  threat_emergency_list_replace: "guarded",
  threat_honeypot_create: "write",
  threat_honeypot_update: "write",
  threat_honeypot_delete: "guarded",
  threat_deployment_launch: "critical",
  threat_list_deployment_launch: "critical",
  user_group_create: "write",
  user_group_rename: "write",
  user_group_delete: "critical",
  user_group_move: "critical",
  user_property_move: "critical",
  user_role_create: "write",
  user_role_update: "critical",
  user_role_delete: "critical",
  user_profile_update: "guarded",
  user_profile_password_update: "critical",
  user_profile_tfa_set: "critical",
  user_profile_notifications_update: "write",
  user_create: "guarded",
  user_delete: "critical",
  user_notifications_update: "write",
  user_update: "guarded",
  user_password_reset: "critical",
  user_password_set: "critical",
  user_tfa_set: "critical",
  user_lock: "critical",
  user_unlock: "critical",
  user_grants_replace: "critical",
  user_blocked_properties_replace: "critical",
} as const;

it("each changing operation's tier is listed, and all others only read", () => {
  const tierOfExample = ([tool, operation]: [string, AnyOperation]) => [
    tool,
    tierWith(tool, resolvedExample(operation.spec.example, nowMs) as Readonly<Record<string, unknown>>).tier,
  ];
  const all = Object.fromEntries([...operations].map(tierOfExample)) as Readonly<Record<string, string>>;
  expect(Object.fromEntries(Object.entries(all).filter(([, tier]) => tier !== "read"))).toEqual(reviewed);
  for (const [tool, tier] of Object.entries(all))
    expect([tool, tier === "read"]).toEqual([tool, isRead(operationOf(tool))]);
});

describe("a replacement of an enrollment", () => {
  const { body } = operationOf("cert_enrollment_update").spec.example as { readonly body: object };
  const replace = (flags: object) => tierWith("cert_enrollment_update", { enrollmentId: 10_001, body, ...flags });

  it.each<[string, string]>([
    ["allow-cancel-pending-changes", "pending"],
    ["allow-staging-bypass", "production"],
    ["renewal-date-check-override", "expire"],
  ])("is critical with %s", (flag, because) => {
    const { tier, because: given } = replace({ [flag]: true });
    expect(tier).toBe("critical");
    expect(given.join()).toContain(because);
    expect(replace({ [flag]: false }).tier).toBe("guarded");
  });
});

describe("a purge", () => {
  const objects = ["https://www.example.com/a"];
  const purge = (body: object, queueName = "default") => tierWith("purge_submit", { queueName, body });
  const mild = { objects, action: "invalidate", domain: "staging", type: "arl" };

  it("of a few addresses is guarded when they are invalidated on staging", () => {
    expect(purge(mild).tier).toBe("guarded");
  });

  it.each<[string, object, string]>([
    ["on production", { domain: "production" }, "production"],
    ["that names no network", { domain: undefined }, "production"],
    ["that removes", { action: "remove" }, "origin"],
    ["that names no action", { action: undefined }, "origin"],
    ["of a CP code", { type: "cpcode", objects: [12345] }, "CP code"],
    ["of 101 addresses", { objects: Array.from({ length: 101 }, (_, at) => `https://a.example/${at}`) }, "101"],
  ])("%s is critical", (_, change, because) => {
    const { tier, because: given } = purge({ ...mild, ...change });
    expect(tier).toBe("critical");
    expect(given.join()).toContain(because);
  });
});
