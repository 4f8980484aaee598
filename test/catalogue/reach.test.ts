/**
 * Law over the catalogue: what grants access, widens reach, adds a destination of data or ends on production is guarded,
 * or stands below with a reason. What a call may do is read off its route and its arguments, never off its guard.
 */
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import type { Apis } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { isDestination } from "../../src/schema/destination.js";
import { contentsOf, formsOf } from "../../src/schema/shape.js";
import { allServices } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { promise } from "../lab/rules.js";

const writesOf = async (generation: Apis) =>
  operationsIn(await allServices(generation)).filter(([, operation]) => !isRead(operation));
const today = await writesOf("today");
// Where both generations have a tool of one name, the documents' is judged: today's guards no less, as the last law holds.
const byName = new Map([...today, ...(await writesOf("documents"))]);
const writes = [...byName];
const isGuarded = (tool: string) => guardOf(byName.get(tool) as AnyOperation) !== undefined;

type Sign = "access" | "destination" | "production";

const words: Readonly<Record<Sign, RegExp>> = {
  access:
    /user(?!agent)|role|grant|permi|access|identit|password|credential|token|tfa|lock|allow|invit|shar|member|customer|owner|admin|list|restrict|securit|^keys?$|tsig/i,
  destination:
    /mail|recipient|notif|hook|callback|forward|deliver|redirect|origin|host|url|ftp|machine|addr|sink|upload/i,
  // What is written to a DNS zone is answered to resolvers at once.
  production:
    /prod(?!uct)|(?<!de)activ|deploy|network|environment|publish|live|secure-edge|edgehostname|acknowledg|config-dns/i,
};

interface Seen {
  readonly texts: Set<string>;
  isMarked: boolean;
}

/** The names of all members of a schema, at any depth, with the values that it lists, and whether any is a destination. */
function seenIn(root: z.ZodType): Seen {
  const seen: Seen = { texts: new Set(), isMarked: false };
  const visited = new Set<z.ZodType>();
  const visit = (at: z.ZodType) => {
    if (visited.has(at)) return;
    visited.add(at);
    for (const form of formsOf(at)) {
      seen.isMarked ||= isDestination(form);
      if (form instanceof z.ZodObject) for (const name of Object.keys(form.shape)) seen.texts.add(name);
      if (form instanceof z.ZodEnum) for (const value of form.options) seen.texts.add(String(value));
      contentsOf(form).forEach(visit);
    }
  };
  visit(root);
  return seen;
}

/** Ids that say where something is, and arguments of ours; what they are called tells nothing of the call. */
const isPlace = (text: string): boolean =>
  /^(?:group|contract|product|network)Ids?$|^(?:confirm|wait|override)$/.test(text);

function signsOf({ route, spec, ...operation }: AnyOperation): Sign[] {
  const { texts, isMarked } = seenIn(argumentsSchema({ route, spec, ...operation }));
  const literal = route
    .replace(/\{[^}]*\}/g, "")
    .split(/[/?=& ]+/)
    .slice(1);
  const all = [...literal, ...[...texts].filter((text) => !isPlace(text))];
  const found = (Object.keys(words) as Sign[]).filter((sign) => all.some((text) => words[sign].test(text)));
  const reaches = isMarked || spec.sendsTo !== undefined;
  return reaches && !found.includes("destination") ? [...found, "destination"] : found;
}

interface Reason {
  readonly why: string;
  /** The signs that it answers. */
  readonly answers: readonly Sign[];
  /** The call without which nothing comes of these; it has to be guarded. */
  readonly endsWith?: readonly string[];
  readonly tools: string;
}

/** Every change that needs no approval, and why. */
const free: readonly Reason[] = [
  {
    why: "it writes a version or a draft that nobody is served before a call that is guarded takes it live",
    answers: ["access", "destination", "production"],
    endsWith: [
      "property_version_activate",
      "include_version_activate",
      "bulk_activation_launch",
      "edgelogic_policy_version_activate",
      "edgelogic_origin_activate",
      "visitor_policy_activate",
      "saasaccess_policy_activate",
      "threat_deployment_launch",
      "threat_list_deployment_launch",
      "live_version_activate",
      "netlist_activate",
      "sharedpolicy_version_activate",
      "dns_changelist_submit",
    ],
    tools:
      "property_create property_version_create property_hostnames_replace property_rule_tree_replace " +
      "include_create include_version_create include_rule_tree_update bulk_version_create " +
      "edgelogic_policy_create edgelogic_policy_version_create edgelogic_policy_version_update edgelogic_rule_create " +
      "edgelogic_rule_update edgelogic_origin_create edgelogic_origin_update edgelogic_origin_version_create " +
      "visitor_policy_create visitor_policy_update visitor_policy_clone saasaccess_policy_create " +
      "saasaccess_policy_update threat_site_create threat_site_update threat_policy_create threat_policy_update " +
      "threat_list_create threat_list_update threat_list_item_update threat_list_item_replace " +
      "threat_honeypot_create threat_honeypot_update live_domain_create live_version_create " +
      "netlist_create netlist_element_create netlist_element_set " +
      "sharedpolicy_create sharedpolicy_clone sharedpolicy_version_create " +
      "dns_changelist_create dns_changelist_recordset_set",
  },
  {
    why: "it makes a name that has no visitors before a record or a property leads to it",
    answers: ["access", "destination", "production"],
    endsWith: ["dns_zone_write", "property_version_activate"],
    tools: "sps_edge_host_create property_edge_hostname_create",
  },
  {
    why: "it makes a zone that resolvers are not sent to before a registrar delegates the domain; writing its records is guarded",
    answers: ["access", "production"],
    endsWith: ["dns_changelist_submit", "dns_recordset_create", "dns_zone_recordset_create", "dns_zone_file_replace"],
    tools: "dns_zone_create",
  },
  {
    why: "it makes a role that nobody holds, or a group that nobody has a role in; giving one is guarded",
    answers: ["access"],
    endsWith: ["user_create", "user_grants_replace"],
    tools: "user_role_create user_group_create",
  },
  {
    why: "it changes what something is called or how it is counted, and nobody's access",
    answers: ["access"],
    tools:
      "user_group_rename property_cpcode_create property_client_settings_update saas_application_create " +
      "saas_application_update saas_customer_create saas_customer_update saas_pair_create saas_pair_update",
  },
  {
    why: "an event is a note beside reports: its lock keeps the note from being changed, its services name what it is about",
    answers: ["access", "production"],
    tools: "event_create event_update",
  },
  {
    why: "it switches mail to the user's own address on or off; another address is written by calls that are guarded",
    answers: ["access", "destination", "production"],
    endsWith: ["user_update", "user_profile_update"],
    tools: "user_notifications_update user_profile_notifications_update",
  },
  {
    why: "it sends logs once more to where they were sent already, which was approved when that was written or resumed",
    answers: ["access", "destination", "production"],
    endsWith: [
      "log_configuration_create",
      "log_configuration_replace",
      "log_configuration_copy",
      "log_configuration_resume",
    ],
    tools: "log_redelivery_create",
  },
  {
    why: "it searches the rules of the account's own properties, and leaves nothing behind but what it found",
    answers: ["destination"],
    tools: "bulk_search_launch bulk_search_run",
  },
  {
    why: "it asks an edge server what any visitor can ask it, or makes a link under which a visitor tells of himself",
    answers: ["access", "destination"],
    tools:
      "diag_location_curl_run diag_ip_curl_run diag_user_link_create diag_ip_cdn_launch diag_url_statistic_launch " +
      "diag_cpcode_statistic_launch diag_error_translation_launch diag_url_debug_launch " +
      "edgediag_curl_run edgediag_esi_debug_run edgediag_url_health_launch edgediag_content_problem_launch " +
      "edgediag_connectivity_problem_launch edgediag_error_translation_launch edgediag_metadata_trace_launch " +
      "edgediag_user_group_create",
  },
  {
    why: "it searches the log lines of the account's own sites, and leaves nothing behind but what it found",
    answers: ["destination"],
    tools: "edgediag_log_search_launch",
  },
];

describe("a change that needs no approval", () => {
  const listed = free.flatMap(({ tools }) => tools.split(" "));

  it(promise("free-changes-have-reasons", "stands in the list with a reason, and nothing that is guarded does"), () => {
    expect([...listed].sort()).toEqual(
      writes
        .map(([tool]) => tool)
        .filter((tool) => !isGuarded(tool))
        .sort(),
    );
  });

  it("does nothing of what has to be guarded that its reason does not answer", () =>
    holdsForEach(free, (reason) => {
      const { tools, answers, endsWith = [] } = reason;
      for (const tool of tools.split(" ")) {
        const signs = signsOf(byName.get(tool) as AnyOperation);
        expect([tool, signs.filter((sign) => !answers.includes(sign))]).toEqual([tool, []]);
      }
      for (const tool of endsWith) expect([tool, isGuarded(tool)]).toEqual([tool, true]);
    }));
});

describe("the signs", () => {
  it("are seen in every write, where its guard says so", () =>
    holdsForEach(
      writes.filter(([tool]) => isGuarded(tool)),
      (_, operation) => {
        const guard = guardOf(operation);
        const signs = signsOf(operation);
        if (guard?.kind === "access" || guard?.kind === "credential") expect(signs).toContain("access");
        if (guard?.kind === "activate" || guard?.network === "PRODUCTION") expect(signs).toContain("production");
        if (guard?.when === "sending") expect(signs).toContain("destination");
      },
    ));
});

it("a tool of today is guarded if the documents' tool of its name is", () => {
  const bare = today.filter(([, operation]) => guardOf(operation) === undefined).map(([tool]) => tool);
  expect(bare.filter(isGuarded)).toEqual([]);
});
