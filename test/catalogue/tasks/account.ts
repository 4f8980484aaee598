/** Tasks about alerts, people, credentials, threats, events and customers. */
import { rowsAt, sumsBy, type Task, toMinute } from "./task.js";

type Body = Readonly<Record<string, unknown>>;
const config = { configId: 1100 };
const list = { ...config, listId: 3785 };

/** The keys that end within 60 days of the time of the tasks. */
const endingSoon = (keys: readonly Body[]): readonly Body[] =>
  keys.filter(({ expiresOn }) => String(expiresOn) < "2026-07-20");

export const account: readonly Task[] = [
  {
    question: "When did the alert about origin failures in the shop last fire, and for how long?",
    seed: 27,
    calls: [
      ["alert_summaries_list", {}],
      ["alert_firings_list", { definitionId: "s@1623" }],
    ],
    figures: async (raw) => {
      const [last] = rowsAt(await raw("alert_firings_list", { definitionId: "s@1623" }), "data");
      return [`startTime: ${last?.["startTime"]}`, `endTime: ${last?.["endTime"]}`];
    },
  },
  {
    question: "Who has no second factor or never signed in, and which keys of API client oi-1000 end within 60 days?",
    seed: 36,
    today: {
      calls: [["access_report", { days: 60 }]],
      figures: async (raw) => {
        const users = rowsAt(await raw("users_list")).filter(({ isLocked }) => !isLocked);
        const unsafe = users.filter(({ additionalAuthentication: factor }) => factor === "NONE");
        const never = users.filter(({ lastLoginDate }) => lastLoginDate === undefined);
        const keys = rowsAt(await raw("apiclient_credentials_list", { clientId: "oi-1000" }));
        return [
          `${unsafe.length} of ${users.length} users who can sign in has no second factor`,
          `${never.length} of ${users.length} users who can sign in has never signed in`,
          ...[...unsafe, ...never].flatMap(({ email, uiIdentityId }) => [String(email), String(uiIdentityId)]),
          ...endingSoon(keys).flatMap(({ credentialId, expiresOn }) => [String(credentialId), toMinute(expiresOn)]),
        ];
      },
    },
    calls: [
      ["users_list", {}],
      ["expiry_report", { days: 60, openIdentityId: "oi-1000" }],
    ],
    figures: async (raw) => {
      const users = rowsAt(await raw("users_list"));
      const found = users.filter(({ tfaEnabled, lastLoginDate }) => !tfaEnabled || lastLoginDate === undefined);
      const keys = rowsAt(await raw("credentials_list", { openIdentityId: "oi-1000" }));
      return [
        ...found.map(({ email }) => String(email)),
        ...endingSoon(keys).map(({ credentialId }) => `credential ${credentialId}`),
      ];
    },
  },
  {
    question: "If I moved the group Campaigns below Archive, who would gain or lose access?",
    seed: 29,
    calls: [
      ["user_groups_list", {}],
      ["user_affected_users_list", { sourceGroupId: 33_333, destinationGroupId: 44_444 }],
    ],
    figures: async (raw) => {
      const args = { sourceGroupId: 33_333, destinationGroupId: 44_444 };
      return rowsAt(await raw("user_affected_users_list", args)).map((one) => String(one["email"]));
    },
  },
  {
    question: "How many domains of the threat list 3785 (configuration 1100) are confirmed, and how many suspected?",
    seed: 32,
    today: null,
    calls: [["threat_list_get", list]],
    figures: async (raw) => {
      const items = rowsAt(await raw("threat_list_items_list", { ...list, allPages: true }), "items");
      // Level 2 is confirmed, level 1 is suspected.
      const counts = sumsBy(items, ({ confidenceLevelId }) => String(confidenceLevelId));
      return [counts.get("1") ?? 0, counts.get("2") ?? 0];
    },
  },
  {
    question: "What has been changed in threat protection that is not live yet?",
    seed: 33,
    today: null,
    calls: [["threat_undeployed_changes_list", {}]],
    figures: async (raw) => {
      const changes = [
        ...rowsAt(await raw("threat_changes_list", config), "changes"),
        ...rowsAt(await raw("threat_list_changes_list", config), "changes"),
      ].flatMap(({ changes: each }) => each as readonly { readonly detail?: Body }[]);
      return changes.flatMap(({ detail }) => (detail?.["id"] === undefined ? [] : [String(detail["id"])]));
    },
  },
  {
    question: "Which event is next, when does it begin, and for how many viewers?",
    seed: 34,
    today: {
      calls: [
        ["events_list", { view: { sort: "start" } }],
        ["event_get", { eventId: 20_051 }],
      ],
      figures: async (raw) => {
        const { name, start, audienceSize } = (await raw("event_get", { eventId: 20_051 })) as Body;
        return [String(name), String(start), Number(audienceSize)];
      },
    },
    calls: [["events_list", {}]],
    figures: async (raw) => {
      const now = Date.parse("2026-05-20T12:10:00Z");
      const coming = rowsAt(await raw("events_list")).filter(({ start }) => Number(start) > now);
      const [next] = [...coming].sort((a, b) => Number(a["start"]) - Number(b["start"]));
      const at = new Date(Number(next?.["start"])).toISOString().replace(".000", "");
      return [`${next?.["name"]}`, `${next?.["start"]} = ${at}`, Number(next?.["audienceSize"])];
    },
  },
  {
    question: "Which of our customers under contract C-1FRYVV3 uses which application?",
    seed: 35,
    calls: [
      ["saas_pairs_list", { contractId: "C-1FRYVV3" }],
      ["saas_customers_list", { contractId: "C-1FRYVV3" }],
      ["saas_applications_list", { contractId: "C-1FRYVV3" }],
    ],
    figures: async (raw) => {
      const of = async (what: string) => rowsAt(await raw(`saas_${what}_list`, { contractId: "C-1FRYVV3" }));
      const [pairs, customers, applications] = [await of("pairs"), await of("customers"), await of("applications")];
      const named = (all: readonly Body[], id: unknown, name: string) =>
        String(all.find(({ surrogateId }) => String(surrogateId) === String(id))?.[name]);
      return pairs.flatMap((pair) => [
        named(customers, pair["customerSurrogateId"], "providerCustomerId"),
        named(applications, pair["applicationSurrogateId"], "applicationName"),
      ]);
    },
  },
];
